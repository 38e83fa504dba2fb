"""Generates the same URLs in each run: ordinary, rare and invalid ones, as in logs."""

SCHEMES = ["http", "https", "HTTP", "ftp", "x-y+z.1", "file", "", "1a", "mailto", "jdbc:mysql"]
AUTHORITIES = [
    "//example.com", "//www.Example.COM", "//a.b.c.example.co.uk", "//example.com:8080",
    "//user:secret@example.com", "//u%20v@example.com:80", "//[::1]", "//[2001:db8::7]:443",
    "//[fe80::1%25eth0]", "//127.0.0.1", "//127.0.0.01", "//256.1.1.1", "//1.2.3", "//a_b",
    "//-a", "//a..b", "//a.1", "//999", "//münchen.de", "//h%41", "//u@v@h", "//:80", "//h:",
    "//h:x", "//h:2147483647", "//h:99999999999", "//", "", "", "", "//example.com.",
    "//xn--mnchen-3ya.de", "//[v1.a]", "//[::1", "//u@[::1]:1", "//@h", "//h.1a", "//1.a",
]  # fmt: skip
PATHS = [
    "", "/", "/a/b/c", "/index.html", "/a%20b", "/%", "/%4", "/%zz", "/a b", "/a|b", "/{id}",
    "/é", "/a;p=1/b", "//x", "/./../a", "a/b", "a:b", "@a", "/~user", "/[a]", "/\u00a0", "/\u2003",
    "/a\\b", "/a^b", "/`", "/日本", "/%C3%A9", "/a,b;c=d!$&'()*+", "a@b", "/\x7f", "/\u0085",
]  # fmt: skip
QUERIES = [
    "", "", "", "?", "?id=1", "?id=1&name=x%20y", "?a=1&id=2", "?id", "?id=", "?xid=1", "?a&b",
    "?q=a|b", "?q={x}", "?q=é", "?q=[1]", "?%", "?a=b?c=d", "?id=1;id=2", "?id=%69", "?&id=3&",
]  # fmt: skip
FRAGMENTS = ["", "", "", "#", "#top", "#a b", "#é", "#a#b", "#%41", "#[x]", "#%"]
DIRT = ["|", "{", " ", "<", '"', "\\", "%", "@", ":", "[", "]", "é", "\t", "\u200b", "_", "^", "//"]


def pick(pieces, number):
    """Picks mostly one of the first five templates, which are ordinary."""
    return pieces[number // 5 % (5 if number % 5 else len(pieces))]


def mixed(count):
    """Yields `count` URLs, about one percent of them null."""
    for number in range(count):
        mix = number * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
        if mix % 97 == 0:
            yield None
            continue
        scheme = SCHEMES[(mix >> 7) % 10 if mix & 3 == 0 else (mix >> 11) & 1]
        url = (
            (scheme + ":" if scheme else "")
            + pick(AUTHORITIES, mix >> 17)
            + pick(PATHS, mix >> 24)
            + pick(QUERIES, mix >> 32)
            + pick(FRAGMENTS, mix >> 40)
        )
        if mix >> 48 & 15 == 0:
            place = (mix >> 52) % (len(url) + 1)
            url = url[:place] + DIRT[(mix >> 56) % len(DIRT)] + url[place:]
        yield url + f"/{number}" if mix & 8 else url
