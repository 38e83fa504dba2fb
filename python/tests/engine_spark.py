"""Tests columns with Spark, on a cluster of two executor processes."""

import collections
import contextlib
import gzip
import io
import json
import os
import pathlib
import re
import signal
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock
import warnings

os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pyspark
import archives
from pyspark.sql import SparkSession
from urls import mixed

import urikit.spark
from urikit import _sql, columns, crawl
from urikit.spark import __main__ as job
from urikit.spark import links

ROWS = int(os.environ.get("URIKIT_ROWS", "1000000"))
IS_SPARK_4 = pyspark.__version__ >= "4"
# Spark 3.5 has no `try_parse_url`, and its `parse_url` fails only in ANSI mode.
PARSE_URL = "try_parse_url" if IS_SPARK_4 else "parse_url"
# Long tests that do not depend on Spark's version.
ONLY_ONCE = unittest.skipUnless(IS_SPARK_4, "runs with Spark 4")
MAKERS = {"warc": archives.warc, "wat": archives.wat, "arc": archives.arc}
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
        .config("spark.sql.files.maxPartitionBytes", f"{ROWS // 125}k")
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

    @ONLY_ONCE
    def test_two_processes(self):
        def parent(_):
            time.sleep(1)
            return os.getppid()

        parents = self.spark.sparkContext.parallelize(range(4), 4).map(parent).collect()
        self.assertEqual(len(set(parents)), 2)

    def test_java_net_uri_is_what_spark_reads(self):
        """Compares all eight parts and the value of a key in each row, including nulls."""
        pairs = [(f"{PARSE_URL}(url, '{part}')", f"java_{name}(url)") for part, name in PARTS.items()]
        pairs.append((f"{PARSE_URL}(url, 'QUERY', 'id')", "java_query_value(url, 'id')"))
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

    @ONLY_ONCE
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

    @ONLY_ONCE
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
            single = self.run_job(self.path / name, f"{out}-single", "--single-line", *arguments)
            self.assertEqual(single, counts)
            written = pa.parquet.read_table(out)
            found = sorted(zip(written[column].to_pylist(), written["host"].to_pylist()))
            hosts = {texts[0]: "a", texts[1]: None, texts[2]: "d", texts[3]: "e"}
            self.assertEqual(found, sorted(hosts.items()), name)

    @ONLY_ONCE
    def test_single_lines_are_divided(self):
        lines = "url\n" + "".join(f"http://a/{number}\n" for number in range(600_000))
        (self.path / "long.csv").write_text(lines)
        for arguments, parts in (([], 1), (["--single-line"], 2)):
            out = self.path / f"long-{parts}"
            self.run_job(self.path / "long.csv", out, *arguments)
            written = list(out.glob("*.parquet"))
            self.assertTrue(len(written) == 1 if parts == 1 else len(written) > 1, len(written))
            self.assertEqual(pa.parquet.read_table(out).num_rows, 600_000)

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

    def test_rejected_rows_are_null(self):
        """They are not structs of nulls, so they can be counted."""
        urls = [("http://a/",), ("http://a|b/",), (None,), ("|",)]
        frame = self.spark.createDataFrame(urls, "url string")
        frame.coalesce(1).createOrReplaceTempView("four")
        for name in ("parse", "diagnose", "query_pairs", "findings", "key"):
            wanted = [row is not None for row in _plain_result(name, [url for url, in urls])]
            rows = self.spark.sql(f"select uri_{name}(url) is not null from four").collect()
            self.assertEqual([row[0] for row in rows], wanted, name)
        rejected = self.spark.sql("select * from four where uri_diagnose(url) is not null").count()
        self.assertEqual(rejected, 2)

    def test_names_of_columns(self):
        out = self.path / "names"
        named = urikit.spark.functions()
        frame = self.spark.createDataFrame([("http://a/b",)], "url string")
        chosen = frame.select(named["host"]("url"), named["path"]("url"), named["parse"]("url"))
        self.assertEqual(chosen.columns, ["host(url)", "path(url)", "parse(url)"])
        chosen.write.parquet(str(out))
        self.assertEqual(pa.parquet.read_table(out)["path(url)"].to_pylist(), ["/b"])

    def test_wrong_readers(self):
        with self.assertRaisesRegex(ValueError, "rfc3968"):
            urikit.spark.register(self.spark, reader="rfc3968")

    def test_a_name_for_each_row(self):
        rows = self.spark.sql(
            """select count(*), count_if(uri_query_value('/?n' || id || '=' || id, 'n' || id) = id)
            from range(100000)"""
        ).first()
        self.assertEqual(tuple(rows), (100_000, 100_000))

    def test_pandas_udfs(self):
        """Tests the pandas UDFs, which Spark before 4.1 needs."""
        frame = self.spark.createDataFrame([("http://u@a:80/b/c?d",), (None,), ("|",)], "url string")
        names = ["host", "port_number", "parse", "path_segments", "key", "agree"]
        made = [
            (urikit.spark._rows if name == "parse" else urikit.spark._pandas)(
                _sql.FUNCTIONS[name], "rfc3986"
            )
            for name in names
        ]
        made.append(urikit.spark._pandas(_sql.FUNCTIONS["resolve"], "rfc3986"))
        arguments = [("url",)] * len(names) + [("url", "url")]
        rows = frame.coalesce(1).select(*(one(*given) for one, given in zip(made, arguments))).collect()
        self.assertEqual(rows[0][0], "a")
        self.assertEqual(rows[0][1], 80)
        self.assertEqual(rows[0][2]["userinfo"], "u")
        self.assertEqual(list(rows[0][3]), ["b", "c"])
        # The number keeps all digits, although the column has nulls.
        self.assertEqual(rows[0][4] % (1 << 64), columns.key(["http://u@a:80/b/c?d"])[0])
        self.assertIs(rows[0][5], True)
        self.assertEqual(rows[0][6], "http://u@a:80/b/c?d")
        self.assertEqual([row[0] for row in rows[1:]], [None, None])
        self.assertEqual([row[2] for row in rows[1:]], [None, None])

    def command(self, *arguments):
        error = io.StringIO()
        # Other tests still need the session.
        with (
            contextlib.redirect_stderr(error),
            unittest.mock.patch.object(SparkSession, "stop"),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore")
            if arguments[0] != "links":
                arguments = [str(self.path / one) for one in arguments]
            status = job.main(list(arguments))
        return status, error.getvalue().splitlines()

    def test_failures_are_one_line(self):
        (self.path / "few.txt").write_text("http://a/\n")
        (self.path / "bad.parquet").write_bytes(b"no table" * 1000)
        table = pa.table({"url": [f"http://a/{number}" for number in range(10_000)]})
        pa.parquet.write_table(table, self.path / "torn.parquet")
        octets = bytearray((self.path / "torn.parquet").read_bytes())
        octets[1000:30_000] = bytes(29_000)
        (self.path / "torn.parquet").write_bytes(octets)
        (self.path / "there").mkdir()
        for name, out, status in (
            ("missing.txt", "o1", 3), ("bad.parquet", "o2", 4), ("torn.parquet", "o3", 4),
            ("few.txt", "there", 5),
        ):  # fmt: skip
            found, lines = self.command(name, out)
            self.assertEqual((found, len(lines)), (status, 1), (name, lines))
            self.assertIn(out if status == 5 else name, lines[0])

    def test_links_of_a_crawl(self):
        """The job writes the same rows as one machine, even though an executor is killed."""
        folder = self.path / "crawl"
        pages, files = 200 if IS_SPARK_4 else 20, []
        folder.mkdir()
        for number, (name, make) in enumerate(3 * [*MAKERS.items()]):
            some = [archives.Page(pages * number + one) for one in range(pages)]
            files.append(folder / f"{number}.{name}.gz")
            files[-1].write_bytes(archives.members(make(some))[0])
        killed = []
        with contextlib.ExitStack() as stack:
            if IS_SPARK_4:
                watch = threading.Thread(target=kill_an_executor, args=(folder / "out", killed))
                watch.start()
                stack.callback(watch.join)
                # The executors get this function too. Some tasks remain when others have ended.
                patch = unittest.mock.patch.object(links, "open_archive", archives.open_slowly)
                stack.enter_context(patch)
            counts = self.run_links(*files, folder / "out")
        self.assertEqual(len(killed), int(IS_SPARK_4))
        self.check_crawl(folder / "out", counts, [crawl.read(file) for file in files])
        self.assertEqual((counts.pages, counts.damage, counts.problems), (9 * pages, {}, {}))
        self.assertFalse((folder / "out" / "rows").exists())
        print(f"links and one machine: {counts.pages} pages, {counts.links} links, executors killed: {len(killed)}")

    def run_links(self, *arguments):
        options = links._parser().parse_args([str(one) for one in arguments])
        return links.run(self.spark, options)

    def check_crawl(self, out, counts, expected):
        """Compares the output of the job with the rows and the graph of one machine."""
        rows = [page for batches in expected for batch in batches for page in batch]
        found = [{"source": page["page"], **link} for page in rows for link in page["links"]]
        self.assertEqual(sorted_rows(read_table(out / "links")), sorted_rows(found))
        edges = {
            kind: {
                (page[kind], link[kind])
                for page in rows for link in page["links"]
                if page[kind] and link[kind] and page[kind] != link[kind]
            }
            for kind in ("host", "domain")
        }  # fmt: skip
        hosts = {(one["host"], one["domain"]) for page in rows for one in (page, *page["links"])}
        for page in rows:
            page["links"] = len(page["links"])
        rows = [page for page in rows if page["url"] is not None]
        self.assertEqual(sorted_rows(read_table(out / "pages")), sorted_rows(rows))
        hosts = {host: domain for host, domain in hosts if host}
        domains = collections.Counter(domain for domain in hosts.values() if domain)
        self.assertEqual(counts[:4], (len(rows), len(found), len(hosts), len(domains)))
        names = {
            "host": [{"id": id, "name": name} for id, name in enumerate(sorted(hosts))],
            "domain": [
                {"id": id, "name": name, "hosts": domains[name]}
                for id, name in enumerate(sorted(domains))
            ],
        }
        for kind, vertices in names.items():
            self.assertEqual(read_table(out / f"{kind}s" / "vertices"), vertices, kind)
            ids = {row["name"]: row["id"] for row in vertices}
            wanted = sorted((ids[source], ids[target]) for source, target in edges[kind])
            written = [tuple(row.values()) for row in read_table(out / f"{kind}s" / "edges")]
            self.assertEqual(written, wanted, kind)
            self.assertEqual((out / f"{kind}s" / "sorted").exists(), False)
        self.assertTrue(edges["host"] and edges["domain"])

    def test_records_of_an_index(self):
        folder = self.path / "index"
        folder.mkdir()
        lines, expected = {"cdxj": [], "cdx": [" CDX N b a m s k r M S V g"]}, {"cdxj": [], "cdx": []}
        for number, (name, make) in enumerate(MAKERS.items()):
            file = folder / f"{number}.{name}.gz"
            records, places = archives.members(make([archives.Page(one) for one in range(30)]))
            file.write_bytes(records)
            # A third of the records, and one of them twice.
            some = places[2::3]
            for offset, length in [*some, some[0]]:
                fields = {"url": "x", "filename": file.name, "offset": str(offset), "length": str(length)}
                lines["cdxj"].append(f"com,example)/ 2026 {json.dumps(fields)}")
                lines["cdx"].append(f"k 2026 u text/html 200 - - - {length} {offset} {file.name}")
            expected["cdxj"].append((file, some))
        expected["cdx"] = expected["cdxj"]
        for kind in lines:
            index = folder / f"index.{kind}.gz"
            index.write_bytes(gzip.compress("\n".join(lines[kind]).encode()))
            out = folder / f"out-{kind}"
            counts = self.run_links("--cdx", index, "--root", folder, "--run", 7, out)
            reads = [crawl.read(file, ranges=some) for file, some in expected[kind]]
            self.check_crawl(out, counts, reads)
            self.assertGreater(counts.pages, 30)
            reader = read_table(out / "pages")
            self.assertEqual(len({row["file"] for row in reader}), 3)
        for wrong, text in ((b" CDX N b a V g\nk 2 u 0 x", "lack the columns S"), (b"k 2026 {}", "k 2026 {}")):
            (folder / "wrong.cdx").write_bytes(wrong)
            with self.assertRaisesRegex(Exception, text):
                self.run_links("--cdx", folder / "wrong.cdx", folder / f"no-{text[0]}")

    def test_failures_of_links(self):
        folder = self.path / "failures"
        folder.mkdir()
        file, _ = archives.members(archives.warc([archives.Page(one) for one in range(30)]))
        (folder / "good.warc.gz").write_bytes(file)
        (folder / "torn.warc.gz").write_bytes(file[:-2000])
        (folder / "text.warc.gz").write_bytes(b"text")
        (folder / "paths.txt").write_text("good.warc.gz\n\nfailures/good.warc.gz\n")
        (folder / "there").mkdir()
        for names, out, status, text in (
            (["missing.warc.gz"], "o1", 3, f"No such file or directory: '{folder}/missing.warc.gz'"),
            (["good.warc.gz"], "there", 5, "there already exists"),
            (["good.warc.gz", "text.warc.gz"], "o2", 4, "text.warc.gz: expected a WARC, WAT or ARC"),
            (["good.warc.gz", "torn.warc.gz"], "o3", 4, "torn.warc.gz: "),
            ([f"file://{folder}/good.warc.gz"], "o4", 0, "30 pages"),
            ([], "o5", 2, "expected an archive, --paths or --cdx"),
            (["--paths", folder / "paths.txt", "--root", folder.parent / "failures"], "o6", 3, "No such"),
        ):  # fmt: skip
            paths = [
                one if str(one).startswith(("--", "file:", "/")) else folder / one for one in names
            ]
            found, lines = self.command("links", *map(str, paths), str(folder / out))
            self.assertEqual(found, status, (names, lines))
            self.assertIn(text, " ".join(lines), names)
            self.assertLessEqual(len(lines), 3, lines)
        self.assertEqual(len(read_table(folder / "o2" / "pages")), 30)

    def test_zz_command(self):
        (self.path / "few.txt").write_text("http://a/\nhttp://b|c/\nhttp://d|e/\n")
        status, lines = self.command("few.txt", "few")
        self.assertEqual(status, 0)
        self.assertIn("1 rows accepted, 2 rejected by rfc3986", lines)
        self.assertEqual(len(lines), 2, lines)
        hosts = pa.parquet.read_table(self.path / "few")["host"].to_pylist()
        self.assertEqual(sorted(hosts, key=str), [None, None, "a"])


def read_table(folder):
    """The rows of a folder, in the order of its files."""
    return pa.parquet.read_table(folder).to_pylist()


def sorted_rows(rows):
    return sorted(json.dumps(row, sort_keys=True) for row in rows)


def executors():
    """The processes of the executors of this test."""
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            command = (stat.parent / "cmdline").read_bytes()
            number = int(stat.parent.name)
            if b"CoarseGrainedExecutorBackend" in command and is_ours(number):
                yield number
        except OSError:
            continue  # it has just ended


def is_ours(number):
    while number > 1:
        if number == os.getpid():
            return True
        stat = pathlib.Path(f"/proc/{number}/stat").read_text()
        number = int(stat.rpartition(")")[2].split()[1])
    return False


def kill_an_executor(out, killed):
    """Kills an executor after it has written rows, when tasks remain."""
    for _ in range(600):
        if list(out.glob("rows/_temporary/*/task_*")):
            victim = next(executors())
            os.kill(victim, signal.SIGKILL)
            killed.append(victim)
            return
        time.sleep(0.1)


def _plain_result(name, urls):
    return _sql.FUNCTIONS[name].call(urls, reader="rfc3986", threads=1).to_pylist()


def plain(value):
    """Converts rows to dictionaries."""
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
