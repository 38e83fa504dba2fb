//! The work for hostile documents grows linearly with their length. The work is measured in
//! instructions, because the time depends mostly on the memory used by the parsers' trees. All
//! documents of a format are measured together: at this size, a single document with quadratic work
//! outweighs all others.

use super::extractor;
use urikit_extract::document::Format;
use urikit_testkit::instructions::{assert_linear_in_instructions, size_of_work};

/// Unclosed constructs, and constructs to repeat.
const HTML: [&str; 38] = [
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
    "<base x>",
    "<b",
    "<!-- <!-- ",
    "<script>'",
    "<script>\\\"",
    "<script type=application/json>\"",
    "<script type=importmap>{\"a\":\"/b\",",
    "<p data-a='{\"",
    "<p onclick='\"a",
    "<p data-a=b data-c=d",
    "<a b=c B=d ",
    "<svg><desc>",
    "<svg><p>",
    "<math><annotation-xml encoding=text/html>",
];

/// Input that takes quadratic time in some Markdown parsers.
const MARKDOWN: [&str; 29] = [
    "[", "]", "![", "[a](", "[a](<", "[a](b)", "[a][b]", "[a]: b\n", "<", "<a>", "<http://", "*a ",
    "_", "`", "``a` ", "> ", "- ", "\\", "&amp;", "![[]()", "a:", "http://", "<!--", "|a", "$",
    "[^a] ", "a://*b*", "a *b* ", "---\n",
];

