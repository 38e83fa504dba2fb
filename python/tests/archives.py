"""Makes web archives for the tests: one crawl as WARC, WAT and ARC."""

import gzip
import html
import json
import time

HOSTS = ["www.a.example.com", "b.example.co.uk", "c.example", "münchen.example", "127.0.0.1"]


class Page:
    """A page with its links, each with its path in WAT."""

    def __init__(self, number):
        host = HOSTS[number % len(HOSTS)]
        self.number = number
        self.url = f"http://{host}/d{number % 7}/p{number}.html"
        self.status = 302 if number % 11 == 3 else 200
        self.location = f"../moved{number}" if self.status == 302 else None
        self.base = "/base/" if number % 5 == 2 else None
        other = HOSTS[number * 3 % len(HOSTS)]
        self.head = [("LINK", "href", "s.css?a&b", {"rel": "stylesheet", "type": "text/css"})]
        self.links = [
            ("A", "href", f"x{number}#part", {"rel": "nofollow"}),
            ("A", "href", f"HTTP://{other}:80/%7Eu/../v{number % 50}", {}),
            ("A", "href", "mailto:a@example.com", {}),
            ("IMG", "src", " //img.example.net/i j.png ", {}),
            ("A", "href", "", {}),
            ("A", "href", f"https://sub{number % 20}.example.org/", {}),
            ("A", "href", "http://a b/", {}),
        ]
        self.text = f"Text {number} with http://in-text.example/ and more words. " * (number % 40)

    def html(self):
        def tag(link):
            name, attribute, url, others = link
            written = {attribute: url, **others}
            written = "".join(f' {key}="{html.escape(value)}"' for key, value in written.items())
            return f"<{name.lower()}{written}>"

        base = f'<base href="{self.base}">' if self.base else ""
        head = "".join(map(tag, self.head))
        body = "\n".join(map(tag, self.links))
        return f"<html><head>{base}{head}</head><body>{body}<p>{self.text}</body></html>".encode()

    def fields(self):
        location = [f"Location: {self.location}"] if self.location else []
        return ["Server: test", *location, "Content-Type: text/html; charset=utf-8"]

    def response(self):
        reason = "Found" if self.status == 302 else "OK"
        head = "\r\n".join([f"HTTP/1.1 {self.status} {reason}", *self.fields(), "", ""])
        return head.encode() + self.html()

    def metadata(self):
        def link(one):
            name, attribute, url, others = one
            return {"path": f"{name}@/{attribute}", "url": url, **others}

        head = {"Link": [link(one) for one in self.head], "Title": "http://no.example/"}
        if self.base:
            head["Base"] = self.base  # after links that it applies to
        fields = dict(field.split(": ", 1) for field in self.fields())
        response = {
            "Response-Message": {"Version": "HTTP/1.1", "Status": str(self.status)},
            "Headers": fields,
            "HTML-Metadata": {"Head": head, "Links": [link(one) for one in self.links]},
        }
        header = {"WARC-Type": "response", "WARC-Target-URI": self.url}
        envelope = {"WARC-Header-Metadata": header, "Payload-Metadata": {"HTTP-Response-Metadata": response}}
        if self.number % 2:
            envelope = dict(reversed(envelope.items()))
        return json.dumps({"Container": {"Compressed": True}, "Envelope": envelope}).encode()


def _record(kind, url, media_type, content):
    head = f"WARC/1.0\r\nWARC-Type: {kind}\r\n" + (f"WARC-Target-URI: {url}\r\n" if url else "")
    head += f"Content-Type: {media_type}\r\nContent-Length: {len(content)}\r\n\r\n"
    return head.encode() + content + b"\r\n\r\n"


def _info():
    return _record("warcinfo", "", "application/warc-fields", b"software: http://no.example/\r\n")


def _request(page):
    content = b"GET / HTTP/1.1\r\nReferer: http://no.example/\r\n\r\n"
    return _record("request", page.url, "application/http; msgtype=request", content)


def warc(pages):
    """Returns the records of a WARC file."""
    records = [_info()]
    for page in pages:
        records.append(_request(page))
        records.append(_record("response", page.url, "application/http; msgtype=response", page.response()))
        fields = b"fetchTimeMs: 1\r\noutlink: http://no.example/\r\n"
        records.append(_record("metadata", page.url, "application/warc-fields", fields))
    return records


def wat(pages):
    """Returns the records of a WAT file."""
    request = {"Payload-Metadata": {"HTTP-Request-Metadata": {"Headers": {"Referer": "http://no.example/"}}}}
    request = json.dumps({"Envelope": request}).encode()
    records = [_info()]
    for page in pages:
        for content in (request, page.metadata()):
            records.append(_record("metadata", page.url, "application/json", content))
    return records


def arc(pages):
    """Returns the records of an ARC file."""
    about = b"1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n"
    line = "{} 127.0.0.1 20260101000000 {} {}\n"
    records = [line.format("filedesc://x.arc", "text/plain", len(about)).encode() + about + b"\n"]
    for page in pages:
        content = page.response()
        records.append(line.format(page.url, "text/html", len(content)).encode() + content + b"\n")
    return records


def members(records):
    """Compresses each record. Returns the file, and the offset and length of each member."""
    packed = [gzip.compress(record, 6, mtime=0) for record in records]
    places, offset = [], 0
    for member in packed:
        places.append((offset, len(member)))
        offset += len(member)
    return b"".join(packed), places


def open_slowly(path):
    """Returns the path of an archive, after a delay."""
    time.sleep(2)
    return path
