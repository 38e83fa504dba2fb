"""Compares the drop-in with CPython's ``urllib.parse``: ratios of processor time within one run.

    target/python/env/bin/python python/bench/drop_in.py [ROUNDS]

Each function is called with URLs that it has not seen, and repeatedly with one URL, which CPython
finds in a cache. The rounds of both modules alternate, and the best round of each counts. A ratio
below 1 means that the drop-in is slower.
"""

import sys
import time
from urllib import parse as theirs

from columns import urls

from urikit.urllib import parse as ours


def calls(texts):
    """Returns the names of functions, each with a call of a module's function for a text."""
    pairs = {text: [("id", str(number)), ("q", text)] for number, text in enumerate(texts)}
    lists = {text: {"id": number, "q": [text, "a b"]} for number, text in enumerate(texts)}
    parts = {text: theirs.urlsplit(text) for text in texts}
    six = {text: theirs.urlparse(text) for text in texts}
    octets = {text: text.encode() for text in texts}
    theirs.clear_cache()
    return {
        "urlsplit": lambda module, text: module.urlsplit(text),
        "urlsplit, bytes": lambda module, text: module.urlsplit(octets[text]),
        "urlsplit().hostname": lambda module, text: module.urlsplit(text).hostname,
        "urlsplit().port": lambda module, text: module.urlsplit(text).port,
        "urlparse": lambda module, text: module.urlparse(text),
        "urljoin, path": lambda module, text: module.urljoin(text, "../c?d#e"),
        "urljoin, URL": lambda module, text: module.urljoin("http://a.example/b/c", text),
        "urlunsplit": lambda module, text: module.urlunsplit(parts[text]),
        "urlunparse": lambda module, text: module.urlunparse(six[text]),
        "geturl": lambda module, text: module.urlsplit(text).geturl(),
        "urldefrag": lambda module, text: module.urldefrag(text),
        "quote": lambda module, text: module.quote(text),
        "quote, nothing": lambda module, text: module.quote("abc"),
        "quote, path": lambda module, text: module.quote("/a/b-c_d.html"),
        "quote_plus": lambda module, text: module.quote_plus(text),
        "unquote": lambda module, text: module.unquote(text),
        "unquote_plus": lambda module, text: module.unquote_plus(text),
        "unquote_to_bytes": lambda module, text: module.unquote_to_bytes(text),
        "parse_qsl": lambda module, text: module.parse_qsl(text[40:]),
        "parse_qs": lambda module, text: module.parse_qs(text[40:]),
        "urlencode, pairs": lambda module, text: module.urlencode(pairs[text]),
        "urlencode, doseq": lambda module, text: module.urlencode(lists[text], True),
        "urlencode, quote": lambda module, text: module.urlencode(pairs[text], quote_via=module.quote),
    }


def main(rounds):
    texts = list(dict.fromkeys(urls(4000)))
    slower = 0
    for name, call in calls(texts).items():
        line = f"{name:20}"
        for kind, some in (("new", texts), ("again", texts[:1] * len(texts))):
            best = {ours: float("inf"), theirs: float("inf")}
            for _ in range(rounds):
                for module in best:
                    # CPython 3.11 empties its cache of 128 URLs by itself; later versions need this
                    # call.
                    module.clear_cache()
                    begin = time.thread_time()
                    for text in some:
                        call(module, text)
                    best[module] = min(best[module], time.thread_time() - begin)
            ratio = best[theirs] / best[ours]
            slower += ratio < 0.97
            nanoseconds = [best[module] / len(some) * 1e9 for module in (ours, theirs)]
            line += "   {}: {:6.0f} ns, CPython {:6.0f} ns, {:5.2f} x".format(kind, *nanoseconds, ratio)
        print(line)
    print(f"{slower} slower than CPython {sys.version.split()[0]}")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 15))
