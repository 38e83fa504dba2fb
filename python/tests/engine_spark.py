"""Tests columns with Spark, on a cluster of two executor processes."""

import collections
import contextlib
import io
import json
import os
import pathlib
import re
import sys
import tempfile
import time
import unittest

os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
from pyspark.sql import SparkSession
from urls import mixed

import urikit.spark
from urikit import _sql, columns
from urikit.spark import __main__ as job

ROWS = int(os.environ.get("URIKIT_ROWS", "1000000"))
# Spark's names, and ours.
PARTS = {
    "HOST": "host",
    "PATH": "path",
    "QUERY": "query",
    "REF": "fragment",
    "PROTOCOL": "scheme",
    "FILE": "path_query",
    "AUTHORITY": "authority",
    "USERINFO": "userinfo",
}


def session():
    return (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .appName("urikit tests")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.sql.files.maxPartitionBytes", "8m")
        .config("spark.log.level", "ERROR")
        .getOrCreate()
    )


class Spark(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        cls.urls = pa.table({"url": pa.array(mixed(ROWS), pa.string())})
        pa.parquet.write_table(cls.urls, cls.path / "urls.parquet", row_group_size=ROWS // 8)
        cls.spark = session()
        urikit.spark.register(cls.spark)
        urikit.spark.register(cls.spark, reader="java-net-uri", prefix="java_")
        cls.spark.read.parquet(str(cls.path / "urls.parquet")).createOrReplaceTempView("urls")

    @classmethod
    def tearDownClass(cls):
        cls.spark.stop()
        cls.folder.cleanup()

    def run_job(self, *arguments):
        options = job._parser().parse_args([str(one) for one in arguments])
        return job.run(self.spark, options)

    def test_two_processes(self):
        def parent(_):
            time.sleep(1)
            return os.getppid()

        parents = self.spark.sparkContext.parallelize(range(4), 4).map(parent).collect()
        self.assertEqual(len(set(parents)), 2)

    def test_java_net_uri_is_what_spark_reads(self):
        """Compares all eight parts and the value of a key in each row, including nulls."""
        pairs = [(f"try_parse_url(url, '{part}')", f"java_{name}(url)") for part, name in PARTS.items()]
        pairs.append(("try_parse_url(url, 'QUERY', 'id')", "java_query_value(url, 'id')"))
        selected = ", ".join(
            f"{theirs} t{number}, {ours} o{number}" for number, (theirs, ours) in enumerate(pairs)
        )
        same = " and ".join(f"t{number} <=> o{number}" for number in range(len(pairs)))
        counts = ", ".join(f"count(t{number})" for number in range(len(pairs)))
        rows = self.spark.sql(f"select url, {selected} from urls")
        rows.createOrReplaceTempView("compared")
        total, different, *found = self.spark.sql(
            f"select count(*), count_if(not ({same})), {counts} from compared"
        ).first()
        self.assertEqual(total, ROWS)
        if different:
            for row in rows.where(f"not ({same})").limit(20).collect():
                print(row)
        self.assertEqual(different, 0)
        for (theirs, _), count in zip(pairs, found):
            self.assertGreater(count, ROWS // 100, theirs)  # not only nulls are equal
            self.assertLess(count, ROWS, theirs)
        print(f"Spark and java-net-uri: {total} rows of {len(pairs)} parts equal")

    def test_the_job_writes_what_one_machine_does(self):
        parts = ["host", "registrable_domain", "surt", "key", "path_query"]
        for reader in ("java-net-uri", "rfc3986"):
            able = [part for part in parts if part in {one.name for one in _sql.able(reader)}]
            out = self.path / f"out-{reader}"
            arguments = ["--parts", ",".join(able), "--reader", reader]
            counts = self.run_job(self.path / "urls.parquet", out, *arguments)
            written = pa.parquet.read_table(out)
            self.assertGreater(len(list(out.glob("*.parquet"))), 1)
            url = self.urls["url"]
            here = pa.table(
                {"url": url}
                | {
                    part: _sql.call(_sql.FUNCTIONS[part], (url.combine_chunks(),), reader, 0)
                    for part in able
                }
            )
            self.assertEqual(csv(written), csv(here), reader)
            reasons = columns.reason(url, reader=reader).to_pylist()
            place = job._PLACE
            wanted = collections.Counter(why and re.sub(place, "", why) for why in reasons)
            wanted[None] -= url.null_count
            self.assertEqual(counts, dict(wanted), reader)
            self.assertLess(len(counts), 60)  # reasons, not messages
        print(f"the job and one machine: {ROWS} rows byte for byte")

    def test_formats(self):
        texts = ["http://a/x", "http://b c/", 'http://d/"q"', "http://e/,"]
        (self.path / "in.txt").write_text("\n".join(texts) + "\n")
        with (self.path / "in.csv").open("wb") as file:
            pa.csv.write_csv(pa.table({"n": [1, 2, 3, 4], "link": texts}), file)
        lines = [json.dumps({"link": text}) + "\n" for text in [*texts[:3], texts[3]]]
        (self.path / "in.jsonl").write_text("".join(lines))
        for name, column in [("in.txt", "url"), ("in.csv", "link"), ("in.jsonl", "link")]:
            out = self.path / f"out-{name}"
            arguments = ["--column", column, "--parts", "host,port", "--reader", "whatwg"]
            counts = self.run_job(self.path / name, out, *arguments)
            self.assertEqual(counts[None], 3, name)
            written = pa.parquet.read_table(out)
            found = sorted(zip(written[column].to_pylist(), written["host"].to_pylist()))
            hosts = {texts[0]: "a", texts[1]: None, texts[2]: "d", texts[3]: "e"}
            self.assertEqual(found, sorted(hosts.items()), name)

    def test_wrong_arguments(self):
        for arguments in (["--parts", "hots"], ["--column", "link"], ["--parts", "key"]):
            with self.assertRaises(ValueError):
                reader = ["--reader", "java-net-uri"]
                self.run_job(self.path / "urls.parquet", self.path / "no", *arguments, *reader)

    def test_all_functions_in_sql(self):
        arguments = {"query_value": "id", "form_value": "id", "surt_as": "ia-python"}
        arguments |= {"encode": "segment", "decode": "segment", "canonicalize": "sort-query"}
        arguments |= {"resolve": "http://base/x/y", "compare": "http://example.com/"}
        urls = [one for one in mixed(300)]
        frame = self.spark.createDataFrame([(one,) for one in urls], "url string")
        frame.coalesce(1).createOrReplaceTempView("some")
        named = _sql.able("rfc3986")
        calls = [
            f"uri_{one.name}(url{repr(arguments[one.name]).join([', ', '']) if one.name in arguments else ''})"
            for one in named
        ]
        rows = self.spark.sql("select url, " + ", ".join(calls) + " from some").collect()
        column = pa.array([row["url"] for row in rows], pa.string())
        for number, function in enumerate(named, 1):
            given = (column,)
            if function.name in arguments:
                given += (pa.array([arguments[function.name]] * len(rows)),)
            wanted = _sql.call(function, given, "rfc3986", 1).to_pylist()
            found = [plain(row[number]) for row in rows]
            self.assertEqual(found, wanted, function.name)

    def test_pandas_udfs(self):
        """Tests the pandas UDFs, which Spark before 4.1 needs."""
        frame = self.spark.createDataFrame([("http://u@a:80/b/c?d",), (None,), ("|",)], "url string")
        names = ["host", "port_number", "parse", "path_segments", "key", "agree"]
        made = [urikit.spark._pandas(_sql.FUNCTIONS[name], "rfc3986") for name in names]
        made.append(urikit.spark._pandas(_sql.FUNCTIONS["resolve"], "rfc3986"))
        arguments = [("url",)] * len(names) + [("url", "url")]
        rows = frame.coalesce(1).select(*(one(*given) for one, given in zip(made, arguments))).collect()
        self.assertEqual(rows[0][0], "a")
        self.assertEqual(rows[0][1], 80)
        self.assertEqual(rows[0][2]["userinfo"], "u")
        self.assertEqual(list(rows[0][3]), ["b", "c"])
        self.assertIsInstance(rows[0][4], int)
        self.assertIs(rows[0][5], True)
        self.assertEqual(rows[0][6], "http://u@a:80/b/c?d")
        self.assertEqual([row[0] for row in rows[1:]], [None, None])

    def test_zz_command(self):
        """The name makes this test the last one, since it ends the session."""
        (self.path / "few.txt").write_text("http://a/\nhttp://b|c/\nhttp://d|e/\n")
        error = io.StringIO()
        with contextlib.redirect_stderr(error):
            status = job.main([str(self.path / "few.txt"), str(self.path / "few")])
        self.assertEqual(status, 0)
        self.assertIn("1 rows accepted, 2 rejected by rfc3986\n", error.getvalue())
        self.assertEqual(len(error.getvalue().splitlines()), 2, error.getvalue())
        hosts = pa.parquet.read_table(self.path / "few")["host"].to_pylist()
        self.assertEqual(sorted(hosts, key=str), [None, None, "a"])


def plain(value):
    """Rows as dictionaries."""
    if hasattr(value, "asDict"):
        return {name: plain(one) for name, one in value.asDict().items()}
    return [plain(one) for one in value] if isinstance(value, list) else value


def csv(table):
    """Returns the rows as CSV, sorted by all columns."""
    table = table.sort_by([(name, "ascending") for name in table.column_names])
    out = io.BytesIO()
    pa.csv.write_csv(table.combine_chunks(), out)
    return out.getvalue()


if __name__ == "__main__":
    unittest.main()