/// The start of each message, and the text to repeat after it.
const MAIL: [(&str, &str); 18] = [
    ("", "From a@b Thu Jan 1 00:00:00 1998\n\n"),
    ("", "A: b\n"),
    ("A: ", "=?utf-8?Q?a?="),
    ("A: ", "=?a?Q?"),
    ("A: ", "=?"),
    ("Content-Type: ", "a;"),
    ("Content-Type: ", "("),
    ("Content-Type: text/plain", "; a*1=b"),
    ("Content-Type: text/plain", "; a*0*=b''"),
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

/// The start of each document, and the text to repeat after it.
const MARKUP: [(Format, &str, &str); 74] = [
    (Format::Xml, "", "<a>"),
    (Format::Xml, "", "<a href='b' "),
    (Format::Xml, "", "<a xml:base='b'>"),
    (Format::Xml, "<a ", "href='b' rel='c' "),
    (Format::Xml, "", "<![CDATA["),
    (Format::Xml, "", "<!--"),
    (Format::Xml, "", "<!-- --> "),
    (Format::Xml, "", "&amp;"),
    (Format::Xml, "", "&"),
    (Format::Xml, "<description>", "&lt;a href='b'&gt;"),
    (Format::Xml, "<!DOCTYPE a [", "<!ENTITY b '&b;&b;'>"),
    (Format::Css, "", "/*"),
    (Format::Css, "", "url("),
    (Format::Css, "", "url(a) /* b */"),
    (Format::Css, "", "\\"),
    (Format::Css, "", "//"),
    (Format::Css, "", "/"),
    (Format::Csv, "", "\""),
    (Format::Csv, "\"", "\"\""),
    (Format::Csv, "\"http://a/", ",b"),
    (Format::Csv, "", "http://a/,"),
    (Format::Csv, "sep=h\n", "http://a/"),
    (Format::Rst, "", "`"),
    (Format::Rst, "", "``"),
    (Format::Rst, "", "`a <b>`_ "),
    (Format::Rst, "", "`<"),
    (Format::Rst, "", ".. _a: b\n"),
    (Format::Rst, "", ".. a\n"),
    (Format::Rst, "", ".. _a\\:"),
    (Format::Rst, "", "\\"),
    (Format::Asciidoc, "", "["),
    (Format::Asciidoc, "", "link:["),
    (Format::Asciidoc, "", "link:a"),
    (Format::Asciidoc, "", "link:a[]"),
    (Format::Asciidoc, "", "<<"),
    (Format::Asciidoc, "", "<<a"),
    (Format::Asciidoc, ":a: b\n", "link:{a}{a}[] "),
    (Format::Asciidoc, "", ":a: {a}{a}b\n"),
    (Format::Gemtext, "", "=> a b\n"),
    (Format::Gemtext, "", "```\n"),
    (Format::Gemtext, "=>", " a"),
    (Format::Org, "", "[["),
    (Format::Org, "", "[[a]"),
    (Format::Org, "", "[[a][b]]"),
    (Format::Org, "", "[[a]["),
    (Format::Org, "", "[[\\"),
    (Format::Org, "#+LINK: a http://b/\n", "[[a:c]] "),
    (Format::Org, "", "#+LINK: a b\n"),
    (Format::Latex, "", "\\url{"),
    (Format::Latex, "", "\\url{a}"),
    (Format::Latex, "", "\\href[a]{"),
    (Format::Latex, "", "\\begin{verbatim}"),
    (Format::Latex, "", "{"),
    (Format::Latex, "", "%"),
    (Format::Latex, "", "\\hyperbaseurl{a}"),
    (Format::Roff, "", ".UR a\n"),
    (Format::Roff, "", ".B \\"),
    (Format::Roff, "", "\\["),
    (Format::Roff, "", "\\h'"),
    (Format::Roff, ".B ", "\"a\" "),
    (Format::Jupyter, "{\"cells\":[", "{\"source\":[\"a\"]},"),
    (Format::Jupyter, "{\"cells\":[", "{"),
    (Format::Jupyter, "", "[\""),
    (
        Format::Jupyter,
        "{\"cells\":[{\"cell_type\":\"markdown\",\"source\":[",
        "\"[a](b)\",",
    ),
    (Format::Icalendar, "", "URL:a\n b\n"),
    (Format::Icalendar, "URL", ";A=\"b\""),
    (Format::Icalendar, "A:", "\\n"),
    (
        Format::Har,
        "{\"log\":{\"entries\":[",
        "{\"request\":{\"url\":\"http://a/\"}},",
    ),
    (Format::Har, "{\"log\":{\"entries\":[", "{"),
    (
        Format::Har,
        "{\"log\":{\"entries\":[{\"response\":{\"headers\":[",
        "{\"name\":\"Location\",\"value\":\"b\"},",
    ),
    (
        Format::Wat,
        WAT_LINKS,
        "{\"path\":\"A@/href\",\"url\":\"a\"},",
    ),
    (Format::Wat, WAT_LINKS, "{"),
    (Format::Wat, "", "{\"Base\":\"a\"},"),
    (Format::Wat, "{\"Envelope\":\"", "\\"),
];

/// The beginning of the links of a WAT record.
const WAT_LINKS: &str = "{\"Envelope\":{\"Payload-Metadata\":{\"HTTP-Response-Metadata\":{\
    \"HTML-Metadata\":{\"Links\":[";

/// The start of a definition, its end, and a use of it. Both the definition and its uses grow.
const DEFINITIONS: [(Format, &str, &str, &str); 4] = [
    (Format::Asciidoc, ":imagesdir: ", "\n\n", "image:y[] "),
    (Format::Asciidoc, ":a: ", "\n\n", "link:{a}[] "),
    (Format::Org, "#+LINK: a ", "\n\n", "[[a:b]] "),
    (Format::Markdown, "[d]: ", "\n\n", "[d] "),
];

#[test]
fn definitions() {
    if let Some(size) = size_of_work() {
        for (format, beginning, end, part) in DEFINITIONS {
            let definition = "x".repeat(size);
            let uses = part.repeat(size / part.len());
            let document = [beginning, &definition, end, &uses].concat();
            let extractor = extractor(None);
            extractor
                .extract(format, document.as_bytes(), &mut |_| {})
                .unwrap();
        }
        return;
    }
    match assert_linear_in_instructions("linear::definitions", 1 << 18) {
        Some(ratio) => println!("long definitions with many uses: {ratio:.3} times for 4 n"),
        None => println!(
            "SKIPPED long definitions with many uses: valgrind is not installed; \
             ./test --install installs it"
        ),
    }
}

#[test]
fn markup() {
    if let Some(size) = size_of_work() {
        for (format, beginning, part) in MARKUP {
            let document = [beginning, &*part.repeat(size / part.len())].concat();
            let extractor = extractor(Some("http://a/"));
            extractor
                .extract(format, document.as_bytes(), &mut |_| {})
                .unwrap();
        }
        return;
    }
    match assert_linear_in_instructions("linear::markup", 1 << 13) {
        Some(ratio) => println!("hostile documents of text formats: {ratio:.3} times for 4 n"),
        None => println!(
            "SKIPPED hostile documents of text formats: valgrind is not installed; \
             ./test --install installs it"
        ),
    }
}

/// Reads documents of a given size, or measures that work in another process.
fn assert_linear(name: &str, format: Format, hostile: &[(&str, &str)]) {
    if let Some(size) = size_of_work() {
        for (beginning, part) in hostile {
            let document = [beginning, &*part.repeat(size / part.len())].concat();
            for deep in [false, format == Format::Html] {
                let extractor = extractor(Some("http://a/")).deep(deep);
                extractor
                    .extract(format, document.as_bytes(), &mut |_| {})
                    .unwrap();
            }
        }
        return;
    }
    match assert_linear_in_instructions(name, 1 << 13) {
        Some(ratio) => println!(
            "{} hostile documents of {format}: {ratio:.3} times the instructions for 4 n",
            hostile.len()
        ),
        None => println!(
            "SKIPPED hostile documents of {format}: valgrind is not installed; \
             ./test --install installs it"
        ),
    }
}

#[test]
fn html() {
    assert_linear("linear::html", Format::Html, &HTML.map(|part| ("", part)));
}

#[test]
fn markdown() {
    assert_linear(
        "linear::markdown",
        Format::Markdown,
        &MARKDOWN.map(|part| ("", part)),
    );
}

#[test]
fn mail() {
    assert_linear("linear::mail", Format::Mail, &MAIL);
}
