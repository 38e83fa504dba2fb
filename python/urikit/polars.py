"""The functions of ``urikit.columns`` as the namespace ``uri`` of Polars.

>>> import polars as pl
>>> import urikit.polars
>>> urls = pl.DataFrame({"url": ["http://Example.com/a", "http://a|b/"]})
>>> urls.select(pl.col("url").uri.host())["url"].to_list()
['Example.com', None]
>>> urls["url"].uri.host(reader="java-net-uri").to_list()
['Example.com', None]
"""

from __future__ import annotations

from functools import partial
from typing import Any

import polars as pl

from urikit import _sql, columns

__all__ = ["UriExpr", "UriSeries"]


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


def _series(name: str, series: pl.Series, *arguments: Any, **keywords: Any) -> pl.Series:
    column = getattr(columns, name)(series, *arguments, **keywords)
    return pl.Series(column, dtype=_DTYPES[name]).alias(series.name)


def _two(name: str, keywords: dict[str, Any], series: list[pl.Series]) -> pl.Series:
    first, second = series
    if len(second) == 1 and len(first) != 1:
        second = second.new_from_index(0, len(first))
    return _series(name, first, second, **keywords)


@pl.api.register_series_namespace("uri")
class UriSeries:
    """``series.uri``: each function of ``urikit.columns``, with its arguments."""

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def __getattr__(self, name: str) -> Any:
        if name not in columns.FUNCTIONS:
            raise AttributeError(name)
        return partial(_series, name, self._series)

    def __dir__(self) -> list[str]:
        return list(columns.FUNCTIONS)


@pl.api.register_expr_namespace("uri")
class UriExpr:
    """``expr.uri``: each function of ``urikit.columns``, with its arguments. The base of ``resolve``
    and the other column of ``compare`` may be expressions too."""

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def __getattr__(self, name: str) -> Any:
        if name not in columns.FUNCTIONS:
            raise AttributeError(name)
        return partial(self._call, name)

    def __dir__(self) -> list[str]:
        return list(columns.FUNCTIONS)

    def _call(self, name: str, *arguments: Any, **keywords: Any) -> pl.Expr:
        if arguments and isinstance(arguments[0], pl.Series):
            arguments = (pl.lit(arguments[0]), *arguments[1:])
        if arguments and isinstance(arguments[0], pl.Expr):
            return pl.map_batches(
                [self._expr, arguments[0]],
                partial(_two, name, keywords),
                return_dtype=_DTYPES[name],
            )

        def call(series: pl.Series) -> pl.Series:
            return _series(name, series, *arguments, **keywords)

        return self._expr.map_batches(call, return_dtype=_DTYPES[name], is_elementwise=True)
