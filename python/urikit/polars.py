"""The functions of ``urikit.columns`` for Polars: typed functions of expressions, and the ``uri``
namespace of expressions and series.

>>> import polars as pl
>>> import urikit.polars
>>> urls = pl.DataFrame({"url": ["http://Example.com/a", "http://a|b/"]})
>>> urls.select(urikit.polars.host("url"))["url"].to_list()
['Example.com', None]
>>> urls.select(pl.col("url").uri.host())["url"].to_list()
['Example.com', None]
>>> urls["url"].uri.host(reader="java-net-uri").to_list()
['Example.com', None]

The base of ``resolve``, the other column of ``compare`` and the name of ``query_value`` may also be
expressions and series; a string is a constant. Expressions are elementwise: Polars runs them only
for the rows that it needs, and streams them. With ``on_error="raise"`` they read the complete
column, so that the error contains the row number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, Union

import polars as pl

from urikit import _methods, _sql, columns
from urikit._errors import RowError
from urikit._names import Decoding, OnError, Reader
from urikit._urikit import Column
from urikit.columns import AnyColumn

__all__ = [*columns.FUNCTIONS, "UriExpr", "UriSeries"]

IntoColumn = Union[pl.Expr, pl.Series, str]
"""A column: an expression, a series, or the name of a column."""

_P = ParamSpec("_P")


def _dtype(result: str) -> Any:
    """Converts a Spark type name to a Polars type."""
    if result.startswith("array<"):
        return pl.List(_dtype(result[len("array<") : -1]))
    if result.startswith("struct<"):
        fields = (field.split(":") for field in result[len("struct<") : -1].split(","))
        return pl.Struct({name: _dtype(kind) for name, kind in fields})
    return {"string": pl.String, "bigint": pl.Int64, "int": pl.Int32, "boolean": pl.Boolean}[result]


_DTYPES = {name: _dtype(function.result) for name, function in _sql.FUNCTIONS.items()}
_DTYPES["key"] = pl.UInt64()


def _series(name: str, series: pl.Series, arguments: dict[str, Any]) -> pl.Series:
    column = getattr(columns, name)(series, **arguments)
    return pl.Series(column, dtype=_DTYPES[name]).alias(series.name)


def _expr(name: str, column: IntoColumn, arguments: dict[str, Any]) -> pl.Expr:
    first = pl.col(column) if isinstance(column, str) else _operand(column)
    second = _methods.SECOND.get(name, "")
    inputs = [first]
    if isinstance(arguments.get(second), (pl.Expr, pl.Series)):
        inputs.append(_operand(arguments.pop(second)))
    # Wrong arguments fail here, not when the query runs.
    getattr(columns, name)([], **arguments, **{second: [] for _ in inputs[1:]})

    def call(given: Any) -> pl.Series:
        series, *others = _broadcast(given)
        try:
            return _series(name, series, {**arguments, **{second: other for other in others}})
        except RowError as error:
            raise _again(error) from None

    return pl.map_batches(
        inputs,
        call,
        return_dtype=_DTYPES[name],
        is_elementwise=arguments.get("on_error") != "raise",
    )


def _operand(value: pl.Expr | pl.Series) -> pl.Expr:
    return pl.lit(value) if isinstance(value, pl.Series) else value


def _broadcast(given: list[pl.Series]) -> list[pl.Series]:
    """Repeats literals, which arrive as one row."""
    rows = next((len(series) for series in given if len(series) != 1), 1)
    return [s.new_from_index(0, rows) if len(s) == 1 != rows else s for s in given]


def _again(error: RowError) -> RowError:
    """Returns an error that stays complete if Polars raises it again, by calling its type with a
    longer message."""

    class Again(RowError):
        def __init__(self, message: str) -> None:
            super().__init__(message)
            self.__dict__.update(error.__dict__)

        def __reduce__(self) -> tuple[object, ...]:
            kind, arguments, state = error.__reduce__()
            return kind, (self.args[0], *arguments[1:]), state  # type: ignore[index]

    Again.__name__, Again.__qualname__ = RowError.__name__, RowError.__qualname__
    Again.__module__ = RowError.__module__
    return Again(str(error))


def _of_expr(
    function: Callable[Concatenate[AnyColumn, _P], Column],
) -> Callable[Concatenate[IntoColumn, _P], pl.Expr]:
    name = function.__name__

    def call(expr: IntoColumn, /, *arguments: _P.args, **keywords: _P.kwargs) -> pl.Expr:
        return _expr(name, expr, _methods.bind(name, *arguments, **keywords))

    _methods.describe(call, name, "expr", "pl.Expr | pl.Series | str", "pl.Expr")
    return call


agree = _of_expr(columns.agree)
authority = _of_expr(columns.authority)
canonicalize = _of_expr(columns.canonicalize)
decode = _of_expr(columns.decode)
diagnose = _of_expr(columns.diagnose)
encode = _of_expr(columns.encode)
findings = _of_expr(columns.findings)
fragment = _of_expr(columns.fragment)
host = _of_expr(columns.host)
host_kind = _of_expr(columns.host_kind)
key = _of_expr(columns.key)
normalize = _of_expr(columns.normalize)
parse = _of_expr(columns.parse)
path = _of_expr(columns.path)
path_query = _of_expr(columns.path_query)
path_segments = _of_expr(columns.path_segments)
port = _of_expr(columns.port)
port_number = _of_expr(columns.port_number)
public_suffix = _of_expr(columns.public_suffix)
query = _of_expr(columns.query)
query_pairs = _of_expr(columns.query_pairs)
reason = _of_expr(columns.reason)
registrable_domain = _of_expr(columns.registrable_domain)
scheme = _of_expr(columns.scheme)
subdomain = _of_expr(columns.subdomain)
surt = _of_expr(columns.surt)
userinfo = _of_expr(columns.userinfo)


def query_value(
    expr: IntoColumn,
    name: IntoColumn,
    *,
    decoding: Decoding = "written",
    reader: Reader = "rfc3986",
    on_error: OnError = "null",
    threads: int = 0,
) -> pl.Expr:
    """The value of the query's first pair with a given name: a string, or an expression with a name
    for each row. See ``urikit.columns.query_value``."""
    given = {"name": name, "decoding": decoding, "reader": reader}
    return _expr("query_value", expr, {**given, "on_error": on_error, "threads": threads})


def resolve(
    expr: IntoColumn,
    base: IntoColumn,
    *,
    reader: Reader = "rfc3986",
    on_error: OnError = "null",
    threads: int = 0,
) -> pl.Expr:
    """Resolves references against a base: a string, or an expression with a base for each row. See
    ``urikit.columns.resolve``."""
    given = {"base": base, "reader": reader, "on_error": on_error, "threads": threads}
    return _expr("resolve", expr, given)


def compare(
    expr: IntoColumn,
    other: pl.Expr | pl.Series,
    *,
    reader: Reader = "rfc3986",
    on_error: OnError = "null",
    threads: int = 0,
) -> pl.Expr:
    """The first step at which two columns are equivalent, row by row. See
    ``urikit.columns.compare``."""
    given = {"other": other, "reader": reader, "on_error": on_error, "threads": threads}
    return _expr("compare", expr, given)


@pl.api.register_series_namespace("uri")
class UriSeries:
    """``series.uri``: each function of ``urikit.columns``, with its arguments."""

    def __init__(self, series: pl.Series) -> None:
        self._series = series


@pl.api.register_expr_namespace("uri")
class UriExpr:
    """``expr.uri``: each function of this module as a method."""

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr


def _add_methods(name: str) -> None:
    def of_series(self: UriSeries, *arguments: Any, **keywords: Any) -> pl.Series:
        return _series(name, self._series, _methods.bind(name, *arguments, **keywords))

    def of_expr(self: UriExpr, *arguments: Any, **keywords: Any) -> pl.Expr:
        return _expr(name, self._expr, _methods.bind(name, *arguments, **keywords))

    _methods.describe(of_series, name, "self", "", "pl.Series")
    _methods.describe(of_expr, name, "self", "", "pl.Expr")
    setattr(UriSeries, name, of_series)
    setattr(UriExpr, name, of_expr)


for _name in columns.FUNCTIONS:
    _add_methods(_name)
