//! iCalendar and vCard: URIs in properties and parameters, and links in the text of other
//! properties. Folded lines are joined (RFC 5545, 3.1; RFC 6350, 3.2), and escapes are removed.
//! Values in quoted-printable (vCard 2.1) are decoded.

use super::{Prose, has_scheme, lines, trim};
use crate::decode::OffsetMap;
use crate::format::Format;
use crate::found::{Bases, Place};
use crate::mail::decode_quoted_printable;
use crate::reader::{Context, Each, Noticed};
use core::ops::Range;
use memchr::memchr;

/// Properties whose values are URIs unless they are binary (RFC 5545, 3.8; RFC 7986, 5; RFC 9073,
/// 6; RFC 6350, 6).
const URIS: [&[u8]; 24] = [
    b"ATTACH",
    b"ATTENDEE",
    b"CALADRURI",
    b"CALENDAR-ADDRESS",
    b"CALURI",
    b"CONFERENCE",
    b"FBURL",
    b"IMAGE",
    b"IMPP",
    b"KEY",
    b"LINK",
    b"LOGO",
    b"MEMBER",
    b"ORGANIZER",
    b"PHOTO",
    b"RELATED",
    b"SOUND",
    b"SOURCE",
    b"STRUCTURED-DATA",
    b"TEL",
    b"TZURL",
    b"URL",
    b"X-WR-URL",
    b"CONTACT-URI",
];

/// Parameters whose values are URIs (RFC 5545, 3.2).
const PARAMETERS: [&[u8]; 8] = [
    b"ALTREP",
    b"DELEGATED-FROM",
    b"DELEGATED-TO",
    b"DIR",
    b"MEMBER",
    b"SCHEMA",
    b"SENT-BY",
    b"DERIVED-FROM",
];

/// Reads a complete document.
pub(crate) fn read(
    document: &[u8],
    context: Context<'_>,
    bases: &Bases,
    each: &mut Each<'_>,
) -> Noticed {
    let mut prose = Prose::new(document, context, bases, each);
    let mut logical = Content::default();
    for range in lines(document) {
        let line = document.get(range.clone()).unwrap_or_default();
        if !logical.continues && !matches!(line, [b' ' | b'\t', ..]) {
            logical.read(&mut prose);
        }
        logical.push(line, range.start);
    }
    logical.read(&mut prose);
    prose.finish()
}

/// An unfolded content line.
#[derive(Default)]
struct Content {
    text: Vec<u8>,
    map: OffsetMap,
    /// True if the value is in quoted-printable. The text contains the decoded value.
    is_quoted_printable: bool,
    /// True if the last line ends with a soft line break of quoted-printable.
    continues: bool,
}

/// A content line, divided into its parts.
struct Parts<'t> {
    name: &'t [u8],
    parameters: Vec<(&'t [u8], Range<usize>)>,
    value: usize,
}

impl Parts<'_> {
    /// Returns true if the first parameter with this name has this value in `line`.
    fn is(&self, line: &[u8], name: &[u8], expected: &[u8]) -> bool {
        let is_it = |found: &&(&[u8], Range<usize>)| found.0.eq_ignore_ascii_case(name);
        let found = self.parameters.iter().find(is_it);
        let value = found.and_then(|(_, range)| line.get(range.clone()));
        value.is_some_and(|value| value.eq_ignore_ascii_case(expected))
    }

    /// Returns true if the value is in quoted-printable, which vCard 2.1 and vCalendar 1.0 allow.
    fn is_quoted_printable(&self, line: &[u8]) -> bool {
        self.is(line, b"ENCODING", b"QUOTED-PRINTABLE")
    }
}

impl Content {
    fn push(&mut self, line: &[u8], start: usize) {
        // The length of the beginning that is not in quoted-printable.
        let mut plain = line.len();
        if self.text.is_empty() {
            let parts = parts(line).filter(|parts| parts.is_quoted_printable(line));
            self.is_quoted_printable = parts.is_some();
            plain = parts.map_or(plain, |parts| parts.value);
        } else if self.is_quoted_printable {
            plain = 0;
        }
        let skipped = usize::from(!self.text.is_empty() && !self.continues);
        self.continues = self.is_quoted_printable && line.trim_ascii_end().ends_with(b"=");
        let copied = line.get(skipped..plain).unwrap_or_default();
        self.map.skip_to(start + skipped);
        self.text.extend_from_slice(copied);
        self.map.copied(copied.len());
        if let Some(encoded) = line.get(plain.max(skipped)..) {
            decode_quoted_printable(encoded, &mut self.text, &mut self.map);
        }
    }

