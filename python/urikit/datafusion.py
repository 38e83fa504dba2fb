"""The functions of ``urikit.columns`` in DataFusion's SQL.

>>> from datafusion import SessionContext
>>> import urikit.datafusion
>>> context = SessionContext()
>>> urikit.datafusion.register(context)
>>> context.sql("select uri_host('http://Example.com/a') as host").to_pydict()
{'host': ['Example.com']}

DataFusion passes Arrow data through pyarrow, which must be installed.
"""

from __future__ import annotations

from typing import Any

import pyarrow
from datafusion import SessionContext, udf

from urikit import _sql
from urikit._names import Reader

__all__ = ["register"]


def register(
    context: SessionContext,
    *,
    reader: Reader = "rfc3986",
    prefix: str = "uri_",
    threads: int = 1,
) -> None:
    """Adds a function for each function in ``urikit.columns`` that the reader supports:
    ``uri_host(url)``, ``uri_query_value(url, name)``, ``uri_resolve(url, base)`` and so on.

    To use several readers, register each with a separate prefix. Registering again replaces
    functions. Raises ``ValueError`` for an unknown reader.

    >>> from datafusion import SessionContext
    >>> import urikit.datafusion
    >>> context = SessionContext()
    >>> urikit.datafusion.register(context, reader="java-net-uri", prefix="java_")
    >>> context.sql("select java_host('http://a_b/') as host").to_pydict()
    {'host': [None]}
    """
    for function in _sql.able(reader):
        context.register_udf(
            udf(
                _sql.adapter(function, reader, threads),
                [pyarrow.string()] * len(function.parameters),
                _type(function.result),
                "immutable",
                prefix + function.name,
            )
        )


_TYPES: dict[str, Any] = {
    "string": pyarrow.string(),
    "bigint": pyarrow.int64(),
    "int": pyarrow.int32(),
    "boolean": pyarrow.bool_(),
}


def _type(result: str) -> Any:
    """Converts a Spark type name to an Arrow type."""
    if result.startswith("array<"):
        return pyarrow.list_(_type(result[len("array<") : -1]))
    if result.startswith("struct<"):
        fields = (field.split(":") for field in result[len("struct<") : -1].split(","))
        return pyarrow.struct([(name, _type(kind)) for name, kind in fields])
    return _TYPES[result]
