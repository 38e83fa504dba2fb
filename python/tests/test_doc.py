"""Runs the examples in the documentation, and checks that everything public is documented."""

import doctest
import importlib
import inspect
import pathlib
import pkgutil
import unittest

import urikit

# Imported only if the engine is installed. Their examples run with the engine's tests.
ENGINES = {
    "urikit.datafusion",
    "urikit.dbt",
    "urikit.duckdb",
    "urikit.pandas",
    "urikit.polars",
    "urikit.pydantic",
}


def modules():
    yield urikit
    for found in pkgutil.walk_packages(urikit.__path__, "urikit."):
        if found.name not in ENGINES and not found.name.endswith("__main__"):
            yield importlib.import_module(found.name)


def of_class(cls):
    """Returns the members of a class in the extension, which doctest's own finder skips."""
    yield cls.__name__, cls.__doc__
    for name, member in vars(cls).items():
        if not name.startswith("_"):
            yield f"{cls.__name__}.{name}", member.__doc__


class Doc(unittest.TestCase):
    def run_tests(self, tests):
        runner = doctest.DocTestRunner(verbose=False)
        for test in tests:
            runner.run(test)
        results = runner.summarize(verbose=False)
        self.assertEqual(results.failed, 0)
        return results.attempted

    def test_examples_of_modules(self):
        finder = doctest.DocTestFinder(exclude_empty=True)
        count = sum(self.run_tests(finder.find(module)) for module in modules())
        self.assertGreater(count, 30)

    def test_examples_of_reference(self):
        parser = doctest.DocTestParser()
        tests = [
            parser.get_doctest(doc, {}, name, None, None)
            for name, doc in of_class(urikit.Reference)
        ]
        self.assertGreater(self.run_tests(tests), 30)

    def test_examples_of_pages(self):
        parser = doctest.DocTestParser()
        for name, least in (("README.md", 5), ("CRAWL.md", 3)):
            page = pathlib.Path(__file__).parents[1] / name
            # The end of a code block also ends the example.
            text = page.read_text().replace("\n```", "\n\n")
            test = parser.get_doctest(text, {}, name, str(page), 0)
            self.assertGreater(self.run_tests([test]), least)

    def test_everything_public_is_documented(self):
        for name in urikit.__all__:
            member = getattr(urikit, name)
            if inspect.isclass(member) or callable(member):
                self.assertTrue(inspect.getdoc(member), name)
        for name, doc in of_class(urikit.Reference):
            self.assertTrue(doc, name)


if __name__ == "__main__":
    unittest.main()
