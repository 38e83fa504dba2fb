//! Containers, which the tests build themselves: paths, positions, nesting, limits, and damage.

#![cfg(all(
    feature = "gzip",
    feature = "zstd",
    feature = "tar",
    feature = "zip",
    feature = "pdf",
    feature = "xml"
))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test fails by panicking
#![allow(clippy::indexing_slicing)]

use std::io::{Cursor, Write as _};
use std::ops::ControlFlow;
use urikit_extract::container::{Container, Event, Input, Limits};
use urikit_extract::document::Extractor;
use urikit_testkit::Random;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).unwrap()
}

fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        out.append_data(&mut header, name, *bytes).unwrap();
    }
    out.into_inner().unwrap()
}

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        let options = zip::write::SimpleFileOptions::default();
        out.start_file(*name, options).unwrap();
        out.write_all(bytes).unwrap();
    }
    out.finish().unwrap().into_inner()
}

/// A document with a link and a text on each page.
fn pdf(pages: &[(&str, &str)]) -> Vec<u8> {
    use lopdf::content::{Content, Operation};
    use lopdf::{Dictionary, Document, Object, Stream, StringFormat};
    let mut document = Document::with_version("1.5");
    let mut font = Dictionary::new();
    font.set("Type", Object::Name(b"Font".to_vec()));
    font.set("Subtype", Object::Name(b"Type1".to_vec()));
    font.set("BaseFont", Object::Name(b"Courier".to_vec()));
    font.set("Encoding", Object::Name(b"WinAnsiEncoding".to_vec()));
    let font = document.add_object(font);
    let mut fonts = Dictionary::new();
    fonts.set("F1", font);
    let mut resources = Dictionary::new();
    resources.set("Font", fonts);
    let resources = document.add_object(resources);
    let tree = document.new_object_id();
    let string = |text: &str| Object::String(text.as_bytes().to_vec(), StringFormat::Literal);
    let mut kids = Vec::new();
    for (uri, text) in pages {
        let operations = vec![
            Operation::new("BT", vec![]),
            Operation::new("Tf", vec![Object::Name(b"F1".to_vec()), 12.into()]),
            Operation::new("Tj", vec![string(text)]),
            Operation::new("ET", vec![]),
        ];
        let content = Content { operations }.encode().unwrap();
        let mut content = Stream::new(Dictionary::new(), content);
        content.compress().unwrap();
        let content = document.add_object(content);
        let mut action = Dictionary::new();
        action.set("S", Object::Name(b"URI".to_vec()));
        action.set("URI", string(uri));
        let mut link = Dictionary::new();
        link.set("Subtype", Object::Name(b"Link".to_vec()));
        link.set("A", action);
        let link = document.add_object(link);
        let mut page = Dictionary::new();
        page.set("Type", Object::Name(b"Page".to_vec()));
        page.set("Parent", tree);
        page.set("Contents", content);
        page.set("Resources", resources);
        page.set("Annots", vec![link.into()]);
        kids.push(Object::from(document.add_object(page)));
    }
    let mut pages = Dictionary::new();
    pages.set("Type", Object::Name(b"Pages".to_vec()));
    pages.set("Count", i64::try_from(kids.len()).unwrap());
    pages.set("Kids", kids);
    document.objects.insert(tree, Object::Dictionary(pages));
    let mut catalog = Dictionary::new();
    catalog.set("Type", Object::Name(b"Catalog".to_vec()));
    catalog.set("Pages", tree);
    let catalog = document.add_object(catalog);
    document.trailer.set("Root", catalog);
    let mut out = Vec::new();
    document.save_to(&mut out).unwrap();
    out
}

