"""The code that the batch jobs share: their session, and one line for each failure."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any

EPILOG = (
    "Exit status: 0 success, 1 the job failed, 2 wrong arguments, 3 the input does not exist, 4 the "
    "input cannot be read, 5 OUT exists. Spark logs its errors with --conf spark.log.level=ERROR."
)

# Exit statuses, each with the strings that indicate it in messages of Spark 3.5 and 4.
_STATUSES = [
    (3, ("PATH_NOT_FOUND", "Path does not exist", "FileNotFoundError")),
    (5, ("PATH_ALREADY_EXISTS",)),
    (
        4,
        (
            "FAILED_READ_FILE",
            "CANNOT_READ_FILE_FOOTER",
            "Could not read footer",
            "is not a Parquet file",
            "Encountered error while reading file",
            "java.util.zip.",
            "java.io.EOFException",
            "MALFORMED_",
            "UNABLE_TO_INFER_SCHEMA",
            "PermissionError",
            "OSError",
        ),
    ),
]


def failure(error: Exception) -> tuple[int, str]:
    """Returns the exit status and one line for a Spark error, whose text contains the stack traces
    of the driver and the executor."""
    text = str(error)
    status = next((status for status, names in _STATUSES if any(name in text for name in names)), 1)
    # The innermost cause is the most specific.
    *_, cause = text.rpartition("Caused by: ")
    lines = [line.strip() for line in cause.splitlines() if line.strip()]
    message = lines[0] if lines else type(error).__name__
    raised = re.findall(r"^(?:\w+\.)*(\w+Error: .+)$", text, re.MULTILINE)
    if raised and "Traceback" in text:
        # The last line of a worker's traceback.
        return status, raised[-1]
    if "Py4JJavaError" in message or message.startswith("An error occurred while calling"):
        message = lines[1].lstrip(": ") if len(lines) > 1 else message
    return status, message.partition("; line ")[0]


def main(job: Callable[[Any], int], name: str) -> int:
    """Runs a job in its own session, and returns its exit status."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.appName("urikit").getOrCreate()
    if spark.conf.get("spark.log.level", None) is None:
        # At Spark's default log level, the stack trace of a failed task is logged five times.
        spark.sparkContext.setLogLevel("OFF")
    try:
        return job(spark)
    except ValueError as error:
        print(f"urikit.spark: {error}", file=sys.stderr)
        return 2
    except FileExistsError as error:
        print(f"urikit.spark: {error}", file=sys.stderr)
        return 5
    except (Py4JError, PySparkException) as error:
        status, message = failure(error)
        if status == 4:
            message = f"cannot read {name}: {message}"
        print(f"urikit.spark: {message}", file=sys.stderr)
        return status
    finally:
        spark.stop()
