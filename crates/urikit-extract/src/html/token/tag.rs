//! Tags: names and attributes (HTML living standard, 13.2.5.8 and 13.2.5.32 to 13.2.5.40).

use super::element::Model;
use super::seek::{ends_name, find, is_space};
use core::ops::Range;
use std::collections::HashSet;

/// A start tag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tag<'a> {
    /// As written.
    pub(crate) name: &'a [u8],
    /// How its content is read.
    pub(crate) model: Model,
    /// In SVG or MathML.
    pub(crate) is_foreign: bool,
    /// Whether a foreign element has no content, as its tag says.
    pub(crate) is_closed: bool,
    /// Whether the document ends within the tag.
    #[cfg_attr(not(test), allow(dead_code))]
    pub(crate) is_cut: bool,
    /// The input, and its offset in the document.
    pub(super) input: &'a [u8],
    pub(super) start: usize,
    pub(super) spans: &'a [Span],
}

/// Where an attribute is in the input.
#[derive(Clone, Debug)]
pub(super) struct Span {
    name: Range<usize>,
    value: Range<usize>,
    is_cut: bool,
}

/// The attributes of one tag.
#[derive(Default, Debug)]
pub(super) struct Spans {
    list: Vec<Span>,
    /// The names, in lower case, once there are many.
    names: HashSet<Vec<u8>>,
    /// Whether all of a name are kept, not only the first.
    pub(super) keeps_all: bool,
}

impl Spans {
    /// How many attributes are compared with each other without a set.
    const FEW: usize = 32;

    #[inline]
    pub(super) fn clear(&mut self) {
        self.list.clear();
        if !self.names.is_empty() {
            self.names = HashSet::new();
        }
    }

    pub(super) fn list(&self) -> &[Span] {
        &self.list
    }

    /// Adds an attribute, unless there is one with this name.
    fn push(&mut self, input: &[u8], name: Range<usize>, value: Range<usize>, is_cut: bool) {
        let written = |span: Range<usize>| input.get(span).unwrap_or_default();
        if self.keeps_all {
        } else if self.list.len() < Self::FEW {
            let is_it = |span: &Span| {
                written(span.name.clone()).eq_ignore_ascii_case(written(name.clone()))
            };
            if self.list.iter().any(is_it) {
                return;
            }
        } else {
            if self.names.is_empty() {
                let names = self.list.iter().map(|span| span.name.clone());
                self.names = names
                    .map(|name| written(name).to_ascii_lowercase())
                    .collect();
            }
            if !self
                .names
                .insert(written(name.clone()).to_ascii_lowercase())
            {
                return;
            }
        }
        self.list.push(Span {
            name,
            value,
            is_cut,
        });
    }
}

/// An attribute.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attribute<'a> {
    /// As written.
    pub(crate) name: &'a [u8],
    /// As written, without quotation marks; empty if there is none.
    pub(crate) value: &'a [u8],
    /// The offset of the value in the document.
    pub(crate) start: usize,
    /// Whether the document ends within the value.
    pub(crate) is_cut: bool,
}

impl<'a> Tag<'a> {
    /// Those that the sink wants, in order. Of several with the same name, only the first counts.
    pub(crate) fn attributes(self) -> impl Iterator<Item = Attribute<'a>> {
        self.spans.iter().map(move |span| Attribute {
            name: self.input.get(span.name.clone()).unwrap_or_default(),
            value: self.input.get(span.value.clone()).unwrap_or_default(),
            start: self.start + span.value.start,
            is_cut: span.is_cut,
        })
    }

    /// The attribute with this name, in lower case.
    pub(crate) fn attribute(self, name: &str) -> Option<Attribute<'a>> {
        let mut attributes = self.attributes();
        attributes.find(|found| found.name.eq_ignore_ascii_case(name.as_bytes()))
    }

    pub(crate) fn has_attributes(self) -> bool {
        !self.spans.is_empty()
    }
}

/// A tag that was read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Read {
    pub(super) name_end: usize,
    pub(super) end: usize,
    pub(super) is_self_closing: bool,
}

/// Where a tag ends, or that it does not.
#[derive(Clone, Copy, Debug)]
pub(super) enum Outcome {
    Read(Read),
    /// The end of the input is within the tag. The name ends here.
    Cut(usize),
}

/// Reads the tag whose name begins at an offset, and appends the attributes that are wanted.
pub(super) fn read(
    input: &[u8],
    name: usize,
    wants: impl Fn(&[u8]) -> bool,
    spans: &mut Spans,
) -> Outcome {
    let byte = |at: usize| input.get(at).copied();
    let rest = input.get(name..).unwrap_or_default();
    let length = rest.iter().position(|byte| ends_name(*byte));
    let mut at = name + length.unwrap_or(rest.len());
    let name_end = at;
    let mut after_slash = false;
    loop {
        // Before attribute name, after attribute name, self-closing start tag.
        let Some(first) = byte(at) else {
            return Outcome::Cut(name_end);
        };
        if is_space(first) {
            at += 1;
            after_slash = false;
            continue;
        }
        if first == b'>' {
            return Outcome::Read(Read {
                name_end,
                end: at + 1,
                is_self_closing: after_slash,
            });
        }
        after_slash = first == b'/';
        if after_slash {
            at += 1;
            continue;
        }
        let name = at;
        let rest = input.get(at + 1..).unwrap_or_default();
        let length = rest
            .iter()
            .position(|byte| ends_name(*byte) || *byte == b'=');
        at += 1 + length.unwrap_or(rest.len());
        let name = name..at;
        let mut value = at..at;
        let mut is_cut = false;
        while byte(at).is_some_and(is_space) {
            at += 1;
        }
        if byte(at) == Some(b'=') {
            at += 1;
            while byte(at).is_some_and(is_space) {
                at += 1;
            }
            match byte(at) {
                Some(quote @ (b'"' | b'\'')) => {
                    let end = find(input, quote, at + 1);
                    is_cut = end.is_none();
                    value = at + 1..end.unwrap_or(input.len());
                    at = value.end + 1;
                }
                Some(b'>') => value = at..at,
                None => is_cut = true,
                Some(_) => {
                    let start = at;
                    while byte(at).is_some_and(|byte| !is_space(byte) && byte != b'>') {
                        at += 1;
                    }
                    is_cut = at == input.len();
                    value = start..at;
                }
            }
        } else {
            is_cut = at == input.len();
        }
        if wants(input.get(name.clone()).unwrap_or_default()) {
            spans.push(input, name, value, is_cut);
        }
    }
}

/// Reads the end tag whose name begins at an offset. Its attributes have no meaning.
#[inline]
pub(super) fn read_end(input: &[u8], name: usize, spans: &mut Spans) -> Outcome {
    let mut letters = input.get(name..).unwrap_or_default().iter();
    let length = letters.position(|byte| ends_name(*byte)).unwrap_or(0);
    let name_end = name + length;
    if input.get(name_end) == Some(&b'>') {
        return Outcome::Read(Read {
            name_end,
            end: name_end + 1,
            is_self_closing: false,
        });
    }
    spans.clear();
    read(input, name, |_| false, spans)
}
