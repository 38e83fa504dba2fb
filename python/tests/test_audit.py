"""Tests the audit, the gate and the extractor."""

import io
import ipaddress
import pathlib
import pickle
import tomllib
import unittest
import zipfile

import urikit
from urikit import columns


class Audit(unittest.TestCase):
    def test_readers(self):
        self.assertEqual(len(urikit.READERS), 13)
        for reader in urikit.READERS:
            reading = urikit.read("http://example.com/a", reader)
            self.assertEqual((reading.scheme, reading.host), ("http", "example.com"), reader)
        self.assertTrue(urikit.read("http://a_b:80/", "java-net-uri").has_null_host)
        rejection = urikit.read("http://a b/", "java-net-uri")
        self.assertEqual(rejection.offset, 8)
        with self.assertRaisesRegex(ValueError, "java-net-uri"):
            urikit.read("a", "java")

    def test_agreement(self):
        agreement = urikit.agree("http://good.example\\@evil.example/")
        self.assertFalse(agreement.is_unanimous)
        hosts = [value for value, _ in agreement.disputed["host"]]
        self.assertEqual(hosts, ["good.example", "evil.example"])
        self.assertEqual(tuple(agreement.readings), urikit.VOTERS)

    def test_findings(self):
        report = urikit.audit("http://example.com:80/")
        self.assertEqual([finding.code for finding in report.findings], ["default-port"])
        self.assertEqual(report.findings[0].offset, 19)
        self.assertEqual(report.worst, "info")
        self.assertIsNone(urikit.audit("http://example.com/").worst)
        self.assertEqual(tuple(report.agreement.readings), urikit.READERS)
        self.assertEqual(pickle.loads(pickle.dumps(report)), report)

    def test_gate(self):
        gate = urikit.Gate(schemes=["ftp", "http"], ports=[8080, 21], addresses=["10.0.0.1"])
        for gate in (gate, pickle.loads(pickle.dumps(gate))):
            self.assertTrue(gate.is_allowed("http://10.0.0.1:8080/"))
            self.assertTrue(gate.is_allowed("ftp://10.0.0.1/"))
            # The lists replace the defaults.
            self.assertFalse(gate.is_allowed("https://10.0.0.1:8080/"))
            self.assertFalse(gate.is_allowed("http://10.0.0.1/"))
            self.assertFalse(gate.is_allowed("http://10.0.0.2:8080/"))
        for wrong in [{"addresses": ["x"]}, {"reject_from": "worst"}]:
            with self.assertRaises(ValueError):
                urikit.Gate(**wrong)

    def test_gate_schemes(self):
        gate = urikit.Gate(schemes=["https"])
        self.assertTrue(gate.is_allowed("https://example.com/"))
        with self.assertRaises(urikit.RejectedError) as caught:
            gate.check("http://example.com/")
        self.assertIn("scheme-not-allowed", [one.code for one in caught.exception.findings])

    def test_gate_lists(self):
        url = "http://example.com/"
        self.assertTrue(urikit.Gate(hosts=None, schemes=None).is_allowed(url))
        for name in ("schemes", "ports", "hosts", "domains", "addresses"):
            empty = urikit.Gate(**{name: []})
            for gate in (empty, pickle.loads(pickle.dumps(empty))):
                self.assertFalse(gate.is_allowed(url), name)
            with self.assertRaisesRegex(TypeError, name):
                urikit.Gate(**{name: "10.0.0.1"})
        self.assertTrue(urikit.Gate(hosts=[], domains=["example.com"]).is_allowed(url))
        private = ipaddress.ip_address("10.0.0.1")
        gate = urikit.Gate(addresses=(private, ipaddress.ip_address("::1")))
        self.assertTrue(gate.is_allowed("http://10.0.0.1/"))
        self.assertTrue(gate.is_allowed("http://[::1]/"))


