"""Public-suffix domains of hosts, and web archive keys."""

from __future__ import annotations

from typing import NamedTuple

from urikit import _urikit
from urikit._names import SurtProfile
from urikit._urikit import SuffixList


class Domain(NamedTuple):
    """A host, divided by its public suffix.

    ``registrable`` is the suffix and one more label; ``None`` if the host itself is a suffix.
    ``is_listed`` is true if a rule in the list defines the suffix, and ``is_private`` is true if
    that rule is in the list's private section.
    """

    suffix: str
    registrable: str | None
    subdomain: str | None
    is_listed: bool
    is_private: bool


def domain(
    host: str, *, private: bool = False, suffixes: SuffixList | None = None
) -> Domain | None:
    """Divides a host according to the Public Suffix List. Returns ``None`` if the host is not a
    name.

    ``private`` also uses the list's private section (``github.io``).

    >>> import urikit
    >>> urikit.domain("www.example.co.uk").registrable
    'example.co.uk'
    >>> urikit.domain("someone.github.io", private=True).registrable
    'someone.github.io'
    >>> urikit.domain("127.0.0.1")
    """
    divided = _urikit.domain(host, private, suffixes)
    return None if divided is None else Domain(*divided)


def surt(url: str, profile: SurtProfile = "urikit") -> str:
    """Returns the key of a URL in the index of a web archive (``SURT_PROFILES``).

    >>> import urikit
    >>> urikit.surt("http://www2.Example.com/A?b&a", "ia-python")
    'com,example)/a?a&b'
    >>> urikit.surt("http://www2.Example.com/A?b&a")
    'com,example,www2)/A?b&a'
    """
    return _urikit.surt(url, profile)


def surt_range(key: str, scope: str = "prefix") -> tuple[str, str] | None:
    """Returns the beginning and the end of the keys of a scope (``exact``, ``prefix``, ``host`` or
    ``domain``) in a sorted index.

    >>> import urikit
    >>> urikit.surt_range("com,example)/", "host")
    ('com,example)/', 'com,example,')
    """
    return _urikit.surt_range(key, scope)
