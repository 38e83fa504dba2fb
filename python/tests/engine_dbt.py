"""Runs the macros for dbt on DuckDB, and renders them for BigQuery and Snowflake."""

import pathlib
import re
import tempfile
import unittest

import duckdb
import jinja2
from dbt.cli.main import dbtRunner

from urikit import columns

PACKAGE = pathlib.Path(__file__).parents[1] / "dbt"
URLS = [
    "http://u@www.Example.co.uk:8080/a/b?q=1&x=2#f",
    "https://example.com",
    "http://a/?",
    "http://a/?xq=1&q=#",
    "urn:isbn:0451450523",
    "/a/b?q",
    "//h:/p",
    "#",
    "",
]
ONE = ["scheme", "host", "port", "path", "query", "fragment"]
DOMAINS = ["registrable_domain", "public_suffix"]


def expected(name, urls):
    return columns.__dict__[name](urls).to_pylist()


class DuckDb(unittest.TestCase):
    """All macros on a connection of dbt-duckdb with the plugin."""

    def test_all_macros(self):
        calls = {name: f"uri_{name}('url')" for name in [*ONE, *DOMAINS, "normalize"]}
        calls["query_value"] = "uri_query_value('url', 'q')"
        calls["resolve"] = "uri_resolve('url', \"'http://b/c/'\")"
        fields = ", ".join(f'{{{{ urikit.{call} }}}} as "{name}"' for name, call in calls.items())
        rows = ", ".join(f"({row}, '{url}')" for row, url in enumerate([*URLS, "http://a b/"]))
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "models").mkdir()
            files = {
                "dbt_project.yml": "name: sample\nversion: 1.0.0\nprofile: sample\n",
                "packages.yml": f"packages:\n  - local: {PACKAGE}\n",
                "profiles.yml": "sample: {target: dev, outputs: {dev: {type: duckdb, threads: 1, "
                f"path: '{folder}/x.duckdb', plugins: [{{module: urikit.dbt}}]}}}}}}\n",
                "models/parts.sql": f"{{{{ config(materialized='table') }}}} select row, {fields} "
                f"from (values {rows}) t(row, url)",
            }
            for name, text in files.items():
                (folder / name).write_text(text)
            flags = ["--project-dir", str(folder), "--profiles-dir", str(folder), "--quiet"]
            for command in (["deps"], ["run"]):
                result = dbtRunner().invoke([*command, *flags])
                self.assertTrue(result.success, result.exception)
            with duckdb.connect(f"{folder}/x.duckdb") as connection:
                for name in calls:
                    query = f'select "{name}" from parts order by row'
                    found = [row[0] for row in connection.sql(query).fetchall()]
                    more = {"query_value": ["q"], "resolve": ["http://b/c/"]}.get(name, [])
                    urls = [*URLS, "http://a b/"]
                    want = columns.__dict__[name](urls, *more).to_pylist()
                    self.assertEqual(found, want, name)


class Elsewhere(unittest.TestCase):
    """Checks the SQL for warehouses that tests cannot reach, and the patterns in it."""

    def render(self, kind, call):
        macros = None

        class Adapter:
            def dispatch(self, name, package):
                return getattr(macros, f"{kind}__{name}", None) or getattr(macros, f"default__{name}")

        class Exceptions:
            def raise_compiler_error(self, message):
                raise ValueError(message)

        environment = jinja2.Environment()
        environment.globals.update(
            adapter=Adapter(),
            exceptions=Exceptions(),
            modules={"re": re},
            target={"type": kind},
        )
        environment.globals["return"] = lambda value: value
        source = (PACKAGE / "macros" / "uri.sql").read_text()
        macros = environment.from_string(source).module
        environment.globals["urikit"] = macros
        # The macros look up `urikit` when they are called.
        macros = environment.from_string(source).make_module()
        return environment.from_string(f"{{{{ macros.{call} }}}}").render(macros=macros).strip()

    def test_functions(self):
        for kind, call, sql in [
            ("bigquery", "uri_host('u')", "net.host(u)"),
            ("bigquery", "uri_registrable_domain('u')", "net.reg_domain(u)"),
            ("bigquery", "uri_public_suffix('u')", "net.public_suffix(u)"),
            ("snowflake", "uri_host('u')", "parse_url(u, 1):host::varchar"),
            ("snowflake", "uri_query('u')", "parse_url(u, 1):query::varchar"),
            ("snowflake", "uri_query_value('u', 'q')", "parse_url(u, 1):parameters['q']::varchar"),
            ("spark", "uri_host('u')", "uri_host(u)"),
        ]:
            self.assertEqual(self.render(kind, call), sql)

    def test_macros_without_counterpart(self):
        for kind, call in [
            ("bigquery", "uri_normalize('u')"),
            ("bigquery", "uri_resolve('u', 'b')"),
            ("snowflake", "uri_normalize('u')"),
            ("snowflake", "uri_resolve('u', 'b')"),
            ("snowflake", "uri_registrable_domain('u')"),
            ("snowflake", "uri_public_suffix('u')"),
        ]:
            with self.assertRaisesRegex(ValueError, f"has no counterpart in {kind}"):
                self.render(kind, call)

    def test_patterns(self):
        """The patterns, which mean the same in Python's `re` and RE2, find what Urikit finds."""
        for name in ["scheme", "port", "path", "query", "fragment"]:
            sql = self.render("bigquery", f"uri_{name}('u')")
            pattern = re.fullmatch(r"regexp_extract\(u, r'(.*)'\)", sql).group(1)
            found = [match and match.group(1) for match in (re.search(pattern, u) for u in URLS)]
            self.assertEqual(found, expected(name, URLS), name)
        sql = self.render("snowflake", "uri_path('u')")
        pattern = re.fullmatch(r"regexp_substr\(u, '(.*)', 1, 1, 'e', 3\)", sql).group(1)
        found = [re.search(pattern, url).group(3) for url in URLS]
        self.assertEqual(found, expected("path", URLS))

    def test_query_values(self):
        sql = self.render("bigquery", "uri_query_value('u', 'a.b')")
        pattern = re.fullmatch(r"regexp_extract\(u, r'(.*)'\)", sql).group(1)
        for url, value in [
            ("?a.b=1", "1"),
            ("http://h/?x=2&a.b=&y", ""),
            ("?axb=1", None),
            ("?xa.b=1", None),
            ("#?a.b=1", None),
            ("?a.b=1&a.b=2", "2"),
        ]:
            match = re.search(pattern, url)
            self.assertEqual(match and match.group(1), value, url)

    def test_quotes_in_names(self):
        call = """uri_query_value('u', "a'b")"""
        self.assertEqual(self.render("spark", call), "uri_query_value(u, 'a''b')")
        self.assertIn("parameters['a''b']", self.render("snowflake", call))
        sql = self.render("bigquery", call)
        pattern = re.fullmatch(r"regexp_extract\(u, r'([^']*)'\)", sql).group(1)
        self.assertEqual(re.search(pattern, "?a'b=1").group(1), "1")


if __name__ == "__main__":
    unittest.main()
