//! Tags: their names and attributes (HTML living standard, 13.2.5.8 and 13.2.5.32 to 13.2.5.40).

use super::cursor::{Cursor, NeedMoreInput, ends_name, is_space};
use core::ops::Range;
use std::collections::HashSet;

/// A start tag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tag<'a> {
    /// The name, as written.
    pub(crate) name: &'a [u8],
    pub(crate) model: ContentModel,
    /// True if the element is in SVG or MathML.
    pub(crate) is_foreign: bool,
    /// True if this is a foreign element with a self-closing tag.
    pub(crate) has_no_content: bool,
    /// True if the document ends within the tag.
    #[cfg_attr(not(test), allow(dead_code))]
    pub(crate) is_cut: bool,
    pub(super) input: &'a [u8],
    /// The offset of the input in the document.
    pub(super) start: usize,
    pub(super) spans: &'a [AttributeSpan],
}

/// The rules for reading the content of an element (HTML living standard, 13.2.6, with scripting
/// enabled).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ContentModel {
    /// Tags and character references.
    Data,
    /// Character references, but no tags.
    Rcdata,
    /// Raw text, with neither tags nor character references.
    RawText,
    Script,
    /// Raw text up to the end of the document.
    Plaintext,
    /// The root of SVG, which is foreign content.
    Svg,
    /// The root of MathML, which is foreign content.
    MathMl,
}

/// Returns the content model of an HTML element, and its name in lower case unless the model is
/// [`ContentModel::Data`].
#[inline]
pub(super) fn content_model(name: &[u8]) -> (ContentModel, &'static str) {
    let Some(first) = name.first() else {
        return (ContentModel::Data, "");
    };
    let (model, expected) = match (name.len(), first | 0x20) {
        (3, b'x') => (ContentModel::RawText, "xmp"),
        (3, b's') => (ContentModel::Svg, "svg"),
        (4, b'm') => (ContentModel::MathMl, "math"),
        (5, b't') => (ContentModel::Rcdata, "title"),
        (5, b's') => (ContentModel::RawText, "style"),
        (6, b's') => (ContentModel::Script, "script"),
        (6, b'i') => (ContentModel::RawText, "iframe"),
        (7, b'n') => (ContentModel::RawText, "noembed"),
        (8, b't') => (ContentModel::Rcdata, "textarea"),
        (8, b'n') if name.eq_ignore_ascii_case(b"noframes") => (ContentModel::RawText, "noframes"),
        (8, b'n') => (ContentModel::RawText, "noscript"),
        (9, b'p') => (ContentModel::Plaintext, "plaintext"),
        _ => return (ContentModel::Data, ""),
    };
    if name.eq_ignore_ascii_case(expected.as_bytes()) {
        (model, expected)
    } else {
        (ContentModel::Data, "")
    }
}

/// The position of an attribute in the input.
#[derive(Clone, Debug)]
pub(super) struct AttributeSpan {
    name: Range<usize>,
    value: Range<usize>,
    is_cut: bool,
}

/// The attributes of one tag.
#[derive(Default, Debug)]
pub(super) struct AttributeSpans {
    list: Vec<AttributeSpan>,
    /// The names in lower case, if the tag has more than [`Self::FEW`].
    names: HashSet<Vec<u8>>,
    /// True if all attributes with the same name are kept instead of only the first.
    pub(super) keeps_repeated: bool,
}

impl AttributeSpans {
    /// The number of attributes to compare one by one. With more attributes, a set keeps the work
    /// linear.
    const FEW: usize = 32;

    #[inline]
    pub(super) fn clear(&mut self) {
        self.list.clear();
        if !self.names.is_empty() {
            self.names = HashSet::new();
        }
    }

    pub(super) fn list(&self) -> &[AttributeSpan] {
        &self.list
    }

    /// Adds an attribute, unless an earlier attribute has the same name.
    fn push(&mut self, input: &[u8], span: AttributeSpan) {
        if self.keeps_repeated || self.is_first(input, &span.name) {
            self.list.push(span);
        }
    }

