"""Tests columns with pyarrow, nanoarrow, Polars, pandas and DuckDB."""

import copy
import doctest
import functools
import importlib
import inspect
import io
import json
import pickle
import signal
import subprocess
import sys
import time
import unittest
import unittest.mock
import zipfile

import datafusion
import duckdb
import nanoarrow
import pandas as pd
import polars as pl
import pyarrow as pa
import pydantic

import urikit
import urikit.datafusion
import urikit.duckdb
import urikit.pandas
import urikit.polars
import urikit.pydantic
from urikit import _sql, columns

URLS = [
    "http://u@Example.com:8080/a/b%20c?q=1&r=%C3%A9+x#f",
    "mailto:a@b",
    "http://a|b/",
    None,
    "",
    "//[::1]:/",
] * 50
# The additional arguments of functions that accept a second column or an option.
ARGUMENTS = {
    "query_value": "r",
    "form_value": "r",
    "resolve": "http://base/x/y",
    "compare": "http://a|b/",
    "encode": "segment",
    "decode": "segment",
    "surt_as": "ia-python",
    "canonicalize": "sort-query",
}


def expected(function, reader):
    """Returns the result for plain lists, without any library."""
    arguments = (URLS,)
    if function.name in ARGUMENTS:
        argument = ARGUMENTS[function.name]
        arguments += ([argument] * len(URLS) if function.kind == "column" else argument,)
    return function.call(*arguments, reader=reader, threads=1).to_pylist()


def signed(values):
    """Converts unsigned numbers of 64 bits to the signed ones that most engines use."""
    return [value - (1 << 64) if isinstance(value, int) and value >> 63 else value for value in values]


class Array:
    """A column that has only `__arrow_c_array__`."""

    def __init__(self, column):
        self.column = column

    def __arrow_c_array__(self, requested_schema=None):
        return self.column.__arrow_c_array__(requested_schema)


