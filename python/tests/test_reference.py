"""The class `Reference`, and errors."""

import copy
import pickle
import threading
import unittest

import urikit
from urikit import Data, parse

# RFC 3986, 5.4: a reference, and its target against http://a/b/c/d;p?q
RESOLVED = {
    "g:h": "g:h",
    "g": "http://a/b/c/g",
    "./g": "http://a/b/c/g",
    "g/": "http://a/b/c/g/",
    "/g": "http://a/g",
    "//g": "http://g",
    "?y": "http://a/b/c/d;p?y",
    "g?y": "http://a/b/c/g?y",
    "#s": "http://a/b/c/d;p?q#s",
    "": "http://a/b/c/d;p?q",
    "..": "http://a/b/",
    "../../../g": "http://a/g",
    "http:g": "http:g",
}


class Components(unittest.TestCase):
    def test_absent_is_not_empty(self):
        url = parse("http://h:/?#")
        self.assertEqual((url.userinfo, url.port_text, url.query, url.fragment), (None, "", "", ""))
        self.assertIsNone(url.port)
        url = parse("mailto:a@b")
        self.assertEqual((url.authority, url.host, url.query), (None, None, None))
        self.assertEqual(url.path, "a@b")

    def test_text_comes_back(self):
        for text in ["", "#", "//", "HTTP://u:p@H:0080/%7e?a=b&&c#d", "a/b:c"]:
            self.assertEqual(str(parse(text)), text)

    def test_query_pairs(self):
        self.assertEqual(parse("?").query_pairs, ())
        self.assertEqual(parse("").query_pairs, ())
        self.assertEqual(parse("?a=%FF&b=+").query_pairs, (("a", "%FF"), ("b", "+")))
        self.assertEqual(parse("?b=+").form_pairs, (("b", " "),))
        with self.assertRaises(ValueError):
            parse("?a=%FF").form_pairs

    def test_standards(self):
        for standard in urikit.STANDARDS:
            self.assertEqual(parse("http://h/a", standard).standard, standard)
        self.assertEqual(parse("a/b;p", "rfc1808").params, "p")
        self.assertTrue(parse("mailto:a@b", "rfc2396").is_opaque)
        with self.assertRaisesRegex(ValueError, "rfc3986"):
            parse("a", "rfc9999")

    def test_match(self):
        match parse("http://h/a?b#c"):
            case urikit.Reference("http", "h", path, query, fragment):
                self.assertEqual((path, query, fragment), ("/a", "b", "c"))
            case _:
                self.fail()

    def test_order(self):
        texts = ["b", "a/b", "B", "", "a?"]
        self.assertEqual([str(url) for url in sorted(map(parse, texts))], sorted(texts))
        one, other = parse("a"), parse("a", "rfc2396")
        self.assertNotEqual(one, other)
        self.assertEqual([one < other, one <= other, one > other, one >= other].count(True), 2)
        self.assertTrue(one <= parse("a") and one >= parse("a") and not one < parse("a"))
        with self.assertRaises(TypeError):
            parse("a") < "b"

    def test_origin(self):
        for text in ["", "//h/", "data:,x", "file:///a"]:
            self.assertIsNone(parse(text).origin, text)
        self.assertEqual(parse("http://H:8080/a").origin, "http://h:8080")

    def test_format(self):
        url = parse("http://a/")
        self.assertEqual((f"{url}", f"{url:>10}", f"{url:.4}"), ("http://a/", " http://a/", "http"))
        with self.assertRaises(ValueError):
            f"{url:d}"

    def test_types(self):
        for wrong in [None, b"http://a/", 1]:
            with self.assertRaises(TypeError):
                parse(wrong)
        with self.assertRaises(ValueError):  # UTF-8 cannot represent a lone surrogate
            parse("http://a/\ud800")


