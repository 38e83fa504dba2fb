//! Documents in pieces, changed documents, documents that exceed the limits, and bytes that are not
//! text.

use super::{extractor, pieces, rows};
use urikit_extract::document::{Extractor, Format};
use urikit_testkit::Random;

#[test]
fn html_cut_at_every_byte() {
    cut("html.toml", Format::Html);
}

#[test]
fn text_cut_at_every_byte() {
    cut("text.toml", Format::Text);
    cut("csv.toml", Format::Csv);
    cut("tsv.toml", Format::Tsv);
}

#[test]
fn mail_cut_at_every_byte() {
    cut("mail.toml", Format::Mail);
}

fn cut(name: &str, format: Format) {
    let mut count = 0;
    for row in rows::read(name).row {
        let extractor = extractor(row.base.as_deref()).deep(row.deep);
        let document = row.bytes();
        let complete = pieces(&extractor, format, [document.as_slice()]);
        for cut in 0..=document.len() {
            let (first, second) = document.split_at(cut);
            let found = pieces(&extractor, format, [first, second]);
            assert_eq!(found, complete, "{} cut at {cut}", row.origin);
            count += 1;
        }
        let found = pieces(&extractor, format, document.chunks(1));
        assert_eq!(found, complete, "{} byte by byte", row.origin);
    }
    println!("{count} cuts");
}

/// Fragments of the markup of all formats.
const PIECES: [&str; 48] = [
    "`",
    "``",
    "`_",
    "<",
    ">",
    "[",
    "]",
    "[[",
    "]]",
    "][",
    "(",
    ")",
    "{",
    "}",
    "\\",
    "\"",
    "'",
    "\n",
    "\r\n ",
    "\n\n",
    ":",
    "::",
    ".. ",
    ".. _a: ",
    "link:",
    "image::",
    "xref:",
    "{a}",
    ":a: ",
    "#+LINK: a ",
    "file:",
    "\\href{",
    "\\url",
    "\\begin{verbatim}",
    "%",
    "\n.UR ",
    "\\(ti",
    "\\fB",
    "http://a.example/",
    "&amp;",
    "&#x41;",
    "<![CDATA[",
    "]]>",
    "<a xml:base='b'>",
    "\\u00e9",
    "\"text\":",
    "url(",
    "\u{e9}",
];

#[test]
fn changed_rows() {
    let formats = Format::ALL
        .into_iter()
        .filter(|format| !format.is_streamed() || *format == Format::Markdown);
    let mut random = Random::new(16);
    for format in formats {
        if format == Format::Xml && !cfg!(feature = "xml") {
            continue;
        }
        let rows = rows::read(&format!("{format}.toml")).row;
        for _ in 0..2000 {
            let row = random.pick(&rows);
            let mut document = row.bytes();
            for _ in 0..=random.below(6) {
                let at = random.below(document.len() + 1);
                let end = (at + random.below(12)).min(document.len());
                let piece = random.pick(&PIECES).as_bytes().to_vec();
                match random.below(4) {
                    0 => drop(document.splice(at..end, piece)),
                    1 => drop(document.drain(at..end)),
                    2 if at < document.len() => {
                        document[at] = u8::try_from(random.below(256)).unwrap();
                    }
                    _ => drop(document.splice(at..at, piece)),
                }
            }
            let extractor = extractor(row.base.as_deref());
            let complete = pieces(&extractor, format, [document.as_slice()]);
            for found in &complete {
                assert!(
                    found.start <= found.end && found.end <= document.len(),
                    "{format}"
                );
            }
            let size = 1 + random.below(9);
            let found = pieces(&extractor, format, document.chunks(size));
            assert_eq!(found, complete, "{format} in pieces of {size}");
        }
    }
}

/// Returns the references of a document that arrives in pieces of 100,000 bytes.
fn uris(document: &str) -> Vec<(usize, String)> {
    let extractor = extractor(None);
    pieces(
        &extractor,
        Format::Html,
        document.as_bytes().chunks(100_000),
    )
    .into_iter()
    .map(|found| (found.start, found.uri))
    .collect()
}

