"""The functions of ``urikit.columns`` as the accessor ``uri`` of pandas.

>>> import pandas as pd
>>> import urikit.pandas
>>> urls = pd.Series(["http://Example.com/a", "http://a|b/", None])
>>> list(urls.uri.host().dropna())
['Example.com']

pandas 3 has the Arrow PyCapsule interface and needs nothing else. Texts come back as pandas
strings, numbers as nullable pandas types, and structs and lists as Python objects.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd

from urikit import columns
from urikit._urikit import Column

__all__ = ["UriAccessor"]


def _input(value: Any) -> Any:
    """Converts a series to a column, or to a list before pandas 3."""
    if not isinstance(value, pd.Series) or hasattr(value, "__arrow_c_stream__"):
        return value
    return [None if pd.isna(text) else text for text in value]


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

    def __getattr__(self, name: str) -> Any:
        if name not in columns.FUNCTIONS:
            raise AttributeError(name)
        return partial(self._call, name)

    def __dir__(self) -> list[str]:
        return list(columns.FUNCTIONS)

    def _call(self, name: str, *arguments: Any, **keywords: Any) -> pd.Series[Any]:
        given = [_input(argument) for argument in arguments]
        column = getattr(columns, name)(_input(self._series), *given, **keywords)
        return _output(column, self._series.index, self._series.name)