class Interface(unittest.TestCase):
    def test_every_library_in_and_out(self):
        hosts = columns.host(URLS).to_pylist()
        urls = pa.table({"url": URLS})
        connection = duckdb.connect()
        given = {
            "pyarrow": pa.array(URLS),
            "large": pa.array(URLS, pa.large_string()),
            "view": pa.array(URLS, pa.string_view()),
            "slice": pa.array(["x", *URLS, "y"]).slice(1, len(URLS)),
            "dictionary": pa.array(URLS).dictionary_encode(),
            "chunked": pa.chunked_array([URLS[:70], [], URLS[70:]]),
            "table": urls,
            "nanoarrow": nanoarrow.Array(pa.array(URLS)),
            "polars": pl.Series(URLS),
            "polars frame": pl.DataFrame({"url": URLS}),
            "categories": pl.Series(URLS, dtype=pl.Categorical),
            "pandas": pd.Series(URLS),
            "pandas objects": pd.Series(URLS, dtype=object),
            "duckdb": connection.sql("select url from urls"),
        }
        for name, column in given.items():
            result = columns.host(column)
            self.assertEqual(result.to_pylist(), hosts, name)
            self.assertEqual(pa.array(result).to_pylist(), hosts, name)
            self.assertEqual(pa.chunked_array(result).to_pylist(), hosts, name)
            self.assertEqual(pl.Series(result).to_list(), hosts, name)
            if result.type_name != "Utf8View":  # nanoarrow 0.9.0 crashes on this type, even on arrays from pyarrow
                self.assertEqual(nanoarrow.Array(result).to_pylist(), hosts, name)
                self.assertEqual(nanoarrow.Array(Array(result)).to_pylist(), hosts, name)
            back = pd.Series.from_arrow(result)
            self.assertEqual([None if pd.isna(one) else one for one in back], hosts, name)
        self.assertEqual(columns.host(given["chunked"]).type_name, "Utf8")
        self.assertEqual(pa.chunked_array(columns.host(given["chunked"])).num_chunks, 3)

    def test_errors_of_every_layout(self):
        """The position of an error is in bytes and in characters."""
        texts = ["http://a/", "http://é b/"]
        for kind in (pa.string(), pa.large_string(), pa.string_view()):
            array = pa.array(texts, kind)
            given = [array] if kind == pa.string_view() else [array, array.dictionary_encode()]
            for column in given:
                with self.assertRaises(urikit.RowError, msg=column.type) as caught:
                    columns.host(column, reader="rfc3987", on_error="raise")
                error = caught.exception
                self.assertEqual((error.row, error.offset, error.index), (1, 9, 8), column.type)

    def test_signals(self):
        """A signal handler ends a call before the call has read everything."""
        urls = pa.chunked_array([[f"http://a.example/{number}?x=y" for number in range(1000)]] * 100)
        text = "see http://a.example/ or\n" * (1 << 19)
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("a.txt", text)
        calls = [
            lambda: columns.findings(urls, threads=1),
            lambda: urikit.extract(text, "text"),
            lambda: urikit.extract(text.encode(), "text", positions=True),
            lambda: urikit.extract(packed.getvalue()),
        ]

        def interrupt(number, frame):
            raise InterruptedError

        before = signal.signal(signal.SIGALRM, interrupt)
        try:
            for number, call in enumerate(calls):
                start = time.monotonic()
                call()
                complete = time.monotonic() - start
                times = []
                for _ in range(3):  # another program may delay one call
                    start = time.monotonic()
                    with self.assertRaises(InterruptedError, msg=number):
                        signal.setitimer(signal.ITIMER_REAL, complete / 20)
                        call()
                    times.append(time.monotonic() - start)
                self.assertLess(min(times), complete * 2 / 3, number)
        finally:
            signal.signal(signal.SIGALRM, before)

    def test_long_chunks(self):
        """Long chunks are divided, because signals are handled between the parts."""
        urls = [f"http://{number}.example/" for number in range(600_000)]
        expected = [f"{number}.example" for number in range(600_000)]
        for kind in (pa.string(), pa.large_string(), pa.string_view()):
            found = columns.host(pa.array(urls, kind), threads=1)
            self.assertEqual(pa.array(found).to_pylist(), expected, kind)
            self.assertEqual(found[-1], expected[-1], kind)
        self.assertEqual(pa.chunked_array(found).num_chunks, 3)
        encoded = pa.array(["http://a/", "http://b/"] * 300_000).dictionary_encode()
        self.assertEqual(pa.chunked_array(columns.host(encoded, threads=1)).num_chunks, 1)
        targets = columns.resolve(["x"] * 600_000, urls, threads=1)
        self.assertEqual(pa.array(targets).to_pylist(), [f"{url}x" for url in urls])
        urls[-1] = "a b"
        with self.assertRaises(urikit.RowError) as caught:
            columns.host(urls, threads=1, on_error="raise")
        self.assertEqual(caught.exception.row, 599_999)
        with self.assertRaisesRegex(ValueError, "different lengths"):
            columns.resolve(urls, urls[1:], threads=1)

    def test_requested_types(self):
        hosts = columns.host(URLS)
        self.assertEqual(hosts.type_name, "Utf8")
        for column in (hosts, columns.host(pa.array(URLS, pa.string_view()))):
            for kind in (pa.string(), pa.large_string(), pa.string_view()):
                for found in (pa.array(column, kind), pa.chunked_array(column, kind)):
                    self.assertEqual((found.type, found.to_pylist()), (kind, hosts.to_pylist()))
                    found.validate(full=True)
        # The consumer must convert any other type.
        schema = pa.int64().__arrow_c_schema__()
        self.assertEqual(pa.Array._import_from_c_capsule(*hosts.__arrow_c_array__(schema)).type, pa.string())
        with self.assertRaises((TypeError, ValueError)):
            hosts.__arrow_c_array__(hosts.__arrow_c_stream__())

    def test_tables(self):
        """A table cannot have null rows."""
        parts = columns.parse(URLS)
        with self.assertRaises(pa.ArrowInvalid):
            pa.table(parts)
        table = pa.table(parts.unnest())
        self.assertEqual(table["host"].to_pylist(), columns.host(URLS).to_pylist())
        self.assertEqual(pl.DataFrame(parts.unnest())["host"].to_list(), table["host"].to_pylist())

    def test_only_nulls(self):
        nulls = [None] * 3
        for column in (
            pa.nulls(3), pa.chunked_array([pa.nulls(2), pa.nulls(1)]), pa.table({"a": pa.nulls(3)}),
            pl.Series(nulls), pl.DataFrame({"a": nulls}), pd.Series(nulls), nulls,
        ):  # fmt: skip
            self.assertEqual(columns.host(column).to_pylist(), nulls, column)

    def test_results_are_valid(self):
        for name in columns.FUNCTIONS:
            if name in ARGUMENTS:
                continue
            pa.array(getattr(columns, name)(pa.array(URLS))).validate(full=True)

    def test_texts_that_are_not_utf8(self):
        """Arrow's interface does not check that text is UTF-8, so we do."""
        buffers = [None, pa.py_buffer(b"\0\0\0\0\2\0\0\0"), pa.py_buffer(b"\xff\xfe")]
        wrong = pa.Array.from_buffers(pa.string(), 1, buffers)
        with self.assertRaisesRegex(ValueError, "UTF8|UTF-8|utf-8"):
            columns.host(wrong)

    def test_large_columns_in_several_threads(self):
        urls = pa.array(URLS * 500)
        for name in ("parse", "query_pairs", "key"):
            one = pa.array(getattr(columns, name)(urls, threads=1))
            four = pa.array(getattr(columns, name)(urls, threads=4))
            self.assertTrue(one.equals(four), name)

    def test_without_pyarrow(self):
        """The package and its columns need no other library."""
        program = (
            "import sys; sys.modules.update(pyarrow=None, numpy=None, pandas=None, polars=None)\n"
            "import urikit, urikit.spark, urikit.urllib.parse\n"
            "from urikit import columns\n"
            "assert columns.host(columns.normalize(['HTTP://A/'])).to_pylist() == ['a']\n"
        )
        subprocess.run([sys.executable, "-c", program], check=True)