class Value(unittest.TestCase):
    def test_equality_and_hash(self):
        self.assertEqual(parse("http://a/"), parse("http://a/"))
        self.assertNotEqual(parse("http://a/"), parse("http://A/"))
        self.assertNotEqual(parse("http://a/"), parse("http://a/", "rfc3987"))
        self.assertNotEqual(parse("http://a/"), "http://a/")
        self.assertEqual(len({parse("http://a/"), parse("http://a/"), parse("http://b/")}), 2)

    def test_immutable(self):
        url = parse("http://a/")
        for name in ["host", "other"]:
            with self.assertRaises(AttributeError):
                setattr(url, name, "b")

    def test_pickle_and_copy(self):
        for url in [parse("http://u:p@a/é", "rfc3987"), parse("#x")]:
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                self.assertEqual(pickle.loads(pickle.dumps(url, protocol)), url)
            self.assertEqual(copy.copy(url), url)
            self.assertEqual(copy.deepcopy(url), url)

    def test_password_is_masked(self):
        url = parse("ftp://user:secret@h/")
        self.assertNotIn("secret", repr(url))
        self.assertIn("secret", str(url))
        self.assertEqual(repr(parse("a", "rfc2396")), "Reference('a', 'rfc2396')")

    def test_truth(self):
        self.assertTrue(parse(""))


class Whatwg(unittest.TestCase):
    def test_attributes(self):
        url = parse("http://u:p@h:81/p?q#f", "whatwg")
        names = "href origin protocol username password host hostname port pathname search hash"
        found = [getattr(url, name) for name in names.split()]
        expected = ["http://u:p@h:81/p?q#f", "http://h:81", "http:", "u", "p", "h:81", "h", "81"]
        self.assertEqual(found, [*expected, "/p", "?q", "#f"])
        self.assertEqual(repr(url), "WhatwgUrl('http://u:***@h:81/p?q#f')")

    def test_assignments(self):
        for name, value, href in [
            ("href", "https://x", "https://x/"),
            ("protocol", "https", "https://h/a?b#c"),
            ("username", "ü@", "http://%C3%BC%40@h/a?b#c"),
            ("host", "X:8080", "http://x:8080/a?b#c"),
            ("hostname", "127.1", "http://127.0.0.1/a?b#c"),
            ("port", 81, "http://h:81/a?b#c"),
            ("port", "80", "http://h/a?b#c"),
            ("pathname", "x y/../z", "http://h/z?b#c"),
            ("search", "", "http://h/a#c"),
            ("hash", "d e", "http://h/a?b#d%20e"),
        ]:
            url = parse("http://h/a?b#c", "whatwg")
            setattr(url, name, value)
            self.assertEqual(url.href, href, name)

    def test_queries(self):
        """The result is the same whether or not the URL and the query need escapes."""
        for query in ["", "?", "a", "?a=b", "??", "a'b", "a#b", "%zz", "%4", "é", "a b", "[]", "a/?:@"]:
            for rest in ["", "?x", "?x#f", "#f?y"]:
                one = parse(f"http://h/a{rest}", "whatwg")
                other = parse(f"http://H/a{rest}", "whatwg")
                one.search = other.search = query
                self.assertEqual((one.href, one.search), (other.href, other.search), (query, rest))

    def test_an_empty_path(self):
        """Only a special scheme, or a null host, needs a slash (URL Standard, path start state)."""
        for text, path, href in [
            ("foo://", "", "foo://"),
            ("foo:///a", "", "foo://"),
            ("foo:///a", "\t\n", "foo://"),
            ("foo://h/a?b#c", "", "foo://h?b#c"),
            ("foo://h", "a", "foo://h/a"),
            ("foo:/a", "b", "foo:/b"),
            ("http://h/a?b", "", "http://h/?b"),
            ("file:///a", "", "file:///"),
        ]:
            url = parse(text, "whatwg")
            url.pathname = path
            self.assertEqual(url.href, href, (text, path))

    def test_assignments_that_are_ignored_are_errors(self):
        for text, name, value in [
            ("http://h/", "protocol", "mailto"),
            ("http://h/", "host", "a b"),
            ("http://h/", "port", 65536),
            ("http://h/", "port", None),
            ("mailto:a@b", "hostname", "h"),
            ("mailto:a@b", "username", "u"),
            ("mailto:a@b", "pathname", "x"),
        ]:
            url = parse(text, "whatwg")
            with self.assertRaises(urikit.EditError, msg=name):
                setattr(url, name, value)
            self.assertEqual(url.href, text)

    def test_values(self):
        url = parse("http://h", "whatwg")
        for copied in (copy.copy(url), copy.deepcopy(url), pickle.loads(pickle.dumps(url))):
            self.assertEqual(copied, url)
            copied.port = 1
            self.assertNotEqual(copied, url)
        self.assertNotEqual(url, "http://h/")
        with self.assertRaises(TypeError):
            hash(url)
        self.assertEqual(urikit.WhatwgUrl("../x", "http://h/a/b").href, "http://h/x")

    def test_the_names_of_standards(self):
        for call in (parse, urikit.Reference, urikit.validate):
            with self.assertRaisesRegex(ValueError, "expected one of .*rfc3987") as caught:
                call("http://h/", "bogus")
            self.assertEqual("whatwg" in str(caught.exception), call is parse)

    def test_errors(self):
        for text in ["", "/a", "http://", "http://a b/", "http://h:99999/", "\ud800"]:
            with self.assertRaises(urikit.ParseError, msg=text):
                parse(text, "whatwg")
        with self.assertRaises(urikit.ParseError):
            parse("http://h/", "whatwg").join("http://")


