"""A drop-in for CPython's ``urllib.parse``, with its names, arguments, results and errors.

Use it in programs that must keep parsing URLs like ``urllib`` in CPython 3.13.2. It is as lenient
as ``urllib``, and no slower (``bench/drop_in.py``). New code should use ``urikit.parse``, which
reports what is wrong with a URL.

>>> from urikit.urllib.parse import parse_qsl, quote, urljoin, urlsplit
>>> urlsplit("http://User@www.python.org:080/doc/?query=yes#frag").hostname
'www.python.org'
>>> urljoin("http://www.cwi.nl/%7Eguido/Python.html", "FAQ.html")
'http://www.cwi.nl/%7Eguido/FAQ.html'
>>> quote("/El Niño/")
'/El%20Ni%C3%B1o/'
>>> parse_qsl("a=1&b=2+3")
[('a', '1'), ('b', '2 3')]

``CONFORMANCE.md`` lists the differences from other versions of CPython. The lists of schemes
(``uses_relative``, ``uses_netloc`` and ``uses_params``) are shared with CPython's module, so
additions to them apply here too. Names that CPython deprecates (``splittype`` and others) come from
CPython's module.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, AnyStr, ClassVar, NamedTuple, Union, overload
from urllib import parse as _cpython
from urllib.parse import (
    non_hierarchical,
    scheme_chars,
    uses_fragment,
    uses_netloc,
    uses_params,
    uses_query,
    uses_relative,
)

from urikit import _urikit

__all__ = [
    "DefragResult",
    "DefragResultBytes",
    "ParseResult",
    "ParseResultBytes",
    "SplitResult",
    "SplitResultBytes",
    "parse_qs",
    "parse_qsl",
    "quote",
    "quote_from_bytes",
    "quote_plus",
    "unquote",
    "unquote_plus",
    "unquote_to_bytes",
    "urldefrag",
    "urlencode",
    "urljoin",
    "urlparse",
    "urlsplit",
    "urlunparse",
    "urlunsplit",
]

_Text = Union[str, bytes, bytearray, None]
_CONTROLS = "".join(map(chr, range(0x21)))
_REMOVED = str.maketrans("", "", "\t\r\n")


def __getattr__(name: str) -> Any:
    """Forwards missing names to CPython's module, mainly deprecated ones."""
    return getattr(_cpython, name)


def clear_cache() -> None:
    """Clears the cache of ``urlsplit``."""
    urlsplit.cache_clear()  # type: ignore[attr-defined]


# Text and octets.


def _same(value: Any) -> Any:
    return value


def _encoded(value: Any) -> Any:
    return value.encode("ascii", "strict")


def _texts(*values: Any) -> tuple[list[str], Callable[[Any], Any]]:
    """Returns the arguments as text, and a function that converts results to their type.

    Empty text is compatible with both types.
    """
    given = [value for value in values if value]
    first = values[0]
    if any(isinstance(value, str) for value in given or [first]):
        if any(not isinstance(value, str) for value in given):
            raise TypeError("Cannot mix str and non-str arguments")
        return [value if isinstance(value, str) else "" for value in values], _same
    if isinstance(first, str) and not given:
        return ["" for _ in values], _same
    return [value.decode("ascii", "strict") if value else "" for value in values], _encoded


# Results.


def _userinfo(netloc: str) -> tuple[str | None, str | None]:
    """Returns the user and the password."""
    userinfo, at, _ = netloc.rpartition("@")
    user, colon, password = userinfo.partition(":")
    return user if at else None, password if at and colon else None


def _hostname(netloc: str) -> str | None:
    host = netloc.rpartition("@")[2]
    if "[" in host:
        host = host.partition("[")[2].partition("]")[0]
    else:
        host = host.partition(":")[0]
    if "%" in host:
        name, percent, zone = host.partition("%")
        return name.lower() + percent + zone
    return host.lower() or None


