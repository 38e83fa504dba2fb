//! WAT records: JSON with the metadata of a web archive's records, in the form that
//! `ia-web-commons` writes and Common Crawl publishes.
//!
//! A WAT file is a web archive with one record for each record of another archive. The record for a
//! response lists the header fields and links of the page:
//!
//! ```text
//! {"Envelope": {
//!   "WARC-Header-Metadata": {"WARC-Target-URI": URL},
//!   "Payload-Metadata": {"HTTP-Response-Metadata": {
//!     "Headers": {"Location": URL},
//!     "HTML-Metadata": {
//!       "Head": {"Base": URL, "Link": [LINK], "Scripts": [LINK],
//!                "Metas": [{"property": NAME, "content": URL}]},
//!       "Links": [LINK]}}}}}
//! LINK = {"path": "A@/href", "url": URL, "rel": TEXT, "type": TEXT}
//! ```
//!
//! References in header fields are relative to the URL of the page, and links are relative to the
//! page's `Base`. Other strings, such as titles and the text of links, are not searched. Links in
//! style sheets have `href` instead of `url`.

use super::Prose;
use super::json::{FIELDS, Token, Tokens, decoded, lookup};
use crate::found::{Bases, Place};
use crate::html::{clean, is_url_property, refresh_url, trim};
use crate::reader::{Context, Each, Noticed};
use core::ops::Range;
use memchr::memmem;
use std::borrow::Cow;
use urikit::op::Layer;

const URL: [&str; 3] = ["Envelope", "WARC-Header-Metadata", "WARC-Target-URI"];

/// The path of a member of the response's metadata.
macro_rules! response {
    ($($name:literal),*) => {
        &["Envelope", "Payload-Metadata", "HTTP-Response-Metadata", $($name),*]
    };
}

const BASE: &[&str] = response!("HTML-Metadata", "Head", "Base");

/// A field with one value, or with several.
const HEADERS: [&[&str]; 2] = [response!("Headers", "*"), response!("Headers", "*", "*")];

/// The objects that describe a link.
const LINKS: [&[&str]; 4] = [
    response!("HTML-Metadata", "Links", "*"),
    response!("HTML-Metadata", "Head", "Link", "*"),
    response!("HTML-Metadata", "Head", "Scripts", "*"),
    response!("HTML-Metadata", "Head", "Metas", "*"),
];

/// Reads a complete record.
pub(crate) fn read(
    document: &[u8],
    context: Context<'_>,
    bases: &Bases,
    each: &mut Each<'_>,
) -> Noticed {
    let mut long = 0;
    let string = |path: &[&str]| {
        let (text, _) = decoded(document, lookup(document, 0, path)?);
        Some(String::from_utf8_lossy(&text).into_owned())
    };
    let within = |bases: &Bases, layer, url: Option<String>, long: &mut usize| match url {
        Some(url) => bases.within(layer, &url, long).into_owned(),
        None => bases.clone(),
    };
    let page = within(bases, Layer::Retrieval, string(&URL), &mut long);
    // Most pages have no base, and this search is faster than `lookup`.
    let base = memmem::find(document, b"\"Base\"").and_then(|_| string(BASE));
    let links = within(&page, Layer::Embedded, base, &mut long);

    let mut prose = Prose::new(document, context, &page, each);
    prose.noticed.exceeded.long_bases += long;
    let mut tokens = Tokens::new(document, 0);
    let mut open: Option<(usize, Link)> = None;
    while let Some(token) = tokens.next() {
        match token {
            Token::Open(_) => {
                if open.is_none() && LINKS.iter().any(|path| tokens.is_open_at(path)) {
                    open = Some((tokens.depth(), Link::default()));
                }
            }
            Token::Close(_) => {
                if let Some((_, link)) = open.take_if(|(depth, _)| tokens.depth() < *depth) {
                    prose.bases = Cow::Borrowed(&links);
                    link.report(&mut prose);
                }
            }
            Token::String(range) => {
                if let Some((depth, link)) = &mut open {
                    if tokens.depth() == *depth {
                        link.set(tokens.name(), range);
                    }
                } else if tokens.is_at(BASE) {
                    prose.bases = Cow::Borrowed(&page);
                    let place = Place::element_named("base").with_attribute("href");
                    report(&mut prose, range, place);
                } else if HEADERS.iter().any(|path| tokens.is_at(path)) {
                    let name = tokens.name();
                    if FIELDS.iter().any(|field| name.eq_ignore_ascii_case(field)) {
                        prose.bases = Cow::Borrowed(&page);
                        let place = Place::in_field(String::from_utf8_lossy(name));
                        report(&mut prose, range, place);
                    }
                }
            }
        }
    }
    if tokens.is_cut() {
        prose.noticed.malformed = Some(document.len());
    }
    prose.finish()
}

/// The members of an object that describes a link, as ranges of the document.
#[derive(Default)]
struct Link {
    path: Range<usize>,
    url: Option<Range<usize>>,
    rel: Option<Range<usize>>,
    media_type: Option<Range<usize>>,
    /// The members of a `meta` element.
    content: Option<Range<usize>>,
    property: Range<usize>,
    http_equiv: Range<usize>,
}

impl Link {
    fn set(&mut self, name: &[u8], value: Range<usize>) {
        match name {
            b"path" => self.path = value,
            b"url" | b"href" => self.url = Some(value),
            b"rel" => self.rel = Some(value),
            b"type" => self.media_type = Some(value),
            b"content" => self.content = Some(value),
            b"property" | b"name" => self.property = value,
            b"http-equiv" => self.http_equiv = value,
            _ => {}
        }
    }

    fn report(self, prose: &mut Prose<'_, '_>) {
        let document = prose.document;
        let value = |range: Range<usize>| document.get(range).unwrap_or_default();
        let meta = || Place::element_named("meta").with_attribute("content");
        if let Some(url) = self.url {
            let text = |range: Option<Range<usize>>| {
                let text = decoded(document, range?).0;
                Some(Cow::Owned(String::from_utf8_lossy(&text).into_owned()))
            };
            let place = place(value(self.path))
                .with_rel(text(self.rel))
                .with_type(text(self.media_type));
            report(prose, url, place);
        } else if let Some(content) = self.content {
            if is_url_property(value(self.property)) {
                report(prose, content, meta());
            } else if value(self.http_equiv).eq_ignore_ascii_case(b"refresh") {
                let (text, map) = decoded(document, content);
                if let Some(range) = refresh_url(&text) {
                    let url = text.get(range.clone()).unwrap_or_default();
                    prose.link(map.range(range), url, meta());
                }
            }
        }
    }
}

/// Returns the place for a path: `A@/href`, or `STYLE/#text` for the content of an element.
fn place(path: &[u8]) -> Place<'static> {
    let path = String::from_utf8_lossy(path).to_ascii_lowercase();
    match path.split_once('/') {
        Some((element, "#text")) => Place::element_named(element.to_owned()),
        Some((element, attribute)) => {
            let element = element.strip_suffix('@').unwrap_or(element);
            Place::element_named(element.to_owned()).with_attribute(attribute.to_owned())
        }
        None => Place::default(),
    }
}

/// Reports the reference in a string, without the white space around it.
fn report(prose: &mut Prose<'_, '_>, string: Range<usize>, place: Place<'_>) {
    let (text, map) = decoded(prose.document, string);
    let range = trim(&text, 0..text.len());
    let url = clean(text.get(range.clone()).unwrap_or_default());
    prose.link(map.range(range), url.as_bytes(), place);
}
