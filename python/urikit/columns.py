"""Columns of URLs: each function accepts a column and returns one with the same number of rows.

A column is any object with the Arrow PyCapsule interface (from pyarrow, Polars, pandas 3, DuckDB,
nanoarrow and others), a table with one column, or a list of strings. The result is a ``Column``,
which also has this interface. A call copies nothing, does not need pyarrow, and releases the GIL.

>>> from urikit import columns
>>> urls = ["http://Example.com/a?q=1", "http://a_b/", "http://a/{x}", None]
>>> columns.host(urls).to_pylist()
['Example.com', 'a_b', None, None]
>>> columns.host(urls, reader="java-net-uri").to_pylist()  # as in Spark
['Example.com', None, None, None]
>>> columns.diagnose(urls)["section"].to_pylist()
[None, None, 'RFC 3986, 3.3', None]

All functions accept these keywords:

``reader``
    the rules: ``rfc1630`` ... ``rfc3987``, ``whatwg``, ``java-net-uri``, ``urllib`` or ``lenient``.
    ``resolve``, ``normalize``, ``key`` and ``compare`` need a standard or ``whatwg``; ``encode``
    and ``decode`` need a standard.
``on_error``
    how to treat a row that the reader rejects: ``"null"`` returns null, ``"raise"`` raises
    ``urikit.RowError`` for the first one, and ``"keep"`` keeps the text of the row (only for
    functions that return complete references).
``threads``
    the number of threads for a large column; 0 means one per core.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, Union

from urikit import _urikit
from urikit._names import Decoding, Level, OnError, Place, Reader, SurtProfile
from urikit._urikit import Column, SuffixList

__all__ = [
    "FUNCTIONS",
    "READERS",
    "Column",
    "agree",
    "authority",
    "canonicalize",
    "compare",
    "decode",
    "diagnose",
    "encode",
    "findings",
    "fragment",
    "host",
    "host_kind",
    "key",
    "normalize",
    "parse",
    "path",
    "path_query",
    "path_segments",
    "port",
    "port_number",
    "public_suffix",
    "query",
    "query_pairs",
    "query_value",
    "reason",
    "registrable_domain",
    "resolve",
    "scheme",
    "subdomain",
    "surt",
    "userinfo",
]

READERS = (*_urikit.STANDARDS, "whatwg", "java-net-uri", "urllib", "lenient")
"""The readers for columns."""


class ArrowStream(Protocol):
    """An object with ``__arrow_c_stream__``."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...


class ArrowArray(Protocol):
    """An object with ``__arrow_c_array__``."""

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any: ...


AnyColumn = Union[ArrowStream, ArrowArray, Sequence[Union[str, None]]]
"""The columns that the functions accept."""


def _apply(
    function: str,
    column: AnyColumn,
    reader: str,
    on_error: str,
    threads: int,
    *arguments: str,
    other: AnyColumn | None = None,
    private: bool = False,
    suffixes: SuffixList | None = None,
) -> Column:
    return _urikit.apply(
        function,
        column,
        other,
        list(arguments),
        reader,
        on_error,
        threads,
        private=private,
        suffixes=suffixes,
    )


def parse(
    column: AnyColumn, *, reader: Reader = "rfc3986", on_error: OnError = "null", threads: int = 0
) -> Column:
    """All components, from one parse: a struct of ``scheme``, ``userinfo``, ``host``, ``port``,
    ``path``, ``query``, ``fragment`` and ``host_kind``.

    >>> from urikit import columns
    >>> columns.parse(["http://u@[::1]:80/a?q"]).to_pylist()[0]["host"]
    '[::1]'
    """
    return _apply("parse", column, reader, on_error, threads)


def scheme(
    column: AnyColumn, *, reader: Reader = "rfc3986", on_error: OnError = "null", threads: int = 0
) -> Column:
    """The scheme."""
    return _apply("scheme", column, reader, on_error, threads)


