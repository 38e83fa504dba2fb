#!/usr/bin/env python3
"""Records how parsers read the strings of testdata/audit/ and testdata/cve/. Writes
testdata/audit/recorded/NAME.toml for each installed parser, and leaves the other files as they are.
Needs Python 3.11 or newer.

The parsers: `java.net.URI`, Node's `URL`, CPython's `urllib` (`python3.13`, and `python3.6`, which
is older than most repairs), libcurl, Perl's URI, PHP's `parse_url`.
"""

import pathlib
import shutil
import subprocess
import tomllib
from lines import escape, unescape

PROGRAMS = pathlib.Path(__file__).parent
DATA = PROGRAMS.parents[3] / "testdata"
KEYS = ["scheme", "userinfo", "host", "port", "path"]
# The columns of Components.java: scheme, raw userinfo, host, port, raw path; for an opaque URI, the
# scheme-specific part.
JAVA = [1, 6, 8, 9, 10]
OPAQUE = 2

PARSERS = {
    "java-net-uri": ["java", PROGRAMS / "Components.java"],
    "node": ["node", PROGRAMS / "node.js"],
    "urllib": ["python3.13", PROGRAMS / "python.py"],
    "urllib-old": ["python3.6", PROGRAMS / "python.py"],
    "curl": ["python3", PROGRAMS / "curl.py"],
    "perl-uri": ["perl", PROGRAMS / "uri.pl"],
    "php-parse-url": ["php", PROGRAMS / "parse_url.php"],
}


def inputs():
    files = sorted(DATA.glob("audit/*.toml")) + sorted(DATA.glob("cve/*.toml"))
    rows = (row for file in files for row in tomllib.loads(file.read_text())["row"])
    return list(dict.fromkeys(row["input"] for row in rows if "input" in row))


def java_components(line):
    """Returns the five components in a line that Components.java printed."""
    parts = line.split("\t")
    if parts[0] == "refused":
        return "rejected"
    components = [parts[index] for index in JAVA]
    if components[3] == "-1":
        components[3] = "\\0"
    if parts[0] == "opaque":
        components[4] = parts[OPAQUE].split("?")[0]
    return "\t".join(components)


def string(text):
    """Returns a basic string in TOML."""

    def character(c):
        if c in '"\\':
            return "\\" + c
        if c.isprintable() and c.isascii():
            return c
        return f"\\u{ord(c):04X}" if ord(c) < 0x10000 else f"\\U{ord(c):08X}"

    return '"' + "".join(map(character, text)) + '"'


def record(name, command, texts):
    version = subprocess.run([*command, "--version"], capture_output=True, text=True)
    if name == "java-net-uri":
        version = subprocess.run(["java", "--version"], capture_output=True, text=True)
    if version.returncode != 0:
        print(f"{name}: does not run")
        return
    given = "".join(escape(text) + "\n" for text in texts).encode()
    output = subprocess.run(command, input=given, capture_output=True, check=True).stdout
    answers = output.decode("utf-8", "replace").split("\n")[:-1]
    assert len(answers) == len(texts), name
    with open(DATA / f"audit/recorded/{name}.toml", "w") as file:
        program = "crates/urikit-audit/tests/programs/record.py"
        file.write(f"# The recorded results of this parser, written by {program}.\n\n")
        file.write(f"parser = {string(name)}\n")
        file.write(f"version = {string(version.stdout.splitlines()[0].strip())}\n\nreadings = [\n")
        for text, answer in zip(texts, answers):
            if name == "java-net-uri":
                answer = java_components(answer)
            fields = [f"input = {string(text)}"]
            if answer == "rejected":
                fields.append("rejected = true")
            else:
                parts = zip(KEYS, answer.split("\t"), strict=True)
                parts = [(key, part) for key, part in parts if part != "\\0"]
                fields += [f"{key} = {string(unescape(part))}" for key, part in parts]
            file.write("    { " + ", ".join(fields) + " },\n")
        file.write("]\n")
    print(f"{name}: {len(texts)} readings")


def main():
    (DATA / "audit/recorded").mkdir(exist_ok=True)
    texts = inputs()
    for name, command in PARSERS.items():
        if shutil.which(command[0]):
            record(name, command, texts)
        else:
            print(f"{name}: {command[0]} is not installed")


main()