class SameSite(unittest.TestCase):
    def test_rows(self):
        folder = pathlib.Path(__file__).parents[2] / "testdata/redirects"
        rows = [
            row
            for file in sorted(folder.glob("*.toml"))
            for row in tomllib.loads(file.read_text("utf-8"))["row"]
        ]
        self.assertGreater(len(rows), 100)
        for row in rows:
            base = row.get("base", "https://good.example/a/b?c#d")
            for keep in ("origin", "domain"):
                answer = urikit.same_site(base, row["target"], keep=keep)
                self.assertEqual(answer.passes, row[keep], row)
                self.assertEqual(bool(answer), row[keep], row)
                self.assertEqual(tuple(answer.readings), urikit.VOTERS)
                targets = {
                    reader: to.target
                    for reader, to in answer.readings.items()
                    if isinstance(to, urikit.Destination)
                }
                self.assertEqual(targets, row["readings"], row)

    def test_answer(self):
        answer = urikit.same_site("https://good.example/", "http://good.example/", "domain")
        self.assertEqual([finding.code for finding in answer.findings], ["downgrade"])
        self.assertFalse(answer.readings["whatwg"].keeps)
        self.assertEqual(answer.readings["whatwg"].reading.scheme, "http")
        self.assertIn("IPv4", answer.readings["legacy-ipv4"].reason)
        self.assertEqual(pickle.loads(pickle.dumps(answer)), answer)

    def test_errors(self):
        for base in ["", "/a", "ftp://good.example/", "https://a@good.example/", "https://127.1/"]:
            with self.assertRaisesRegex(ValueError, "the base must"):
                urikit.same_site(base, "/x")
        with self.assertRaisesRegex(ValueError, "origin"):
            urikit.same_site("https://good.example/", "/x", keep="host")


