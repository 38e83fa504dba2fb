//! Formats by how a document begins.

use super::Format;
use memchr::memmem;

/// The format of a text that is neither HTML nor mail, by its beginning; `None` for plain text.
pub(super) fn guess(content: &[u8]) -> Option<Format> {
    let start = content.trim_ascii_start();
    let is_word = |word: &&[u8]| {
        start
            .get(..word.len())
            .is_some_and(|begin| begin.eq_ignore_ascii_case(word))
    };
    if start.starts_with(b"<") {
        return is_xml(start).then_some(Format::Xml);
    }
    if start.starts_with(b"{") {
        return json(start);
    }
    if [&b"BEGIN:VCALENDAR"[..], b"BEGIN:VCARD"]
        .iter()
        .any(is_word)
    {
        return Some(Format::Icalendar);
    }
    if is_roff(content) {
        return Some(Format::Roff);
    }
    let has = |word: &[u8]| memmem::find(content, word).is_some();
    (has(b"\\documentclass") || has(b"\\begin{document}")).then_some(Format::Latex)
}

/// An XML declaration, or the root element of a common vocabulary.
fn is_xml(start: &[u8]) -> bool {
    const ROOTS: [&[u8]; 9] = [
        b"<?xml",
        b"<rss",
        b"<feed",
        b"<rdf:RDF",
        b"<urlset",
        b"<sitemapindex",
        b"<svg",
        b"<opml",
        b"<!DOCTYPE svg",
    ];
    ROOTS.iter().any(|root| {
        let after = start.strip_prefix(*root).and_then(|rest| rest.first());
        after.is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b'>')
    })
}

fn json(start: &[u8]) -> Option<Format> {
    let has = |word: &[u8]| memmem::find(start, word).is_some();
    let first = start.get(1..)?.trim_ascii_start();
    if (first.starts_with(b"\"cells\"") && has(b"\"cell_type\"")) || has(b"\"nbformat\"") {
        return Some(Format::Jupyter);
    }
    (first.starts_with(b"\"log\"") && has(b"\"creator\"")).then_some(Format::Har)
}

/// Comments and requests, of which one begins a manual page, or sets one of the usual macros up.
fn is_roff(content: &[u8]) -> bool {
    for line in content.split(|byte| *byte == b'\n').take(200) {
        let is_title = [&b".TH "[..], b".Dd ", b".Dt ", b".Sh NAME", b".SH NAME"]
            .iter()
            .any(|title| line.starts_with(title));
        if is_title {
            return true;
        }
        let is_request = line.starts_with(b".") || line.starts_with(b"'");
        if !is_request && !line.trim_ascii().is_empty() {
            return false;
        }
    }
    false
}
