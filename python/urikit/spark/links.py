"""``python -m urikit.spark links WARC... OUT``: the links of a crawl, and its graph, on a cluster.

Each task reads one archive, or a run of records that an index lists, with ``urikit.crawl``. Spark's own
``binaryFile`` would keep a complete archive in one row, and Hadoop does not split gzip.

The graphs have the form of Common Crawl's web graphs: names are reversed (``com.example.www``) and
sorted, the number of a vertex is its position in this order, counting from 0, and edges are
distinct and connect different vertices.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from urikit import crawl
from urikit.spark import _job

ROWS = (
    ", ".join(f"{name} string" for name in crawl.PAGE[:7])
    + f", status int, skipped bigint, links array<struct<"
    + ", ".join(f"{name}: string" for name in crawl.LINK)
    + ">>"
)
"""The rows of ``urikit.crawl.read`` as a Spark schema."""

# The default columns of a CDX file.
_LEGEND = "N b a m s k r M S V g"


class Counts(NamedTuple):
    """The numbers of rows, and of pages by problem. The problem of an archive is in ``damage``."""

    pages: int
    links: int
    hosts: int
    domains: int
    problems: dict[str, int]
    damage: dict[str, str]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m urikit.spark links",
        description="Extracts the links of WARC, WAT and ARC files with Spark. Writes OUT/pages, "
        "OUT/links, and the graphs of hosts and registrable domains as Parquet: "
        "OUT/hosts/vertices, OUT/hosts/edges, OUT/domains/vertices and OUT/domains/edges.",
        epilog=_job.EPILOG + " If only part of an archive is damaged, OUT contains everything else, "
        "and the exit status is 4.",
    )
    parser.add_argument("archives", metavar="WARC", nargs="*", help="a path or URI")
    parser.add_argument("output", metavar="OUT", help="a folder, which must not exist")
    parser.add_argument("--paths", metavar="FILE", help="reads the paths of archives, one on each line")
    parser.add_argument(
        "--cdx",
        metavar="FILE",
        action="append",
        default=[],
        help="reads the records that this CDX or CDXJ file lists; may be given several times",
    )
    parser.add_argument(
        "--root", metavar="URI", default="", help="precedes relative paths in --paths and --cdx"
    )
    parser.add_argument(
        "--run", type=int, default=1000, help="records of --cdx in each task (default: 1000)"
    )
    parser.add_argument("--text", action="store_true", help="adds the links in text")
    parser.add_argument(
        "--private",
        action="store_true",
        help="registrable domains respect the private part of the public suffix list: github.io",
    )
    return parser


def open_archive(uri: str) -> Any:
    """Returns a local path unchanged, and opens a URI with ``pyarrow.fs``."""
    if "://" not in uri:
        return uri
    from pyarrow import fs

    scheme, rest = uri.split("://", 1)
    scheme = {"s3a": "s3", "s3n": "s3"}.get(scheme, scheme)
    filesystem, path = fs.FileSystem.from_uri(f"{scheme}://{rest}")
    return filesystem.open_input_file(path)


def _located(path: str, root: str) -> str:
    """Returns a path for the executors, whose working folder may be different."""
    if "://" in path:
        return path
    joined = path if path.startswith("/") or not root else f"{root.rstrip('/')}/{path}"
    return joined if "://" in joined else os.path.abspath(joined)


def _tasks(spark: Any, options: argparse.Namespace) -> Any:
    """Returns a row for each task: an archive, and the ranges to read."""
    from pyspark.sql import functions as f

    schema = "file string, ranges array<struct<offset: bigint, length: bigint>>"
    names = [_located(name, "") for name in options.archives]
    if options.paths:
        lines = spark.read.text(options.paths).collect()
        names += [_located(row[0].strip(), options.root) for row in lines if row[0].strip()]
    # Starting from a single partition, `repartition` puts one row into each new one.
    tasks = spark.createDataFrame([(name, None) for name in names], schema).coalesce(1)
    if names:
        tasks = tasks.repartition(len(names))
    if options.cdx:
        root = options.root
        located = f.udf(lambda name: _located(name, root))
        run = f.floor(f.col("number") / options.run)
        members = _members(spark, options.cdx).withColumn("run", run)
        ranges = f.sort_array(f.collect_list(f.struct("offset", "length")))
        runs = members.groupBy("file", "run").agg(ranges.alias("ranges"))
        runs = runs.select(located("file").alias("file"), "ranges")
        tasks = tasks.union(runs.repartition(max(1, runs.count())))
    return tasks


def _members(spark: Any, names: list[str]) -> Any:
    """Returns the records that indexes list: file, offset, length, and the number of the run."""
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    value = f.col("value")
    lines = spark.read.text(names).where(f.trim(value) != "")
    legends = [row[0].split()[1:] for row in lines.where(value.rlike("^.?CDX ")).distinct().collect()]
    legends = legends or [_LEGEND.split()]
    if any(legend != legends[0] for legend in legends):
        raise ValueError("the CDX files have different columns")
    place = {letter: number for number, letter in enumerate(legends[0])}
    missing = [letter for letter in "VSg" if letter not in place]
    if missing:
        raise ValueError(f"the CDX files lack the columns {', '.join(missing)}")
    json = f.from_json(
        f.regexp_extract(value, r"^\S+ \S+ (\{.*)$", 1), "filename string, offset string, length string"
    )
    fields = f.split(value, " ")

    def field(name: str, letter: str, kind: str) -> Any:
        wrong = f.raise_error(f.concat(f.lit(f"expected a line with {name}, but found "), value))
        found = f.coalesce(json[name], f.get(fields, f.lit(place[letter])))
        # In ANSI mode, `cast` ends the job with a message that does not quote the line.
        number = f.when(found.rlike(r"^\d{1,18}$"), found.cast(kind))
        return f.coalesce(found if kind == "string" else number, wrong.cast(kind))

    rows = lines.where(~value.rlike("^.?CDX ")).select(
        field("filename", "g", "string").alias("file"),
        field("offset", "V", "bigint").alias("offset"),
        field("length", "S", "bigint").alias("length"),
    )
    number = f.row_number().over(Window.partitionBy("file").orderBy("offset", "length")) - 1
    return rows.distinct().withColumn("number", number)


def rows(tasks: Any, *, text: bool = False, private: bool = False) -> Any:
    """Reads archives: maps a data frame of ``file`` and ``ranges`` to the rows of ``crawl.read``."""

    def read(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        for batch in batches:
            for task in batch.to_pylist():
                file, ranges = task["file"], task["ranges"]
                found = ranges and [(one["offset"], one["length"]) for one in ranges]
                archive = open_archive(file)
                for column in crawl.read(
                    archive, name=file, ranges=found, text=text, private=private
                ):
                    yield pyarrow.record_batch(column)

    return tasks.mapInArrow(read, ROWS)


def _numbered(spark: Any, names: Any, folder: str) -> Any:
    """Writes the vertices of a graph: distinct names in order, with their numbers. Returns them."""
    from pyspark.sql import functions as f

    # The numbers that Spark assigns have gaps between partitions. Because the names are written
    # once, neither they nor their partitions change, even if an executor is lost.
    sorted_ = names.sort("name").withColumn("row", f.monotonically_increasing_id())
    sorted_.write.parquet(f"{folder}/sorted")
    sorted_ = spark.read.parquet(f"{folder}/sorted")
    partition = f.shiftright("row", 33).cast("int").alias("partition")
    starts, start = [], 0
    for row in sorted_.groupBy(partition).count().sort("partition").collect():
        starts.append((row["partition"], start))
        start += row["count"]
    schema = "partition int, start bigint"
    starts = f.broadcast(spark.createDataFrame(starts, schema))
    place = f.col("row").bitwiseAND((1 << 33) - 1)
    vertices = sorted_.withColumn("partition", partition).join(starts, "partition")
    others = [name for name in names.columns if name != "name"]
    vertices = vertices.select((f.col("start") + place).alias("id"), "name", *others)
    vertices.sort("id").write.parquet(f"{folder}/vertices")
    return spark.read.parquet(f"{folder}/vertices")


def _graph(spark: Any, crawled: Any, column: str, folder: str) -> int:
    """Writes the graph of hosts or domains, and returns the number of vertices."""
    from pyspark.sql import functions as f

    linked = f.explode(f.array_distinct(f"links.{column}"))
    pairs = crawled.select(f.col(column).alias("s"), linked.alias("t")).distinct()
    pairs = pairs.where("s is not null and t is not null")
    if column == "host":
        names = crawled.select(f.col("host").alias("name")).union(crawled.select(linked))
        names = names.where("name is not null").distinct()
    else:
        both = f.explode(f.array_distinct(f.transform("links", lambda one: f.struct(one.domain, one.host))))
        hosts = crawled.select("domain", "host").union(crawled.select(both.alias("b")).select("b.*"))
        hosts = hosts.where("domain is not null").distinct()
        names = hosts.groupBy(f.col("domain").alias("name")).agg(f.count("*").alias("hosts"))
    vertices = _numbered(spark, names, folder)
    source = vertices.select(f.col("name").alias("s"), f.col("id").alias("from_id"))
    target = vertices.select(f.col("name").alias("t"), f.col("id").alias("to_id"))
    edges = pairs.where("s != t").join(source, "s").join(target, "t").select("from_id", "to_id")
    edges.sort("from_id", "to_id").write.parquet(f"{folder}/edges")
    _remove(spark, f"{folder}/sorted")
    return int(vertices.count())


def _path(spark: Any, name: str) -> tuple[Any, Any]:
    path = spark._jvm.org.apache.hadoop.fs.Path(name)
    return path.getFileSystem(spark._jsc.hadoopConfiguration()), path


def _remove(spark: Any, name: str) -> None:
    filesystem, path = _path(spark, name)
    filesystem.delete(path, True)


def run(spark: Any, options: argparse.Namespace) -> Counts:
    """Runs the job."""
    from pyspark.sql import functions as f

    if not (options.archives or options.paths or options.cdx):
        raise ValueError("expected an archive, --paths or --cdx")
    out = options.output.rstrip("/")
    filesystem, path = _path(spark, out)
    if filesystem.exists(path):
        raise FileExistsError(f"{out} already exists")
    # The archives are read once. The other steps read these rows.
    tasks = _tasks(spark, options)
    rows(tasks, text=options.text, private=options.private).write.parquet(f"{out}/rows")
    crawled = spark.read.parquet(f"{out}/rows")
    size = f.size("links").alias("links")
    crawled.select(*crawl.PAGE[:-1], size).where("url is not null").write.parquet(f"{out}/pages")
    links = crawled.select(f.col("page").alias("source"), f.inline("links"))
    links.write.parquet(f"{out}/links")
    hosts = _graph(spark, crawled, "host", f"{out}/hosts")
    domains = _graph(spark, crawled, "domain", f"{out}/domains")
    pages, count = crawled.where("url is not null").agg(f.count("*"), f.sum(f.size("links"))).first()
    wrong = crawled.where("problem is not null")
    problems = wrong.where("url is not null").groupBy("problem").count().collect()
    damage = wrong.where("url is null").select("file", "problem").collect()
    _remove(spark, f"{out}/rows")
    return Counts(
        pages,
        count or 0,
        hosts,
        domains,
        {row["problem"]: row["count"] for row in problems},
        {row["file"]: row["problem"] for row in damage},
    )


def _report(counts: Counts) -> int:
    print(
        f"{counts.pages} pages, {counts.links} links, {counts.hosts} hosts, {counts.domains} domains",
        file=sys.stderr,
    )
    for problem, count in sorted(counts.problems.items(), key=lambda item: (-item[1], item[0]))[:20]:
        print(f"{count:12}  {problem}", file=sys.stderr)
    for file, problem in sorted(counts.damage.items()):
        print(f"urikit.spark: {file}: {problem}", file=sys.stderr)
    return 4 if counts.damage else 0


def main(arguments: list[str]) -> int:
    """Runs the command and returns its exit status; ``--help`` lists them."""
    options = _parser().parse_args(arguments)
    return _job.main(lambda spark: _report(run(spark, options)), "the archives")
