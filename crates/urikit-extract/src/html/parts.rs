//! The elements, the text and the comments of a page, for programs that need more than its
//! references.

use super::attributes::Value;
use super::charset::charset;
use super::text::decode_references;
use super::token::{Sink, Tag, Text, TextKind, Tokenizer};
use crate::decode::{Mark, OffsetMap, mark, needs_decoding};
use std::borrow::Cow;

/// A part of a page, as [`html_parts`] passes it to its callback.
#[derive(Debug)]
#[non_exhaustive]
pub enum HtmlPart<'a> {
    /// A start tag.
    Element(HtmlElement<'a>),
    /// Text with its character references decoded. Text may arrive in several pieces.
    Text(Cow<'a, str>),
    /// The content of a script or style sheet.
    Code(&'a [u8]),
}

/// A start tag.
#[derive(Clone, Copy, Debug)]
pub struct HtmlElement<'a>(Tag<'a>);

impl<'a> HtmlElement<'a> {
    /// Returns true if the element has this name, ignoring case.
    pub fn is(&self, name: &str) -> bool {
        self.0.name.eq_ignore_ascii_case(name.as_bytes())
    }

    /// Returns the value of an attribute with its character references decoded. The name must be
    /// among those that [`html_parts`] was asked for.
    pub fn attribute(&self, name: &str) -> Option<Cow<'a, str>> {
        self.0.attribute(name).map(Value::new).map(Value::into_text)
    }
}

/// Calls `each` with the parts of a page, in order. `attributes` are the names, in lower case, of
/// the attributes that are needed.
///
/// A byte order mark or a declaration in the page determines the charset.
///
/// ```
/// use urikit_extract::document::{HtmlPart, html_parts};
/// let mut ids = Vec::new();
/// html_parts(b"<h1 ID=a&amp;b>x</h1><p class=c>", &["id"], &mut |part| {
///     if let HtmlPart::Element(element) = part {
///         ids.extend(element.attribute("id").map(|id| id.into_owned()));
///     }
/// });
/// assert_eq!(ids, ["a&b"]);
/// ```
pub fn html_parts(page: &[u8], attributes: &[&str], each: &mut dyn FnMut(HtmlPart<'_>)) {
    let encoding = match mark(page) {
        Mark::Utf16(encoding, _) => Some(encoding),
        Mark::Utf8 => None,
        Mark::None => charset(page).filter(|encoding| needs_decoding(encoding)),
    };
    let decoded = encoding.map(|encoding| encoding.decode(page).0);
    let page = decoded.as_deref().map_or(page, str::as_bytes);
    let mut parts = Parts {
        attributes,
        each,
        is_style: false,
    };
    let mut tokenizer = Tokenizer::new();
    tokenizer.push(page, &mut parts);
    tokenizer.finish(&mut parts);
}

struct Parts<'p, 'c> {
    attributes: &'p [&'p str],
    each: &'p mut (dyn FnMut(HtmlPart<'_>) + 'c),
    is_style: bool,
}

impl Sink for Parts<'_, '_> {
    #[inline]
    fn wants(&self, name: &[u8]) -> bool {
        let mut attributes = self.attributes.iter();
        attributes.any(|wanted| name.eq_ignore_ascii_case(wanted.as_bytes()))
    }

    #[inline]
    fn start_tag(&mut self, tag: Tag<'_>) {
        self.is_style = tag.name.eq_ignore_ascii_case(b"style");
        (self.each)(HtmlPart::Element(HtmlElement(tag)));
    }

    fn end_tag(&mut self) {
        self.is_style = false;
    }

    #[inline]
    fn text(&mut self, text: Text<'_>) {
        let part = match text.kind {
            TextKind::Comment | TextKind::Doctype => return,
            TextKind::Script => HtmlPart::Code(text.bytes),
            TextKind::Raw if self.is_style => HtmlPart::Code(text.bytes),
            TextKind::Escaped if memchr::memchr(b'&', text.bytes).is_some() => {
                let mut decoded = Vec::with_capacity(text.bytes.len());
                let mut map = OffsetMap::new(0);
                decode_references(text.bytes, false, true, &mut decoded, &mut map);
                let decoded = String::from_utf8_lossy(&decoded).into_owned();
                HtmlPart::Text(Cow::Owned(decoded))
            }
            _ => HtmlPart::Text(String::from_utf8_lossy(text.bytes)),
        };
        (self.each)(part);
    }
}