def authority(
    column: AnyColumn, *, reader: Reader = "rfc3986", on_error: OnError = "null", threads: int = 0
) -> Column:
    """The authority: the text between ``//`` and the path."""
    return _apply("authority", column, reader, on_error, threads)


def userinfo(
    column: AnyColumn, *, reader: Reader = "rfc3986", on_error: OnError = "null", threads: int = 0
) -> Column:
    """The userinfo: the text before the ``@``."""
    return _apply("userinfo", column, reader, on_error, threads)


def host(
    column: AnyColumn, *, reader: Reader = "rfc3986", on_error: OnError = "null", threads: int = 0
) -> Column:
    """The host, in the form that the reader returns."""
    return _apply("host", column, reader, on_error, threads)


def host_kind(
    column: AnyColumn, *, reader: Reader = "rfc3986", on_error: OnError = "null", threads: int = 0
) -> Column:
    """The kind of the host: ``name``, ``ipv4``, ``ipv6``, ``ipvfuture``, ``reg-name`` or ``empty``."""
    return _apply("host_kind", column, reader, on_error, threads)


def port(
    column: AnyColumn, *, reader: Reader = "rfc3986", on_error: OnError = "null", threads: int = 0
) -> Column:
    """The port, as written."""
    return _apply("port", column, reader, on_error, threads)


def port_number(
    column: AnyColumn, *, reader: Reader = "rfc3986", on_error: OnError = "null", threads: int = 0
) -> Column:
    """The port as a number."""
    return _apply("port_number", column, reader, on_error, threads)


def path(
    column: AnyColumn, *, reader: Reader = "rfc3986", on_error: OnError = "null", threads: int = 0
) -> Column:
    """The path."""
    return _apply("path", column, reader, on_error, threads)


def path_query(
    column: AnyColumn, *, reader: Reader = "rfc3986", on_error: OnError = "null", threads: int = 0
) -> Column:
    """The path with the query, in the form that servers receive."""
    return _apply("path_query", column, reader, on_error, threads)


def query(
    column: AnyColumn, *, reader: Reader = "rfc3986", on_error: OnError = "null", threads: int = 0
) -> Column:
    """The query, without its ``?``."""
    return _apply("query", column, reader, on_error, threads)


def fragment(
    column: AnyColumn, *, reader: Reader = "rfc3986", on_error: OnError = "null", threads: int = 0
) -> Column:
    """The fragment, without its ``#``."""
    return _apply("fragment", column, reader, on_error, threads)


def query_value(
    column: AnyColumn,
    name: str | AnyColumn,
    *,
    decoding: Decoding = "written",
    reader: Reader = "rfc3986",
    on_error: OnError = "null",
    threads: int = 0,
) -> Column:
    """The value of the query's first pair with a given name, or with the name in the same row of a
    column of names.

    The value is null if no pair has the name, or if that pair has no ``=``. ``decoding`` is
    ``written``, ``decoded``, or ``form``, which also decodes ``+`` as a space, skips empty pairs,
    and returns an empty value if a pair has no ``=``, like ``Reference.form_pairs``. With
    ``java-net-uri``, pairs without ``=`` are ignored, as in Spark, unless ``decoding`` is ``form``.

    >>> from urikit import columns
    >>> columns.query_value(["/?q=fer+ret%21", "/?p"], "q", decoding="form").to_pylist()
    ['fer ret!', None]
    >>> columns.query_value(["/?a=1&b=2", "/?a=1&b=2"], ["a", "b"]).to_pylist()
    ['1', '2']
    """
    if isinstance(name, str):
        return _apply("query_value", column, reader, on_error, threads, name, decoding)
    return _apply("query_value_each", column, reader, on_error, threads, decoding, other=name)


