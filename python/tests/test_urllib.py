"""Compares `urikit.urllib.parse` with CPython's `urllib.parse` on generated URLs."""

import os
import random
import sys
import unittest
from urllib import parse as theirs

from urikit.urllib import parse as ours

PIECES = (
    ["http", "https", "ftp", "mailto", "x-y", "1a", ":", "://", "//", "/", "/", "?", "#", ";", "@"]
    + ["a", "B.c", "[", "]", "[::1]", "[v1.x]", ":80", ":x", "..", ".", "&", "=", "+", "%", "%41"]
    + ["%C3%A9", "%ff", "%zz", "é", "\u2100", "\ud800", "\t", "\n", " ", "\x00", "\\", "_", "~", "*"]
)


def generated(count, seed):
    some = random.Random(seed)
    for _ in range(count):
        yield "".join(some.choice(PIECES) for _ in range(some.randint(0, 9)))


def outcome(function, *arguments, **keywords):
    """Returns the result, or the kind of error."""
    try:
        return function(*arguments, **keywords)
    except Exception as error:  # both modules must raise the same kind of error
        return next(kind for kind in (ValueError, TypeError, Exception) if isinstance(error, kind))


def parts(result):
    if isinstance(result, type):
        return result
    read = [outcome(getattr, result, name) for name in ("username", "password", "hostname", "port")]
    return (*result, *read)


