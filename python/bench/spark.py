"""Compares Spark's Arrow UDF with Spark's own function, on two executor processes.

    target/python/env/bin/python python/bench/spark.py [ROWS]

This script installs nothing: `bench/columns.py` describes how to install the wheel. In each round,
every method runs once, and the best round of each is reported: in wall-clock time, and in processor
time of the driver, the executors and their Python workers together. On a machine that is doing
other work, only the processor time is meaningful.
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
    """Returns the number of bytes that the executors have written for shuffles so far."""
    executors = spark.sparkContext._jsc.sc().statusStore().executorList(False)
    return sum(executors.apply(number).totalShuffleWrite() for number in range(executors.size()))


def processor_time():
    """Returns the processor time of this process and its descendants, including ended ones."""
    parents, times = {}, {}
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        number = int(stat.parent.name)
        parents[number] = int(fields[1])
        times[number] = sum(map(int, fields[11:15]))
    children = {}
    for number, parent in parents.items():
        children.setdefault(parent, []).append(number)
    total, found = 0, [os.getpid()]
    while found:
        number = found.pop()
        total += times.get(number, 0)
        found += children.get(number, [])
    return total / os.sysconf("SC_CLK_TCK")


def measure(cores, rows, path, rounds):
    spark = session(cores)
    try:
        urikit.spark.register(spark)
        urikit.spark.register(spark, reader="java-net-uri", prefix="java_")
        spark.udf.register("same", arrow_udf(identity, "string"))
        spark.read.parquet(path).createOrReplaceTempView("urls")
        parts = "PROTOCOL", "USERINFO", "AUTHORITY", "HOST", "FILE", "PATH", "QUERY", "REF"
        own = ", ".join(f"try_parse_url(url, '{part}') {part}" for part in parts)
        ways = {
            "scan": "length(url)",
            "try_parse_url": "try_parse_url(url, 'HOST')",
            "arrow udf, identity": "same(url)",
            "uri_host": "uri_host(url)",
            "java_host": "java_host(url)",
            "try_parse_url, 2 parts": "try_parse_url(url, 'HOST'), try_parse_url(url, 'PATH')",
            "uri_host, uri_path": "uri_host(url), uri_path(url)",
            "try_parse_url, 8 parts": f"struct({own})",
            "uri_parse": "uri_parse(url)",
        }
        times = {name: [] for name in ways}
        for turn in range(rounds + 1):
            for name, way in ways.items():
                begin = time.monotonic(), processor_time()
                frame = spark.sql(f"select {way} from urls")
                frame.write.format("noop").mode("overwrite").save()
                end = time.monotonic(), processor_time()
                if turn:  # the first warms up
                    times[name].append([after - before for before, after in zip(begin, end)])
        best = {name: [min(kind) for kind in zip(*list_)] for name, list_ in times.items()}
        before = shuffled(spark)
        begin = time.monotonic()
        hosts = spark.sql("select uri_host(url) host, count(*) n from urls group by 1").count()
        grouped = time.monotonic() - begin
        bytes_ = shuffled(spark) - before
        print(f"{cores} executors of one core, {rows} rows:")
        for name, (seconds, used) in best.items():
            rate = rows / seconds / cores / 1e6
            print(f"  {name:22} {seconds:6.2f} s  {rate:5.2f} M rows/s a core  {used:6.2f} s of processors")
        print(f"  count by host          {grouped:6.2f} s  {hosts} hosts, {bytes_ / 1e6:.1f} MB shuffled")
        return best
    finally:
        spark.stop()


def main(rows):
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder, "urls.parquet"))
        table = pa.table({"url": pa.array(urls(rows), pa.string())})
        pa.parquet.write_table(table, path, row_group_size=rows // 16)
        best = measure(2, rows, path, 7)
        pairs = [
            ("uri_host", "try_parse_url"),
            ("uri_host, uri_path", "try_parse_url, 2 parts"),
            ("uri_parse", "try_parse_url, 8 parts"),
        ]
        met = True
        for ours, own in pairs:
            clock, used = (before / after for before, after in zip(best[own], best[ours]))
            print(f"{ours}: {clock:.2f} x {own} by the clock, {used:.2f} x in processor time (goal 1.3)")
            met &= clock >= 1.3
        least = best["uri_host"][0] / best["arrow udf, identity"][0]
        print(f"uri_host: {least:.2f} of an identity (goal 1.25)")
        met &= least <= 1.25
        measure(1, rows, path, 2)
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000))