def query_pairs(
    column: AnyColumn,
    *,
    decoding: Decoding = "written",
    reader: Reader = "rfc3986",
    on_error: OnError = "null",
    threads: int = 0,
) -> Column:
    """The pairs of the query: a list of structs with ``name`` and ``value``.

    The value is null if a pair has no ``=``. ``decoding`` works as in ``query_value``.

    >>> from urikit import columns
    >>> columns.query_pairs(["/?a&&b=1+2"], decoding="form").to_pylist()
    [[{'name': 'a', 'value': ''}, {'name': 'b', 'value': '1 2'}]]
    """
    return _apply("query_pairs", column, reader, on_error, threads, decoding)


def path_segments(
    column: AnyColumn,
    *,
    decoding: Decoding = "written",
    reader: Reader = "rfc3986",
    on_error: OnError = "null",
    threads: int = 0,
) -> Column:
    """The segments of the path: a list.

    >>> from urikit import columns
    >>> columns.path_segments(["http://a/b%2Fc/d"], decoding="decoded").to_pylist()
    [['b/c', 'd']]
    """
    return _apply("path_segments", column, reader, on_error, threads, decoding)


def normalize(
    column: AnyColumn,
    level: Level = "scheme",
    *,
    reader: Reader = "rfc3986",
    on_error: OnError = "null",
    threads: int = 0,
) -> Column:
    """The normal form at a level of RFC 3986, 6.2: ``case``, ``escapes``, ``path`` or ``scheme``.

    >>> from urikit import columns
    >>> columns.normalize(["HTTP://A:80/%7Eb/../c"]).to_pylist()
    ['http://a/c']
    """
    return _apply("normalize", column, reader, on_error, threads, level)


def resolve(
    column: AnyColumn,
    base: str | AnyColumn,
    *,
    reader: Reader = "rfc3986",
    on_error: OnError = "null",
    threads: int = 0,
) -> Column:
    """Resolves references against one base, or against a column of bases.

    >>> from urikit import columns
    >>> columns.resolve(["../g", "#s"], "http://a/b/c/d;p?q").to_pylist()
    ['http://a/b/g', 'http://a/b/c/d;p?q#s']
    >>> columns.resolve(["x", "y"], ["http://a/", "http://b/"]).to_pylist()
    ['http://a/x', 'http://b/y']
    """
    if isinstance(base, str):
        return _apply("resolve", column, reader, on_error, threads, base)
    return _apply("resolve_each", column, reader, on_error, threads, other=base)


def compare(
    column: AnyColumn,
    other: AnyColumn,
    *,
    reader: Reader = "rfc3986",
    on_error: OnError = "null",
    threads: int = 0,
) -> Column:
    """The first step at which two columns are equivalent, row by row: ``identical``, ``case``,
    ``escapes``, ``path`` or ``scheme``, or ``different``; null if either is rejected.
    """
    return _apply("compare", column, reader, on_error, threads, other=other)


def key(
    column: AnyColumn,
    level: Level = "scheme",
    *,
    reader: Reader = "rfc3986",
    on_error: OnError = "null",
    threads: int = 0,
) -> Column:
    """A 64-bit number that is equal for equivalent references: XXH3 of the normal form. It does not
    depend on the machine or the engine.

    >>> from urikit import columns
    >>> a, b = columns.key(["http://a/", "HTTP://A:80"]).to_pylist()
    >>> a == b
    True
    """
    return _apply("key", column, reader, on_error, threads, level)


def encode(
    column: AnyColumn,
    place: Place,
    *,
    reader: Reader = "rfc3986",
    on_error: OnError = "null",
    threads: int = 0,
) -> Column:
    """Escapes data for a component, for example ``segment`` or ``query-value``
    (``urikit.PLACES``)."""
    return _apply("encode", column, reader, on_error, threads, place)


def decode(
    column: AnyColumn,
    place: Place,
    *,
    reader: Reader = "rfc3986",
    on_error: OnError = "null",
    threads: int = 0,
) -> Column:
    """The text that a component represents; a row that is not UTF-8 is rejected."""
    return _apply("decode", column, reader, on_error, threads, place)


