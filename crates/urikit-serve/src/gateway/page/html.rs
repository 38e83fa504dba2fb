//! Foreign HTML: only its references are changed, so that they lead through the gateway.

use super::Page;
use super::address::Links;
use askama::Template;
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};
use std::ops::Range;
use std::sync::LazyLock;
use urikit_extract::document::{Extraction, Extractor, Format, Found};

/// The maximum length of the part of a document that is held in memory, in bytes: the first
/// mebibyte, which may declare a base, and a tag. If a tag is longer, the rest of the document is
/// passed on unchanged; the security fields apply to it as well.
pub(super) const MOST: usize = 2 << 20;

/// The length of a small window, in bytes.
const SMALL: usize = 16 << 10;

/// Reads all documents.
static EXTRACTOR: LazyLock<Extractor> = LazyLock::new(Extractor::new);

/// A document in HTML.
pub(super) struct HtmlPage {
    links: Links,
    /// Finds the references. `None` if they are not changed.
    extraction: Option<Extraction<'static>>,
    /// The last part of the document so far, in which a reference may begin.
    window: Vec<u8>,
    /// The offset of the window in the document.
    start: usize,
    /// The ranges of references in or after the window, with their addresses.
    changes: Vec<(Range<usize>, String)>,
}

/// An address in an attribute.
#[derive(Template)]
#[template(ext = "html", source = "{{ address }}")]
struct Attribute<'a> {
    address: &'a str,
}

impl HtmlPage {
    /// `url` is the URL of the document, which is the base of its references. `first` contains the
    /// first bytes of the document. References in UTF-16 are not changed, because addresses are
    /// written in US-ASCII.
    pub(super) fn new(links: Links, url: &str, charset: Option<&str>, first: &[u8]) -> Self {
        let is_wide = |label: &str| {
            let encoding = Encoding::for_label(label.as_bytes());
            encoding.is_some_and(|encoding| [UTF_16BE, UTF_16LE].contains(&encoding))
        };
        let has_mark = first.starts_with(b"\xff\xfe") || first.starts_with(b"\xfe\xff");
        let begun = EXTRACTOR.begin_at(Format::Html, url, charset);
        let begun = begun.unwrap_or_else(|_| EXTRACTOR.begin(Format::Html));
        Self {
            links,
            extraction: Some(begun).filter(|_| !has_mark && !charset.is_some_and(is_wide)),
            window: Vec::new(),
            start: 0,
            changes: Vec::new(),
        }
    }

    /// Writes the window up to an offset in the document, with changed references.
    fn write(&mut self, until: usize, out: &mut Vec<u8>) {
        self.changes.sort_by_key(|(range, _)| range.start);
        // A reference that crosses `until` is written later.
        let is_cut = |range: &Range<usize>| range.start < until && until < range.end;
        let cut = self.changes.iter().find(|(range, _)| is_cut(range));
        let until = cut.map_or(until, |(range, _)| range.start);
        let count = self
            .changes
            .partition_point(|(range, _)| range.end <= until);
        for (range, address) in self.changes.drain(..count) {
            // A range that overlaps the preceding one is not changed.
            let Some(distance) = range.start.checked_sub(self.start) else {
                continue;
            };
            out.extend(self.window.drain(..distance.min(self.window.len())));
            super::frame::write(&Attribute { address: &address }, out);
            self.window.drain(..range.len().min(self.window.len()));
            self.start = range.end;
        }
        let rest = until.saturating_sub(self.start);
        out.extend(self.window.drain(..rest.min(self.window.len())));
        self.start = self.start.max(until);
        // After the first mebibyte, the window is small.
        if self.window.len() < SMALL && self.window.capacity() > 4 * SMALL {
            self.window.shrink_to(2 * SMALL);
        }
    }
}

/// Takes note of a reference that must be changed.
fn note(links: &Links, changes: &mut Vec<(Range<usize>, String)>, found: &Found<'_>) {
    // Text is not changed, and a part of an attribute has no range of its own.
    if found.place().attribute().is_none() || found.part().is_some() {
        return;
    }
    // A base would apply to the changed references too.
    let is_base = found.place().element() == Some("base");
    let target = found.target().unwrap_or_else(|| found.uri().to_owned());
    let fragment_only = found.uri().starts_with('#');
    if fragment_only {
        return;
    }
    let address = links.address(&target).filter(|_| !is_base);
    changes.push((found.range(), address.unwrap_or_else(|| "#".to_owned())));
}

