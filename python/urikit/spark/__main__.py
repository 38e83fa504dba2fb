"""``python -m urikit.spark IN OUT``: parts of the URLs in a table, on a cluster.

``python -m urikit.spark links`` reads web archives instead.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

import urikit.spark
from urikit import _sql, columns
from urikit._names import Reader
from urikit.spark import _job, links

# Rejected rows are counted by message, without the offset and the text found there.
_PLACE = r"(, but (found .*|the text ends) at byte \d+)|( at (byte|index|offset) \d+.*$)"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m urikit.spark",
        description="Reads a table of URLs with Spark, and writes parts of them as Parquet. "
        "`python -m urikit.spark links --help` describes the job that reads web archives.",
        epilog="Run it with spark-submit to choose a cluster: spark-submit --master yarn "
        "--archives env.tar.gz#env job.py. Rejected rows have nulls, and are counted by reason. "
        + _job.EPILOG,
    )
    parser.add_argument("input", metavar="IN", help="a file or folder")
    parser.add_argument("output", metavar="OUT", help="a folder, which must not exist")
    parser.add_argument("--column", default="url", help="the column with the URLs (default: url)")
    parser.add_argument(
        "--parts",
        default="host",
        help="functions of urikit.columns, separated by commas: host,path,key (default: host)",
    )
    parser.add_argument(
        "--reader", default="rfc3986", choices=columns.READERS, metavar="READER",
        help="the rules: " + ", ".join(columns.READERS) + " (default: rfc3986)",
    )
    parser.add_argument(
        "--format",
        choices=["text", "csv", "json", "parquet"],
        help="format of the input (default: from its name); text has a URL on each line",
    )
    parser.add_argument(
        "--single-line",
        action="store_true",
        help="no cell of the CSV contains line breaks, so Spark may split the file. "
        "Otherwise, one task reads each file",
    )
    parser.add_argument("--only-parts", action="store_true", help="leave the other columns out")
    parser.add_argument("--mode", default="error", choices=["error", "overwrite", "append"],
                        help="what to do if OUT exists (default: error)")
    return parser


def _format(name: str) -> str:
    bare = name.rstrip("/").removesuffix(".gz").removesuffix(".zst").removesuffix(".bz2")
    for ending, kind in [
        (".parquet", "parquet"),
        (".csv", "csv"),
        (".jsonl", "json"),
        (".ndjson", "json"),
        (".json", "json"),
    ]:
        if bare.endswith(ending):
            return kind
    return "text"


def _read(spark: Any, name: str, kind: str, column: str, single_line: bool) -> Any:
    if kind == "text":
        return spark.read.text(name).withColumnRenamed("value", column)
    if kind == "csv":
        # RFC 4180 doubles quotes, and cells may contain line breaks.
        return spark.read.csv(name, header=True, escape='"', multiLine=not single_line)
    return getattr(spark.read, kind)(name)


def _parts(text: str, reader: Reader) -> list[str]:
    able = {function.name for function in _sql.able(reader) if len(function.parameters) == 1}
    parts = [part.strip() for part in text.split(",") if part.strip()]
    unknown = [part for part in parts if part not in able]
    if unknown or not parts:
        names = ", ".join(sorted(able))
        raise ValueError(f"expected parts from {names}, but found {', '.join(unknown) or 'none'}")
    return parts


def run(spark: Any, options: argparse.Namespace) -> dict[str | None, int]:
    """Runs the job. Returns the counts of rejected rows by reason, and of accepted ones under
    ``None``."""
    from pyspark.sql import functions as f

    parts = _parts(options.parts, options.reader)
    named = urikit.spark.functions(reader=options.reader)
    kind = options.format or _format(options.input)
    table = _read(spark, options.input, kind, options.column, options.single_line)
    if options.column not in table.columns:
        raise ValueError(f"no column {options.column!r}; there are {', '.join(table.columns)}")
    url = f.col(f"`{options.column}`").cast("string")
    kept = [] if options.only_parts else [f.col(f"`{name}`") for name in table.columns]
    result = table.select(*kept, *(named[part](url).alias(part) for part in parts))
    result.write.mode(options.mode).parquet(options.output)
    reason = f.regexp_replace(named["reason"](url), _PLACE, "")
    counted = table.where(url.isNotNull()).groupBy(reason.alias("reason")).count()
    return {row["reason"]: row["count"] for row in counted.collect()}


def main(arguments: list[str] | None = None) -> int:
    """Runs the command and returns its exit status; ``--help`` lists them."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] == ["links"]:
        return links.main(arguments[1:])
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        _parts(options.parts, options.reader)
    except ValueError as error:
        parser.error(str(error))
    return _job.main(lambda spark: _report(run(spark, options), options.reader), options.input)


def _report(counts: dict[str | None, int], reader: str) -> int:
    accepted = counts.pop(None, 0)
    rejected = sum(counts.values())
    print(f"{accepted} rows accepted, {rejected} rejected by {reader}", file=sys.stderr)
    for reason, count in sorted(counts.items(), key=lambda item: (-item[1], item[0] or "")):
        print(f"{count:12}  {reason}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
