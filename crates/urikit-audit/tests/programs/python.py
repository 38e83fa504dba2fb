"""Reads URLs with Python's urllib.parse; see lines.py. With `--version`, prints its version."""

import platform
import sys

from lines import answer
from urllib.parse import urljoin, urlsplit


def read(text, target=None):
    try:
        url = urlsplit(text if target is None else urljoin(text, target))
        port = url.port
    except ValueError:
        return None
    at = url.netloc.rfind("@")
    userinfo = url.netloc[:at] if at >= 0 else None
    return url.scheme or None, userinfo, url.hostname, port if port is None else str(port), url.path


if sys.argv[1:] == ["--version"]:
    print(platform.python_version())
else:
    answer(read)
