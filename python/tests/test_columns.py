"""Tests columns without any other library: lists, and `Column` through its own capsules."""

import pickle
import threading
import typing
import unittest

import urikit
from urikit import _names, columns

URLS = [
    "http://u:p@Example.com:8080/a/b%20c?q=1&r=%C3%A9+x#f",
    "mailto:a@b",
    "http://a|b/",
    None,
    "",
    "//[::1]:/",
]


class Array:
    """A column that has only `__arrow_c_array__`, as in some libraries."""

    def __init__(self, column):
        self.column = column

    def __arrow_c_array__(self, requested_schema=None):
        return self.column.__arrow_c_array__(requested_schema)


class Stream:
    """A column that has only `__arrow_c_stream__`."""

    def __init__(self, column):
        self.column = column

    def __arrow_c_stream__(self, requested_schema=None):
        return self.column.__arrow_c_stream__(requested_schema)


def flat(literal):
    """Returns the values of a literal type, or of a union of literal types."""
    found = set()
    for one in typing.get_args(literal):
        found |= {one} if isinstance(one, str) else flat(one)
    return found


class Kernels(unittest.TestCase):
    def check(self, function, expected, *arguments, column=URLS, **keywords):
        result = getattr(columns, function)(column, *arguments, **keywords)
        self.assertEqual(result.to_pylist(), expected, function)
        self.assertEqual(len(result), len(column))

    def test_parts_equal_the_class(self):
        for name in ["scheme", "authority", "userinfo", "host", "path", "query", "fragment"]:
            expected = [
                None if url is None or urikit.validate(url) else getattr(urikit.parse(url), name)
                for url in URLS
            ]
            self.check(name, expected)
        self.check("port", ["8080", None, None, None, None, ""])
        self.check("port_number", [8080, None, None, None, None, None])
        self.check("host_kind", ["name", None, None, None, None, "ipv6"])

    def test_parse(self):
        first = columns.parse(URLS).to_pylist()[0]
        self.assertEqual(first["host"], "Example.com")
        self.assertEqual(columns.parse(URLS)["host"].to_pylist(), columns.host(URLS).to_pylist())
        self.assertEqual(columns.parse(URLS).to_pylist()[2:4], [None, None])
        with self.assertRaises(KeyError):
            columns.parse(URLS)["other"]
        with self.assertRaises(KeyError):
            columns.host(URLS)["host"]

    def test_pieces(self):
        self.check("query_value", ["1"] + [None] * 5, "q")
        self.check("query_value", ["é x"] + [None] * 5, "r", decoding="form")
        forms = ["?a", "?&", "?a&a=1", "?x&&a=1", "?=", "/?"]
        pairs = columns.query_pairs(forms, decoding="form").to_pylist()
        values = columns.query_value(forms, "a", decoding="form").to_pylist()
        for form, found, value in zip(forms, pairs, values, strict=True):
            expected = urikit.parse(form).form_pairs
            self.assertEqual(tuple((one["name"], one["value"]) for one in found), expected, form)
            self.assertEqual(value, dict(reversed(expected)).get("a"), form)
        pairs = columns.query_pairs(URLS, decoding="decoded").to_pylist()[0]
        self.assertEqual([tuple(pair.values()) for pair in pairs], [("q", "1"), ("r", "é+x")])
        segments = columns.path_segments(URLS, decoding="decoded").to_pylist()
        self.assertEqual(segments[0], ["a", "b c"])

    def test_names_of_each_row(self):
        names = ["q", "r", "q", "q", None, "x"]
        self.check("query_value", ["1"] + [None] * 5, names)
        self.check("query_value", ["é x"] + [None] * 5, ["r"] * 6, decoding="form")

    def test_java_needs_a_value(self):
        """Pairs without a value are skipped, as by Spark's `parse_url(url, 'QUERY', 'id')`."""
        column = ["/?id&id=2", "/?id", "/?id=&id=2"]
        self.check("query_value", ["2", None, ""], "id", column=column, reader="java-net-uri")
        self.check("query_value", ["2", None, ""], ["id"] * 3, column=column, reader="java-net-uri")
        self.check("query_value", [None, None, ""], "id", column=column)

    def test_references(self):
        self.check("normalize", ["http://a/b", None], column=["HTTP://A:80/%62", None])
        self.check("normalize", ["http://a:80/b/../c"], "case", column=["http://A:80/b/../c"])
        self.check("resolve", ["http://a/x", None, None], "http://a/b", column=["x", "|", None])
        self.check("resolve", ["http://a/x"], ["http://a/b"], column=["x"])
        self.check("compare", ["scheme", "different"], ["http://a/", "b"], column=["http://a:80", "a"])
        one, two = columns.key(["http://a/", "http://a:80/"]).to_pylist()
        self.assertEqual(one, two)
        self.check("encode", ["a%2Fb"], "segment", column=["a/b"])
        self.check("decode", ["a/b", None], "segment", column=["a%2Fb", "%ff"])

    def test_errors_of_rows(self):
        (why,) = columns.diagnose(["é|"], reader="rfc3987").to_pylist()
        self.assertEqual((why["offset"], why["section"]), (2, "RFC 3987, 2.2"))
        self.assertEqual(columns.reason(URLS).null_count, 5)
        self.assertIsNone(columns.diagnose(["http://a b"], reader="whatwg").to_pylist()[0])
        self.assertEqual(columns.normalize(["a|"], on_error="keep").to_pylist(), ["a|"])
        with self.assertRaises(urikit.RowError) as caught:
            columns.host([None, "http://a/", "http://é|"], reader="rfc3987", on_error="raise")
        error = caught.exception
        self.assertEqual((error.row, error.offset, error.index), (2, 9, 8))
        self.assertIsInstance(error, ValueError)
        self.assertIn("row 2", str(error))
        self.assertEqual(pickle.loads(pickle.dumps(error)).row, 2)
        with self.assertRaises(urikit.RowError) as caught:
            columns.host(["http://a b"], reader="java-net-uri", on_error="raise")
        self.assertEqual(caught.exception.offset, 8)

    def test_positions(self):
        options = {"reader": "rfc3987", "on_error": "raise"}
        calls = [
            (columns.surt, ["http://é b/"], {"on_error": "raise"}, (7, 7, "RFC 3986, 3.2")),
            (columns.decode, ["é%ff"], {"place": "segment", "on_error": "raise"}, (2, 1, None)),
            (columns.resolve, ["é b"], {"base": ["http://a/"], **options}, (2, 1, "RFC 3987, 2.2")),
            # The position is in the base.
            (columns.resolve, ["b"], {"base": ["http://é b/"], **options}, (9, 8, "RFC 3987, 2.2")),
            (columns.path_segments, ["é/%ff"], {"decoding": "form", **options}, (3, 2, None)),
        ]
        for function, column, arguments, place in calls:
            with self.assertRaises(urikit.RowError, msg=arguments) as caught:
                function(column, **arguments)
            error = caught.exception
            self.assertEqual((error.offset, error.index, error.section), place, error)
        with self.assertRaises(urikit.ResolveError) as caught:
            columns.resolve(["b"], "http://é b/", reader="rfc3987")
        self.assertEqual((caught.exception.offset, caught.exception.index), (9, 8))
        with self.assertRaises(urikit.ResolveError):
            columns.resolve(["b"], "/relative")

    def test_audit(self):
        self.check("agree", [True, False, None], column=["http://a/", "http://127.1/", None])
        found = columns.findings(["http://a:80/"]).to_pylist()[0]
        self.assertEqual([one["code"] for one in found], ["default-port"])

    def test_readers(self):
        for reader in columns.READERS:
            hosts = columns.host(["http://example.com/a"], reader=reader).to_pylist()
            self.assertEqual(hosts, ["example.com"], reader)

    def test_types_of_names(self):
        """The literal types for type checkers contain exactly the names that exist."""
        for literal, names in [
            (_names.Standard, urikit.STANDARDS),
            (_names.Reader, columns.READERS),
            (_names.AuditReader, urikit.READERS),
            (_names.Level, urikit.LEVELS),
            (_names.Place, urikit.PLACES),
            (_names.Format, urikit.FORMATS),
            (_names.SurtProfile, urikit.SURT_PROFILES),
        ]:
            self.assertEqual(flat(literal), set(names))

    def test_all_functions_are_listed(self):
        self.assertGreaterEqual(len(columns.FUNCTIONS), 24)
        for name in columns.FUNCTIONS:
            self.assertTrue(getattr(columns, name).__doc__, name)

    def test_wrong_arguments(self):
        for wrong in [1, "http://a/", {"a": 1}, [1], object()]:
            with self.assertRaises(TypeError, msg=wrong):
                columns.host(wrong)
        with self.assertRaises(TypeError):
            columns.host(columns.port_number(URLS))
        for keywords in [{"reader": "rfc"}, {"on_error": "x"}, {"on_error": "keep"}]:
            with self.assertRaises(ValueError, msg=keywords):
                columns.host(URLS, **keywords)
        with self.assertRaises(ValueError):
            columns.normalize(URLS, reader="urllib")
        with self.assertRaises(ValueError):
            columns.compare(URLS, ["a"])
        with self.assertRaises(ValueError):
            columns.resolve(URLS, "relative")


