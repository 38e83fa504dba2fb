//! Foreign HTML: only its references are changed, so that they lead through the gateway.

use super::Page;
use super::address::Links;
use askama::Template;
use std::ops::Range;
use urikit::op::Layer;
use urikit_extract::document::{Extractor, Format};

/// The maximum length of a document whose references are changed, in bytes. A longer one is passed
/// on unchanged; the security fields apply to both.
pub(super) const MOST: usize = 1 << 20;

/// A document in HTML.
pub(super) struct HtmlPage {
    pub(super) links: Links,
    /// The URL of the document, which is the base of its references.
    pub(super) url: String,
    /// The document, until it is too long.
    pub(super) held: Option<Vec<u8>>,
}

/// An address in an attribute.
#[derive(Template)]
#[template(ext = "html", source = "{{ address }}")]
struct Attribute<'a> {
    address: &'a str,
}

impl HtmlPage {
    fn rewrite(&self, document: &[u8], out: &mut Vec<u8>) {
        let mut changes: Vec<(Range<usize>, String)> = Vec::new();
        let extractor = Extractor::new();
        let extractor = extractor
            .clone()
            .base(Layer::Retrieval, &self.url)
            .unwrap_or(extractor);
        let _ = extractor.extract(Format::Html, document, &mut |found| {
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
            let address = self.links.address(&target).filter(|_| !is_base);
            changes.push((found.range(), address.unwrap_or_else(|| "#".to_owned())));
        });
        changes.sort_by_key(|(range, _)| range.start);
        let mut end = 0;
        for (range, address) in changes {
            // Ranges that overlap would change each other.
            let Some(before) = document.get(end..range.start) else {
                continue;
            };
            out.extend_from_slice(before);
            super::frame::write(&Attribute { address: &address }, out);
            end = range.end;
        }
        out.extend_from_slice(document.get(end..).unwrap_or_default());
    }
}

impl Page for HtmlPage {
    fn bytes(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        match &mut self.held {
            Some(held) if held.len() + bytes.len() <= MOST => held.extend_from_slice(bytes),
            Some(held) => {
                out.append(held);
                out.extend_from_slice(bytes);
                self.held = None;
            }
            None => out.extend_from_slice(bytes),
        }
    }

    fn end(&mut self, failed: Option<&str>, out: &mut Vec<u8>) -> bool {
        if let Some(document) = self.held.take() {
            self.rewrite(&document, out);
        }
        failed.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::HtmlPage;
    use crate::gateway::page::{Form, Links, Page as _};

    #[test]
    fn only_references_change() {
        let html = "<!-- <a href=x> --><base href='http://evil.example/'>\
            <A HREF=\"b?c&amp;d\" onclick='e()'>&lt; http://t/</A><img src=/i><a href=#f>\
            <a href='javascript:f()'><a href=http://w/>\u{e9}";
        let mut page = HtmlPage {
            links: Links {
                form: Form::Prefix,
                schemes: ["gopher".to_owned()].into(),
            },
            url: "gopher://h/h/a/x.html".to_owned(),
            held: Some(Vec::new()),
        };
        let mut out = Vec::new();
        page.bytes(html.as_bytes(), &mut out);
        assert!(page.end(None, &mut out));
        let text = String::from_utf8(out).unwrap();
        assert_eq!(
            text,
            "<!-- <a href=x> --><base href='#'>\
             <A HREF=\"http://evil.example/b?c&#38;d\" onclick='e()'>&lt; http://t/</A>\
             <img src=http://evil.example/i><a href=#f><a href='#'><a href=http://w/>\u{e9}"
        );
    }
}