def _port(netloc: str) -> int | None:
    host = netloc.rpartition("@")[2]
    if "[" in host:
        host = host.partition("[")[2].partition("]")[2]
    port = host.partition(":")[2]
    if not port:
        return None
    if not (port.isascii() and port.isdigit()):
        raise ValueError(f"Port could not be cast to integer value as {port!r}")
    digits = port.lstrip("0") or "0"
    if len(digits) > 5 or int(digits) > 65535:
        raise ValueError("Port out of range 0-65535")
    return int(digits)


class _Str:
    """The base class of text results."""

    __slots__ = ()
    _encoded_counterpart: ClassVar[type[Any]]

    def encode(self, encoding: str = "ascii", errors: str = "strict") -> Any:
        """Returns the result as octets."""
        parts: Any = self
        return self._encoded_counterpart(*(part.encode(encoding, errors) for part in parts))


class _Bytes:
    """The base class of octet results."""

    __slots__ = ()
    _decoded_counterpart: ClassVar[type[Any]]

    def decode(self, encoding: str = "ascii", errors: str = "strict") -> Any:
        """Returns the result as text."""
        parts: Any = self
        return self._decoded_counterpart(*(part.decode(encoding, errors) for part in parts))


class _NetlocStr(_Str):
    __slots__ = ()
    netloc: Any

    @property
    def username(self) -> str | None:
        """The text before the last ``@``, up to the first colon."""
        return _userinfo(self.netloc)[0]

    @property
    def password(self) -> str | None:
        """The text between that colon and the ``@``."""
        return _userinfo(self.netloc)[1]

    @property
    def hostname(self) -> str | None:
        """The host without brackets, in lower case except for the zone of an IPv6 address."""
        return _hostname(self.netloc)

    @property
    def port(self) -> int | None:
        """The port, a number up to 65535. Raises ``ValueError`` for any other port."""
        return _port(self.netloc)


class _NetlocBytes(_Bytes):
    __slots__ = ()
    netloc: Any

    def _part(self, index: int) -> bytes | None:
        part = _userinfo(self.netloc.decode("ascii"))[index]
        return None if part is None else part.encode("ascii")

    @property
    def username(self) -> bytes | None:
        """The text before the last ``@``, up to the first colon."""
        return self._part(0)

    @property
    def password(self) -> bytes | None:
        """The text between that colon and the ``@``."""
        return self._part(1)

    @property
    def hostname(self) -> bytes | None:
        """The host without brackets, in lower case except for the zone of an IPv6 address."""
        name = _hostname(self.netloc.decode("ascii"))
        return None if name is None else name.encode("ascii")

    @property
    def port(self) -> int | None:
        """The port, a number up to 65535. Raises ``ValueError`` for any other port."""
        return _port(self.netloc.decode("ascii"))


class _Defrag(NamedTuple):
    url: str
    fragment: str


class _DefragBytes(NamedTuple):
    url: bytes
    fragment: bytes


class _Split(NamedTuple):
    scheme: str
    netloc: str
    path: str
    query: str
    fragment: str


class _SplitBytes(NamedTuple):
    scheme: bytes
    netloc: bytes
    path: bytes
    query: bytes
    fragment: bytes


class _Parse(NamedTuple):
    scheme: str
    netloc: str
    path: str
    params: str
    query: str
    fragment: str


class _ParseBytes(NamedTuple):
    scheme: bytes
    netloc: bytes
    path: bytes
    params: bytes
    query: bytes
    fragment: bytes


class DefragResult(_Defrag, _Str):
    """A URL without its fragment, and the fragment."""

    __slots__ = ()

    def geturl(self) -> str:
        """The URL with its fragment."""
        return f"{self.url}#{self.fragment}" if self.fragment else self.url


class DefragResultBytes(_DefragBytes, _Bytes):
    """A URL without its fragment, and the fragment, as octets."""

    __slots__ = ()

    def geturl(self) -> bytes:
        """The URL with its fragment."""
        return self.url + b"#" + self.fragment if self.fragment else self.url