class Rows(unittest.TestCase):
    def test_rows_as_a_sequence(self):
        hosts = columns.host(URLS)
        self.assertEqual(list(hosts), hosts.to_pylist())
        self.assertEqual([hosts[row] for row in range(-6, 6)], hosts.to_pylist() * 2)
        self.assertIn("Example.com", hosts)
        for wrong in (6, -7):
            with self.assertRaises(IndexError):
                hosts[wrong]
        with self.assertRaises(TypeError):
            hosts[1.5]

    def test_surrogates(self):
        with self.assertRaises(urikit.RowError) as caught:
            columns.host(["http://a/", "é\ud800"])
        error = caught.exception
        self.assertEqual((error.row, error.offset, error.index), (1, 2, 1))
        with self.assertRaises(urikit.ParseError):
            columns.resolve(["a"], "http://\ud800/")

    def test_wrong_items_of_lists(self):
        with self.assertRaisesRegex(TypeError, "row 1, but found int"):
            columns.host(["http://a/", 1])

    def test_unnest(self):
        parts = columns.parse(["http://a/x", "|", None])
        flat = parts.unnest()
        self.assertEqual((parts.null_count, flat.null_count), (2, 0))
        self.assertEqual(flat["host"].to_pylist(), ["a", None, None])
        self.assertEqual(flat.to_pylist()[0], parts.to_pylist()[0])
        self.assertEqual(set(flat.to_pylist()[1].values()), {None})
        with self.assertRaises(TypeError):
            columns.host(URLS).unnest()