class Extract(unittest.TestCase):
    def test_ranges_are_characters(self):
        text = "é ü http://a.example/é x http://b.example/"
        for link in urikit.links(text):
            self.assertEqual(text[link.start : link.end], link.uri)
        self.assertEqual(len(urikit.links(text)), 2)

    def test_options(self):
        self.assertEqual(urikit.links("www.example.org")[:1], [])
        self.assertEqual(urikit.links("www.example.org", abbreviated=True)[0].kind, "abbreviated")
        (cut,) = urikit.links("http://a.example/bcdef", max_length=10)
        self.assertEqual((cut.uri, cut.end, cut.cut), ("http://a.e", 10, True))
        (bad,) = urikit.links("http://a.example/?a[]=1")
        self.assertEqual((bad.valid, bad.cut), (False, False))
        self.assertEqual(bad.repaired, "http://a.example/?a%5B%5D=1")
        (bad,) = urikit.links("http://a.example/é", standard="rfc3986")
        self.assertFalse(bad.valid)
        self.assertTrue(urikit.links("http://a.example/é")[0].valid)
        self.assertEqual(urikit.links("hxxp://a[.]example/"), [])
        (defanged,) = urikit.links("hxxp://a[.]example/", refang=True)
        self.assertEqual((defanged.uri, defanged.kind), ("http://a.example/", "defanged"))

    def test_documents(self):
        page = b'<meta charset="iso-8859-1"><a href="\xe9?a&amp;b">x</a>'
        document = urikit.extract(page, "html", base="http://a.example/", positions=True)
        (found,) = document.references
        self.assertEqual(page[found.start : found.end], b"\xe9?a&amp;b")
        self.assertEqual((found.uri, found.base_layer), ("é?a&b", "retrieval"))
        self.assertEqual((found.position.line, found.position.column), (1, 37))
        self.assertEqual(document.charset, "windows-1252")
        self.assertEqual(urikit.extract("[x](y)", "markdown").references[0].uri, "y")
        self.assertEqual(urikit.extract("<!doctype html><a href=x>").references[0].uri, "x")

    def test_strings_are_decoded_already(self):
        link = '<a href="https://exämple.example/straße">'
        for head, format in [
            ("<meta charset=windows-1252>", "html"),
            ("<meta charset=windows-1252>", None),
            ('<meta charset="shift_jis">', "html"),
            ('<?xml version="1.0" encoding="iso-8859-1"?>', "xml"),
            ("\ufeff", "html"),
            ("Content-Type: text/html; charset=utf-8\n\n", "mail"),
        ]:
            (found,) = urikit.extract(head + link, format).references
            self.assertEqual(found.uri, "https://exämple.example/straße", head)
            document = urikit.extract((head + link).encode("utf-16"), format, charset="utf-16")
            if format != "mail":
                self.assertEqual(document.references[0].uri, found.uri, head)
        # The charset of a part of mail also applies to its transfer encoding.
        head = "Content-Type: text/plain; charset=iso-8859-1\n"
        quoted = f"{head}Content-Transfer-Encoding: quoted-printable\n\nhttp://a.example/=E9\n"
        (found,) = urikit.extract(quoted, "mail").references
        self.assertEqual(found.uri, "http://a.example/é")
        for field in (head, head.replace("=", " = "), head.replace("=", "*='")):
            text = f"{field}\nhttp://a.example/é"
            with self.assertRaisesRegex(ValueError, "expected bytes"):
                urikit.extract(text, "mail")
        with self.assertRaisesRegex(TypeError, "expected bytes"):
            urikit.extract("", "html", charset="utf-8")

    def test_ranges_of_documents(self):
        """Ranges are in characters for a string, and in bytes for bytes."""
        texts = {
            "html": '<p>é😀</p><a href="/x">ü</a><base href="http://é.example/"><a href=é>',
            "markdown": "é [ü](/x) <http://a.example/é>\n\n[a]: /y\n",
            "text": "😀 http://a.example/é http://b.example/",
            "mail": "Subject: é\n\nhttp://a.example/\n",
        }
        for format, text in texts.items():
            octets = text.encode()
            found = urikit.extract(text, format).references
            other = urikit.extract(octets, format).references
            self.assertEqual(len(found), len(other), format)
            for one, two in zip(found, other, strict=True):
                self.assertEqual(text[one.start : one.end], one.text, format)
                self.assertEqual(octets[two.start : two.end].decode(), two.text, format)
                self.assertEqual(one._replace(start=0, end=0), two._replace(start=0, end=0))
        text = '<b é="ü"/><a href="http://x/'
        self.assertEqual(urikit.extract(text, "xml").malformed, text.index("<a"))
        self.assertEqual(urikit.extract(text.encode(), "xml").malformed, text.index("<a") + 2)

    def test_buffers(self):
        page = b"<a href=\xc3\xa9>"
        expected = urikit.extract(page)
        for document in (bytearray(page), memoryview(page), memoryview(b"x" + page)[1:]):
            self.assertEqual(urikit.extract(document), expected)
            self.assertEqual(urikit.encode(document, "segment"), urikit.encode(page, "segment"))
        for wrong in (1, None, [1]):
            with self.assertRaises(TypeError):
                urikit.extract(wrong)

    def test_places(self):
        page = "<a rel=nofollow type=text/plain href='a b'>x</a><p data-url=http://a.example/>"
        (found,) = urikit.extract(page, "html", base="http://a.example/").references
        place = urikit.Place("a", "href", "nofollow", "text/plain", None, None)
        self.assertEqual(found.place, place)
        self.assertEqual((found.valid, found.repaired), (False, "a%20b"))
        self.assertEqual(found.target, "http://a.example/a%20b")
        found = urikit.extract(page, "html", deep=True).references
        self.assertEqual([one.place.attribute for one in found], ["href", "data-url"])
        (found,) = urikit.extract("See: <http://a.example/>\n\n", "mail").references
        self.assertEqual(found.place and found.place.field, "See")
        (found,) = urikit.extract("hxxp://a[.]example/", "text", refang=True).references
        self.assertEqual((found.uri, found.place), ("http://a.example/", None))

    def test_formats(self):
        feed = '<?xml version="1.0"?><feed xml:base="http://a.example/"><link href="b"/></feed>'
        found = urikit.extract(feed).references
        self.assertEqual([one.target for one in found if one.target], ["http://a.example/b"])
        self.assertIn("jupyter", urikit.FORMATS)

    def test_containers(self):
        def packed(files):
            out = io.BytesIO()
            with zipfile.ZipFile(out, "w") as archive:
                for name, content in files.items():
                    archive.writestr(name, content)
            return out.getvalue()

        text = "<w:document><w:p/><w:p><w:t>http://a.example/</w:t></w:p></w:document>"
        (found,) = urikit.extract(packed({"word/document.xml": text})).references
        self.assertEqual((found.uri, found.place.paragraph), ("http://a.example/", 2))
        self.assertEqual(found.place.entry, "word/document.xml")
        rels = "<Relationships><Relationship Id='r1' Target='{}'/></Relationships>"
        cell = "<c r='B7' t='inlineStr'><is><t>http://a.example/</t></is></c>"
        workbook = {
            "xl/workbook.xml": "<workbook><sheets><sheet name='S' r:id='r1'/></sheets></workbook>",
            "xl/_rels/workbook.xml.rels": rels.format("worksheets/a.xml"),
            "xl/worksheets/a.xml": f"<worksheet><sheetData>{cell}</sheetData></worksheet>",
        }
        (found,) = urikit.extract(packed(workbook)).references
        self.assertEqual((found.place.sheet, found.place.cell), ("S", "B7"))
        slides = {
            "ppt/presentation.xml": "<p:presentation><p:sldId r:id='r1'/></p:presentation>",
            "ppt/_rels/presentation.xml.rels": rels.format("slides/a.xml"),
            "ppt/slides/a.xml": "<p:sld><a:p><a:r><a:t>http://a.example/</a:t></a:r></a:p></p:sld>",
        }
        (found,) = urikit.extract(packed(slides)).references
        self.assertEqual((found.place.slide, found.place.cell), (1, None))
        nested = packed({"a.html": "<a href=b>", "c.zip": packed({"d.txt": "http://e.example/"})})
        document = urikit.extract(nested, base="http://a.example/")
        self.assertEqual(
            [(one.target, one.place.entry) for one in document.references],
            [("http://a.example/b", "a.html"), ("http://e.example/", "c.zip!/d.txt")],
        )
        self.assertEqual(document.failures, [])
        document = urikit.extract(nested[:60])
        self.assertEqual(len(document.failures), 1)
        # With a format, the file is not unpacked.
        self.assertEqual(urikit.extract(nested, "html").failures, [])

    def test_charset(self):
        page = b'<a href="\x82\xa0">'
        (found,) = urikit.extract(page, "html", charset="shift_jis").references
        self.assertEqual(found.uri, "あ")
        document = urikit.extract('<b/><a href="http://x/', "xml")
        self.assertEqual(document.malformed, 4)
        self.assertEqual(document.references[0].uri, "http://x/")

    def test_errors(self):
        with self.assertRaisesRegex(ValueError, "html"):
            urikit.extract("", "pdf")
        with self.assertRaisesRegex(ValueError, "charset"):
            urikit.extract("", "html", charset="none")
        with self.assertRaisesRegex(ValueError, "rfc3986"):
            urikit.links("", standard="rfc1")
        with self.assertRaises(urikit.ResolveError):
            urikit.extract("", "html", base="relative")
        with self.assertRaises(urikit.ParseError):
            urikit.extract("x" * 100, "markdown", max_length=10)
        with self.assertRaises(TypeError):
            urikit.extract(1)


class Java(unittest.TestCase):
    def test_the_path_of_an_opaque_uri_is_null(self):
        """The result is the same as in columns and in Java."""
        texts = ["urn:isbn:1", "a:?q", "mailto:a@b", "file:///x", "http://a", "http://?q", "x", "", "?q"]
        paths = [urikit.read(text, "java-net-uri").path for text in texts]
        self.assertEqual(paths, [None] * 3 + ["/x", "", "", "x", "", ""])
        self.assertEqual(paths, columns.path(texts, reader="java-net-uri").to_pylist())
        self.assertIsNone(urikit.agree("urn:isbn:1").readings["java-net-uri"].path)
        self.assertEqual(urikit.read("urn:isbn:1", "rfc3986").path, "isbn:1")


if __name__ == "__main__":
    unittest.main()