class DuckDb(unittest.TestCase):
    def connect(self, **keywords):
        connection = duckdb.connect()
        table = pa.table({"url": URLS, "row": range(len(URLS))})
        connection.register("urls", table)
        urikit.duckdb.register(connection, **keywords)
        return connection

    def test_all_functions(self):
        for reader in ("rfc3986", "whatwg", "java-net-uri"):
            connection = self.connect(reader=reader)
            for function in _sql.able(reader):
                argument = ARGUMENTS.get(function.name)
                more = "" if argument is None else f", '{argument}'"
                query = f"select uri_{function.name}(url{more}) from urls order by row"
                found = [row[0] for row in connection.sql(query).fetchall()]
                self.assertEqual(found, signed(expected(function, reader)), (reader, function.name))

    def test_arguments_that_differ_by_row(self):
        connection = self.connect()
        query = """select uri_query_value('/?a=1&b=2', name)
            from (values (1, 'a'), (2, 'b'), (3, null), (4, 'a'), (5, 'c')) t(row, name)
            order by row"""
        found = [row[0] for row in connection.sql(query).fetchall()]
        self.assertEqual(found, ["1", "2", None, "1", None])

    def test_many_arguments(self):
        """Each row has a different name or different steps. The time is linear in the rows."""
        connection = self.connect()
        query = """select count(*), count(uri_query_value('/?n' || i || '=' || i, 'n' || i)),
            count(uri_canonicalize('http://a/?b', case i % 3 when 0 then 'sort-query'
                when 1 then 'drop-fragment' end))
            from range(100000) t(i)"""
        begin = time.process_time()
        self.assertEqual(connection.sql(query).fetchall(), [(100000, 100000, 66667)])
        self.assertLess(time.process_time() - begin, 5)  # normally 0.2 s; 57 us per row would be 6 s

    def test_steps_that_differ_by_row(self):
        connection = self.connect()
        query = """select uri_canonicalize('http://a/?b=2&a=1#f', steps)
            from (values (1, 'sort-query'), (2, null), (3, 'drop-fragment'), (4, 'sort-query'))
            t(row, steps) order by row"""
        found = [row[0] for row in connection.sql(query).fetchall()]
        by_query, by_fragment = "http://a/?a=1&b=2#f", "http://a/?b=2&a=1"
        self.assertEqual(found, [by_query, None, by_fragment, by_query])

    def test_wrong_readers(self):
        with self.assertRaisesRegex(ValueError, "rfc3968"):
            urikit.duckdb.register(duckdb.connect(), reader="rfc3968")

    def test_registering_again(self):
        connection = self.connect()
        urikit.duckdb.register(connection, reader="java-net-uri")
        found = connection.sql("select uri_host('http://a_b/')").fetchall()
        self.assertEqual(found, [(None,)])

    def test_two_readers(self):
        connection = self.connect()
        urikit.duckdb.register(connection, reader="java-net-uri", prefix="java_")
        row = connection.sql("select uri_host('http://a_b/'), java_host('http://a_b/')").fetchall()
        self.assertEqual(row, [("a_b", None)])

    def test_grouping(self):
        connection = self.connect()
        query = """select uri_host(url) host, count(*) from urls group by all order by 2, 1"""
        found = connection.sql(query).fetchall()
        self.assertEqual(found, [("Example.com", 50), ("[::1]", 50), (None, 200)])


