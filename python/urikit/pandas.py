"""The functions of ``urikit.columns`` as the ``uri`` accessor of pandas.

>>> import pandas as pd
>>> import urikit.pandas
>>> urls = pd.Series(["http://Example.com/a", "http://a|b/", None])
>>> list(urls.uri.host().dropna())
['Example.com']

Results keep the index and the name of the series. A series that is an argument (the base of
``resolve``) is aligned with that index, as pandas aligns columns. A list is matched by position.

>>> links = pd.Series(["x", "y"], index=[1, 2])
>>> bases = pd.Series(["http://b/", "http://a/"], index=[2, 1])
>>> list(links.uri.resolve(bases))
['http://a/x', 'http://b/y']

pandas 3 has the Arrow PyCapsule interface and needs nothing else. Text is returned as pandas
strings, numbers as nullable pandas types, and structs and lists as Python objects.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from urikit import _methods, columns
from urikit._urikit import Column

__all__ = ["UriAccessor"]


def _input(series: pd.Series[Any]) -> Any:
    """Converts a series to a column. Before pandas 3, and if all rows are missing, converts it to a
    list, because the type of the series may not be text."""
    if hasattr(series, "__arrow_c_stream__") and not series.isna().all():
        return series
    return [None if pd.isna(text) else text for text in series]


def _output(column: Column, index: pd.Index[Any], name: Any) -> pd.Series[Any]:
    make = getattr(pd.Series, "from_arrow", None)
    if make is not None and column.type_name in ("Utf8", "LargeUtf8", "Utf8View"):
        result: pd.Series[Any] = make(column)
        result.index = index
        return result.rename(name)
    kinds = {"Int32": "Int32", "UInt64": "UInt64", "Boolean": "boolean"}
    dtype: Any = kinds.get(column.type_name, "object")
    return pd.Series(column.to_pylist(), index=index, name=name, dtype=dtype)


@pd.api.extensions.register_series_accessor("uri")
class UriAccessor:
    """``series.uri``: each function of ``urikit.columns``, with its arguments. Keeps the
    index and the name."""

    def __init__(self, series: pd.Series[Any]) -> None:
        self._series = series

    def _aligned(self, value: Any) -> Any:
        """Returns an argument. The rows of a series are put in the order of this series' index."""
        if not isinstance(value, pd.Series):
            return value
        index = self._series.index
        return _input(value if value.index.equals(index) else value.reindex(index))


def _add_method(name: str) -> None:
    def method(self: UriAccessor, *arguments: Any, **keywords: Any) -> pd.Series[Any]:
        given = _methods.bind(name, *arguments, **keywords)
        given = {key: self._aligned(value) for key, value in given.items()}
        series = self._series
        column = getattr(columns, name)(_input(series), **given)
        return _output(column, series.index, series.name)

    _methods.describe(method, name, "self", "", "pd.Series")
    setattr(UriAccessor, name, method)


for _name in columns.FUNCTIONS:
    _add_method(_name)