def registrable_domain(
    column: AnyColumn,
    *,
    private: bool = False,
    suffixes: SuffixList | None = None,
    reader: Reader = "rfc3986",
    on_error: OnError = "null",
    threads: int = 0,
) -> Column:
    """The registrable domain of the host: its public suffix and one more label.

    ``private`` also uses the list's private section (``github.io``); ``suffixes`` replaces the
    built-in list. Addresses have no registrable domain.

    >>> from urikit import columns
    >>> columns.registrable_domain(["http://www.example.co.uk/", "http://127.0.0.1/"]).to_pylist()
    ['example.co.uk', None]
    """
    return _apply(
        "registrable_domain",
        column,
        reader,
        on_error,
        threads,
        private=private,
        suffixes=suffixes,
    )


def public_suffix(
    column: AnyColumn,
    *,
    private: bool = False,
    suffixes: SuffixList | None = None,
    reader: Reader = "rfc3986",
    on_error: OnError = "null",
    threads: int = 0,
) -> Column:
    """The public suffix of the host; see ``registrable_domain``."""
    return _apply(
        "public_suffix",
        column,
        reader,
        on_error,
        threads,
        private=private,
        suffixes=suffixes,
    )


def subdomain(
    column: AnyColumn,
    *,
    private: bool = False,
    suffixes: SuffixList | None = None,
    reader: Reader = "rfc3986",
    on_error: OnError = "null",
    threads: int = 0,
) -> Column:
    """The labels before the registrable domain; see ``registrable_domain``."""
    return _apply(
        "subdomain",
        column,
        reader,
        on_error,
        threads,
        private=private,
        suffixes=suffixes,
    )


def surt(
    column: AnyColumn, profile: SurtProfile = "urikit", *, on_error: OnError = "null", threads: int = 0
) -> Column:
    """The key in the index of a web archive, as the program of a profile writes it
    (``urikit.SURT_PROFILES``). The profile determines the reader.

    >>> from urikit import columns
    >>> columns.surt(["http://www.archive.org/goo/?b&a"], "ia-python").to_pylist()
    ['org,archive)/goo?a&b']
    """
    return _apply("surt", column, "rfc3986", on_error, threads, profile)


def canonicalize(
    column: AnyColumn,
    steps: str = "",
    *,
    reader: Reader = "rfc3986",
    on_error: OnError = "null",
    threads: int = 0,
) -> Column:
    """Applies named steps (``urikit.STEPS``), separated by commas, to each reference.

    >>> from urikit import columns
    >>> url = "http://a/?utm_source=x&q=1#top"
    >>> columns.canonicalize([url], "strip-tracking,drop-fragment").to_pylist()
    ['http://a/?q=1']
    """
    return _apply("canonicalize", column, reader, on_error, threads, steps)


def diagnose(
    column: AnyColumn, *, reader: Reader = "rfc3986", on_error: OnError = "null", threads: int = 0
) -> Column:
    """The reason why a row is rejected: a struct with ``offset`` (in bytes), ``production``,
    ``section`` and ``message``; null if the row is accepted, and for readers that have no
    productions."""
    return _apply("diagnose", column, reader, on_error, threads)


def reason(
    column: AnyColumn, *, reader: Reader = "rfc3986", on_error: OnError = "null", threads: int = 0
) -> Column:
    """The reason why a row is rejected, as a message, for every reader."""
    return _apply("reason", column, reader, on_error, threads)


def agree(column: AnyColumn, *, threads: int = 0) -> Column:
    """True for each row about which the voting readers (``urikit.VOTERS``) agree."""
    return _apply("agree", column, "rfc3986", "null", threads)


def findings(column: AnyColumn, *, threads: int = 0) -> Column:
    """The findings for each row: a list of structs with ``code``, ``severity``, ``offset`` and
    ``message``."""
    return _apply("findings", column, "rfc3986", "null", threads)


FUNCTIONS = tuple(name for name in __all__ if name[0].islower())
"""The names of the functions."""
