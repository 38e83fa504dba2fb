"""Runs CPython's own tests of `urllib.parse` on `urikit.urllib.parse`.

    python tests/cpython.py /usr/lib/python3.11/test/test_urlparse.py

`urllib_differences.toml` lists the tests that fail, each with its reason. A test that fails and is
not listed is an error, and so is one that is listed and passes.
"""

import importlib.util
import pathlib
import sys
import unittest

from urikit.urllib import parse

LIST = pathlib.Path(__file__).with_name("urllib_differences.toml")


def listed():
    """Returns the names of the listed tests with their reasons. Reads only tables of strings."""
    found = {}
    for line in LIST.read_text().splitlines():
        if line.startswith("test_"):
            name, _, reason = line.partition(" = ")
            found[name] = reason.strip('"')
    return found


class Result(unittest.TestResult):
    """Collects the names of the tests that ran and of those that failed."""

    def __init__(self):
        super().__init__()
        self.passed, self.failed = set(), {}

    def name(self, test):
        return getattr(test, "test_case", test)._testMethodName

    def addSuccess(self, test):
        self.passed.add(self.name(test))

    def note(self, test, error):
        self.failed.setdefault(self.name(test), self._exc_info_to_string(error, test))

    addError = addFailure = note

    def addSubTest(self, test, subtest, error):
        if error is not None:
            self.note(test, error)


def load(path):
    """Loads CPython's tests, with `urllib.parse` replaced."""
    import urllib

    sys.modules["urllib.parse"] = urllib.parse = parse
    spec = importlib.util.spec_from_file_location("test_urlparse", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return unittest.defaultTestLoader.loadTestsFromModule(module)


def main(path):
    result = Result()
    suite = load(path)
    total = suite.countTestCases()
    suite.run(result)
    expected = listed()
    new = {name: why for name, why in result.failed.items() if name not in expected}
    gone = [name for name in expected if name not in result.failed]
    for name, why in new.items():
        print(f"{name} fails and is not in {LIST.name}:\n{why}")
    for name in gone:
        print(f"{name} is in {LIST.name}, and does not fail")
    known = len(expected) - len(gone)
    wrong = len(new) + len(gone)
    print(f"CPython's tests: {total} ran, {known} known differences")
    status = "FAILED" if wrong or not total else "ok"
    print(f"test result: {status}. {total - known - len(new)} passed; {wrong} failed; 0 ignored;")
    return 1 if wrong or not total else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
