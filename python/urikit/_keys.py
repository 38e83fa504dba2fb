"""Public-suffix domains of hosts, and web archive keys."""

from __future__ import annotations

from typing import NamedTuple

from urikit import _urikit
from urikit._names import SurtProfile
from urikit._urikit import SuffixList


class Domain(NamedTuple):
    """A host, divided by its public suffix.

    ``registrable`` is the suffix and one more label; ``None`` if the host itself is a suffix.
    ``is_listed`` is true if a rule of the list defines the suffix, and ``is_private`` if the rule is
    in the list's part for private domains.
    """

    suffix: str
    registrable: str | None
    subdomain: str | None
    is_listed: bool
    is_private: bool


def domain(
    host: str, *, private: bool = False, suffixes: SuffixList | None = None
) -> Domain | None:
    """Divides a host by the Public Suffix List. Returns ``None`` if the host is not a name.

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
    """Returns where the keys of a scope (``exact``, ``prefix``, ``host`` or ``domain``) begin and end
    in a sorted index.

    >>> import urikit
    >>> urikit.surt_range("com,example)/", "host")
    ('com,example)/', 'com,example,')
    """
    return _urikit.surt_range(key, scope)