class Operations(unittest.TestCase):
    def test_resolve(self):
        base = parse("http://a/b/c/d;p?q")
        for reference, target in RESOLVED.items():
            self.assertEqual(str(base.join(reference)), target)
            self.assertEqual(str(parse(reference).resolve(base)), target)
            self.assertEqual(str(parse(reference).resolve(str(base))), target)

    def test_resolve_errors(self):
        with self.assertRaises(urikit.ResolveError):
            parse("g").resolve("a/b")
        with self.assertRaises(urikit.ResolveError):
            parse("g", "rfc3986").resolve(parse("http://a/", "rfc3987"))
        with self.assertRaises(urikit.ParseError) as caught:
            parse("http://a/").join("b c")
        self.assertEqual(caught.exception.offset, 1)
        with self.assertRaises(TypeError):
            parse("http://a/").join(b"b")

    def test_relative(self):
        self.assertEqual(str(parse("http://a/b/c").relative_to("http://a/b/d")), "c")

    def test_normalize_and_compare(self):
        url = parse("eXAMPLE://a/./b/../b/%63/%7bfoo%7d")  # RFC 3986, 6.2.2
        self.assertEqual(str(url.normalize()), "example://a/b/c/%7Bfoo%7D")
        self.assertEqual(str(url.normalize("case")), "example://a/./b/../b/%63/%7Bfoo%7D")
        self.assertTrue(url.normalize().is_normal())
        self.assertFalse(url.is_normal("case"))
        self.assertEqual(url.compare(url), "identical")
        self.assertIsNone(url.compare("example://b/"))
        with self.assertRaisesRegex(ValueError, "escapes"):
            url.normalize("all")

    def test_with(self):
        url = parse("http://u@h:1/a/?b#c")
        for name, value in [("scheme", "ftp"), ("host", "x"), ("port", None), ("path", "/%41")]:
            changed = getattr(url, f"with_{name}")(value)
            self.assertEqual(changed, url.replace(**{name: value}), name)
        self.assertEqual(url.with_fragment(Data("%")), url.replace(fragment="%25"))
        self.assertEqual(url.with_query(None).query, None)
        for pairs in [{"x": "1&"}, [("x", "1&")], iter([("x", "1&")])]:
            self.assertEqual(url.with_query(pairs).query, "x=1%26")
        for wrong in [lambda: url.with_port(99999), lambda: url.with_host("a b")]:
            with self.assertRaises(urikit.EditError):
                wrong()
        with self.assertRaises(TypeError):
            url.with_query(1)

    def test_append_segment(self):
        url = parse("http://h/a/?b#c")
        self.assertEqual(str(url / "x/y" / "?"), "http://h/a/x%2Fy/%3F?b#c")
        self.assertEqual(str(parse("http://h") / "x" / ""), "http://h/x/")
        for wrong in [lambda: url / 1, lambda: "x" / url]:
            with self.assertRaises(TypeError):
                wrong()
        with self.assertRaises(urikit.UriError):
            url / "\ud800"

    def test_replace(self):
        url = parse("http://u:p@h:1/a/b?q#f")
        self.assertEqual(str(url.replace()), str(url))
        self.assertEqual(str(url.replace(userinfo=None, port=None)), "http://h/a/b?q#f")
        self.assertEqual(str(url.replace(host="i", port=2)), "http://u:p@i:2/a/b?q#f")
        self.assertEqual(str(url.replace(user="a@b", password=None)), "http://a%40b@h:1/a/b?q#f")
        self.assertEqual(str(url.replace(path=None, query=None, fragment=None)), "http://u:p@h:1")
        self.assertEqual(
            str(url.replace(segments=["x/y", "z"], query="", fragment=Data("a b"))),
            "http://u:p@h:1/x%2Fy/z?#a%20b",
        )
        self.assertEqual(
            str(parse("/a").replace(query_pairs=[("a&b", "c=d"), ("e", None)])),
            "/a?a%26b=c%3Dd&e",
        )
        self.assertEqual(str(parse("a/b").replace(scheme="x", host="h", path="/c")), "x://h/c")

    def test_replace_segments(self):
        """A reference keeps its path if its own segments are written back (RFC 3986, 3.3)."""
        for text in ["/a/b", "file:/a/b", "/a//b", "http://h//a", "http://h/a//b", "http://h/a//",
                     "http://h", "http://h/", "http://h//", "a", "a/", "a//b/", "/", "", "urn:a//b",
                     "//h/a?b#c", "/a//"]:
            url = parse(text)
            self.assertEqual(str(url.replace(segments=url.segments)), text)
        for standard in ("rfc1738", "rfc2396", "rfc3987"):
            url = parse("http://h//a//b", standard)
            self.assertEqual(url.replace(segments=url.segments), url, standard)
        self.assertEqual(str(parse("/a/b").replace(segments=[])), "")
        self.assertEqual(str(parse("a").replace(segments=["b", ""], host="h")), "//h/b/")
        self.assertEqual(str(parse("//h/a").replace(segments=["b"], host=None)), "/b")
        # The result would have another number of segments or another host.
        for text, segments in [("a", ["", "b"]), ("", [""]), ("/a", ["", "b"]), ("/a", ["."])]:
            with self.assertRaises(urikit.EditError, msg=segments):
                parse(text).replace(segments=segments)
        with self.assertRaises(TypeError):
            parse("/a").replace(segments="b/c")

    def test_replace_pairs(self):
        for query in ["x&y", "x&", "=", "=&", "a=1&=&b="]:
            url = parse(f"?{query}")
            self.assertEqual(str(url.replace(query_pairs=url.query_pairs)), f"?{query}")
            pairs = [list(pair) for pair in url.query_pairs]
            self.assertEqual(str(url.with_query(pairs)), f"?{query}")
        for query in ["x&&y", "&x", "&", "&&", "x&&"]:
            url = parse(f"?{query}")
            with self.assertRaises(urikit.EditError, msg=query):
                url.replace(query_pairs=url.query_pairs)
        self.assertEqual(str(parse("a?x").replace(query_pairs=[])), "a")
        for wrong in ["ab", [["a"]], [("a", "b", "c")], ["ab"], [{"a", "b"}], [(None, "b")]]:
            with self.assertRaises(TypeError, msg=wrong):
                parse("a").replace(query_pairs=wrong)

    def test_replace_is_not_ambiguous(self):
        url = parse("http://u@h:1/a")
        for changes in [
            {"query": "a", "query_pairs": [("x", "y")]},
            {"segments": ["y"], "path": None},
            {"userinfo": "u", "user": "p"},
            {"password": "p", "userinfo": None},
        ]:
            with self.assertRaisesRegex(TypeError, "got both", msg=changes):
                url.replace(**changes)
        self.assertEqual(str(url.replace(host=None)), "http:/a")
        for changes in [{"port": 2, "host": None}, {"host": None, "port": 2}]:
            with self.assertRaises(urikit.EditError, msg=changes):
                url.replace(**changes)

    def test_replace_errors(self):
        url = parse("http://h/a")
        with self.assertRaises(urikit.EditError) as caught:
            url.replace(path="/b c")
        self.assertEqual(caught.exception.offset, 2)
        self.assertEqual(caught.exception.section, "RFC 3986, 3.3")
        for changes in [{"path": "b"}, {"host": "a/b"}, {"scheme": "1"}, {"port": "x"}]:
            with self.assertRaises(urikit.EditError, msg=changes):
                url.replace(**changes)
        for changes in [{"part": "b"}, {"path": 1}, {"query_pairs": 1}]:
            with self.assertRaises(TypeError, msg=changes):
                url.replace(**changes)

    def test_escapes(self):
        self.assertEqual(urikit.encode(b"\xff a", "segment"), "%FF%20a")
        self.assertEqual(urikit.decode("%FF", "segment"), b"\xff")
        with self.assertRaises(urikit.ParseError) as caught:
            urikit.decode("a%4", "segment")
        self.assertEqual(caught.exception.offset, 3)

    def test_to_uri(self):
        iri = parse("http://münchen.de/é", "rfc3987")
        self.assertEqual(str(iri.to_uri()), "http://m%C3%BCnchen.de/%C3%A9")
        self.assertEqual(str(iri.to_uri(idna=True)), "http://xn--mnchen-3ya.de/%C3%A9")
        self.assertEqual(iri.to_uri().standard, "rfc3986")

    def test_repair(self):
        repaired = urikit.repair(" http://a/b c")
        self.assertEqual(str(repaired.reference), "http://a/b%20c")
        self.assertEqual([change.offset for change in repaired.changes], [0, 11])
        with self.assertRaises(urikit.ParseError):
            urikit.repair("http://a@b@c/")