class DataFusion(unittest.TestCase):
    def connect(self, **keywords):
        context = datafusion.SessionContext()
        table = pa.table({"url": URLS, "row": range(len(URLS))})
        context.register_record_batches("urls", [table.to_batches()])
        urikit.datafusion.register(context, **keywords)
        return context

    def test_all_functions(self):
        for reader in ("rfc3986", "whatwg", "java-net-uri"):
            context = self.connect(reader=reader)
            for function in _sql.able(reader):
                argument = ARGUMENTS.get(function.name)
                more = "" if argument is None else f", '{argument}'"
                query = f"select uri_{function.name}(url{more}) as x from urls order by row"
                found = context.sql(query).to_pydict()["x"]
                self.assertEqual(found, signed(expected(function, reader)), (reader, function.name))

    def test_arguments_that_differ_by_row(self):
        query = """select uri_query_value('/?a=1&b=2', name) as x
            from (values (1, 'a'), (2, 'b'), (3, null), (4, 'a'), (5, 'c')) as t(row, name)
            order by row"""
        found = self.connect().sql(query).to_pydict()["x"]
        self.assertEqual(found, ["1", "2", None, "1", None])

    def test_wrong_readers(self):
        with self.assertRaisesRegex(ValueError, "rfc3968"):
            urikit.datafusion.register(datafusion.SessionContext(), reader="rfc3968")

    def test_registering_again(self):
        context = self.connect()
        urikit.datafusion.register(context, reader="java-net-uri")
        found = context.sql("select uri_host('http://a_b/') as x").to_pydict()
        self.assertEqual(found, {"x": [None]})


class Pydantic(unittest.TestCase):
    """The types accept what the standard accepts, and keep the text."""

    def check(self, kind, good, bad):
        adapter = pydantic.TypeAdapter(kind)
        for text in good:
            found = adapter.validate_python(text)
            self.assertIs(type(found), kind)
            self.assertEqual(found, text)
            self.assertEqual(adapter.validate_json(adapter.dump_json(found)), found)
            self.assertIs(type(str(found)), str)
            self.assertIs(type(adapter.validate_python(found)), kind)
        for text, error in bad.items():
            with self.assertRaises(pydantic.ValidationError) as raised:
                adapter.validate_python(text)
            self.assertEqual(raised.exception.errors()[0]["type"], error, text)
            with self.assertRaises(ValueError):
                kind(text)

    def test_types(self):
        types = urikit.pydantic
        syntax, kind = "uri_syntax", "uri_kind"
        kept = ["https://Example.com", "HTTP://u:p@h:0080/%7e/../?#", "http://[::1]"]
        self.check(
            types.HttpUrl,
            kept,
            {"a b": syntax, "": kind, "//h/": kind, "ftp://h/": kind, "http:///x": kind},
        )
        self.check(types.Uri, [*kept, "urn:isbn:1", "mailto:a@b"], {"a/b": kind, "é:": syntax})
        self.check(types.UriRef, [*kept, "", "../a", "#"], {"é": syntax, "\ud800": syntax})
        self.check(types.Iri, [*kept, "http://é/"], {"é": kind, "http://é/\ue000": syntax})
        self.check(types.IriRef, [*kept, "é", ""], {"a b": syntax})

    def test_other_types_are_errors(self):
        for value in [None, 1, b"http://a/"]:
            with self.assertRaises(pydantic.ValidationError):
                pydantic.TypeAdapter(urikit.pydantic.Uri).validate_python(value, strict=True)

    def test_json_schema(self):
        formats = {
            "Uri": "uri",
            "HttpUrl": "uri",
            "UriRef": "uri-reference",
            "Iri": "iri",
            "IriRef": "iri-reference",
        }
        for name, form in formats.items():
            schema = pydantic.TypeAdapter(getattr(urikit.pydantic, name)).json_schema()
            self.assertEqual(schema, {"type": "string", "format": form})

    def test_values_are_plain_data(self):
        url = urikit.pydantic.HttpUrl("http://a/")
        self.assertIs(type(copy.deepcopy(url)), type(url))
        self.assertEqual(pickle.loads(pickle.dumps(url)), url)
        self.assertEqual({url: 1}["http://a/"], 1)
        self.assertEqual(json.dumps([url]), '["http://a/"]')


