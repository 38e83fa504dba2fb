"""Reads and writes the lines of the programs in this folder. Each line of input is a URL. Each line
of output is `rejected`, or scheme, userinfo, host, port and path separated by tabs. In both, a
backslash, a line feed, a carriage return and a tab are escaped as in C, and an absent component is
`\\0`.

If a line of input contains two URLs, separated by a tab, the program resolves the second against
the first and reads the result.
"""

import sys

ESCAPES = [("\\", "\\\\"), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")]
CHARACTERS = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\"}


def escape(text):
    if text is None:
        return "\\0"
    for character, escaped in ESCAPES:
        text = text.replace(character, escaped)
    return text


def unescape(line):
    characters = iter(line)
    return "".join(CHARACTERS[next(characters)] if c == "\\" else c for c in characters)


def answer(read):
    """Answers each line of standard input with `read`, which returns five components or None. Its
    arguments are the URLs in the line."""
    out = sys.stdout.buffer
    for line in sys.stdin.buffer:
        components = read(*map(unescape, line.rstrip(b"\n").decode().split("\t")))
        text = "rejected" if components is None else "\t".join(map(escape, components))
        out.write(text.encode() + b"\n")