class Differential(unittest.TestCase):
    """Compares both modules, except for two later changes in CPython that ours includes."""

    COUNT = int(os.environ.get("URIKIT_ROUNDS", "20000"))

    def both(self, name, *arguments, **keywords):
        mine = outcome(getattr(ours, name), *arguments, **keywords)
        yours = outcome(getattr(theirs, name), *arguments, **keywords)
        return mine, yours

    def test_split(self):
        for url in generated(self.COUNT, 1):
            for name in ("urlsplit", "urlparse"):
                mine, yours = (parts(one) for one in self.both(name, url))
                if mine is ValueError and "[" in url and "]" in url:
                    continue  # since 3.11.4 and 3.13.2, brackets and the text around them are checked
                self.assertEqual(mine, yours, (name, url))

    def test_put_together(self):
        for url in generated(self.COUNT, 2):
            mine, yours = self.both("urlsplit", url)
            if isinstance(mine, type) or isinstance(yours, type):
                continue
            if not mine.netloc and mine.path.startswith("//"):
                # Before 3.12.4, a path `//a` came back as the netloc `a`.
                self.assertEqual(ours.urlsplit(mine.geturl()).path, mine.path, url)
                continue
            if mine.scheme and not mine.netloc and not mine.path.startswith("/"):
                # Since then, `http:a` does not become `http:///a`.
                self.assertEqual(ours.urlsplit(mine.geturl())[1:], mine[1:], url)
                continue
            self.assertEqual(mine.geturl(), yours.geturl(), url)

    def test_join(self):
        bases = ["http://a/b/c/d;p?q", "http://a", "mailto:x", "a/b", "", "file:///a/b", "http:///x"]
        some = random.Random(3)
        for url in generated(self.COUNT, 3):
            base = some.choice(bases)
            mine, yours = self.both("urljoin", base, url)
            if mine is ValueError and "[" in url:
                continue
            if mine != yours and isinstance(mine, str) and isinstance(yours, str):
                # As above.
                split = ours.urlsplit(url)
                joined = theirs.urlsplit(mine)
                if split.netloc or joined.netloc and not mine.startswith("http:////"):
                    self.assertEqual(mine, yours, (base, url))
                continue
            self.assertEqual(mine, yours, (base, url))

    def test_defrag(self):
        for url in generated(self.COUNT // 4, 4):
            mine, yours = self.both("urldefrag", url)
            if mine is ValueError and "[" in url:
                continue
            if "//" not in url and ":" not in url:
                self.assertEqual(mine, yours, url)

    def test_escapes(self):
        some = random.Random(5)
        for text in generated(self.COUNT, 5):
            safe = some.choice(["", "/", "é/", "+ ", "%"])
            for name in ("quote", "quote_plus"):
                mine, yours = self.both(name, text, safe)
                self.assertEqual(mine, yours, (name, text, safe))
                mine, yours = self.both(name, text, safe, "latin-1", "replace")
                self.assertEqual(mine, yours, (name, text, safe))
                octets = text.encode("utf-8", "replace")
                mine, yours = self.both(name, octets, safe)
                self.assertEqual(mine, yours, (name, octets, safe))
            for name in ("unquote", "unquote_plus"):
                for codec in (("utf-8", "replace"), ("latin-1", "strict"), ("ascii", "ignore")):
                    mine, yours = self.both(name, text, *codec)
                    self.assertEqual(mine, yours, (name, text, codec))
            mine, yours = self.both("unquote_to_bytes", text)
            self.assertEqual(mine, yours, text)

    def test_forms(self):
        some = random.Random(6)
        for text in generated(self.COUNT, 6):
            for name in ("parse_qsl", "parse_qs"):
                keywords = {
                    "keep_blank_values": some.random() < 0.5,
                    "strict_parsing": some.random() < 0.3,
                    "separator": some.choice("&;"),
                    "max_num_fields": some.choice([None, 1, 3]),
                }
                mine, yours = self.both(name, text, **keywords)
                self.assertEqual(mine, yours, (name, text, keywords))
        for query in [{"a": [1, "b c"], "d": "é"}, [("x", b"\xff"), ("y", None)], "ab", 1, [], {}]:
            for doseq in (False, True):
                mine, yours = self.both("urlencode", query, doseq)
                self.assertEqual(mine, yours, query)

    def test_forms_of_many_types(self):
        class Text(str):
            def __str__(self):
                return "other"

        class Mapping:
            def items(self):
                return iter([("a", "b"), ("c", 1)])

        values = ["", "a b", "é&=+~/", b"\xff a", 1, -2.5, 1e300, True, None, Text("t"), object, "\ud800"]
        values += [[], ["a", 1], ("x", b"y"), [["n"]], {1: 2}, {"s"}, range(2), bytearray(b"z"), 10**20]
        some = random.Random(7)
        queries = [Mapping(), [("a",)], [["a", "b"]], ("ab",), (("a", "b"),), [("a", "b"), "cd"], ["ab"]]
        for _ in range(self.COUNT // 4):
            chosen = [some.choice(values) for _ in range(some.randint(0, 6))]
            pairs = list(zip(chosen[::2], chosen[1::2]))
            names = {str(name): value for name, value in pairs if not isinstance(name, Text)}
            queries += [pairs, tuple(pairs), names, dict(enumerate(chosen))]
        for query in queries:
            for doseq in (False, True):
                for safe in ("", "/é", b"&"):
                    mine, yours = self.both("urlencode", query, doseq, safe)
                    self.assertEqual(mine, yours, (query, doseq, safe))
        for keywords in ({"quote_via": theirs.quote}, {"encoding": "latin-1"}, {"errors": "replace"}):
            mine, yours = self.both("urlencode", {"é ": "\ud800/"}, **keywords)
            self.assertEqual(mine, yours, keywords)

    def test_flags(self):
        """A flag may be any object with a truth value."""
        class Untrue:
            def __bool__(self):
                raise ValueError

        for flag in (0, 1, "", "x", None, [], [0], 0.5, object(), Untrue(), True, False):
            calls = [
                ("urlsplit", "http://a/b#c", "", flag if flag.__hash__ else bool(flag)),
                ("urlparse", "http://a/b;c#d", "", flag if flag.__hash__ else bool(flag)),
                ("urljoin", "http://a/b#c", "d#e", flag if flag.__hash__ else bool(flag)),
                ("parse_qsl", "a=&b=1&c", flag),
                ("parse_qsl", "a=1&b", False, flag),
                ("parse_qs", "a=&b=1", flag, flag),
                ("parse_qsl", b"a=&b=1", flag),
                ("urlencode", {"a": [1, 2]}, flag),
            ]
            for name, *arguments in calls:
                mine, yours = self.both(name, *arguments)
                self.assertEqual(mine, yours, (name, arguments))

    def test_the_cache(self):
        ours.clear_cache()
        self.assertIs(ours.urlsplit("http://a/"), ours.urlsplit("http://a/"))
        self.assertIsNot(ours.urlsplit(b"http://a/"), ours.urlsplit("http://a/"))
        ours.clear_cache()
        for name in ("urlsplit", "urlparse"):
            for url in (bytearray(b"http://a/"), [], None, b""):
                mine, yours = self.both(name, url)
                self.assertEqual(mine, yours, (name, url))

    def test_all_names(self):
        self.assertEqual(sorted(ours.__all__), sorted(theirs.__all__))
        for name in theirs.__all__:
            self.assertTrue(getattr(ours, name).__doc__, name)

    @unittest.skipIf(sys.version_info >= (3, 14), "removed from CPython")
    def test_deprecated_names_are_theirs(self):
        with self.assertWarns(DeprecationWarning):
            self.assertEqual(ours.splittype("a:b"), ("a", "b"))


if __name__ == "__main__":
    unittest.main()
