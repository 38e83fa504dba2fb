//! Whether a path to be joined below a base could be read as one that leaves it.
//!
//! Readers differ in what they decode before they look for `..`: escapes, and escapes of escapes;
//! overlong UTF-8 (RFC 3629, section 10, has `2F C0 AE 2E 2F` for `/../`); characters with a
//! compatibility mapping to ASCII; blanks and dots at the end of a name, which Windows drops. Here
//! all of it is decoded, and anything that could be a `..` or a first slash is refused. Refusing a
//! harmless name is better than giving access to a file outside.

use crate::octet::escaped_octet;
use alloc::vec::Vec;

/// How many times escapes are decoded.
const TIMES: usize = 4;

/// What some reader takes for a dot or a slash, and for which.
const SPELLINGS: [(&[u8], &[u8]); 21] = [
    // UTF-8 in more octets than needed.
    (b"\xC0\xAE", b"."),
    (b"\xE0\x80\xAE", b"."),
    (b"\xF0\x80\x80\xAE", b"."),
    (b"\xC0\xAF", b"/"),
    (b"\xE0\x80\xAF", b"/"),
    (b"\xF0\x80\x80\xAF", b"/"),
    (b"\xC1\x9C", b"\\"),
    (b"\xE0\x81\x9C", b"\\"),
    (b"\xF0\x80\x81\x9C", b"\\"),
    // Compatible with ASCII, by Unicode's decompositions.
    ("\u{2024}".as_bytes(), b"."), // one dot leader
    ("\u{2025}".as_bytes(), b".."),
    ("\u{2026}".as_bytes(), b"..."),
    ("\u{FE52}".as_bytes(), b"."),  // small full stop
    ("\u{FF0E}".as_bytes(), b"."),  // fullwidth full stop
    ("\u{FF0F}".as_bytes(), b"/"),  // fullwidth solidus
    ("\u{FE68}".as_bytes(), b"\\"), // small reverse solidus
    ("\u{FF3C}".as_bytes(), b"\\"), // fullwidth reverse solidus
    // Look-alikes that some code pages convert to ASCII.
    ("\u{2044}".as_bytes(), b"/"),  // fraction slash
    ("\u{2215}".as_bytes(), b"/"),  // division slash
    ("\u{2216}".as_bytes(), b"\\"), // set minus
    ("\u{29F5}".as_bytes(), b"\\"), // reverse solidus operator
];

/// Whether some reader could read the path as one that is not below its base.
pub(super) fn leaves(path: &str) -> bool {
    let mut octets = path.as_bytes().to_vec();
    for _ in 0..TIMES {
        if !octets.contains(&b'%') {
            break;
        }
        octets = unescaped(&octets);
    }
    let plain = spelled_out(&octets);
    let is_slash = |octet: &u8| matches!(octet, b'/' | b'\\');
    let first = plain.iter().find(|octet| !is_blank(**octet));
    first.is_some_and(is_slash) || plain.split(is_slash).any(goes_up)
}

/// Whether a segment consists of at least two dots and of blanks: up to its end, or to where some
/// reader ends it (a parameter, a query, a fragment, a NUL, the name of a stream).
fn goes_up(segment: &[u8]) -> bool {
    let is_end = |octet: &u8| matches!(octet, b';' | b'?' | b'#' | b'\0' | b':');
    let mut dots = 0;
    for octet in segment.split(is_end).next().unwrap_or_default() {
        match octet {
            b'.' => dots += 1,
            octet if is_blank(*octet) => {}
            _ => return false,
        }
    }
    dots >= 2
}

const fn is_blank(octet: u8) -> bool {
    matches!(octet, b'\t'..=b'\r' | b' ')
}

/// The octets with their escapes decoded once.
fn unescaped(octets: &[u8]) -> Vec<u8> {
    replaced(octets, |rest| escaped_octet(rest).map(|octet| (3, [octet])))
}

/// The octets with every spelling of a dot or a slash replaced by it.
fn spelled_out(octets: &[u8]) -> Vec<u8> {
    replaced(octets, |rest| {
        if rest.first().is_none_or(u8::is_ascii) {
            return None;
        }
        let found = SPELLINGS
            .iter()
            .find(|(spelling, _)| rest.starts_with(spelling));
        found.map(|(spelling, meant)| (spelling.len(), *meant))
    })
}

/// The octets with the replacements of `replace`, which returns what replaces the start of the
/// rest, and its length.
fn replaced<R: AsRef<[u8]>>(
    octets: &[u8],
    replace: impl Fn(&[u8]) -> Option<(usize, R)>,
) -> Vec<u8> {
    let mut out = Vec::with_capacity(octets.len());
    let mut rest = octets;
    while let [first, after @ ..] = rest {
        rest = if let Some((length, meant)) = replace(rest) {
            out.extend_from_slice(meant.as_ref());
            rest.get(length..).unwrap_or_default()
        } else {
            out.push(*first);
            after
        };
    }
    out
}
