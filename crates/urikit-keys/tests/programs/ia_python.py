"""The keys of PyPI's surt: a URL per line of standard input as JSON, and a key per line as JSON,
null where it raises an exception. With `--version`, its version.

Names are not looked up: a host that is no address is not known to the DNS.
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
