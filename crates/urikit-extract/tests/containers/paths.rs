//! Paths and positions of entries in containers, including nested ones.

use crate::build::{arc, bzip2, gzip, pdf, tar, warc, xz, zip, zstd};
use crate::{PAGE, extracted};
use std::io::Read as _;
use std::ops::ControlFlow;
use urikit::op::Layer;
use urikit_extract::container::{Container, Event, Input, Limits};
use urikit_extract::document::Extractor;

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
    let streams = [xz(b"http://a.exa"), xz(b"mple/b")].concat();
    assert_eq!(
        extracted("x.txt.xz", &streams),
        ["x.txt.xz!/x.txt: 1:1 http://a.example/b"]
    );
    let streams = [bzip2(b"http://a.exa"), bzip2(b""), bzip2(b"mple/b")].concat();
    assert_eq!(
        extracted("x.csv.bz2", &streams),
        ["x.csv.bz2!/x.csv: 1:1 http://a.example/b"]
    );
    assert_eq!(extracted("x.bz2", &bzip2(b"")), [""; 0]);
}

/// `gzip -d` ignores zeros after a member.
#[test]
fn padding_of_gzip() {
    let zeros = vec![0; 100_000];
    let found = ["x.gz!/x: 1:1 http://a.example/b"];
    let member = gzip(b"http://a.example/b");
    assert_eq!(extracted("x.gz", &[&member[..], &zeros].concat()), found);
    let [begin, end] = [gzip(b"http://a.exa"), gzip(b"mple/b")];
    assert_eq!(extracted("x.gz", &[begin, zeros, end].concat()), found);
    let garbage = extracted("x.gz", &[&member[..], b"\0\0x"].concat());
    assert!(garbage[1].starts_with("x.gz!/x: failed: "), "{garbage:?}");
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
    for (name, packed) in [("x.txz", xz(&tar(&files))), ("x.tbz2", bzip2(&tar(&files)))] {
        assert_eq!(extracted(name, &packed), expected(name));
    }
    let nested = tar(&[("y.tar.xz", &xz(&tar(&[("z.html.bz2", &bzip2(PAGE))])))]);
    assert_eq!(
        extracted("x.tar", &nested),
        ["x.tar!/y.tar.xz!/z.html.bz2!/z.html: 2:10 http://a.example/"]
    );
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

/// The records of responses have links, even if the page is called `k.html`.
#[test]
fn records_of_metadata() {
    let request = br#"{"Envelope":{"Payload-Metadata":{"HTTP-Request-Metadata":{"Headers":
        {"Referer":"http://no.example/"}}},"WARC-Header-Metadata":{"WARC-Type":"request"}}}"#;
    let response = br#"{"Container":{"Compressed":true},"Envelope":{"Payload-Metadata":
        {"HTTP-Response-Metadata":{"HTML-Metadata":{"Links":[{"path":"A@/href","url":"../c"}]}}}}}"#;
    let url = "http://a.example/b/k.html";
    let file = [&request[..], response].map(|record| {
        let length = record.len();
        let head = format!(
            "WARC/1.0\r\nWARC-Type: metadata\r\nWARC-Target-URI: {url}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        );
        gzip(&[head.as_bytes(), record, b"\r\n\r\n"].concat())
    });
    assert_eq!(
        extracted("x.wat.gz", &file.concat()),
        [format!("x.wat.gz!/{url}: 2:87 http://a.example/c")]
    );
}

/// Fields of the response's header are relative to the page.
#[test]
fn redirects() {
    let head = b"HTTP/1.1 302 Found\r\nX: http://b.example/\r\nLocation: ../c\r\n\r\n";
    let file = warc(&[("response", "http://a.example/d/e", head)]);
    assert_eq!(
        extracted("x.warc", &file),
        [
            "x.warc!/http://a.example/d/e: 2:4 http://b.example/",
            "x.warc!/http://a.example/d/e: 3:11 http://a.example/c",
        ]
    );
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

/// Archives may keep the `Content-Encoding` of content that they store decoded.
#[test]
fn content_codings_of_web_archives() {
    let text = b"see http://a.example/";
    let (mut zlib, mut deflated) = (Vec::new(), Vec::new());
    let level = flate2::Compression::best();
    let mut encoder = flate2::read::ZlibEncoder::new(&text[..], level);
    encoder.read_to_end(&mut zlib).unwrap();
    let mut encoder = flate2::read::DeflateEncoder::new(&text[..], level);
    encoder.read_to_end(&mut deflated).unwrap();
    let found = &["x.warc!/u: 1:5 http://a.example/"][..];
    let brotli = &["x.warc!/u: failed: the content coding br is not supported"][..];
    let several = &["x.warc!/u: failed: more than one content coding"][..];
    for (coding, body, expected) in [
        ("deflate", &zlib[..], found),
        ("deflate", &deflated, found),
        ("deflate", text, found),
        ("br", text, found),
        ("br", b"", &[]),
        ("br", b"\x1b\x14\0\0\x8c\xaa\xc6q\xe2", brotli),
        ("none", text, found),
        ("utf-8", text, found),
        ("gzip, identity", &gzip(text), found),
        ("Identity,X-GZIP", &gzip(text), found),
        ("gzip, gzip", &gzip(&gzip(text)), several),
    ] {
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: {coding}\r\n\r\n"
        );
        let file = warc(&[("response", "u", &[head.as_bytes(), body].concat())]);
        assert_eq!(extracted("x.warc", &file), expected, "{coding}");
    }
}

