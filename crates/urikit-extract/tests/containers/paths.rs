//! Paths and positions of entries in containers, also in nested ones.

use crate::build::{gzip, pdf, tar, warc, zip, zstd};
use crate::{PAGE, extracted};

#[test]
fn compressed_files() {
    assert_eq!(
        extracted("d/x.html.gz", &gzip(PAGE)),
        ["d/x.html.gz!/x.html: 2:10 http://a.example/"]
    );
    let members = [gzip(b"http://a.exa"), gzip(b"mple/b")].concat();
    assert_eq!(
        extracted("x.gz", &members),
        ["x.gz!/x: 1:1 http://a.example/b"]
    );
    let skipped = b"\x50\x2A\x4D\x18\x03\0\0\0abc";
    let frames = [&zstd(b"http://a.exa")[..], skipped, &zstd(b"mple/b")].concat();
    assert_eq!(
        extracted("x.txt.zst", &frames),
        ["x.txt.zst!/x.txt: 1:1 http://a.example/b"]
    );
}

#[test]
fn archives() {
    let long = format!("{}/long.md", "d/".repeat(120));
    let files = [
        ("a.html", PAGE),
        ("b.png", &b"\x89PNG\0"[..]),
        (long.as_str(), b"[x](http://b.example/)"),
    ];
    let expected = |name: &str| {
        [
            format!("{name}!/a.html: 2:10 http://a.example/"),
            format!("{name}!/b.png: binary"),
            format!("{name}!/{long}: 1:5 http://b.example/"),
        ]
    };
    assert_eq!(extracted("x.tar", &tar(&files)), expected("x.tar"));
    assert_eq!(extracted("x.zip", &zip(&files)), expected("x.zip"));
    let packed = gzip(&tar(&files));
    assert_eq!(extracted("x.tgz", &packed), expected("x.tgz"));
}

/// The parts of e-books and office documents that have references.
#[test]
fn documents_in_archives() {
    let epub = zip(&[
        ("mimetype", b"application/epub+zip"),
        (
            "OEBPS/content.opf",
            b"<package><dc:source>http://a.example/</dc:source><item href=\"1.xhtml\"/></package>",
        ),
        ("OEBPS/1.xhtml", PAGE),
    ]);
    assert_eq!(
        extracted("x.epub", &epub),
        [
            "x.epub!/OEBPS/content.opf: 1:21 http://a.example/",
            "x.epub!/OEBPS/content.opf: 1:62 1.xhtml",
            "x.epub!/OEBPS/1.xhtml: 2:10 http://a.example/",
        ]
    );
    let docx = zip(&[
        (
            "word/_rels/document.xml.rels",
            b"<Relationships xmlns=\"http://no.example/\"><Relationship Type=\"http://no.example/t\" \
              Target=\"https://b.example/?c&amp;d\" TargetMode=\"External\"/>\
              <Relationship Type=\"http://no.example/t\" Target=\"styles.xml\"/></Relationships>",
        ),
        (
            "word/document.xml",
            b"<?xml version='1.0'?><w:document xmlns:w=\"http://no.example/w\"><w:p><w:r><w:t>at http://c.exa</w:t></w:r>\
              <w:r><w:t>mple/d</w:t></w:r></w:p><w:p><w:r><w:t>x</w:t></w:r></w:p></w:document>",
        ),
    ]);
    let found = extracted("x.docx", &docx);
    let targets: Vec<&str> = found
        .iter()
        .map(|line| line.rsplit_once(' ').unwrap().1)
        .collect();
    assert_eq!(targets, ["https://b.example/?c&d", "http://c.example/d"]);
    let odt = zip(&[(
        "content.xml",
        b"<?xml version='1.0'?><text:p>see <text:a xlink:href=\"https://e.example/\">http://<text:span>f.example/</text:span></text:a></text:p>",
    )]);
    let found = extracted("x.odt", &odt);
    let targets: Vec<&str> = found
        .iter()
        .map(|line| line.rsplit_once(' ').unwrap().1)
        .collect();
    assert_eq!(targets, ["https://e.example/", "http://f.example/"]);
}

#[test]
fn web_archives() {
    let chunked =
        b"HTTP/1.1 301 Moved\r\nLocation: http://b.example/c\r\nContent-Type: text/html\r\n\
        Transfer-Encoding: chunked\r\n\r\n9\r\n<a href=\"\r\n4;x=y\r\nd\">\n\r\n0\r\n\r\n";
    let packed = [
        &b"HTTP/1.1 200 OK\r\nContent-Type: text/css\r\nContent-Encoding: gzip\r\n\r\n"[..],
        &gzip(b"a { b: url(../e.png) }"),
    ]
    .concat();
    let file = warc(&[
        ("warcinfo", "", b"software: http://no.example/\r\n"),
        (
            "request",
            "http://a.example/f/",
            b"GET /f/ HTTP/1.1\r\nReferer: http://no.example/\r\n\r\n",
        ),
        ("response", "http://a.example/f/", chunked),
        ("response", "http://a.example/g/h.css", &packed),
    ]);
    let expected = |name: &str| {
        [
            format!("{name}!/http://a.example/f/: 2:11 http://b.example/c"),
            format!("{name}!/http://a.example/f/: 1:10 http://a.example/f/d"),
            format!("{name}!/http://a.example/g/h.css: 1:12 http://a.example/e.png"),
        ]
    };
    assert_eq!(extracted("x.warc", &file), expected("x.warc"));
    assert_eq!(extracted("x.warc.gz", &gzip(&file)), expected("x.warc.gz"));
    let cut = &file[..file.len() - 20];
    let found = extracted("x.warc", cut);
    assert!(found.last().unwrap().contains("failed"), "{found:?}");
    assert_eq!(found[..2], expected("x.warc")[..2]);
}

#[test]
fn pages() {
    let file = pdf(&[
        ("http://a.example/b", "see http://c.example/d for more"),
        ("http://e.example/", "nothing"),
    ]);
    assert_eq!(
        extracted("x.pdf", &file),
        [
            "x.pdf!/1: - http://a.example/b",
            "x.pdf!/1: 1:5 http://c.example/d",
            "x.pdf!/2: - http://e.example/",
        ]
    );
}

#[test]
fn containers_in_containers() {
    let inner = zip(&[
        ("b.pdf", &pdf(&[("http://a.example/", "x")])),
        ("c.html.gz", &gzip(PAGE)),
    ]);
    let file = gzip(&tar(&[("a.zip", &inner)]));
    assert_eq!(
        extracted("x.tar.gz", &file),
        [
            "x.tar.gz!/a.zip!/b.pdf!/1: - http://a.example/",
            "x.tar.gz!/a.zip!/c.html.gz!/c.html: 2:10 http://a.example/",
        ]
    );
}