class Polars(unittest.TestCase):
    def test_all_functions(self):
        series = pl.Series("url", URLS)
        frame = pl.DataFrame({"url": URLS})
        for name in columns.FUNCTIONS:
            arguments = [ARGUMENTS[name]] if name in ARGUMENTS else []
            if name == "compare":
                arguments = [pl.Series(arguments * len(URLS))]
            wanted = getattr(columns, name)(URLS, *arguments).to_pylist()
            result = getattr(series.uri, name)(*arguments)
            self.assertEqual((result.name, result.to_list()), ("url", wanted), name)
            lazy = frame.lazy().select(getattr(pl.col("url").uri, name)(*arguments))
            self.assertEqual(lazy.collect()["url"].to_list(), wanted, name)
            self.assertEqual(lazy.collect_schema()["url"], result.dtype, name)

    def test_expressions_as_arguments(self):
        frame = pl.DataFrame({"url": ["x", "y"], "base": ["http://a/", "http://b/"]})
        found = frame.select(pl.col("url").uri.resolve(pl.col("base")))
        self.assertEqual(found["url"].to_list(), ["http://a/x", "http://b/y"])
        found = frame.select(pl.col("url").uri.resolve(pl.lit("http://c/")))
        self.assertEqual(found["url"].to_list(), ["http://c/x", "http://c/y"])
        parsed = frame.select(pl.col("base").uri.parse().struct.field("host"))
        self.assertEqual(parsed["host"].to_list(), ["a", "b"])

    def test_expressions_by_keyword(self):
        frame = pl.DataFrame({"url": ["x", "y"], "base": ["http://a/", "http://b/"]})
        url, base = pl.col("url"), pl.col("base")
        for found in (
            frame.select(url.uri.resolve(base=base)),
            frame.select(urikit.polars.resolve("url", base=base)),
            frame.select(urikit.polars.resolve(url, frame["base"])),
        ):
            self.assertEqual(found["url"].to_list(), ["http://a/x", "http://b/y"])
        found = frame.select(base.uri.compare(other=base))
        self.assertEqual(found["base"].to_list(), ["identical"] * 2)
        found = frame.select(pl.lit("/?x=1&y=2").uri.query_value(url))
        self.assertEqual(found["literal"].to_list(), ["1", "2"])

    def test_literals_are_repeated(self):
        frame = pl.DataFrame({"base": ["http://a/", None, "http://b/"]})
        for rows in (3, 1, 0):
            found = frame.head(rows).select(pl.lit("x").uri.resolve(pl.col("base")))
            self.assertEqual(found["literal"].to_list(), ["http://a/x", None, "http://b/x"][:rows])

    def test_only_the_rows_that_are_needed(self):
        frame = pl.DataFrame({"url": ["x"] * 100_000, "base": ["http://a/"] * 100_000}).lazy()
        rows = []
        resolve = columns.resolve

        @functools.wraps(resolve)  # Polars' functions read the signature
        def counting(column, *arguments, **keywords):
            rows.append(len(column))
            return resolve(column, *arguments, **keywords)

        with unittest.mock.patch.object(columns, "resolve", counting):
            first = frame.select(pl.col("url").uri.resolve(pl.col("base"))).head(5).collect()
            self.assertEqual((len(first), sum(rows)), (5, 5))
            rows.clear()
            frame.select(pl.col("url").uri.resolve(pl.col("base"))).collect(engine="streaming")
            self.assertGreater(len(rows), 2)  # in pieces; one call checks the arguments

    def test_errors_of_rows(self):
        frame = pl.DataFrame({"url": ["http://a/"] * 99_999 + ["é|"]})
        for engine in ("in-memory", "streaming"):
            query = frame.lazy().select(pl.col("url").uri.host(reader="rfc3987", on_error="raise"))
            with self.assertRaises(urikit.RowError) as caught:
                query.collect(engine=engine)
            error = caught.exception
            self.assertEqual((error.row, error.offset, error.index), (99_999, 2, 1), engine)
            self.assertEqual(error.section, "RFC 3987, 2.2")
            self.assertEqual(pickle.loads(pickle.dumps(error)).row, 99_999)

    def test_wrong_arguments_fail_at_once(self):
        for wrong in ({"reader": "rfc3968"}, {"on_error": "keep"}):
            with self.assertRaises(ValueError):
                pl.col("url").uri.host(**wrong)
        with self.assertRaises(TypeError):
            pl.col("url").uri.host(readr="whatwg")

    def test_only_nulls(self):
        frame = pl.DataFrame({"url": [None, None]})
        for name in ("host", "parse", "port_number", "query_pairs"):
            found = frame.select(getattr(pl.col("url").uri, name)())
            self.assertEqual(found["url"].to_list(), [None, None])
            self.assertEqual(getattr(frame["url"].uri, name)().to_list(), [None, None])

    def test_help(self):
        for method in (urikit.polars.UriExpr.host, urikit.polars.UriSeries.host, urikit.polars.host):
            self.assertIn("on_error", str(inspect.signature(method)))
            self.assertEqual(method.__doc__, columns.host.__doc__)
        for name in columns.FUNCTIONS:
            theirs = set(inspect.signature(getattr(columns, name)).parameters) - {"column"}
            ours = set(inspect.signature(getattr(urikit.polars, name)).parameters) - {"expr"}
            self.assertEqual(ours, theirs, name)

    def test_unknown_names(self):
        with self.assertRaises(AttributeError):
            pl.col("url").uri.hots()
        self.assertIn("host", dir(pl.col("url").uri))