class SplitResult(_Split, _NetlocStr):
    """The result of ``urlsplit``."""

    __slots__ = ()

    def geturl(self) -> str:
        """Returns the reassembled URL."""
        return urlunsplit(self)


class SplitResultBytes(_SplitBytes, _NetlocBytes):
    """The result of ``urlsplit`` for octets."""

    __slots__ = ()

    def geturl(self) -> bytes:
        """Returns the reassembled URL."""
        return urlunsplit(self)


class ParseResult(_Parse, _NetlocStr):
    """The result of ``urlparse``."""

    __slots__ = ()

    def geturl(self) -> str:
        """Returns the reassembled URL."""
        return urlunparse(self)


class ParseResultBytes(_ParseBytes, _NetlocBytes):
    """The result of ``urlparse`` for octets."""

    __slots__ = ()

    def geturl(self) -> bytes:
        """Returns the reassembled URL."""
        return urlunparse(self)


for _str, _bytes in [
    (DefragResult, DefragResultBytes),
    (SplitResult, SplitResultBytes),
    (ParseResult, ParseResultBytes),
]:
    _str._encoded_counterpart = _bytes  # type: ignore[attr-defined]
    _bytes._decoded_counterpart = _str  # type: ignore[attr-defined]


# Splitting and joining.


def _split(url: str, scheme: str, allow_fragments: bool) -> SplitResult:
    try:
        found, *rest = _urikit.urlsplit(url, allow_fragments)
    except UnicodeEncodeError:  # lone surrogates, which UTF-8 cannot represent
        found, *rest = _urikit.urlsplit(_octets_of(url), allow_fragments)
        rest = [_text_of(part) for part in rest]
    netloc = rest[0]
    if not netloc.isascii():
        _check_normalization(netloc)
    if found is None:
        found = scheme.strip(_CONTROLS).translate(_REMOVED) if scheme else ""
    return SplitResult(found, *rest)


def _check_normalization(netloc: str) -> None:
    """Rejects a netloc in which NFKC turns another character into a delimiter."""
    others = "".join(c for c in netloc if c not in "@:#?")
    normal = unicodedata.normalize("NFKC", others)
    if others != normal and any(c in normal for c in "/?#@:"):
        raise ValueError(
            f"netloc {netloc!r} contains invalid characters under NFKC normalization"
        )


def _check_octets(netloc: str) -> None:
    _check_normalization(_text_of(netloc))


@overload
def urlsplit(url: str, scheme: str = "", allow_fragments: bool = True) -> SplitResult: ...
@overload
def urlsplit(
    url: bytes | None, scheme: str | bytes | None = "", allow_fragments: bool = True
) -> SplitResultBytes: ...
@functools.lru_cache(typed=True)  # as CPython's
def urlsplit(url: Any, scheme: Any = "", allow_fragments: bool = True) -> Any:
    """Splits a URL into scheme, netloc, path, query and fragment."""
    if type(url) is str and type(scheme) is str:
        return _split(url, scheme, allow_fragments)
    (url, scheme), typed = _texts(url, scheme)
    return typed(_split(url, scheme, allow_fragments))


def _params(path: str) -> tuple[str, str]:
    """Splits the params of the last segment from the rest of the path."""
    semicolon = path.find(";", max(path.rfind("/"), 0))
    return (path, "") if semicolon < 0 else (path[:semicolon], path[semicolon + 1 :])


