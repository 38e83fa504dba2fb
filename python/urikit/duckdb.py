"""The functions of ``urikit.columns`` in DuckDB's SQL.

>>> import duckdb, urikit.duckdb
>>> connection = duckdb.connect()
>>> urikit.duckdb.register(connection)
>>> connection.sql("select uri_host('http://Example.com/a')").fetchall()
[('Example.com',)]

DuckDB passes Arrow data through pyarrow and numpy, which must be installed.
"""

from __future__ import annotations

import contextlib
from typing import Any

import duckdb

from urikit import _sql
from urikit._names import Reader

__all__ = ["register"]


def register(
    connection: duckdb.DuckDBPyConnection,
    *,
    reader: Reader = "rfc3986",
    prefix: str = "uri_",
    threads: int = 1,
) -> None:
    """Adds a function for each function in ``urikit.columns`` that the reader supports:
    ``uri_host(url)``, ``uri_query_value(url, name)``, ``uri_resolve(url, base)`` and so on.
    ``uri_form_value`` and ``uri_form_pairs`` decode as forms do.

    To use several readers, register each with a separate prefix. Registering again replaces
    functions. Raises ``ValueError`` for an unknown reader.

    >>> import duckdb, urikit.duckdb
    >>> connection = duckdb.connect()
    >>> urikit.duckdb.register(connection, reader="java-net-uri", prefix="java_")
    >>> connection.sql("select java_host('http://a_b/')").fetchall()
    [(None,)]
    """
    # DuckDB's constants were renamed between versions, but their string values are stable.
    create: Any = connection.create_function
    for function in _sql.able(reader):
        # DuckDB refuses to replace a function.
        with contextlib.suppress(duckdb.InvalidInputException):
            connection.remove_function(prefix + function.name)
        create(
            prefix + function.name,
            _sql.adapter(function, reader, threads),
            ["VARCHAR"] * len(function.parameters),
            _type(function.result),
            type="arrow",
            null_handling="special",
        )


_NAMES = {"string": "VARCHAR", "bigint": "BIGINT", "int": "INTEGER", "boolean": "BOOLEAN"}


def _type(result: str) -> str:
    """Converts a Spark type name to a DuckDB type name."""
    if result.startswith("array<"):
        return _type(result[len("array<") : -1]) + "[]"
    if result.startswith("struct<"):
        fields = (field.split(":") for field in result[len("struct<") : -1].split(","))
        return "STRUCT(" + ", ".join(f'"{name}" {_type(kind)}' for name, kind in fields) + ")"
    return _NAMES[result]
