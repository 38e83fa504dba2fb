"""Percent-encoding and decoding of data, and the lenient parser."""

from __future__ import annotations

from typing import NamedTuple, Union

from urikit import _urikit
from urikit._names import Place, Standard
from urikit._urikit import Reference

Octets = Union[bytes, bytearray, memoryview]


def octets(data: Octets) -> bytes:
    """Returns the bytes in any object with the buffer protocol."""
    return data if type(data) is bytes else bytes(memoryview(data))


class Data(str):
    """Unescaped text, which ``Reference.replace`` escapes, including ``%``.

    >>> import urikit
    >>> str(urikit.parse("http://h/").replace(path=urikit.Data("/50% off")))
    'http://h/50%25%20off'
    """

    __slots__ = ()


def encode(data: str | Octets, place: Place, standard: Standard = "rfc3986") -> str:
    """Escapes data for a component (``PLACES`` lists the names) of a standard.

    >>> import urikit
    >>> urikit.encode("Laguna Beach", "segment")  # RFC 3986, 2.5
    'Laguna%20Beach'
    """
    text = data if isinstance(data, str) else octets(data)
    return _urikit.encode(text, place, standard)


def decode(text: str, place: Place, standard: Standard = "rfc3986") -> bytes:
    """Returns the octets that a component represents.

    >>> import urikit
    >>> urikit.decode("caf%C3%A9", "segment").decode()
    'café'
    """
    return _urikit.decode(text, place, standard)


class Change(NamedTuple):
    """A change that ``repair`` made. ``offset`` is in bytes of the original text."""

    offset: int
    found: str
    became: str


class Repaired(NamedTuple):
    """A repaired reference, and the changes."""

    reference: Reference
    changes: tuple[Change, ...]


def repair(text: str) -> Repaired:
    """Repairs references as people and web pages write them, and reports each change.

    Never makes a change that would decide which host is meant.

    >>> import urikit
    >>> urikit.repair(r"https:\\\\example.com\\a?{x}").reference
    Reference('https://example.com/a?%7Bx%7D')
    """
    reference, changes = _urikit.repair(text)
    return Repaired(reference, tuple(Change(*change) for change in changes))