impl Page for HtmlPage {
    fn bytes(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let Self {
            links,
            extraction: Some(extraction),
            window,
            changes,
            ..
        } = self
        else {
            return out.extend_from_slice(bytes);
        };
        window.extend_from_slice(bytes);
        // HTML is not buffered, so it has no maximum length.
        let _ = extraction.push(bytes, &mut |found| note(links, changes, &found));
        let until = extraction.undecided_from();
        self.write(until, out);
        if self.window.len() > MOST {
            self.extraction = None;
            self.write(usize::MAX, out);
        }
    }

    fn end(&mut self, failed: Option<&str>, out: &mut Vec<u8>) -> bool {
        let Self { links, changes, .. } = self;
        if let Some(extraction) = self.extraction.take() {
            extraction.finish(&mut |found| note(links, changes, &found));
        }
        self.write(usize::MAX, out);
        failed.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::{HtmlPage, MOST, SMALL};
    use crate::gateway::page::{Form, Links, Page as _};

    const URL: &str = "gopher://h/h/a/x.html";

    fn page(charset: Option<&str>, first: &[u8]) -> HtmlPage {
        let links = Links {
            form: Form::Prefix,
            schemes: ["gopher".to_owned()].into(),
        };
        HtmlPage::new(links, URL, charset, first)
    }

    /// Returns the page for a document that arrives in pieces.
    fn changed(html: &[u8], charset: Option<&str>, length: usize) -> Vec<u8> {
        let mut page = page(charset, html);
        let mut out = Vec::new();
        for piece in html.chunks(length) {
            page.bytes(piece, &mut out);
        }
        assert!(page.end(None, &mut out));
        out
    }

    #[test]
    fn only_references_change() {
        let html = "<!-- <a href=x> --><base href='http://evil.example/'>\
            <A HREF=\"b?c&amp;d\" onclick='e()'>&lt; http://t/</A><img src=/i><a href=#f>\
            <a href='javascript:f()'><a href=http://w/>\u{e9}";
        for length in [1, 5, html.len()] {
            let text = String::from_utf8(changed(html.as_bytes(), None, length)).unwrap();
            assert_eq!(
                text,
                "<!-- <a href=x> --><base href='#'>\
                 <A HREF=\"http://evil.example/b?c&#38;d\" onclick='e()'>&lt; http://t/</A>\
                 <img src=http://evil.example/i><a href=#f><a href='#'><a href=http://w/>\u{e9}"
            );
        }
    }

    #[test]
    fn references_in_other_charsets_change() {
        let html = b"<a href='/\xe9'>\xe9</a><a href=b>";
        let expected = b"<a href='/gopher://h/%C3%A9'>\xe9</a><a href=/gopher://h/h/a/b>";
        assert_eq!(changed(html, Some("iso-8859-1"), 3), expected);
        // The address would have to be written in UTF-16.
        for (charset, html) in [
            (None, b"\xff\xfe<\0a\0 \0h\0r\0e\0f\0=\0b\0>\0".as_slice()),
            (Some("UTF-16BE"), b"\0<\0a\0 \0h\0r\0e\0f\0=\0b\0>"),
        ] {
            assert_eq!(changed(html, charset, 2), html);
        }
    }

    /// References anywhere in a long document change, and memory does not grow with it.
    #[test]
    fn long_documents_change_in_a_window() {
        let mut page = page(None, b"");
        let (mut written, mut out, mut largest) = (0, Vec::new(), 0);
        let (piece, count) = (format!("<p>{}</p><a href=b>c</a>", "t ".repeat(2000)), 2000);
        for _ in 0..count {
            page.bytes(piece.as_bytes(), &mut out);
            largest = largest.max(page.window.len()).max(page.changes.len());
            let text = String::from_utf8(std::mem::take(&mut out)).unwrap();
            written += text.matches("<a href=/gopher://h/h/a/b>").count();
        }
        assert!(page.window.capacity() <= 4 * SMALL);
        assert!(page.end(None, &mut out));
        written += String::from_utf8(out)
            .unwrap()
            .matches("<a href=/gopher:")
            .count();
        assert_eq!(written, count);
        assert!(largest <= (1 << 20) + 2 * piece.len(), "{largest}");
    }

    /// An endless tag is passed on, and so is everything after it.
    #[test]
    fn the_window_has_a_limit() {
        let mut page = page(None, b"");
        let mut out = Vec::new();
        page.bytes(b"<a href=b><a x='", &mut out);
        let (mut passed, piece) = (out.len(), vec![b'y'; 64 << 10]);
        for _ in 0..100 {
            page.bytes(&piece, &mut out);
            assert!(page.window.len() <= MOST + (64 << 10));
            passed += out.len();
            out.clear();
        }
        page.bytes(b"'><a href=c>", &mut out);
        assert!(out.ends_with(b"'><a href=c>"));
        assert!(passed > 100 * (64 << 10));
    }
}
