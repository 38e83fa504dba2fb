"""The functions of ``urikit.columns`` for SQL: fixed parameters, and results of known types.

Each engine registers its functions from this table. All engines pass pyarrow arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from urikit import columns
from urikit._names import Reader, SurtProfile
from urikit._urikit import Column

if TYPE_CHECKING:
    import pyarrow

PARTS = (
    ("scheme", "string"),
    ("userinfo", "string"),
    ("host", "string"),
    ("port", "string"),
    ("path", "string"),
    ("query", "string"),
    ("fragment", "string"),
    ("host_kind", "string"),
)
DIAGNOSIS = (
    ("offset", "bigint"),
    ("production", "string"),
    ("section", "string"),
    ("message", "string"),
)
PAIR = (("name", "string"), ("value", "string"))
FINDING = (
    ("code", "string"),
    ("severity", "string"),
    ("offset", "bigint"),
    ("message", "string"),
)


def _struct(fields: tuple[tuple[str, str], ...]) -> str:
    return "struct<" + ",".join(f"{name}:{kind}" for name, kind in fields) + ">"


class Function(NamedTuple):
    """A function: its parameters, its result as a Spark type, and the call.

    ``kind`` describes the second parameter: a ``constant`` is usually the same in all rows, and a
    ``column`` differs from row to row.
    """

    name: str
    parameters: tuple[str, ...]
    result: str
    kind: str
    call: Callable[..., Column]


def _reads(name: str, result: str = "string") -> Function:
    def call(column: Any, *, reader: Reader, threads: int) -> Column:
        function: Callable[..., Column] = getattr(columns, name)
        return function(column, reader=reader, threads=threads)

    return Function(name, ("url",), result, "one", call)


def _form_value(column: Any, names: Any, *, reader: Reader, threads: int) -> Column:
    return columns.query_value(column, names, decoding="form", reader=reader, threads=threads)


def _form_pairs(column: Any, *, reader: Reader, threads: int) -> Column:
    return columns.query_pairs(column, decoding="form", reader=reader, threads=threads)


def _agree(column: Any, *, reader: Reader, threads: int) -> Column:
    return columns.agree(column, threads=threads)


def _findings(column: Any, *, reader: Reader, threads: int) -> Column:
    return columns.findings(column, threads=threads)


def _surt(column: Any, profile: SurtProfile = "urikit", *, reader: Reader, threads: int) -> Column:
    return columns.surt(column, profile, threads=threads)


_PAIRS = f"array<{_struct(PAIR)}>"
_TEXTS = [
    *("scheme", "authority", "userinfo", "host", "host_kind", "port", "path", "path_query"),
    *("query", "fragment", "reason", "registrable_domain", "public_suffix", "subdomain"),
]

FUNCTIONS = {
    function.name: function
    for function in [
        _reads("parse", _struct(PARTS)),
        *map(_reads, _TEXTS),
        _reads("port_number", "int"),
        _reads("diagnose", _struct(DIAGNOSIS)),
        _reads("query_pairs", _PAIRS),
        Function("form_pairs", ("url",), _PAIRS, "one", _form_pairs),
        _reads("path_segments", "array<string>"),
        _reads("normalize"),
        _reads("key", "bigint"),
        Function("agree", ("url",), "boolean", "one", _agree),
        Function("findings", ("url",), f"array<{_struct(FINDING)}>", "one", _findings),
        Function("query_value", ("url", "name"), "string", "column", columns.query_value),
        Function("form_value", ("url", "name"), "string", "column", _form_value),
        Function("surt", ("url",), "string", "one", _surt),
        Function("surt_as", ("url", "profile"), "string", "constant", _surt),
        Function("canonicalize", ("url", "steps"), "string", "constant", columns.canonicalize),
        Function("resolve", ("url", "base"), "string", "column", columns.resolve),
        Function("compare", ("url", "other"), "string", "column", columns.compare),
        Function("encode", ("data", "component"), "string", "constant", columns.encode),
        Function("decode", ("text", "component"), "string", "constant", columns.decode),
    ]
}
"""The functions by name."""

STANDARDS_ONLY = {"encode", "decode"}
ABLE_ONLY = {"canonicalize", "normalize", "key", "resolve", "compare"}


def able(reader: Reader) -> list[Function]:
    """Returns the functions that a reader supports.

    Raises ``ValueError`` for an unknown reader, which would otherwise fail only in the first query.
    """
    if reader not in columns.READERS:
        raise ValueError(f"expected one of {', '.join(columns.READERS)}, but found {reader!r}")
    without: set[str] = set()
    if not reader.startswith("rfc"):
        without |= STANDARDS_ONLY
        if reader != "whatwg":
            without |= ABLE_ONLY
    return [function for function in FUNCTIONS.values() if function.name not in without]


def array(column: Column) -> pyarrow.Array:
    """Converts a result to a pyarrow array. Unsigned 64-bit numbers keep their bits and become
    signed, because most engines support only signed ones. Text columns become plain strings."""
    import pyarrow

    result = pyarrow.array(column)
    if pyarrow.types.is_uint64(result.type):
        return result.view(pyarrow.int64())
    if pyarrow.types.is_string_view(result.type) or pyarrow.types.is_large_string(result.type):
        return result.cast(pyarrow.string())
    return result


def call(function: Function, arrays: tuple[Any, ...], reader: Reader, threads: int) -> pyarrow.Array:
    """Calls a function with pyarrow arrays."""
    if function.kind != "constant":
        return array(function.call(*arrays, reader=reader, threads=threads))
    return _with_constant(function, *arrays, reader=reader, threads=threads)


def adapter(function: Function, reader: Reader, threads: int) -> Callable[..., Any]:
    """Returns a callable with the function's number of parameters, which engines count."""

    def one(first: Any) -> Any:
        return call(function, (first,), reader, threads)

    def two(first: Any, second: Any) -> Any:
        return call(function, (first, second), reader, threads)

    return one if len(function.parameters) == 1 else two


def _with_constant(
    function: Function, texts: Any, constants: Any, *, reader: Reader, threads: int
) -> pyarrow.Array:
    """Calls a function once for each distinct value in ``constants``, usually only one."""
    import pyarrow
    import pyarrow.compute as compute

    values = constants.unique().to_pylist()
    if len(values) == 1 and values[0] is not None:
        return array(function.call(texts, values[0], reader=reader, threads=threads))
    # Sorted by constant, the rows of each are a slice.
    order = compute.sort_indices(constants)
    texts, constants = texts.take(order), constants.take(order)
    results = [pyarrow.nulls(0, pyarrow.string())]
    start = 0
    for run in compute.value_counts(constants).to_pylist():  # in order
        value, count = run["values"], run["counts"]
        if value is None:
            results.append(pyarrow.nulls(count, pyarrow.string()))
        else:
            part = texts.slice(start, count)
            results.append(array(function.call(part, value, reader=reader, threads=threads)))
        start += count
    return pyarrow.concat_arrays(results).take(compute.sort_indices(order))