    fn read(&mut self, prose: &mut Prose<'_, '_>) {
        match parts(&self.text) {
            Some(parts) => self.property(&parts, prose),
            None => {
                prose.text(&self.text, &|range| self.map.range(range));
            }
        }
        *self = Self::default();
    }

    fn property(&self, parts: &Parts<'_>, prose: &mut Prose<'_, '_>) {
        let place = Place::in_field(String::from_utf8_lossy(parts.name));
        for (name, range) in &parts.parameters {
            if PARAMETERS
                .iter()
                .any(|known| known.eq_ignore_ascii_case(name))
            {
                let name = String::from_utf8_lossy(name);
                self.link(range.clone(), place.clone().with_attribute(name), prose);
            }
        }
        let value = trim(&self.text, parts.value..self.text.len());
        let written = self.text.get(value.clone()).unwrap_or_default();
        let is = |name: &[u8], expected: &[u8]| parts.is(&self.text, name, expected);
        let is_binary =
            is(b"VALUE", b"BINARY") || is(b"ENCODING", b"BASE64") || is(b"ENCODING", b"B");
        let is_uri = is(b"VALUE", b"URI") || is_known(parts.name);
        if is_binary {
            return;
        }
        if is_uri && has_scheme(written) {
            return self.link(value, place, prose);
        }
        let (text, map) = unescaped(written);
        let to_file = |inner: Range<usize>| {
            let inner = map.range(inner);
            self.map
                .range(inner.start + value.start..inner.end + value.start)
        };
        if is(b"FMTTYPE", b"text/html") {
            return prose.document(Format::Html, &text, &to_file);
        }
        prose.text(&text, &to_file);
    }

    fn link(&self, range: Range<usize>, place: Place<'_>, prose: &mut Prose<'_, '_>) {
        let range = trim(&self.text, range);
        let uri = self.text.get(range.clone()).unwrap_or_default();
        if !uri.is_empty() {
            prose.link(self.map.range(range), uri, place);
        }
    }
}

/// Returns true if the value of a property is a URI. In a vCard, a group may precede the name.
fn is_known(name: &[u8]) -> bool {
    let name = name.rsplit(|byte| *byte == b'.').next().unwrap_or(name);
    URIS.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Parses `name *(";" parameter) ":" value`.
fn parts(line: &[u8]) -> Option<Parts<'_>> {
    let is_end = |byte: &u8| matches!(byte, b';' | b':');
    let end = line.iter().position(is_end)?;
    let name = line.get(..end)?;
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._".contains(byte);
    if name.is_empty() || !name.iter().all(is_name) {
        return None;
    }
    let mut parameters = Vec::new();
    let mut at = end;
    while line.get(at) == Some(&b';') {
        let start = at + 1;
        let rest = line.get(start..)?;
        let is_end = |byte: &u8| matches!(byte, b'=' | b';' | b':');
        let length = rest.iter().position(is_end)?;
        let name = rest.get(..length)?;
        at = start + length;
        if line.get(at) != Some(&b'=') {
            continue;
        }
        // Multiple values are separated by commas.
        loop {
            let start = at + 1;
            if line.get(start) == Some(&b'"') {
                let length = memchr(b'"', line.get(start + 1..)?)?;
                parameters.push((name, start + 1..start + 1 + length));
                at = start + length + 2;
            } else {
                let rest = line.get(start..)?;
                let is_end = |byte: &u8| matches!(byte, b';' | b':' | b',');
                let length = rest.iter().position(is_end)?;
                parameters.push((name, start..start + length));
                at = start + length;
            }
            if line.get(at) != Some(&b',') {
                break;
            }
        }
    }
    (line.get(at) == Some(&b':')).then_some(Parts {
        name,
        parameters,
        value: at + 1,
    })
}

/// Removes escapes as defined in RFC 5545, 3.3.11.
fn unescaped(text: &[u8]) -> (Vec<u8>, OffsetMap) {
    let (mut out, mut map) = (Vec::with_capacity(text.len()), OffsetMap::new(0));
    let mut rest = text;
    loop {
        let plain = memchr(b'\\', rest).unwrap_or(rest.len());
        let (before, after) = rest.split_at(plain);
        out.extend_from_slice(before);
        map.copied(before.len());
        rest = match after {
            [b'\\', b'n' | b'N', rest @ ..] => {
                out.push(b'\n');
                map.replaced(1, 2);
                rest
            }
            [b'\\', next @ (b'\\' | b',' | b';' | b':'), rest @ ..] => {
                out.push(*next);
                map.replaced(1, 2);
                rest
            }
            [byte, rest @ ..] => {
                out.push(*byte);
                map.copied(1);
                rest
            }
            [] => return (out, map),
        };
    }
}