class Capsules(unittest.TestCase):
    def test_both_interfaces(self):
        hosts = columns.host(URLS)
        for wrap in (Array, Stream, lambda column: column):
            self.assertEqual(
                columns.key(wrap(hosts)).to_pylist(), columns.key(hosts.to_pylist()).to_pylist()
            )

    def test_a_capsule_is_used_once(self):
        hosts = columns.host(URLS)

        class Once:
            stream = hosts.__arrow_c_stream__()

            def __arrow_c_stream__(self, requested_schema=None):
                return self.stream

        columns.host(Once())
        with self.assertRaises(TypeError):
            columns.host(Once())

    def test_a_capsule_of_another_kind(self):
        schema = columns.host(URLS).__arrow_c_schema__()

        class Wrong:
            def __arrow_c_stream__(self, requested_schema=None):
                return schema

        class Pair:
            def __arrow_c_array__(self, requested_schema=None):
                return schema, schema

        for wrong in (Wrong(), Pair()):
            with self.assertRaises((TypeError, ValueError)):
                columns.host(wrong)

    def test_unused_capsules_are_freed(self):
        hosts = columns.host(URLS)
        for _ in range(1000):
            hosts.__arrow_c_stream__()
            hosts.__arrow_c_array__()
            hosts.__arrow_c_schema__()

    def test_a_table_of_one_column_is_that_column(self):
        table = columns.parse(URLS)
        with self.assertRaisesRegex(TypeError, "table of 8"):
            columns.host(Array(table))

    def test_empty(self):
        self.assertEqual(columns.host([]).to_pylist(), [])
        self.assertEqual(columns.host(Stream(columns.host([]))).to_pylist(), [])

    def test_nobody_waits_for_the_gil(self):
        """Several threads call kernels while another counts."""
        urls = ["http://example.com/a?b=c"] * 200_000
        column = columns.path(urls)
        counts = []
        done = threading.Event()

        def count():
            while not done.wait(0.0005):
                counts.append(1)

        counter = threading.Thread(target=count)
        counter.start()
        workers = [
            threading.Thread(target=columns.findings, args=(column,), kwargs={"threads": 1})
            for _ in range(2)
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        done.set()
        counter.join()
        self.assertGreater(len(counts), 3)


if __name__ == "__main__":
    unittest.main()
