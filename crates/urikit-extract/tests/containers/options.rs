//! The options of an extractor apply to the entries of containers.

use crate::build::{gzip, pdf, tar, warc, zip};
use crate::extracted_by;
use std::ops::ControlFlow;
use urikit::Standard;
use urikit_extract::Finder;
use urikit_extract::container::{Container, Event, Input, Limits};
use urikit_extract::document::Extractor;

const SCRIPT: &[u8] = b"<script>fetch('http://a.example/x')</script><!-- <a href=b> -->";
const REPORT: &[u8] = b"It loads hxxps://evil[.]example/a from http://good.example/";

fn extracted(extractor: &Extractor, name: &str, file: &[u8]) -> Vec<String> {
    let [found, streamed] = [false, true]
        .map(|is_stream| extracted_by(extractor, name, file, Limits::default(), is_stream));
    assert_eq!(found, streamed, "{name}");
    found
}

#[test]
fn links_for_programs() {
    let response = [b"HTTP/1.1 200\r\nContent-Type: text/html\r\n\r\n", SCRIPT].concat();
    let files = [
        ("a.html.gz", gzip(SCRIPT), "a.html.gz!/a.html", "b"),
        ("a.zip", zip(&[("b.html", SCRIPT)]), "a.zip!/b.html", "b"),
        (
            "a.tar.gz",
            gzip(&tar(&[("b.zip", &zip(&[("c.html", SCRIPT)]))])),
            "a.tar.gz!/b.zip!/c.html",
            "b",
        ),
        (
            "a.warc",
            warc(&[("response", "http://r.example/c/d", &response)]),
            "a.warc!/http://r.example/c/d",
            "http://r.example/c/b",
        ),
    ];
    let deep = Extractor::new().deep(true);
    for (name, file, path, relative) in files {
        assert_eq!(extracted(&Extractor::new(), name, &file), [""; 0], "{name}");
        assert_eq!(
            extracted(&deep, name, &file),
            [
                format!("{path}: - http://a.example/x"),
                format!("{path}: - {relative}")
            ],
        );
    }
}

#[test]
fn defanged_indicators() {
    let text = core::str::from_utf8(REPORT).unwrap();
    let files = [
        ("a.txt.gz", gzip(REPORT), "a.txt.gz!/a.txt"),
        ("a.tar", tar(&[("b.txt", REPORT)]), "a.tar!/b.txt"),
        ("a.zip", zip(&[("b.html", REPORT)]), "a.zip!/b.html"),
        ("a.pdf", pdf(&[("http://link.example/", text)]), "a.pdf!/1"),
    ];
    let refang = Extractor::new().finder(Finder::new().refang(true));
    for (name, file, path) in files {
        let good = format!("{path}: - http://good.example/");
        let evil = format!("{path}: - hxxps://evil[.]example/a https://evil.example/a");
        let mut expected = vec![evil, good];
        if name == "a.pdf" {
            expected.insert(0, format!("{path}: - http://link.example/"));
        }
        assert_eq!(extracted(&refang, name, &file), expected);
        expected.retain(|line| !line.contains("evil"));
        assert_eq!(extracted(&Extractor::new(), name, &file), expected);
    }
}

/// The chosen standard also applies to the links of PDF.
#[test]
fn validity() {
    let bytes = "http://[2001:db8::7]/";
    let files = [
        (
            "a.zip",
            zip(&[("b.html", b"<a href='http://[2001:db8::7]/'>")]),
        ),
        ("a.pdf", pdf(&[(bytes, "x")])),
    ];
    for (name, file) in files {
        for (standard, expected) in [(Standard::Rfc2396, false), (Standard::Rfc3986, true)] {
            let extractor = Extractor::new().standard(standard);
            let mut found = Vec::new();
            let container = Container::guess(name, &file).unwrap();
            let limits = Limits::default();
            let input = Input::Stream(&mut &file[..]);
            extractor.unpack(container, name, input, limits, &mut |_, event| {
                if let Event::Reference(reference) = event {
                    found.push((reference.uri().to_owned(), reference.is_valid()));
                }
                ControlFlow::Continue(())
            });
            assert_eq!(found, [(bytes.to_owned(), expected)], "{name}");
        }
    }
}
