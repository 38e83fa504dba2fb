//! The fast path for processors without a scanner: one loop per component, and a table of character
//! classes.
//!
//! Like the reader with masks, this path returns the same layout as the byte-by-byte parser, and
//! never an error. Both paths give up on the same references. This path is faster than the
//! byte-by-byte parser because it records nothing for an error message. Each component is one run
//! of characters of one class, and a host name is checked while it is read.

mod authority;

use super::ends::{Start, after_scheme, finish, http_or_https, start};
use super::{FastGrammar, Packed, Prefix, Suffix};
use crate::MAX_LEN;
use crate::grammar::{ByteSet, HEX_DIGITS, LETTERS, rfc3986};
use crate::layout::Delimiter;
use crate::parse::walk::{is_at, is_in};
use urikit_scan::{Bytes, Classes};

/// The bit of each class in the table of a grammar.
const SCHEME: u8 = 1 << 0;
const USERINFO: u8 = 1 << 1;
const AUTHORITY: u8 = 1 << 2;
const FIRST_SEGMENT: u8 = 1 << 3;
const PATH: u8 = 1 << 4;
/// The class of both the query and the fragment.
const QUERY: u8 = 1 << 5;
const HEX_DIGIT: u8 = 1 << 6;

/// Returns the class table of a grammar.
pub(super) const fn classes<G: FastGrammar>() -> Classes {
    let path = G::CHARACTERS.without(ByteSet::of(b"?#%"));
    let authority = if G::IP_LITERALS {
        path.or(ByteSet::of(b"[]"))
    } else {
        path
    };
    Classes::EMPTY
        .with(rfc3986::SCHEME.set(), SCHEME)
        .with(&path.without(ByteSet::of(b"/@")), USERINFO)
        .with(&authority.without(ByteSet::of(b"/")), AUTHORITY)
        .with(&path.without(ByteSet::of(b"/:")), FIRST_SEGMENT)
        .with(&path, PATH)
        .with(&path.or(ByteSet::of(b"?")), QUERY)
        .with(&HEX_DIGITS, HEX_DIGIT)
}

/// Parses a reference of the grammar `G`.
#[inline(always)]
pub(super) fn read<G: FastGrammar>(bytes: &mut Bytes<'_>) -> Option<Packed> {
    if bytes.text().len() > MAX_LEN {
        return None;
    }
    let start = read_start::<G>(bytes)?;
    let prefix = if start.authority == 0 {
        Prefix::without_authority(start.scheme)
    } else {
        authority::read::<G>(bytes, start)?
    };
    // Many references end after the host, or after the slash that follows it.
    bytes.skip(*b"/");
    if bytes.peek().is_some() {
        run::<G>(bytes, PATH)?;
    }
    let suffix = Suffix {
        query: component::<G>(bytes, b'?')?,
        fragment: component::<G>(bytes, b'#')?,
    };
    finish::<G>(bytes.text(), prefix, suffix, true)
}

/// Reads a query or a fragment if one comes next. Returns its delimiter.
#[inline(always)]
fn component<G: FastGrammar>(bytes: &mut Bytes<'_>, delimiter: u8) -> Option<Delimiter> {
    let at = bytes.at();
    if !bytes.skip([delimiter]) {
        return Some(Delimiter::ABSENT);
    }
    run::<G>(bytes, QUERY)?;
    Some(Delimiter::at(at))
}

/// Advances past escapes and characters of a class. Returns `None` if an escape is malformed.
#[inline(always)]
fn run<G: FastGrammar>(bytes: &mut Bytes<'_>, class: u8) -> Option<()> {
    if bytes.run(G::CLASSES, class) == Some(b'%') {
        *bytes = escaped::<G>(*bytes, class)?;
    }
    Some(())
}

/// Advances past the rest of a component, which begins with an escape. Returns `None` if an escape
/// is malformed.
// Most runs of characters between escapes are short.
#[inline(never)]
fn escaped<G: FastGrammar>(mut bytes: Bytes<'_>, class: u8) -> Option<Bytes<'_>> {
    while bytes.peek() == Some(b'%') {
        if !bytes.skip_escape(G::CLASSES, HEX_DIGIT) {
            return None;
        }
        // Escapes of non-ASCII octets usually follow each other.
        while bytes.skip_escape(G::CLASSES, HEX_DIGIT) {}
        bytes.short_run(G::CLASSES, class);
    }
    Some(bytes)
}

/// Reads the scheme and the `//`, or the first segment of a relative path.
#[inline(always)]
fn read_start<G: FastGrammar>(bytes: &mut Bytes<'_>) -> Option<Start> {
    let text = bytes.text();
    if let Some(colon) = http_or_https(text) {
        let start = start(colon, G::http_has_authority(colon == b"https".len()));
        let read = if start.authority == 0 { 1 } else { 3 };
        return bytes.skip_up_to_eight(colon + read).then_some(start);
    }
    if is_in(text, 0, &LETTERS) && bytes.run(G::CLASSES, SCHEME) == Some(b':') {
        let colon = bytes.at();
        // A packed prefix has only a few bits for each offset.
        if colon > authority::LONGEST_SCHEME {
            return None;
        }
        bytes.skip(*b":");
        let has_slashes = is_at(text, colon + 1, b'/') && is_at(text, colon + 2, b'/');
        let start = after_scheme::<G>(text, colon, has_slashes)?;
        if start.authority != 0 {
            bytes.skip(*b"//");
        }
        return Some(start);
    }
    if !G::RELATIVE_REFERENCES {
        return None;
    }
    let mut authority = 0;
    if bytes.at() == 0 && bytes.skip(*b"//") {
        if !G::NET_PATHS {
            return None;
        }
        authority = 2;
    } else if !matches!(bytes.peek(), None | Some(b'/' | b'?' | b'#')) {
        run::<G>(bytes, FIRST_SEGMENT)?;
        if bytes.peek() == Some(b':') {
            return None;
        }
    }
    Some(Start {
        scheme: Delimiter::ABSENT,
        authority,
    })
}