    /// Returns true if no earlier attribute of the tag has this name.
    fn is_first(&mut self, input: &[u8], name: &Range<usize>) -> bool {
        let written = |range: &Range<usize>| input.get(range.clone()).unwrap_or_default();
        let name = written(name);
        if self.list.len() < Self::FEW {
            let has_name = |span: &AttributeSpan| written(&span.name).eq_ignore_ascii_case(name);
            return !self.list.iter().any(has_name);
        }
        if self.names.is_empty() {
            let names = self.list.iter().map(|span| written(&span.name));
            self.names = names.map(<[u8]>::to_ascii_lowercase).collect();
        }
        self.names.insert(name.to_ascii_lowercase())
    }
}

/// An attribute.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attribute<'a> {
    /// The name, as written.
    pub(crate) name: &'a [u8],
    /// The value as written, without quotation marks, or an empty slice if the attribute has no
    /// value.
    pub(crate) value: &'a [u8],
    /// The offset of the value in the document.
    pub(crate) start: usize,
    /// True if the document ends within the value.
    pub(crate) is_cut: bool,
}

impl<'a> Tag<'a> {
    /// Iterates over the attributes that the sink wants, in order. If several have the same name,
    /// only the first is returned.
    pub(crate) fn attributes(self) -> impl Iterator<Item = Attribute<'a>> {
        self.spans.iter().map(move |span| Attribute {
            name: self.input.get(span.name.clone()).unwrap_or_default(),
            value: self.input.get(span.value.clone()).unwrap_or_default(),
            start: self.start + span.value.start,
            is_cut: span.is_cut,
        })
    }

    /// Returns the attribute with this name, ignoring case.
    pub(crate) fn attribute(self, name: &str) -> Option<Attribute<'a>> {
        let mut attributes = self.attributes();
        attributes.find(|found| found.name.eq_ignore_ascii_case(name.as_bytes()))
    }

    pub(crate) fn has_attributes(self) -> bool {
        !self.spans.is_empty()
    }
}

/// Reads the rest of a tag after its name, and keeps the wanted attributes. Returns whether the tag
/// is self-closing, or fails if the input ends within the tag.
#[inline]
pub(super) fn read_attributes(
    cursor: &mut Cursor<'_>,
    wants: impl Fn(&[u8]) -> bool,
    attributes: &mut AttributeSpans,
) -> Result<bool, NeedMoreInput> {
    let mut is_self_closing = false;
    loop {
        // Before attribute name state, after attribute value state and self-closing start tag state
        // (13.2.5.32, 13.2.5.39 and 13.2.5.40).
        match cursor.peek().ok_or(NeedMoreInput)? {
            b'>' => {
                cursor.bump();
                return Ok(is_self_closing);
            }
            byte @ (b'/' | b'\t' | b'\n' | 0x0C | b'\r' | b' ') => {
                is_self_closing = byte == b'/';
                cursor.bump();
            }
            _ => {
                is_self_closing = false;
                let span = read_attribute(cursor);
                let input = cursor.input();
                if wants(input.get(span.name.clone()).unwrap_or_default()) {
                    attributes.push(input, span);
                }
            }
        }
    }
}

/// Attribute name state (13.2.5.33) and after attribute name state (13.2.5.34).
#[inline]
fn read_attribute(cursor: &mut Cursor<'_>) -> AttributeSpan {
    let start = cursor.position();
    // An `=` at the start belongs to the name.
    cursor.bump();
    cursor.skip_while(|byte| !ends_name(byte) && byte != b'=');
    let end = cursor.position();
    cursor.skip_while(is_space);
    let (value, is_cut) = if cursor.take(b'=') {
        cursor.skip_while(is_space);
        read_value(cursor)
    } else {
        (end..end, cursor.is_at_end())
    };
    AttributeSpan {
        name: start..end,
        value,
        is_cut,
    }
}

/// Attribute value states (13.2.5.35 to 13.2.5.38). Returns the range of the value, and whether the
/// input ends within it.
#[inline]
fn read_value(cursor: &mut Cursor<'_>) -> (Range<usize>, bool) {
    match cursor.peek() {
        Some(quote @ (b'"' | b'\'')) => {
            cursor.bump();
            let start = cursor.position();
            let is_closed = cursor.seek(quote);
            let value = start..cursor.position();
            cursor.bump();
            (value, !is_closed)
        }
        Some(b'>') => (cursor.position()..cursor.position(), false),
        _ => {
            let start = cursor.position();
            cursor.skip_while(|byte| !is_space(byte) && byte != b'>');
            (start..cursor.position(), cursor.is_at_end())
        }
    }
}