#[test]
fn unclosed_elements() {
    let element = "<b x><i href=\"a\">http://a.example/ ";
    let count = 300_000;
    let found = uris(&element.repeat(count));
    assert_eq!(found.len(), 2 * count);
    for (index, pair) in found.chunks(2).enumerate() {
        let start = index * element.len();
        assert_eq!(pair[0], (start + 14, "a".to_owned()));
        assert_eq!(pair[1], (start + 17, "http://a.example/".to_owned()));
    }
}

#[test]
fn long_element_names() {
    let names: Vec<String> = (0..40)
        .map(|index| format!("<x{}{index} href=a>", "y".repeat(1 << 20)))
        .collect();
    assert_eq!(uris(&names.concat()).len(), 40);
}

#[test]
fn long_values_and_comments() {
    let long = "x".repeat(6 << 20);
    let document = format!("<a href='{long}'><!-- {long} --><a href=b>");
    let found = uris(&document);
    assert_eq!(found.len(), 2);
    assert_eq!(found[0], (9, long));
    assert_eq!(found[1], (document.len() - 2, "b".to_owned()));
}

#[test]
fn a_tag_that_is_too_long_is_text() {
    for open in ["<a href='", "<a "] {
        let document = format!(
            "<a href=b>{open}http://a.example/ {} http://b.example/ ",
            " x".repeat(20 << 20)
        );
        let found = uris(&document);
        let first = document.find("http").unwrap();
        let last = document.rfind("http").unwrap();
        // The text after the first 16 MiB of the tag is text too.
        let expected = [
            (8, "b"),
            (first, "http://a.example/"),
            (last, "http://b.example/"),
        ];
        let expected = expected.map(|(start, uri)| (start, uri.to_owned()));
        assert_eq!(found, expected, "{open}");
    }
}

#[test]
fn comments_may_have_any_length() {
    for (open, close) in [
        ("<!-- ", "-->"),
        ("<![CDATA[", ">"),
        ("<script>", "</script>"),
    ] {
        let filler = " x".repeat(10 << 20);
        let document = format!("{open} http://a.example/ {filler}{close}<a href=b>");
        assert_eq!(
            uris(&document),
            [(document.len() - 2, "b".to_owned())],
            "{open}"
        );
    }
}

#[test]
fn bytes_that_are_not_utf8() {
    let document = b"<meta charset=utf-8><a href='/\xE9'>\
        \xFF http://a.example/\xE9t\xE9 \xC3\xA9</a><a href=b>";
    let mut found = Vec::new();
    let report = Extractor::new()
        .extract(Format::Html, document, &mut |reference| {
            found.push((reference.range(), reference.uri().to_owned()));
        })
        .unwrap();
    assert_eq!(report.invalid_bytes, 4);
    assert_eq!(
        found,
        [
            (29..31, "/\u{FFFD}".to_owned()),
            (35..52, "http://a.example/".to_owned()),
            (70..71, "b".to_owned()),
        ]
    );
}

#[test]
fn a_base_within_the_first_mebibyte_applies_to_references_before_it() {
    for (length, target) in [
        (0, "http://b/x"),
        (1 << 19, "http://b/x"),
        (1 << 20, "http://a/x"),
        (1 << 21, "http://a/x"),
    ] {
        let filler = " ".repeat(length);
        let document = format!("<p><a href=x>{filler}<base href=http://b/><a href=y>");
        for piece in [1000, 300_000, usize::MAX] {
            let mut targets = Vec::new();
            let extractor = extractor(Some("http://a/"));
            let mut extraction = extractor.begin(Format::Html);
            for piece in document.as_bytes().chunks(piece) {
                extraction
                    .push(piece, &mut |found| targets.extend(found.target()))
                    .unwrap();
            }
            let report = extraction.finish(&mut |found| targets.extend(found.target()));
            assert_eq!(targets, [target, "http://b/", "http://b/y"], "{length}");
            assert_eq!(
                report.exceeded.late_bases,
                usize::from(length >= 1 << 20),
                "{length}"
            );
        }
    }
}
