"""Measures the processor time for reading a crawl, in one process and as a Spark job on two
executors.

    target/python/env/bin/python python/bench/crawl.py FOLDER... [--pages N]

The folders contain HTML pages, such as those of `rustup doc --path`: `std`, `book`, `cargo`. They
become WARC and WAT files of 1,000 pages. `bench/columns.py` describes how to install the wheel. On
a machine that does other work too, only the processor time is meaningful. The WAT files contain the
same links as the WARC files.
"""

import argparse
import gzip
import json
import pathlib
import random
import sys
import tempfile
import time

from spark import processor_time, session

from urikit import crawl
from urikit.spark import links

FILE = 1000


def record(kind, url, media_type, content):
    head = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nContent-Type: {media_type}\r\n"
    head += f"Content-Length: {len(content)}\r\n\r\n"
    return gzip.compress(head.encode() + content + b"\r\n\r\n", 6)


def metadata(page):
    """A WAT record with the links of a page."""
    found = [
        {"path": f"{(link['element'] or 'a').upper()}@/{link['attribute'] or 'href'}", "url": link["uri"]}
        for link in page["links"]
    ]
    response = {"Response-Message": {"Status": "200"}, "Headers": {"Content-Type": "text/html"}}
    response["HTML-Metadata"] = {"Head": {}, "Links": found}
    header = {"WARC-Type": "response", "WARC-Target-URI": page["url"]}
    envelope = {"WARC-Header-Metadata": header, "Payload-Metadata": {"HTTP-Response-Metadata": response}}
    return json.dumps({"Envelope": envelope}).encode()


def write(pages, out):
    """Writes the archives. Returns the bytes of the pages."""
    size = 0
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
    for start in range(0, len(pages), FILE):
        name = out / f"{start // FILE}.warc.gz"
        with name.open("wb") as file:
            for number, path in enumerate(pages[start : start + FILE], start):
                # Pages of 5,000 hosts link to each other.
                url = f"http://www.site{number % 5000}.example.org/{path.name}"
                content = path.read_bytes()
                size += len(content)
                file.write(record("response", url, "application/http; msgtype=response", head + content))
        with (out / f"{start // FILE}.wat.gz").open("wb") as file:
            for rows in crawl.read(name):
                for page in rows:
                    file.write(record("metadata", page["url"], "application/json", metadata(page)))
    return size


def alone(files):
    """Reads archives in this process. Returns the pages and the seconds of processor time."""
    begin = time.process_time()
    pages = sum(len(rows) for file in files for rows in crawl.read(file))
    return pages, time.process_time() - begin


def job(spark, files, out):
    options = links._parser().parse_args([*map(str, files), str(out)])
    begin = processor_time()
    counts = links.run(spark, options)
    return counts, processor_time() - begin


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", type=pathlib.Path, nargs="+")
    parser.add_argument("--pages", type=int, default=10_000)
    options = parser.parse_args()
    pages = sorted(page for folder in options.folders for page in folder.rglob("*.html"))
    random.Random(1).shuffle(pages)
    pages = pages[: options.pages]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        size = write(pages, folder)
        print(f"{len(pages)} pages, {size / len(pages) / 1e3:.1f} kB a page")
        spark = session(2)
        try:
            first = sorted(folder.glob("*.warc.gz"))[:1]
            job(spark, first, folder / "warm")  # starts the JVM's compilers and the workers
            for kind in ("warc", "wat"):
                files = sorted(folder.glob(f"*.{kind}.gz"))
                packed = sum(file.stat().st_size for file in files)
                unpacked = sum(len(gzip.decompress(file.read_bytes())) for file in files)
                count, seconds = alone(files)
                counts, used = job(spark, files, folder / kind)
                assert counts.pages == count == len(pages), (counts, count)
                for name, time_ in (("alone", seconds), ("Spark job", used)):
                    print(
                        f"{kind:5} {name:10} {time_:7.1f} s  {count / time_:7.0f} pages/s "
                        f"{counts.links / time_:9.0f} links/s  {packed / time_ / 1e6:6.2f} MB/s packed "
                        f"{unpacked / time_ / 1e6:7.2f} MB/s  "
                        f"{3e9 / (count / time_) / 3600:7.0f} core hours for 3 billion pages"
                    )
        finally:
            spark.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
