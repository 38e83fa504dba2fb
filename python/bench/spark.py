"""Spark's Arrow UDF against Spark's own function, in one application on two executor processes.

    target/python/env/bin/python python/bench/spark.py [ROWS]

Installs nothing: see `bench/columns.py` for the wheel. Times are of the clock; each round runs all
ways one after the other, and the best of each counts.
"""

import os
import pathlib
import sys
import tempfile
import time

os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable

import pyarrow as pa
import pyarrow.parquet
from columns import urls
from pyspark.sql import SparkSession
from pyspark.sql.functions import arrow_udf

import urikit.spark


def session(cores):
    return (
        SparkSession.builder.master(f"local-cluster[{cores},1,1024]")
        .appName("urikit bench")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.sql.files.maxPartitionBytes", "16m")
        .config("spark.log.level", "ERROR")
        .config("spark.ui.showConsoleProgress", "false")
        .getOrCreate()
    )


def identity(first: pa.Array) -> pa.Array:
    return first


def shuffled(spark):
    """Bytes that the executors have written for shuffles so far."""
    executors = spark.sparkContext._jsc.sc().statusStore().executorList(False)
    return sum(executors.apply(number).totalShuffleWrite() for number in range(executors.size()))


def measure(cores, rows, path, rounds):
    spark = session(cores)
    try:
        urikit.spark.register(spark)
        urikit.spark.register(spark, reader="java-net-uri", prefix="java_")
        spark.udf.register("same", arrow_udf(identity, "string"))
        spark.read.parquet(path).createOrReplaceTempView("urls")
        ways = {
            "scan": "length(url)",
            "try_parse_url": "try_parse_url(url, 'HOST')",
            "arrow udf, identity": "same(url)",
            "uri_host": "uri_host(url)",
            "java_host": "java_host(url)",
        }
        times = {name: [] for name in ways}
        for turn in range(rounds + 1):
            for name, way in ways.items():
                begin = time.monotonic()
                frame = spark.sql(f"select {way} part from urls")
                frame.write.format("noop").mode("overwrite").save()
                if turn:  # the first warms up
                    times[name].append(time.monotonic() - begin)
        best = {name: min(list_) for name, list_ in times.items()}
        before = shuffled(spark)
        begin = time.monotonic()
        hosts = spark.sql("select uri_host(url) host, count(*) n from urls group by 1").count()
        grouped = time.monotonic() - begin
        bytes_ = shuffled(spark) - before
        print(f"{cores} executors of one core, {rows} rows:")
        for name, seconds in best.items():
            print(f"  {name:22} {seconds:6.2f} s  {rows / seconds / cores / 1e6:5.2f} M rows/s a core")
        print(f"  count by host          {grouped:6.2f} s  {hosts} hosts, {bytes_ / 1e6:.1f} MB shuffled")
        return best
    finally:
        spark.stop()


def main(rows):
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder, "urls.parquet"))
        table = pa.table({"url": pa.array(urls(rows), pa.string())})
        pa.parquet.write_table(table, path, row_group_size=rows // 16)
        best = measure(2, rows, path, 5)
        own = best["try_parse_url"] / best["uri_host"]
        least = best["uri_host"] / best["arrow udf, identity"]
        print(f"uri_host: {own:.2f} x try_parse_url (goal 1.3), {least:.2f} of an identity (goal 1.25)")
        measure(1, rows, path, 2)
    return 0 if own >= 1.3 and least <= 1.25 else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000))