class Errors(unittest.TestCase):
    def test_place_and_rule(self):
        with self.assertRaises(ValueError) as caught:
            parse("http://a/é b", "rfc3987")
        error = caught.exception
        self.assertIsInstance(error, urikit.ParseError)
        self.assertEqual((error.offset, error.index), (11, 10))
        self.assertEqual(error.found, "a space")
        self.assertIn("path character", error.expected)
        self.assertEqual(error.production, "isegment")
        self.assertEqual(error.section, "RFC 3987, 2.2")
        self.assertIn("at byte 11", str(error))

    def test_end_of_text(self):
        error = urikit.validate("http://a/%4")
        self.assertEqual((error.offset, error.found), (11, None))

    def test_every_position(self):
        """An error whose message has a position also has it as attributes, in bytes and in
        characters."""
        url = parse("http://é.example/", "rfc3987")
        calls = [
            (lambda: urikit.surt("http://a/é b/"), (9, 9), "RFC 3986, 3.3"),
            (lambda: url.replace(path="/é b"), (3, 2), "RFC 3987, 2.2"),
            (lambda: url.replace(query="é#"), (2, 1), None),
            (lambda: url.with_path("/é?"), (3, 2), None),
            (lambda: url.replace(userinfo="é@"), (2, 1), None),
            (lambda: url.replace(host="é b"), (2, 1), None),
            (lambda: url.join("é b"), (2, 1), "RFC 3987, 2.2"),
            (lambda: parse("?é=1&b=é%ff", "rfc3987").form_pairs, (10, 8), None),
            (lambda: parse("?%ff").form_pairs, (1, 1), None),
            (lambda: urikit.encode("é:", "user", "rfc1630"), (0, 0), None),
            (lambda: urikit.encode("a.1", "host", "rfc1738"), (3, 3), "RFC 1738, 5"),
            (lambda: urikit.decode("é%4", "segment", "rfc3987"), (4, 3), None),
            (lambda: urikit.repair("http://a@é@b/"), None, None),
            (lambda: urikit.extract(b"", base="http://é b/"), (9, 8), "RFC 3987, 2.2"),
            (lambda: urikit.Gate().check("http://a/é|"), None, None),
            (lambda: urikit.Gate().check("http://é.example:81/"), None, None),
        ]
        for number, (call, place, section) in enumerate(calls):
            with self.assertRaises(urikit.UriError, msg=number) as caught:
                call()
            error = caught.exception
            if place is not None:
                self.assertEqual((error.offset, error.index), place, error)
            if section is not None:
                self.assertEqual(error.section, section, error)
            self.assertEqual(error.offset is None, error.index is None, error)
            self.assertEqual("at byte" in str(error), error.offset is not None, error)
            again = pickle.loads(pickle.dumps(error))
            self.assertEqual(vars(again), vars(error))

    def test_pickle(self):
        for error in [urikit.validate("a b"), self.rejected()]:
            again = pickle.loads(pickle.dumps(error))
            self.assertEqual(type(again), type(error))
            self.assertEqual(vars(again), vars(error))
            self.assertEqual(str(again), str(error))

    def rejected(self):
        with self.assertRaises(urikit.RejectedError) as caught:
            urikit.Gate().check("http://127.0.0.1/")
        return caught.exception

    def test_rejected(self):
        codes = [finding.code for finding in self.rejected().findings]
        self.assertIn("loopback-address", codes)


