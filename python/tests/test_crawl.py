"""Tests reading web archives."""

import errno
import gc
import gzip
import io
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import archives
from archives import Page
from pyarrow import fs

from urikit import columns, crawl
from urikit.spark import links

PAGES = [Page(number) for number in range(120)]
MAKERS = {"warc": archives.warc, "wat": archives.wat, "arc": archives.arc}


def read(archive, **keywords):
    if isinstance(archive, bytes):
        archive = io.BytesIO(archive)
    return [page for rows in crawl.read(archive, **keywords) for page in rows]


def problems(pages):
    return [(page["page"], page["problem"]) for page in pages if page["problem"]]


class Crawl(unittest.TestCase):
    def test_formats_agree(self):
        """A crawl yields the same pages and links as a WARC, WAT or ARC file, compressed or not."""
        found = {}
        for name, make in MAKERS.items():
            records = make(PAGES)
            plain = read(b"".join(records))
            self.assertEqual(read(archives.members(records)[0]), plain, name)
            self.assertEqual(read(gzip.compress(b"".join(records))), plain, name)
            found[name] = plain
        self.assertEqual(found["warc"], found["arc"])
        self.assertEqual(found["warc"], found["wat"])
        self.assertEqual(len(found["warc"]), len(PAGES))
        self.assertEqual(problems(found["warc"]), [])

    def test_rows(self):
        page = read(b"".join(archives.warc(PAGES[3:4])))[0]
        self.assertEqual(tuple(page), crawl.PAGE)
        url = "http://xn--mnchen-3ya.example/d3/p3.html"
        self.assertEqual(page["url"], PAGES[3].url)
        self.assertEqual(page["page"], url)
        self.assertEqual((page["host"], page["domain"]), ("example.xn--mnchen-3ya",) * 2)
        self.assertEqual((page["status"], page["media_type"], page["skipped"]), (302, "text/html", 2))
        self.assertEqual(tuple(page["links"][0]), crawl.LINK)
        found = [
            (link["field"] or f"{link['element']}@{link['attribute']}", link["target"], link["host"])
            for link in page["links"]
        ]
        here = "example.xn--mnchen-3ya"
        other = "http://xn--mnchen-3ya.example"
        self.assertEqual(
            found,
            [
                ("Location", f"{other}/moved3", here),
                ("link@href", f"{other}/d3/s.css?a&b", here),
                ("a@href", f"{other}/d3/x3#part", here),
                ("a@href", "http://127.0.0.1/v3", None),
                ("img@src", "http://img.example.net/i%20j.png", "net.example.img"),
                ("a@href", url, here),
                ("a@href", "https://sub3.example.org/", "org.example.sub3"),
            ],
        )
        self.assertEqual([link["domain"] for link in page["links"][3:5]], [None, "net.example"])
        self.assertEqual(page["links"][1]["rel"], "stylesheet")
        self.assertEqual([link["base"] for link in page["links"]], [PAGES[3].url] * 7)

    def test_targets_are_resolved_and_normal(self):
        for page in read(b"".join(archives.warc(PAGES))):
            for link in page["links"]:
                self.assertEqual(columns.normalize([link["target"]])[0], link["target"])
                if link["uri"].isascii() and " " not in link["uri"] and link["base"].isascii():
                    target = columns.resolve([link["uri"]], link["base"])
                    self.assertEqual(columns.normalize(target)[0], link["target"])
        based = read(b"".join(archives.warc(PAGES[2:3])))[0]
        self.assertEqual({link["base"] for link in based["links"]}, {"http://c.example/base/"})

    def test_options(self):
        records = b"".join(archives.warc(PAGES[1:2]))
        self.assertEqual(read(records, name="n")[0]["file"], "n")
        without = read(records)[0]["links"]
        found = read(records, text=True)[0]["links"]
        more = {link["target"] for link in found} - {link["target"] for link in without}
        self.assertEqual(more, {"http://in-text.example/"})
        head = b"http://u.github.io/ 1.1.1.1 20260101000000 text/html 1\nx\n"
        self.assertEqual(read(head)[0]["domain"], "io.github")
        self.assertEqual(read(head, private=True)[0]["domain"], "io.github.u")

    def test_ranges(self):
        for make in MAKERS.values():
            file, places = archives.members(make(PAGES))
            complete = read(file)
            self.assertEqual(read(file, ranges=places), complete)
            some = [page for place in places[::5] for page in read(file, ranges=[place])]
            self.assertEqual(read(file, ranges=places[::5]), some)
            self.assertTrue(0 < len(some) < len(complete))
        self.assertEqual(read(file, ranges=[]), [])
        self.assertEqual(read(file, ranges=[(0, 0)]), [])

    def test_ranges_beyond_the_end(self):
        text = "the archive ends before the end of the range"
        for make in MAKERS.values():
            records = make(PAGES[:2])
            file, places = archives.members(records)
            *_, (offset, length) = places
            short = file[:offset]
            rest = read(short)
            for content in (b"", short, b"".join(records)):
                self.assertEqual(problems(read(content, ranges=[(10**6, 10)])), [(None, text)])
            self.assertEqual(problems(read(short, ranges=[(offset, length)])), [(None, text)])
            # The other ranges are read.
            found = read(short, ranges=[(offset, length), *places[:-1]])
            self.assertEqual(problems(found), [(None, text)])
            self.assertEqual(found[1:], rest)
            # The end of the archive is at the end of a record within the range.
            found = read(short, ranges=[(0, len(file))])
            self.assertEqual(found[:-1], rest)
            self.assertEqual(problems(found), [(None, text)])
            # A record that is not complete is reported once.
            self.assertEqual(len(problems(read(file[:-9], ranges=[(offset, length)]))), 1)
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder, "x")
                path.write_bytes(short)
                self.assertEqual(problems(read(path, ranges=places[-1:])), [(None, text)])

    def test_batches(self):
        file, _ = archives.members(archives.warc(PAGES))
        complete = read(file)
        batches = list(crawl.read(io.BytesIO(file), batch_bytes=1))
        self.assertEqual([len(rows) for rows in batches], [1] * len(PAGES))
        self.assertEqual([page for rows in batches for page in rows], complete)

    def test_paths_and_objects(self):
        file, places = archives.members(archives.warc(PAGES[:9]))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "x.warc.gz")
            path.write_bytes(file)
            found = read(path)
            self.assertEqual({page.pop("file") for page in found}, {str(path)})
            self.assertEqual(found, [{**page} for page in read(file) if page.pop("file") == ""])
            with path.open("rb") as opened:
                self.assertEqual(len(read(opened, ranges=places[2:3])), 1)
        with self.assertRaisesRegex(FileNotFoundError, "No such file.*x.warc.gz") as caught:
            read(path)
        error = caught.exception
        self.assertEqual((error.errno, error.filename), (errno.ENOENT, str(path)))
        self.assertEqual(error.strerror, os.strerror(errno.ENOENT))
        with self.assertRaises(IsADirectoryError):
            read("/")

        class Other:
            def __init__(self, answer):
                self.answer = answer

            def read(self, size):
                if isinstance(self.answer, Exception):
                    raise self.answer
                return self.answer(size)

        with self.assertRaisesRegex(ConnectionError, "gone"):
            read(Other(ConnectionError("gone")))
        with self.assertRaisesRegex(OSError, "more bytes"):
            read(Other(lambda size: bytes(size + 1)))
        with self.assertRaises(TypeError):
            read(Other(lambda size: "text"))
        with self.assertRaises(AttributeError):
            read(Other(lambda size: b""), ranges=[(1, 1)])

    def test_filesystems(self):
        """Reads files with pyarrow: from the local disk by URI, and from a file system in
        memory."""
        file, places = archives.members(archives.warc(PAGES))
        complete = read(file)
        memory = fs._MockFileSystem()
        memory.create_dir("folder")
        with memory.open_output_stream("folder/x.warc.gz", compression=None) as stream:
            stream.write(file)
        with tempfile.TemporaryDirectory(prefix="a b") as folder:
            path = pathlib.Path(folder, "x y.warc.gz")
            path.write_bytes(file)
            self.assertEqual(links.open_archive(str(path)), str(path))
            for opens in (
                lambda: links.open_archive(path.as_uri()),
                lambda: memory.open_input_file("folder/x.warc.gz"),
            ):
                self.assertEqual(read(opens()), complete)
                self.assertEqual(read(opens(), ranges=places[::-3]), read(file, ranges=places[::-3]))
            with self.assertRaises(FileNotFoundError):
                links.open_archive(path.as_uri() + ".no")
        # A stream without `seek`.
        self.assertEqual(read(memory.open_input_stream("folder/x.warc.gz", compression=None)), complete)
        with self.assertRaises(OSError):
            read(memory.open_input_stream("folder/x.warc.gz", compression=None), ranges=places[3:4])
        with self.assertRaisesRegex(Exception, "nope"):
            links.open_archive("nope://a/b")

    def test_memory(self):
        """A page, and an archive of many pages, are read in constant memory."""
        program = """
import resource
from urikit import crawl

class Archive:
    def __init__(self, head, piece, count):
        self.rest = iter([head, *[piece] * count])

    def read(self, size):
        piece = next(self.rest, b"")
        assert len(piece) <= size
        return piece

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

head = "WARC/1.0\\r\\nWARC-Type: resource\\r\\nWARC-Target-URI: http://a.example/\\r\\nContent-Type: text/html\\r\\nContent-Length: %d\\r\\n\\r\\n"
page = b"<a href=b>c</a>" + b"d " * 10_000 + b"\\r\\n\\r\\n"
one = (head % (len(page) - 4)).encode() + page
size, count = 100_000, 400
archives = [Archive((head % (size * count)).encode(), b"e" * size, count), Archive(one, one, 1499)]
begin, pages = peak(), 0
for archive in archives:
    pages += sum(map(len, crawl.read(archive, batch_bytes=1 << 16)))
grown = peak() - begin
assert pages == 1501, pages
assert grown < 16_000, f"{grown} KB"
"""
        subprocess.run([sys.executable, "-c", program], check=True)

    def test_an_error_after_some_pages(self):
        """The rows before an input error are passed on, and the error is not taken for damage."""
        file, _ = archives.members(archives.warc(PAGES))

        class Breaks(io.BytesIO):
            def read(self, size=-1):
                if self.tell() >= len(file) // 2:
                    raise TimeoutError("slow")
                return super().read(min(size, 1000))

        batches = crawl.read(Breaks(file), batch_bytes=1)
        count = 0
        with self.assertRaises(TimeoutError):
            for rows in batches:
                self.assertEqual(rows["problem"][0], None)
                count += 1
        self.assertEqual(list(batches), [])
        self.assertTrue(10 < count < 100, count)

    def test_damage(self):
        records = archives.warc(PAGES[:40])
        file, places = archives.members(records)
        complete = read(file)
        for cut in (len(file) - 5, places[60][0] + 40):
            found = read(file[:cut])
            kept = [page for page in found if not page["problem"]]
            self.assertEqual(kept, complete[: len(kept)])
            self.assertTrue(problems(found), cut)
        self.assertGreater(len(kept), 15)
        torn = bytearray(file)
        start, length = places[62]
        torn[start + 30 : start + length] = bytes(length - 30)
        found = read(bytes(torn))
        self.assertEqual(found[:20], complete[:20])
        self.assertTrue(any(page["url"] is None and page["problem"] for page in found), problems(found))
        # With an index, the other records are not lost.
        found = read(bytes(torn), ranges=places)
        self.assertEqual([page for page in found if not page["problem"]], complete[:20] + complete[21:])
        self.assertEqual(len(problems(found)), 1)

    def test_other_files(self):
        text = "expected a WARC, WAT or ARC file"
        for content in (b"text", gzip.compress(b"text"), gzip.compress(b"\0" * 99), b"%PDF-1.7"):
            self.assertEqual(problems(read(content)), [(None, text)], content)
        self.assertEqual(read(b""), [])

    def test_other_records(self):
        """Archives in records are not opened, and records that are not pages have no row."""
        inner = gzip.compress(b"".join(archives.warc(PAGES[:1])))
        records = [
            archives._record("resource", "http://a.example/x.warc.gz", "application/gzip", inner),
            archives._record("resource", "http://a.example/x.png", "image/png", bytes(99)),
            archives._record("resource", "dns:a.example", "text/dns", b"x"),
            archives._record("conversion", "http://a.example/", "text/plain", b"http://no.example/"),
            archives._record("metadata", "http://a.example/", "application/json", b'{"a": 1}'),
            archives._record("metadata", "http://a.example/", "application/json", b'{"Envelope": {'),
        ]
        for archive in (b"".join(records), archives.members(records)[0]):
            found = read(archive)
            self.assertEqual([len(page["links"]) for page in found], [0] * 4)
            urls = ["http://a.example/x.warc.gz", "http://a.example/x.png", None, "http://a.example/"]
            self.assertEqual([page["page"] for page in found], urls)
            (page, problem), = problems(found)
            self.assertIn("EOF", problem)

    def test_a_page_with_too_many_links(self):
        content = b"<base href='http://a.example/%s/'>" % (b"x" * 8000) + b"<a href=b>" * 40_000
        page, = read(archives._record("resource", "http://a.example/", "text/html", content))
        self.assertIn("more links than the limit", page["problem"])
        self.assertEqual(len(page["links"]) + page["skipped"], 40_000)
        self.assertLess(sum(len(link["target"]) for link in page["links"]), 65 << 20)

    def test_signals(self):
        """A signal handler runs while the archive blocks, and the iterator can continue."""
        archive = io.BytesIO(b"".join(archives.warc(PAGES[:1])))
        released = threading.Event()

        class Blocked:
            def read(self, size):
                released.wait(60)
                return archive.read(size)

        def interrupt(number, frame):
            raise InterruptedError

        before = signal.signal(signal.SIGALRM, interrupt)
        try:
            batches = crawl.read(Blocked())
            start = time.monotonic()
            with self.assertRaises(InterruptedError):
                signal.setitimer(signal.ITIMER_REAL, 0.05)
                next(batches)
            self.assertLess(time.monotonic() - start, 30)
        finally:
            released.set()
            signal.signal(signal.SIGALRM, before)
        self.assertEqual(len(next(batches)), 1)

    def test_a_consumer_that_stops(self):
        """The thread ends with the iterator."""
        before = threading.active_count()
        started = len(list(pathlib.Path("/proc/self/task").iterdir()))
        file = b"".join(archives.warc(PAGES * 50))
        for _ in range(5):
            batches = crawl.read(io.BytesIO(file), batch_bytes=1)
            next(batches)
            del batches
        gc.collect()
        for _ in range(100):
            if len(list(pathlib.Path("/proc/self/task").iterdir())) <= started:
                break
            time.sleep(0.1)
        self.assertLessEqual(len(list(pathlib.Path("/proc/self/task").iterdir())), started)
        self.assertEqual(threading.active_count(), before)


if __name__ == "__main__":
    unittest.main()
