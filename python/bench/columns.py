"""Compares columns with other libraries, in one process and on one thread, by processor time.

    python/check env && target/python/env/bin/pip install -r python/bench/requirements.txt
    cd python && maturin build --release --features bench --out ../target/python/bench
    ../target/python/env/bin/pip install --force-reinstall --no-deps ../target/python/bench/*.whl
    ../target/python/env/bin/python bench/columns.py [ROWS]
"""

import sys
import time
import urllib.parse

import pyarrow as pa
import surt
import tldextract

import urikit
from urikit import _urikit, columns
from urikit.urllib import parse as drop_in


def urls(count):
    """Yields URLs like those of a log: 50,000 hosts, 45 % with a query, 1 % invalid."""
    for number in range(count):
        mix = number * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
        host = f"www{mix % 7}.site{(mix >> 8) % 7143}." + ["com", "co.uk", "org", "de"][mix >> 5 & 3]
        query = f"?id={mix >> 40}&ref=a%20b" if mix % 100 < 45 else ""
        dirt = "|" if (mix >> 20) % 111 == 0 else "{x}" if (mix >> 20) % 222 == 1 else ""
        yield f"https://{host}/path/{(mix >> 30) % 9999}/page{dirt}.html{query}"


def best(call, rounds=5):
    """Returns the lowest processor time of a round on this thread, in seconds."""
    times = []
    for _ in range(rounds):
        begin = time.thread_time()
        call()
        times.append(time.thread_time() - begin)
    return min(times)


def main(rows):
    texts = list(urls(rows))
    column = pa.array(texts)

    def per_row(call, some, rounds=3):
        return best(lambda: [call(text) for text in texts[:some]], rounds) / some

    def kernel(name, *arguments, **keywords):
        function = getattr(columns, name)
        return best(lambda: function(column, *arguments, threads=1, **keywords)) / rows

    extract = tldextract.TLDExtract(suffix_list_urls=())  # only the built-in list
    host = kernel("host")
    lines = [
        ("host", host, "the crate url", best(lambda: _urikit.url_crate_host(column)) / rows, 5),
        ("host", host, "urllib", per_row(lambda text: urllib.parse.urlsplit(text).hostname, rows // 5), 30),
        ("surt", kernel("surt", "ia-python"), "PyPI's surt", per_row(surt.surt, rows // 50), 100),
        ("registrable_domain", kernel("registrable_domain"), "tldextract",
         per_row(lambda text: extract(text).registered_domain, rows // 50), 20),
        ("parse one", per_row(lambda text: urikit.validate(text), rows // 5), "urllib",
         per_row(lambda text: urllib.parse.urlsplit(text).hostname, rows // 5), None),
        ("urlsplit, drop-in", per_row(drop_in.urlsplit, rows // 5), "urllib",
         per_row(urllib.parse.urlsplit, rows // 5), None),
        ("quote, drop-in", per_row(drop_in.quote, rows // 5), "urllib",
         per_row(urllib.parse.quote, rows // 5), None),
        ("parse_qsl, drop-in", per_row(lambda text: drop_in.parse_qsl(text[40:]), rows // 5), "urllib",
         per_row(lambda text: urllib.parse.parse_qsl(text[40:]), rows // 5), None),
    ]  # fmt: skip
    print(f"{rows} URLs, {column.nbytes / rows:.0f} bytes a row; urikit {urikit.__version__}")
    missed = 0
    for name, ours, other, theirs, goal in lines:
        ratio = theirs / ours
        mark = "" if goal is None else f"  goal {goal}" + ("" if ratio >= goal else " MISSED")
        missed += bool(goal and ratio < goal)
        print(f"{name:20} {ours * 1e9:8.0f} ns   {other:14} {theirs * 1e9:8.0f} ns  {ratio:6.1f} x{mark}")
    print("others, ns a row, one thread:")
    for name in ("parse", "normalize", "key", "query_pairs", "path_segments", "diagnose", "agree"):
        print(f"{name:20} {kernel(name) * 1e9:8.0f} ns")
    for reader in ("whatwg", "java-net-uri", "urllib", "lenient"):
        print(f"{'host, ' + reader:20} {kernel('host', reader=reader) * 1e9:8.0f} ns")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000))