class Threads(unittest.TestCase):
    def test_others_run_meanwhile(self):
        """Four threads parse a long string while another one counts."""
        text = "http://a/" + "b/" * (1 << 25)
        done = threading.Event()
        steps = []

        def count():
            while not done.is_set():
                steps.append(1)
                threading.Event().wait(0.0005)

        counter = threading.Thread(target=count)
        counter.start()
        workers = [threading.Thread(target=parse, args=(text,)) for _ in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        done.set()
        counter.join()
        # The counter ran more often than just between the four threads.
        self.assertGreater(len(steps), 6)


class Surrogates(unittest.TestCase):
    """UTF-8 cannot represent a lone surrogate. Every function reports this with the same error."""

    def test_every_function(self):
        url = urikit.parse("http://a/")
        wrong = "http://é/\ud800"
        calls = [
            lambda: urikit.parse(wrong),
            lambda: urikit.Reference(wrong),
            lambda: urikit.repair(wrong),
            lambda: urikit.read(wrong, "whatwg"),
            lambda: urikit.agree(wrong),
            lambda: urikit.audit(wrong),
            lambda: urikit.same_site("http://a/", wrong),
            lambda: urikit.same_site(wrong, "/"),
            lambda: urikit.Gate().check(wrong),
            lambda: urikit.Gate().is_allowed(wrong),
            lambda: urikit.encode(wrong, "segment"),
            lambda: urikit.decode(wrong, "segment"),
            lambda: urikit.links(wrong),
            lambda: urikit.extract(wrong),
            lambda: urikit.extract(b"", base=wrong),
            lambda: urikit.domain(wrong),
            lambda: urikit.surt(wrong),
            lambda: urikit.surt_range(wrong, "host"),
            lambda: urikit.SuffixList(wrong),
            lambda: url.join(wrong),
            lambda: url.resolve(wrong),
            lambda: url.relative_to(wrong),
            lambda: url.compare(wrong),
            lambda: url.replace(path=wrong),
            lambda: url.replace(path=urikit.Data(wrong)),
            lambda: url.replace(user=wrong),
            lambda: url.replace(segments=[wrong]),
            lambda: url.replace(query_pairs=[("a", wrong)]),
        ]
        for number, call in enumerate(calls):
            with self.assertRaises(urikit.ParseError, msg=number) as caught:
                call()
            self.assertEqual((caught.exception.offset, caught.exception.index), (10, 9), number)
        error = urikit.validate(wrong)
        self.assertIsInstance(error, urikit.ParseError)
        self.assertEqual(
            str(error), "expected a Unicode character, but found a lone surrogate at byte 10"
        )
        with self.assertRaises(TypeError):
            urikit.parse(b"http://a/")


class Replace(unittest.TestCase):
    def test_ports(self):
        url = urikit.parse("http://a/")
        self.assertEqual(str(url.replace(port=65535)), "http://a:65535/")
        for wrong in (65536, 99999, -1, 1 << 70, "99999"):
            with self.assertRaises(urikit.EditError, msg=wrong) as caught:
                url.replace(port=wrong)
            self.assertIn("65535", str(caught.exception))
        with self.assertRaises(TypeError):
            url.replace(port=1.5)

    def test_a_mapping_of_pairs(self):
        url = urikit.parse("http://a/")
        replaced = url.replace(query_pairs={"q": "a b", "n": None})
        self.assertEqual(str(replaced), "http://a/?q=a%20b&n")


if __name__ == "__main__":
    unittest.main()