fn warc(records: &[(&str, &str, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    for (kind, url, content) in records {
        let length = content.len();
        write!(
            out,
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\n\
             Content-Type: application/http; msgtype={kind}\r\nContent-Length: {length}\r\n\r\n"
        )
        .unwrap();
        out.extend_from_slice(content);
        out.extend_from_slice(b"\r\n\r\n");
    }
    out
}

/// What was reported: `PATH: LINE:COLUMN TARGET` for a reference, and all else but bytes and ends.
fn extracted_within(name: &str, file: &[u8], limits: Limits, is_stream: bool) -> Vec<String> {
    let mut found = Vec::new();
    let container = Container::guess(name, file).expect(name);
    let mut each = |path: &str, event: Event<'_>| {
        match event {
            Event::Reference(reference) => {
                assert_eq!(reference.place().entry(), Some(path));
                // A link of PDF has no place in a text.
                let at = reference.position();
                let at = at.map_or("-".to_owned(), |at| format!("{}:{}", at.line, at.column));
                let target = reference.target();
                let target = target.as_deref().unwrap_or(reference.uri());
                found.push(format!("{path}: {at} {target}"));
            }
            Event::Binary => found.push(format!("{path}: binary")),
            Event::Failed(problem) => found.push(format!("{path}: failed: {problem}")),
            _ => {}
        }
        ControlFlow::Continue(())
    };
    let extractor = Extractor::new().positions(true);
    let mut file = Cursor::new(file);
    let input = if is_stream {
        Input::Stream(&mut file)
    } else {
        Input::File(&mut file)
    };
    extractor.unpack(container, name, input, limits, &mut each);
    found
}

/// The same from a file and from a stream.
fn extracted(name: &str, file: &[u8]) -> Vec<String> {
    let found = extracted_within(name, file, Limits::default(), false);
    let streamed = extracted_within(name, file, Limits::default(), true);
    assert_eq!(found, streamed, "{name}");
    found
}

const PAGE: &[u8] = b"\n<a href=\"http://a.example/\">";

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

#[test]
fn limits() {
    let mut deep = gzip(b"http://a.example/");
    for _ in 0..20 {
        deep = gzip(&deep);
    }
    let found = extracted("x.gz", &deep);
    assert_eq!(
        found,
        ["x.gz: failed: more than 8 containers are in each other"]
    );

    let zeros = vec![b' '; 70 << 20];
    for (name, bomb) in [
        ("x.gz", gzip(&zeros)),
        ("x.zst", zstd(&zeros)),
        ("x.zip", zip(&[("a.txt", &zeros)])),
    ] {
        assert!(bomb.len() < 1 << 20);
        let low = Limits::default().max_ratio(1);
        let found = extracted_within(name, &bomb, low, false);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].ends_with("more than 1 times its size"),
            "{found:?}"
        );
        let low = Limits::default().max_unpacked(1 << 20);
        let found = extracted_within(name, &bomb, low, true);
        assert!(found[0].ends_with("more than 1048576 bytes"), "{found:?}");
    }

    let files = [
        ("a", &b"http://a.example/"[..]),
        ("b", b"http://b.example/"),
        ("c", b"x"),
    ];
    let low = Limits::default().max_entries(2);
    for file in [tar(&files), zip(&files)] {
        let found = extracted_within("x", &file, low, false);
        assert_eq!(
            found,
            [
                "x!/a: 1:1 http://a.example/",
                "x!/b: 1:1 http://b.example/",
                "x!/c: failed: more than 2 entries",
            ]
        );
    }
}

/// Whatever is changed, reading ends, without a panic, and cut files are reported.
#[test]
fn damaged_files() {
    let files = [
        ("a.html", PAGE),
        ("b.xml", b"<?xml version='1.0'?><a href='b'/>"),
    ];
    let seeds = [
        ("x.gz", gzip(PAGE)),
        ("x.zst", zstd(PAGE)),
        ("x.tar", tar(&files)),
        ("x.zip", zip(&files)),
        ("x.pdf", pdf(&[("http://a.example/", "x")])),
        (
            "x.warc",
            warc(&[
                ("resource", "http://a.example/", PAGE),
                ("response", "b", b"HTTP/1.1 200\r\n\r\nx"),
            ]),
        ),
    ];
    let mut random = Random::new(7);
    for (name, seed) in &seeds {
        for length in 0..seed.len() {
            let cut = &seed[..length];
            if Container::guess(name, cut).is_some() {
                let found = extracted_within(name, cut, Limits::default(), true);
                let is_reported = found.iter().any(|line| line.contains("failed"));
                // Archives of `tar` need no end.
                assert!(
                    is_reported || *name == "x.tar" || *name == "x.pdf" || *name == "x.warc",
                    "{name} {length}: {found:?}"
                );
            }
        }
        for _ in 0..1000 {
            let mut bytes = seed.clone();
            for _ in 0..=random.below(8) {
                let at = random.below(bytes.len());
                bytes[at] = u8::try_from(random.below(256)).unwrap();
            }
            if Container::guess(name, &bytes).is_some() {
                extracted_within(name, &bytes, Limits::default(), random.chance(50));
            }
        }
    }
}
