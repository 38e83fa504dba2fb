"""Domains of hosts, and keys of web archives."""

from __future__ import annotations

from typing import NamedTuple

from urikit import _urikit
from urikit._urikit import SuffixList


class Domain(NamedTuple):
    """A host, divided by its public suffix.

    ``registrable`` is the suffix and one label more; ``None`` if the host is a suffix itself.
    ``is_listed`` says that a rule of the list gives the suffix, ``is_private`` that the rule is in
    its part for private domains.
    """

    suffix: str
    registrable: str | None
    subdomain: str | None
    is_listed: bool
    is_private: bool


def domain(
    host: str, *, private: bool = False, suffixes: SuffixList | None = None
) -> Domain | None:
    """Divides a host by the Public Suffix List; ``None`` for an address, and for what is no name.

    ``private`` uses the list's part for private domains too (``github.io``).

    >>> import urikit
    >>> urikit.domain("www.example.co.uk").registrable
    'example.co.uk'
    >>> urikit.domain("someone.github.io", private=True).registrable
    'someone.github.io'
    >>> urikit.domain("127.0.0.1")
    """
    divided = _urikit.domain(host, private, suffixes)
    return None if divided is None else Domain(*divided)


def surt(url: str, profile: str = "urikit") -> str:
    """The key of a URL in the index of a web archive (``SURT_PROFILES``).

    >>> import urikit
    >>> urikit.surt("http://www2.Example.com/A?b&a", "ia-python")
    'com,example)/a?a&b'
    >>> urikit.surt("http://www2.Example.com/A?b&a")
    'com,example,www2)/A?b&a'
    """
    return _urikit.surt(url, profile)


def surt_range(key: str, scope: str = "prefix") -> tuple[str, str] | None:
    """Where the keys of a scope (``exact``, ``prefix``, ``host`` or ``domain``) begin and end in a
    sorted index.

    >>> import urikit
    >>> urikit.surt_range("com,example)/", "host")
    ('com,example)/', 'com,example,')
    """
    return _urikit.surt_range(key, scope)
