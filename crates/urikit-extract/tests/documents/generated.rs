//! Documents made from the rows by changing them: no octets break an invariant.

use super::{extractor, pieces, rows};
use urikit_extract::document::Format;
use urikit_testkit::Random;

/// What the markup of the formats is made of.
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
        .filter(|format| !format.is_streamed());
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
