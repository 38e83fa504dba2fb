//! Bad documents take work that grows with their length and no faster: counted in instructions, since the parsers' trees are large and
//! the time that they take is the memory's. All of a format together: a square of this size outweighs everything else.

use super::extractor;
use urikit_extract::document::Format;
use urikit_testkit::instructions::{assert_linear_in_instructions, size_of_work};

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

/// What is known to have taken some Markdown parsers a square of the time.
const MARKDOWN: [&str; 26] = [
    "[", "]", "![", "[a](", "[a](<", "[a](b)", "[a][b]", "[a]: b\n", "<", "<a>", "<http://", "*a ",
    "_", "`", "``a` ", "> ", "- ", "\\", "&amp;", "![[]()", "a:", "http://", "<!--", "|a", "$",
    "[^a] ",
];

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

/// Reads documents of a size, or counts what that takes.
fn assert_bad_ones_are_linear(name: &str, format: Format, bad: &[(&str, &str)]) {
    if let Some(size) = size_of_work() {
        for (beginning, part) in bad {
            let document = [beginning, &*part.repeat(size / part.len())].concat();
            let extractor = extractor(Some("http://a/"));
            extractor
                .extract(format, document.as_bytes(), &mut |_| {})
                .unwrap();
        }
        return;
    }
    match assert_linear_in_instructions(name, 1 << 13) {
        Some(ratio) => println!(
            "{} bad documents of {format}: {ratio:.3} times the instructions for 4 n",
            bad.len()
        ),
        None => println!("SKIPPED bad documents of {format}: no valgrind"),
    }
}

#[test]
fn html() {
    assert_bad_ones_are_linear("linear::html", Format::Html, &HTML.map(|part| ("", part)));
}

#[test]
fn markdown() {
    assert_bad_ones_are_linear(
        "linear::markdown",
        Format::Markdown,
        &MARKDOWN.map(|part| ("", part)),
    );
}

#[test]
fn mail() {
    assert_bad_ones_are_linear("linear::mail", Format::Mail, &MAIL);
}
