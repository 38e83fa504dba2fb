"""The functions of ``urikit.columns`` in Spark's SQL, and batch jobs (``python -m urikit.spark``).

    from pyspark.sql import SparkSession
    import urikit.spark

    spark = SparkSession.builder.getOrCreate()
    urikit.spark.register(spark)
    spark.sql("select uri_host(url), count(*) from urls group by 1").show()

A row that the reader rejects becomes null and does not end the job; ``uri_diagnose`` and
``uri_reason`` return the reason. ``register(spark, reader="java-net-uri")`` parses like Spark's own
``try_parse_url``.

From Spark 4.1 on, the functions are Arrow UDFs, which need only pyarrow. With earlier versions,
they are pandas UDFs, and those that return a struct (``uri_parse`` and ``uri_diagnose``) process
one row at a time. Each uses one thread: Spark runs one worker per core. ``python/README.md``
describes how to deploy the package on a cluster.
"""

from __future__ import annotations

from typing import Any

from urikit import _sql
from urikit._names import Reader

__all__ = ["functions", "register"]


def register(spark: Any, *, reader: Reader = "rfc3986", prefix: str = "uri_") -> list[str]:
    """Adds a function to SQL for each function in ``urikit.columns`` that the reader supports, and
    returns their names: ``uri_host(url)``, ``uri_query_value(url, name)``, ``uri_resolve(url,
    base)`` and so on. ``uri_form_value`` and ``uri_form_pairs`` decode as forms do.

    To use several readers, register each with a separate prefix. Raises ``ValueError`` for an
    unknown reader.
    """
    named = functions(reader=reader)
    for name, function in named.items():
        spark.udf.register(prefix + name, function)
    return [prefix + name for name in named]


def functions(*, reader: Reader = "rfc3986") -> dict[str, Any]:
    """Returns the functions for the DataFrame interface, by name: ``functions()["host"]("url")``.

    Spark names a column of results after the function and its arguments: ``host(url)``.
    """
    return {function.name: _udf(function, reader) for function in _sql.able(reader)}


def _udf(function: _sql.Function, reader: Reader) -> Any:
    try:
        from pyspark.sql.functions import arrow_udf
    except ImportError:
        # A pandas UDF returns structs as a data frame, which cannot have null rows.
        make = _rows if function.result.startswith("struct") else _pandas
        return make(function, reader)
    return _arrow(arrow_udf, function, reader)


def _arrow(arrow_udf: Any, function: _sql.Function, reader: Reader) -> Any:
    """Creates an Arrow UDF. Spark inspects the types of the parameters."""
    import pyarrow

    name = function.name

    def one(first: pyarrow.Array) -> pyarrow.Array:
        return _sql.call(_sql.FUNCTIONS[name], (first,), reader, 1)

    def two(first: pyarrow.Array, second: pyarrow.Array) -> pyarrow.Array:
        return _sql.call(_sql.FUNCTIONS[name], (first, second), reader, 1)

    call = one if len(function.parameters) == 1 else two
    call.__name__ = name  # the names of columns, which must differ
    call.__annotations__ = {key: pyarrow.Array for key in call.__annotations__}
    return arrow_udf(call, function.result)


def _rows(function: _sql.Function, reader: Reader) -> Any:
    """Creates a UDF that processes one row at a time, for structs in Spark before 4.1."""
    from pyspark.sql.functions import udf

    name = function.name

    def call(text: str | None) -> tuple[Any, ...] | None:
        row = _sql.FUNCTIONS[name].call([text], reader=reader, threads=1)[0]
        return None if row is None else tuple(row.values())

    call.__name__ = name
    return udf(call, function.result)


def _pandas(function: _sql.Function, reader: Reader) -> Any:
    """Creates a pandas UDF, for Spark before 4.1. It must not return structs."""
    import pandas
    import pyarrow
    from pyspark.sql.functions import pandas_udf

    name = function.name

    def given(series: Any) -> Any:
        return pyarrow.array(series, pyarrow.string(), from_pandas=True)

    def result(arrays: tuple[Any, ...]) -> Any:
        array = _sql.call(_sql.FUNCTIONS[name], arrays, reader, 1)
        # Without this, a null turns all numbers in the column into floats, which lose digits.
        return array.to_pandas(integer_object_nulls=True)

    def one(first: pandas.Series) -> Any:
        return result((given(first),))

    def two(first: pandas.Series, second: pandas.Series) -> Any:
        return result((given(first), given(second)))

    call = one if len(function.parameters) == 1 else two
    call.__name__ = name
    call.__annotations__ = {key: pandas.Series for key in (*call.__annotations__, "return")}
    return pandas_udf(call, function.result)
