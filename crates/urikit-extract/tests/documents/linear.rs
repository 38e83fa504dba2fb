//! Bad documents take time that grows with their length and no faster. Both sizes are larger than the caches: else the step between those
//! would be measured.

use super::extractor;
use std::time::Instant;
use urikit_extract::document::Format;
use urikit_testkit::assert_linear;

/// What begins and never ends, and what is there again and again.
const HTML: [&str; 24] = [
    "<",
    "<a",
    "<a ",
    "<a href='",
    "<a href=\"x\">",
    "<a href=x ",
    "&",
    "&amp;",
    "&amp",
    "&#",
    "<!--",
    "<!-- -->",
    "-->",
    "<![CDATA[",
    "<svg>",
    "</a>",
    "<p>",
    "<style>",
    "<style>url(",
    "<noscript>",
    "<a style='url(",
    "http://",
    "<script>",
    "<base href=x>",
];

fn assert_bad_ones_are_linear(format: Format, parts: &[&str], size: usize) {
    let start = Instant::now();
    for part in parts {
        assert_linear(part, size, |size| {
            let document = part.repeat(size / part.len());
            let extractor = extractor(Some("http://a/"));
            move || {
                extractor
                    .extract(format, document.as_bytes(), &mut |_| {})
                    .unwrap();
            }
        });
    }
    println!(
        "{} bad documents of {format} in {:?} for n and for 4 n",
        parts.len(),
        start.elapsed()
    );
}

#[test]
fn html() {
    assert_bad_ones_are_linear(Format::Html, &HTML, 1 << 20);
}

/// What is known to have taken some Markdown parsers a square of the time.
const MARKDOWN: [&str; 26] = [
    "[", "]", "![", "[a](", "[a](<", "[a](b)", "[a][b]", "[a]: b\n", "<", "<a>", "<http://", "*a ",
    "_", "`", "``a` ", "> ", "- ", "\\", "&amp;", "![[]()", "a:", "http://", "<!--", "|a", "$",
    "[^a] ",
];

#[test]
fn markdown() {
    assert_bad_ones_are_linear(Format::Markdown, &MARKDOWN, 1 << 20);
}

/// Beginnings of messages, and what follows again and again.
const MAIL: [(&str, &str); 16] = [
    ("", "From a@b Thu Jan 1 00:00:00 1998\n\n"),
    ("", "A: b\n"),
    ("A: ", "=?utf-8?Q?a?="),
    ("A: ", "=?a?Q?"),
    ("A: ", "=?"),
    ("Content-Type: ", "a;"),
    ("Content-Type: ", "("),
    ("List-Help: ", "<("),
    ("From: ", "<a@b>, "),
    ("A: b\n", " \n"),
    ("Content-Type: multipart/mixed; boundary=b\n\n", "--b\n"),
    (
        "Content-Type: multipart/mixed; boundary=b\n\n",
        "--b\nContent-Type: multipart/mixed; boundary=c\n\n",
    ),
    (
        "Content-Type: message/rfc822\n\n",
        "Content-Type: message/rfc822\n\n",
    ),
    ("Content-Transfer-Encoding: quoted-printable\n\n", "a="),
    ("Content-Transfer-Encoding: base64\n\n", "aHR0cDov\n"),
    ("Content-Type: text/plain; format=flowed\n\n", "> a \n"),
];

#[test]
fn mail() {
    for (beginning, part) in MAIL {
        assert_linear(part, 1 << 19, |size| {
            let document = [beginning, &part.repeat(size / part.len())].concat();
            let extractor = extractor(None);
            move || {
                extractor
                    .extract(Format::Mail, document.as_bytes(), &mut |_| {})
                    .unwrap();
            }
        });
    }
    println!("{} bad messages", MAIL.len());
}
