//! The references in attribute values.

use super::attributes::Holds;
use super::css::Scanner;
use super::entity;
use super::event::{Each, Event, clean, trim};
use super::token::Attribute;
use super::{refresh, srcset};
use crate::decode::OffsetMap;
use crate::found::{Place, Unresolved};
use crate::link::{Kind, Marks};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// The value of an attribute, decoded.
pub(crate) struct Value<'a> {
    attribute: Attribute<'a>,
    decoded: Cow<'a, [u8]>,
    /// Absent if nothing had to be decoded.
    map: Option<OffsetMap>,
}

impl<'a> Value<'a> {
    pub(crate) fn new(attribute: Attribute<'a>) -> Self {
        let mut value = Self {
            attribute,
            decoded: Cow::Borrowed(attribute.value),
            map: None,
        };
        if memchr::memchr2(b'&', 0, attribute.value).is_some() {
            let mut map = OffsetMap::new(attribute.start);
            let mut out = Vec::with_capacity(attribute.value.len());
            entity::decode(attribute.value, true, true, &mut out, &mut map);
            value.decoded = Cow::Owned(out);
            value.map = Some(map);
        }
        value
    }

    pub(crate) fn decoded(&self) -> &[u8] {
        &self.decoded
    }

    /// The value as text.
    pub(crate) fn into_text(self) -> Cow<'a, str> {
        match self.decoded {
            Cow::Borrowed(text) => String::from_utf8_lossy(text),
            Cow::Owned(text) => Cow::Owned(String::from_utf8_lossy(&text).into_owned()),
        }
    }

    /// The range in the document of a range of the decoded value, and what is written there.
    pub(crate) fn locate(&self, range: Range<usize>) -> (Range<usize>, &'a [u8]) {
        let start = self.attribute.start;
        let range = match &self.map {
            Some(map) => map.range(range),
            None => start + range.start..start + range.end,
        };
        let written = range.start.saturating_sub(start)..range.end.saturating_sub(start);
        let written = self.attribute.value.get(written).unwrap_or_default();
        (range, written)
    }

    /// The complete value as one reference, without the white space around it.
    pub(crate) fn one<'b>(&'b self, place: &Place<'b>) -> Unresolved<'b> {
        self.reference(0..self.decoded.len(), place, None)
    }

    fn reference<'b>(
        &'b self,
        range: Range<usize>,
        place: &Place<'b>,
        codebase: Option<&Arc<str>>,
    ) -> Unresolved<'b> {
        let range = trim(&self.decoded, range);
        let uri = clean(self.decoded.get(range.clone()).unwrap_or_default());
        self.found(range, uri, place, codebase)
    }

    fn found<'b>(
        &'b self,
        range: Range<usize>,
        uri: Cow<'b, str>,
        place: &Place<'b>,
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
            place: place.clone(),
            marks: Marks {
                is_cut: self.attribute.is_cut,
                ..Marks::MARKUP
            },
        }
    }

    /// Calls `each` with the references in the value, which is at this place. `codebase` applies to
    /// those that are relative to it. A document within the value is read by the caller.
    pub(crate) fn references(
        &self,
        holds: Holds,
        place: &Place<'_>,
        codebase: Option<&Arc<str>>,
        each: &mut Each<'_>,
    ) {
        let all = 0..self.decoded.len();
        match holds {
            Holds::One => each(Event::Reference(self.one(place))),
            Holds::OneInCodebase => each(Event::Reference(self.reference(all, place, codebase))),
            Holds::Many => self.list(u8::is_ascii_whitespace, place, None, each),
            Holds::ManyInCodebase => self.list(u8::is_ascii_whitespace, place, codebase, each),
            Holds::CommaListInCodebase => self.list(|byte| *byte == b',', place, codebase, each),
            Holds::Images => {
                for range in srcset::urls(&self.decoded) {
                    each(Event::Reference(self.reference(range, place, None)));
                }
            }
            Holds::Content => {
                if let Some(range) = refresh::url(&self.decoded) {
                    each(Event::Reference(self.reference(range, place, None)));
                }
            }
            Holds::Style => {
                Scanner::default().scan(&self.decoded, true, &mut |range, url| {
                    let uri = clean(&url);
                    each(Event::Reference(self.found(range, uri, place, None)));
                });
            }
            Holds::Document => {}
        }
    }

    fn list(
        &self,
        is_separator: impl Fn(&u8) -> bool,
        place: &Place<'_>,
        codebase: Option<&Arc<str>>,
        each: &mut Each<'_>,
    ) {
        let mut start = 0;
        for part in self.decoded.split(is_separator) {
            let range = trim(&self.decoded, start..start + part.len());
            start += part.len() + 1;
            if !range.is_empty() {
                each(Event::Reference(self.reference(range, place, codebase)));
            }
        }
    }
}
