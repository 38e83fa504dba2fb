"""Reads URLs with libcurl; see lines.py. With `--version`, prints its version."""

import ctypes
import sys
from lines import answer

CURLUPART_URL, SCHEME, USER, PASSWORD, OPTIONS, HOST, PORT, PATH = range(8)
CURLU_NON_SUPPORT_SCHEME = 1 << 3

curl = ctypes.CDLL("libcurl.so.4")
curl.curl_url.restype = ctypes.c_void_p
curl.curl_url_cleanup.argtypes = [ctypes.c_void_p]
curl.curl_url_set.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
curl.curl_url_get.argtypes = [
    ctypes.c_void_p,
    ctypes.c_int,
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.c_uint,
]
curl.curl_free.argtypes = [ctypes.c_void_p]
curl.curl_version.restype = ctypes.c_char_p


def part(handle, which):
    text = ctypes.c_void_p()
    if curl.curl_url_get(handle, which, ctypes.byref(text), 0) != 0 or text.value is None:
        return None
    octets = ctypes.string_at(text.value)
    curl.curl_free(text)
    return octets.decode("utf-8", "replace")


def read(*texts):
    handle = curl.curl_url()
    try:
        for text in texts:
            octets = text.encode()
            if b"\0" in octets:  # the end of a string in C
                return None
            if curl.curl_url_set(handle, CURLUPART_URL, octets, CURLU_NON_SUPPORT_SCHEME) != 0:
                return None
        user, password, options = (part(handle, which) for which in (USER, PASSWORD, OPTIONS))
        userinfo = user
        if options is not None:
            userinfo = f"{userinfo or ''};{options}"
        if password is not None:
            userinfo = f"{userinfo or ''}:{password}"
        scheme, host, port, path = (part(handle, which) for which in (SCHEME, HOST, PORT, PATH))
        return scheme, userinfo, host, port, path
    finally:
        curl.curl_url_cleanup(handle)


if sys.argv[1:] == ["--version"]:
    print(curl.curl_version().decode().split()[0].removeprefix("libcurl/"))
else:
    answer(read)