@overload
def urlparse(url: str, scheme: str = "", allow_fragments: bool = True) -> ParseResult: ...
@overload
def urlparse(
    url: bytes | bytearray | None, scheme: _Text = "", allow_fragments: bool = True
) -> ParseResultBytes: ...
def urlparse(url: Any, scheme: Any = "", allow_fragments: bool = True) -> Any:
    """Splits a URL like ``urlsplit``, and also separates the params of its last segment."""
    typed = None
    if type(url) is not str or type(scheme) is not str:
        (url, scheme), typed = _texts(url, scheme)
    found, netloc, path, query, fragment = urlsplit(url, scheme, allow_fragments)
    params = ""
    if ";" in path and found in uses_params:
        path, params = _params(path)
    result = ParseResult(found, netloc, path, params, query, fragment)
    return result if typed is None else typed(result)


def _octets_of(text: str) -> str:
    """Converts text with lone surrogates, which UTF-8 cannot represent, to one character per
    octet."""
    return text.encode("utf-8", "surrogatepass").decode("latin-1")


def _text_of(octets: str) -> str:
    return octets.encode("latin-1").decode("utf-8", "surrogatepass")


def _unsplit(*parts: str) -> str:
    try:
        return _urikit.urlunsplit(*parts)
    except UnicodeEncodeError:
        return _text_of(_urikit.urlunsplit(*map(_octets_of, parts)))


def urlunsplit(components: Iterable[AnyStr]) -> AnyStr:
    """Assembles the parts that ``urlsplit`` returns."""
    parts: tuple[Any, ...] = tuple(components)
    scheme, netloc, path, query, fragment = parts
    if {*map(type, parts)} == {str}:
        return _unsplit(scheme, netloc, path, query, fragment)  # type: ignore[return-value]
    texts, typed = _texts(*parts)
    result: AnyStr = typed(_unsplit(*texts))
    return result


def urlunparse(components: Iterable[AnyStr]) -> AnyStr:
    """Assembles the parts that ``urlparse`` returns."""
    parts: Any = tuple(components)
    texts, typed = (parts, _same) if {*map(type, parts)} == {str} else _texts(*parts)
    scheme, netloc, path, params, query, fragment = texts
    if params:
        path = f"{path};{params}"
    result: AnyStr = typed(_unsplit(scheme, netloc, path, query, fragment))
    return result


def _join(base: str, url: str, allow_fragments: bool) -> str:
    try:
        return _urikit.urljoin(base, url, allow_fragments, _check_normalization)
    except UnicodeEncodeError:
        texts = _octets_of(base), _octets_of(url)
        return _text_of(_urikit.urljoin(*texts, allow_fragments, _check_octets))


@overload
def urljoin(base: str, url: str | None, allow_fragments: bool = True) -> str: ...
@overload
def urljoin(base: bytes | None, url: bytes | None, allow_fragments: bool = True) -> bytes: ...
def urljoin(base: Any, url: Any, allow_fragments: bool = True) -> Any:
    """Resolves a URL on the page at ``base``."""
    if not base:
        return url
    if not url:
        return base
    if type(base) is str and type(url) is str:
        return _join(base, url, allow_fragments)
    (base, url), typed = _texts(base, url)
    return typed(_join(base, url, allow_fragments))


@overload
def urldefrag(url: str) -> DefragResult: ...
@overload
def urldefrag(url: bytes | bytearray | None) -> DefragResultBytes: ...
def urldefrag(url: Any) -> Any:
    """Returns a URL without its fragment, and the fragment."""
    if type(url) is str:
        return _defrag(url)
    (text,), typed = _texts(url)
    return typed(_defrag(text))


def _defrag(url: str) -> DefragResult:
    if "#" not in url:
        return DefragResult(url, "")
    try:
        return DefragResult(*_urikit.urldefrag(url, _check_normalization))
    except UnicodeEncodeError:
        rest, fragment = _urikit.urldefrag(_octets_of(url), _check_octets)
        return DefragResult(_text_of(rest), _text_of(fragment))


# Escapes.


def unquote_to_bytes(string: str | bytes | bytearray) -> bytes:
    """Returns the octets of a string, in which ``%`` and two hexadecimal digits represent one
    octet."""
    if not string:
        return b""
    if isinstance(string, str):
        string = string.encode("utf-8")
    return _urikit.unquote_to_bytes(bytes(string))


