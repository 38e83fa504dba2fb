"""Tests that imports have no cycles, not even inside functions or for types only."""

import ast
import graphlib
import pathlib
import subprocess
import sys
import unittest

import urikit

ROOT = pathlib.Path(urikit.__file__).parent


def imports():
    """Returns the modules of the package, each with the modules that it imports."""
    files = {}
    for path in ROOT.rglob("*.py"):
        parts = path.relative_to(ROOT.parent).with_suffix("").parts
        files[".".join(parts).removesuffix(".__init__")] = path
    for name, path in files.items():
        found = set()
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.module and not node.level, f"a relative import in {path}"
                members = {f"{node.module}.{alias.name}" for alias in node.names}
                found |= members & files.keys() or {node.module}
        yield name, (found & files.keys()) - {name}


class Imports(unittest.TestCase):
    def test_no_two_modules_import_each_other(self):
        graph = dict(imports())
        self.assertIn("urikit._errors", graph["urikit._audit"])
        # Python imports the package itself before any of its modules.
        for found in graph.values():
            found.discard("urikit")
        graphlib.TopologicalSorter(graph).prepare()

    def test_modules_load_on_first_use(self):
        program = """
import sys
import urikit
assert "urikit.columns" not in sys.modules and "urikit.urllib" not in sys.modules
assert "columns" in dir(urikit) and not hasattr(urikit, "none")
assert urikit.columns.host(["http://a/"]).to_pylist() == ["a"]
assert urikit.urllib.parse.quote("a b") == "a%20b"
"""
        subprocess.run([sys.executable, "-c", program], check=True)


if __name__ == "__main__":
    unittest.main()