class Pandas(unittest.TestCase):
    def test_all_functions(self):
        series = pd.Series(URLS, index=range(10, 10 + len(URLS)), name="url")
        for name in columns.FUNCTIONS:
            arguments = [ARGUMENTS[name]] if name in ARGUMENTS else []
            if name == "compare":
                arguments = [pd.Series(arguments * len(URLS))]
            given = [list(one) if isinstance(one, pd.Series) else one for one in arguments]
            wanted = getattr(columns, name)(URLS, *given).to_pylist()
            result = getattr(series.uri, name)(*arguments)
            self.assertEqual(result.name, "url")
            self.assertTrue(result.index.equals(series.index))
            found = [
                None if not isinstance(one, (list, dict)) and pd.isna(one) else one
                for one in result
            ]
            self.assertEqual(found, wanted, name)

    def test_arguments_are_aligned(self):
        urls = pd.Series(["x", "y", "z"], index=[1, 2, 3])
        bases = pd.Series(["http://b/", "http://a/"], index=[2, 1])
        for found in (urls.uri.resolve(bases), urls.uri.resolve(base=bases)):
            self.assertEqual(list(found.index), [1, 2, 3])
            self.assertEqual(list(found)[:2], ["http://a/x", "http://b/y"])
            self.assertTrue(pd.isna(found[3]))
        resolved = urls.uri.resolve(bases)
        self.assertEqual(list(resolved.uri.compare(resolved[::-1])[:2]), ["identical"] * 2)
        by_position = urls.uri.resolve(["http://a/", "http://b/", "http://c/"])
        self.assertEqual(list(by_position), ["http://a/x", "http://b/y", "http://c/z"])
        twice = pd.Series(["http://a/"] * 3, index=[1, 1, 2])
        with self.assertRaises(ValueError):
            urls.uri.resolve(twice)
        self.assertEqual(list(twice.uri.compare(twice)), ["identical"] * 3)

    def test_only_missing_rows(self):
        for dtype in (object, float, "str"):
            series = pd.Series([None, None], dtype=dtype)
            for name in ("host", "parse", "port_number", "query_pairs"):
                found = getattr(series.uri, name)()
                self.assertTrue(found.isna().all(), (name, dtype))
            self.assertTrue(pd.Series(["x", "y"]).uri.resolve(series).isna().all())

    def test_help(self):
        self.assertIn("on_error", str(inspect.signature(urikit.pandas.UriAccessor.host)))
        self.assertEqual(urikit.pandas.UriAccessor.host.__doc__, columns.host.__doc__)


class Doc(unittest.TestCase):
    def test_examples(self):
        for name in ("datafusion", "duckdb", "pandas", "polars", "pydantic"):
            results = doctest.testmod(importlib.import_module(f"urikit.{name}"))
            self.assertEqual(results.failed, 0, name)
            self.assertGreater(results.attempted, 2, name)


if __name__ == "__main__":
    unittest.main()