def unquote(
    string: str | bytes | bytearray, encoding: str | None = "utf-8", errors: str | None = "replace"
) -> str:
    """Decodes escapes, separately in each run of US-ASCII characters."""
    if isinstance(string, (bytes, bytearray)):
        return _urikit.unquote_to_bytes(bytes(string)).decode(
            encoding or "utf-8", errors or "replace"
        )
    if "%" not in string:
        return string  # like CPython: returns anything without an escape
    encoding, errors = encoding or "utf-8", errors or "replace"
    if errors == "replace" and encoding in ("utf-8", "utf8"):
        try:
            return _urikit.unquote(string)
        except UnicodeEncodeError:
            pass  # lone surrogates are kept below
    result: list[str] = []
    start = 0
    while start < len(string):
        end = start
        while end < len(string) and string[end].isascii():
            end += 1
        run = string[start:end].encode("ascii")
        result.append(_urikit.unquote_to_bytes(run).decode(encoding, errors))
        start = end
        while end < len(string) and not string[end].isascii():
            end += 1
        result.append(string[start:end])
        start = end
    return "".join(result)


def unquote_plus(
    string: str, encoding: str | None = "utf-8", errors: str | None = "replace"
) -> str:
    """Works like ``unquote``, but decodes ``+`` as a space."""
    return unquote(string.replace("+", " "), encoding, errors)


def _quoted(octets: bytes | bytearray, safe: str | bytes, plus: bool) -> str:
    if isinstance(safe, str):
        safe = safe.encode("ascii", "ignore")
    return _urikit.quote(bytes(octets), bytes(safe), plus)


def _octets(
    string: str | bytes | bytearray, encoding: str | None, errors: str | None, function: str
) -> bytes | bytearray:
    if isinstance(string, str):
        return string.encode(encoding or "utf-8", errors or "strict")
    for name, value in [("encoding", encoding), ("errors", errors)]:
        if value is not None:
            raise TypeError(f"{function}() doesn't support {name!r} for bytes")
    return string


def quote(
    string: str | bytes | bytearray,
    safe: str | bytes = "/",
    encoding: str | None = None,
    errors: str | None = None,
) -> str:
    """Escapes all characters except letters, digits, ``_.-~`` and those in ``safe``."""
    if type(string) is str and type(safe) is str and encoding is None and errors is None:
        if string.isascii() and string.isalnum():
            return string
        return _urikit.quote(string.encode(), safe.encode("ascii", "ignore"), False)
    if not isinstance(string, str):
        return quote_from_bytes(_octets(string, encoding, errors, "quote"), safe)
    return _quoted(_octets(string, encoding, errors, "quote"), safe, False)


def quote_plus(
    string: str | bytes | bytearray,
    safe: str | bytes = "",
    encoding: str | None = None,
    errors: str | None = None,
) -> str:
    """Works like ``quote``, but encodes a space as ``+``."""
    octets = _octets(string, encoding, errors, "quote_plus")
    if not isinstance(octets, (bytes, bytearray)):
        raise TypeError("quote_from_bytes() expected bytes")
    return _quoted(octets, safe, True)


def quote_from_bytes(bs: bytes | bytearray, safe: str | bytes = "/") -> str:
    """Works like ``quote``, but accepts octets."""
    if not isinstance(bs, (bytes, bytearray)):
        raise TypeError("quote_from_bytes() expected bytes")
    return _quoted(bs, safe, False)


# Forms.


