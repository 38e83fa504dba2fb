//! The references in attribute values.

use super::attributes::Holds;
use super::css::Scanner;
use super::entity;
use super::event::{Each, Event, clean, trim};
use super::lexer::Attribute;
use super::{refresh, srcset};
use crate::decode::OffsetMap;
use crate::found::{Place, Unresolved};
use crate::link::{Kind, Marks};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// The value of an attribute, decoded.
pub(crate) struct Value<'a> {
    attribute: &'a Attribute,
    place: &'a Place<'a>,
    decoded: Cow<'a, [u8]>,
    map: OffsetMap,
}

impl<'a> Value<'a> {
    /// The value of an attribute of the element at this place.
    pub(crate) fn new(attribute: &'a Attribute, place: &'a Place<'a>) -> Self {
        let mut map = OffsetMap::new(attribute.start);
        let decoded = if attribute.value.contains(&b'&') {
            let mut out = Vec::with_capacity(attribute.value.len());
            entity::decode(&attribute.value, true, true, &mut out, &mut map);
            Cow::Owned(out)
        } else {
            map.copied(attribute.value.len());
            Cow::Borrowed(attribute.value.as_slice())
        };
        Self {
            attribute,
            place,
            decoded,
            map,
        }
    }

    pub(crate) fn decoded(&self) -> &[u8] {
        &self.decoded
    }

    /// The range in the document of a range of the decoded value, and what is written there.
    pub(crate) fn locate(&self, range: Range<usize>) -> (Range<usize>, &[u8]) {
        let range = self.map.range(range);
        let start = self.attribute.start;
        let written = range.start.saturating_sub(start)..range.end.saturating_sub(start);
        let written = self.attribute.value.get(written).unwrap_or_default();
        (range, written)
    }

    /// The complete value as one reference, without the white space around it.
    pub(crate) fn one(&self) -> Unresolved<'_> {
        self.reference(0..self.decoded.len(), None)
    }

    fn reference(&self, range: Range<usize>, codebase: Option<&Arc<str>>) -> Unresolved<'_> {
        let range = trim(&self.decoded, range);
        let uri = clean(self.decoded.get(range.clone()).unwrap_or_default());
        self.found(range, uri, codebase)
    }

    fn found<'b>(
        &'b self,
        range: Range<usize>,
        uri: Cow<'b, str>,
        codebase: Option<&Arc<str>>,
    ) -> Unresolved<'b> {
        let (range, text) = self.locate(range);
        Unresolved {
            range,
            kind: Kind::Link,
            text: Cow::Borrowed(text),
            uri,
            alternative: None,
            codebase: codebase.cloned(),
            place: self.place.clone().with_attribute(&*self.attribute.name),
            marks: Marks::MARKUP,
        }
    }

    /// Calls `each` with the references in the value. `codebase` applies to those that are
    /// relative to it. A document within the value is read by the caller.
    pub(crate) fn references(
        &self,
        holds: Holds,
        codebase: Option<&Arc<str>>,
        each: &mut Each<'_>,
    ) {
        let all = 0..self.decoded.len();
        match holds {
            Holds::One => each(Event::Reference(self.one())),
            Holds::OneInCodebase => each(Event::Reference(self.reference(all, codebase))),
            Holds::Many => self.list(u8::is_ascii_whitespace, None, each),
            Holds::ManyInCodebase => self.list(u8::is_ascii_whitespace, codebase, each),
            Holds::CommaListInCodebase => self.list(|byte| *byte == b',', codebase, each),
            Holds::Images => {
                for range in srcset::urls(&self.decoded) {
                    each(Event::Reference(self.reference(range, None)));
                }
            }
            Holds::Content => {
                if let Some(range) = refresh::url(&self.decoded) {
                    each(Event::Reference(self.reference(range, None)));
                }
            }
            Holds::Style => {
                Scanner::default().scan(&self.decoded, true, &mut |range, url| {
                    let uri = clean(&url);
                    each(Event::Reference(self.found(range, uri, None)));
                });
            }
            Holds::Document => {}
        }
    }

    fn list(
        &self,
        is_separator: impl Fn(&u8) -> bool,
        codebase: Option<&Arc<str>>,
        each: &mut Each<'_>,
    ) {
        let mut start = 0;
        for part in self.decoded.split(is_separator) {
            let range = trim(&self.decoded, start..start + part.len());
            start += part.len() + 1;
            if !range.is_empty() {
                each(Event::Reference(self.reference(range, codebase)));
            }
        }
    }
}