/// The names of encrypted entries are not encrypted.
#[test]
fn encrypted_entries_of_zip() {
    let mut file = zip(&[("a.txt", b"http://a.example/"), ("se.txt", b"x")]);
    let start = file.windows(6).position(|it| it == b"se.txt").unwrap();
    let last = file.windows(6).rposition(|it| it == b"se.txt").unwrap();
    // The flags in the header of the entry, and in the directory.
    file[start - 30 + 6] |= 1;
    file[last - 46 + 8] |= 1;
    let found = extracted("x.zip", &file);
    assert_eq!(found[0], "x.zip!/a.txt: 1:1 http://a.example/");
    assert!(found[1].starts_with("x.zip!/se.txt: failed: "), "{found:?}");
}

/// Relative references are resolved even if the URL of the page is not valid.
#[test]
fn invalid_urls_of_pages() {
    let page = b"HTTP/1.1 302 Found\r\nContent-Type: text/html\r\nLocation: /m\r\n\r\n<a href=x>";
    for query in ["q=[1]", "a|b", "{c}", "%zz", "d e"] {
        let url = format!("http://a.example/d/?{query}");
        for (name, file) in [
            ("x.warc", warc(&[("response", &url, page)])),
            ("x.arc", arc(1, &[(&url, "text/html", page)])),
        ] {
            assert_eq!(
                extracted(name, &file),
                [
                    format!("{name}!/{url}: 3:11 http://a.example/m"),
                    format!("{name}!/{url}: 1:9 http://a.example/d/x"),
                ]
            );
        }
    }
    // The reference is resolved against the complete URL if it is empty.
    let page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=''>";
    let file = warc(&[("response", "http://a.example/?a|b", page)]);
    assert!(extracted("x.warc", &file)[0].ends_with(" http://a.example/?a%7Cb"));
    // A URL that is too long is not a base.
    let long = format!("http://a.example/{}", "x".repeat(9000));
    let page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=y>";
    let file = warc(&[("response", &long, page)]);
    let mut counts = Vec::new();
    let extractor = Extractor::new();
    let extractor = extractor
        .base(Layer::Retrieval, "http://b.example/")
        .unwrap();
    let input = Input::Stream(&mut &file[..]);
    extractor.unpack(
        Container::Warc,
        "x",
        input,
        Limits::default(),
        &mut |_, event| {
            match event {
                Event::Reference(found) => assert_eq!(found.target(), None),
                Event::End(report) => counts.push(report.exceeded.long_bases),
                _ => {}
            }
            ControlFlow::Continue(())
        },
    );
    assert_eq!(counts, [0, 1]);
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

/// ARC: each record has the URL as its base, and the response of an HTTP server is decoded.
#[test]
fn archives_of_the_internet_archive() {
    let page = b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\nLocation: http://a.example/l\r\n\
        \r\n<a href=c>";
    let records: [(&str, &str, &[u8]); 4] = [
        (
            "dns:a.example",
            "text/dns",
            b"20000101000000\na.example IN A 127.0.0.1\n",
        ),
        ("http://a.example/b/", "text/html", page),
        (
            "http://a.example/d e",
            "text/html; charset=x",
            b"HTTP/1.1 200\r\n\r\n<a href=f>",
        ),
        ("ftp://b.example/g.css", "text/css", b"@import 'h';"),
    ];
    let path = |rest| format!("x.arc!/{rest}");
    let expected = [
        path("http://a.example/b/: 3:11 http://a.example/l"),
        path("http://a.example/b/: 1:9 http://a.example/b/c"),
        path("http://a.example/d e: 1:9 http://a.example/f"),
        path("ftp://b.example/g.css: 1:10 ftp://b.example/h"),
    ];
    for version in [1, 2] {
        let file = arc(version, &records);
        assert_eq!(extracted("x.arc", &file), expected);
        // Each record is a member of a compressed archive.
        let parts = file.split_inclusive(|byte| *byte == b'\n');
        let members: Vec<u8> = parts.flat_map(gzip).collect();
        assert_eq!(extracted("x.arc.gz", &members).len(), expected.len());
    }
    let file = arc(1, &records);
    // One record, cut out with the help of an index.
    let start = file
        .windows(8)
        .position(|bytes| bytes == b"http://a")
        .unwrap();
    assert_eq!(extracted("x.arc", &file[start..]), expected);
    assert_eq!(extracted("x.arc.gz", &gzip(&file[start..])).len(), 4);
    let cut = extracted("x.arc", &file[..file.len() - 4]);
    assert!(cut.last().unwrap().contains("failed"), "{cut:?}");
    let damaged = [&file, &b"no record\n"[..]].concat();
    let found = extracted("x.arc", &damaged);
    assert_eq!(
        found.last().unwrap(),
        "x.arc: failed: the line before a record is damaged"
    );
    // A list of URLs is not an archive.
    let list = b"filedesc:x\nhttp://a.example/\n";
    assert_eq!(extracted("x", list), ["x: 2:1 http://a.example/"]);
}