def parse_qsl(
    qs: AnyStr | None,
    keep_blank_values: bool = False,
    strict_parsing: bool = False,
    encoding: str = "utf-8",
    errors: str = "replace",
    max_num_fields: int | None = None,
    separator: AnyStr | str = "&",
) -> list[tuple[AnyStr, AnyStr]]:
    """Returns the decoded pairs of form data in a query."""
    (text,), typed = _texts(qs)
    if not separator or not isinstance(separator, (str, bytes)):
        raise ValueError("Separator must be of type string or bytes.")
    divider = separator if isinstance(separator, str) else separator.decode("ascii")
    if max_num_fields is not None and max_num_fields < 1 + text.count(divider):
        raise ValueError("Max number of fields exceeded")
    if not text:
        return []
    pairs: list[tuple[str, str]]
    invalid: str | None
    if encoding in ("utf-8", "utf8") and errors == "replace" and typed is _same:
        try:
            pairs, invalid = _urikit.parse_qsl(text, keep_blank_values, strict_parsing, divider)
        except UnicodeEncodeError:
            pairs, invalid = _pairs(
                text, keep_blank_values, strict_parsing, divider, encoding, errors
            )
    else:
        pairs, invalid = _pairs(text, keep_blank_values, strict_parsing, divider, encoding, errors)
    if invalid is not None:
        raise ValueError(f"bad query field: {invalid!r}")
    if typed is _same:
        return pairs  # type: ignore[return-value]
    return [(typed(name), typed(value)) for name, value in pairs]


def _pairs(
    text: str, keep_blank_values: bool, strict: bool, divider: str, encoding: str, errors: str
) -> tuple[list[tuple[str, str]], str | None]:
    pairs: list[tuple[str, str]] = []
    for field in text.split(divider):
        if not field and not strict:
            continue
        name, equals, value = field.partition("=")
        if not equals and strict:
            return pairs, field
        if value or (keep_blank_values and (equals or field)):
            pairs.append((unquote_plus(name, encoding, errors), unquote_plus(value, encoding, errors)))
    return pairs, None


def parse_qs(
    qs: AnyStr | None,
    keep_blank_values: bool = False,
    strict_parsing: bool = False,
    encoding: str = "utf-8",
    errors: str = "replace",
    max_num_fields: int | None = None,
    separator: AnyStr | str = "&",
) -> dict[AnyStr, list[AnyStr]]:
    """Returns the decoded pairs of form data in a query as a dictionary."""
    result: dict[AnyStr, list[AnyStr]] = {}
    for name, value in parse_qsl(
        qs, keep_blank_values, strict_parsing, encoding, errors, max_num_fields, separator
    ):
        result.setdefault(name, []).append(value)
    return result


def urlencode(
    query: Mapping[Any, Any] | Sequence[tuple[Any, Any]],
    doseq: bool = False,
    safe: str | bytes = "",
    encoding: str | None = None,
    errors: str | None = None,
    quote_via: Callable[..., str] = quote_plus,
) -> str:
    """Encodes pairs as form data for a query."""
    if quote_via is quote_plus and encoding is None and errors is None:
        literal = safe.encode("ascii", "ignore") if isinstance(safe, str) else bytes(safe)
        found = _urikit.urlencode(query, bool(doseq), literal)
        if found is not None:
            return found
    pairs: Any = query
    if hasattr(query, "items"):
        pairs = query.items()
    else:
        try:
            is_sequence = not len(query) or isinstance(query[0], tuple)
        except (TypeError, KeyError) as error:
            is_sequence, cause = False, error
        else:
            cause = None  # type: ignore[assignment]
        if not is_sequence:
            raise TypeError("not a valid non-string sequence or mapping object") from cause

    def written(value: Any) -> str:
        if isinstance(value, bytes):
            return quote_via(value, safe)
        return quote_via(str(value), safe, encoding, errors)

    def values(value: Any) -> list[str]:
        if doseq and isinstance(value, str):
            return [quote_via(value, safe, encoding, errors)]
        if doseq and not isinstance(value, bytes):
            try:
                len(value)
            except TypeError:
                pass
            else:
                return list(map(written, value))
        return [written(value)]

    encoded = []
    for name, value in pairs:
        before = written(name)
        encoded += [f"{before}={one}" for one in values(value)]
    return "&".join(encoded)
