//! The fields of a header.

use super::reader::{Mail, Source};
use super::word;
use crate::found::{Bases, Found, Place, Unresolved};
use crate::link::{Kind, Marks};
use core::ops::Range;
use std::borrow::Cow;

/// What a field holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Holds {
    /// References in angle brackets (RFC 2369, 2; RFC 5064, 2).
    InAngles,
    /// One reference (RFC 2110, 4; RFC 2557, 4).
    One,
    /// Text.
    Text,
    /// Nothing to follow: message identifiers, traces, signatures.
    Nothing,
}

fn holds(name: &[u8]) -> Holds {
    match name {
        b"list-help" | b"list-unsubscribe" | b"list-subscribe" | b"list-post" | b"list-owner"
        | b"list-archive" | b"archived-at" => Holds::InAngles,
        b"content-base" | b"content-location" => Holds::One,
        b"message-id"
        | b"references"
        | b"in-reply-to"
        | b"resent-message-id"
        | b"content-id"
        | b"supersedes"
        | b"received"
        | b"return-path"
        | b"path"
        | b"xref"
        | b"mime-version"
        | b"date"
        | b"content-transfer-encoding"
        | b"list-id"
        | b"list-unsubscribe-post"
        | b"dkim-signature"
        | b"domainkey-signature"
        | b"authentication-results" => Holds::Nothing,
        name if name.starts_with(b"arc-") => Holds::Nothing,
        _ => Holds::Text,
    }
}

/// The base URI that a header sets for its part.
#[derive(Default)]
pub(super) struct Base {
    pub(super) content_base: Option<String>,
    pub(super) content_location: Option<String>,
}

impl Mail<'_> {
    /// Calls `each` with the references in a field, whose value is at a range of the source.
    pub(super) fn field(
        &mut self,
        source: &Source<'_>,
        name: &[u8],
        range: Range<usize>,
        bases: &Bases,
        base: &mut Base,
    ) {
        let place = Place::in_field(String::from_utf8_lossy(name));
        let name = name.to_ascii_lowercase();
        let value = source.bytes.get(range.clone()).unwrap_or_default();
        match holds(&name) {
            Holds::Nothing => {}
            Holds::Text => {
                let decoded = word::decode(value);
                let text = decoded.as_ref().map_or(value, |(text, _)| text);
                self.plain(text, bases, &place, &|inner| {
                    let inner = match &decoded {
                        Some((_, map)) => map.range(inner),
                        None => inner,
                    };
                    (source.to_file)(inner.start + range.start..inner.end + range.start)
                });
            }
            Holds::InAngles => {
                for inner in in_angles(value) {
                    let written = value.get(inner.clone()).unwrap_or_default();
                    let at = inner.start + range.start..inner.end + range.start;
                    self.link(source, at, written, bases, &place);
                }
            }
            Holds::One => {
                let start = range.start + (value.len() - value.trim_ascii_start().len());
                let written = value.trim_ascii();
                let quoted = written
                    .strip_prefix(b"\"")
                    .and_then(|inner| inner.strip_suffix(b"\""));
                let (start, written) = quoted.map_or((start, written), |inner| (start + 1, inner));
                let at = start..start + written.len();
                let uri = self.link(source, at, written, bases, &place);
                let slot = if name == b"content-base" {
                    &mut base.content_base
                } else {
                    &mut base.content_location
                };
                slot.get_or_insert(uri);
            }
        }
    }

    /// Calls `each` with a reference, without the white space that folds it, and returns it.
    fn link(
        &mut self,
        source: &Source<'_>,
        range: Range<usize>,
        written: &[u8],
        bases: &Bases,
        place: &Place<'_>,
    ) -> String {
        let decoded = word::decode(written);
        let text = decoded.as_ref().map_or(written, |(text, _)| text);
        let mut uri = String::from_utf8_lossy(text).into_owned();
        uri.retain(|character| !character.is_ascii_whitespace());
        let found = Unresolved {
            range: (source.to_file)(range),
            kind: Kind::Link,
            text: Cow::Borrowed(written),
            uri: Cow::Borrowed(&uri),
            alternative: None,
            codebase: None,
            place: place.clone(),
            marks: Marks::MARKUP,
        };
        (self.each)(found.into_reference(Cow::Borrowed(bases)));
        uri
    }

    /// Calls `each` with the links in a text at a place, whose ranges `to_file` maps to the file.
    pub(super) fn plain(
        &mut self,
        text: &[u8],
        bases: &Bases,
        place: &Place<'_>,
        to_file: &dyn Fn(Range<usize>) -> Range<usize>,
    ) {
        for link in self.context.finder.links(text) {
            let range = link.range();
            let written = text.get(range.clone()).unwrap_or_default();
            let mut found = Found::plain(link, written, bases);
            found.range = to_file(range);
            found.place = place.clone();
            (self.each)(found);
        }
    }
}

/// The ranges in angle brackets, outside comments (RFC 2369, 2).
fn in_angles(value: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    let mut open = None;
    let mut bytes = value.iter().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match (byte, open) {
            (b'\\', None) if depth > 0 => {
                bytes.next();
            }
            (b'(', None) => depth += 1,
            (b')', None) => depth = depth.saturating_sub(1),
            (b'<', None) if depth == 0 => open = Some(at + 1),
            (b'>', Some(start)) => {
                let inner = value.get(start..at).unwrap_or_default();
                let white = inner.len() - inner.trim_ascii_start().len();
                found.push(start + white..start + white + inner.trim_ascii().len());
                open = None;
            }
            _ => {}
        }
    }
    found
}
