"""Prints the keys of PyPI's surt. Each line of standard input is a URL as JSON; each line of output
is its key as JSON, or null for an exception. With `--version`, prints the version.

The DNS is never asked: host names do not resolve.
"""

import json
import socket
import sys
from importlib.metadata import version

import surt


def gethostbyname_ex(host):
    host = host.decode() if isinstance(host, bytes) else host
    try:
        return host, [], [socket.inet_ntoa(socket.inet_aton(host))]
    except OSError:
        raise socket.gaierror from None


socket.gethostbyname_ex = gethostbyname_ex


def key(url):
    try:
        return surt.surt(url)
    except Exception:
        return None


if sys.argv[1:] == ["--version"]:
    print(version("surt"))
else:
    for line in sys.stdin.buffer:
        print(json.dumps(key(json.loads(line))))
