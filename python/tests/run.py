"""Runs test modules by their names, and ends with a line that `./test` counts."""

import importlib
import sys
import unittest


def main(names):
    loader = unittest.defaultTestLoader
    suites = [loader.loadTestsFromModule(importlib.import_module(name)) for name in names]
    runner = unittest.TextTestRunner(stream=sys.stdout, verbosity=2, warnings="default")
    result = runner.run(unittest.TestSuite(suites))
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    skipped = len(result.skipped)
    passed = result.testsRun - failed - skipped
    status = "ok" if passed and not failed else "FAILED"
    print(f"test result: {status}. {passed} passed; {failed} failed; {skipped} ignored;")
    return 0 if status == "ok" else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
