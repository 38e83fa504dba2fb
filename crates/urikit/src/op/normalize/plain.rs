//! Whether nothing stands in a reference that any level changes: what most references of the Web
//! are, and seen sooner than by asking for each component.
//!
//! What makes a reference differ from its normal form without being rare is a capital letter before
//! the path, a dot segment, or an escape. They are looked for by masks, or in words of eight bytes, each byte
//! without regard to its neighbours. What is rare (a port, `localhost`) is left to the plan, which knows the rules.

use super::{decodable, dots, masks};
use crate::AnyRef;
use crate::parse::Parts;

/// The lowest bit of each byte of a word.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of each.
const HIGH: u64 = 0x80 * ONES;

/// What is seen of a reference without asking for its components.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Look {
    /// It is its normal form at every level.
    Normal,
    /// All that could keep it from being so is that it has a host and no path, which some schemes have a rule for.
    WithoutPath,
    /// Neither is known.
    Unknown,
}

/// Looks at a reference.
///
/// With a host, masks alone tell where they know the standard's escapes: what they do not find plain seldom is, and looking
/// again costs those that have to change more than it spares the others.
pub(super) fn look(reference: &AnyRef<'_>) -> Look {
    let parts = reference.parts_ref();
    let text = reference.as_str().as_bytes();
    let Some((before, behind)) = text.split_at_checked(parts.path as usize) else {
        return Look::Unknown;
    };
    let has_host = parts.host_kind.is_some();
    if has_host {
        if parts.host_end != parts.path || before.ends_with(b"localhost") {
            return Look::Unknown;
        }
        let kept = masks::Kept::by(reference.standard());
        let is_plain = masks::is_plain(text, parts.host_end as usize, kept);
        let has_path = behind.first() == Some(&b'/');
        match (is_plain, has_path) {
            (true, true) => return Look::Normal,
            (true, false) => return Look::WithoutPath,
            (false, _) if kept.knows_escapes() || !has_path => return Look::Unknown,
            (false, _) => {}
        }
    }
    // Without an authority, a scheme may have rules for the path.
    let is_normal = (has_host || !parts.scheme.is_there())
        && !has_capital_or_escape(before)
        && (!may_have_dot_segment(path(parts, text, behind))
            || dots::is_without(reference.path().as_str()))
        && are_escapes_plain(*reference, behind);
    if is_normal {
        Look::Normal
    } else {
        Look::Unknown
    }
}

/// The path, and the params behind it, of a text that ends with `behind`.
fn path<'a>(parts: &Parts, text: &[u8], behind: &'a [u8]) -> &'a [u8] {
    let end = parts.query.get().or(parts.fragment.get());
    let length = end
        .unwrap_or(text.len())
        .saturating_sub(parts.path as usize);
    behind.get(..length).unwrap_or(behind)
}

/// Whether a letter `A` to `Z` or a `%` stands there.
fn has_capital_or_escape(text: &[u8]) -> bool {
    any(text, |word| capitals(word) | equal(word, b'%'))
}

/// Whether a dot stands behind a slash: a segment that begins so may be a dot segment. (An escaped dot
/// is found as an escape.)
fn may_have_dot_segment(path: &[u8]) -> bool {
    let (words, rest) = path.as_chunks();
    let (mut found, mut before) = (0, 0);
    for word in words {
        let word = u64::from_le_bytes(*word);
        let slashes = equal(word, b'/');
        found |= ((slashes << 8) | before) & equal(word, b'.');
        before = slashes >> 56;
    }
    // It begins within the words, or else there are none.
    let word = last_word(path, rest);
    found | ((equal(word, b'/') << 8) & equal(word, b'.')) != 0
        || before != 0 && rest.first() == Some(&b'.')
}

/// Whether no escape in `text`, the end of a reference, is undone or changed at any level.
fn are_escapes_plain(reference: AnyRef<'_>, text: &[u8]) -> bool {
    let mut rest = text;
    while let Some(at) = position_of_escape(rest) {
        let escape = rest.get(at..).and_then(<[u8]>::split_first_chunk);
        let Some((&[_, high, low], behind)) = escape else {
            return false;
        };
        if !decodable::is_fixed(reference.standard(), high, low) {
            return false;
        }
        rest = behind;
    }
    true
}

fn position_of_escape(text: &[u8]) -> Option<usize> {
    let (words, rest) = text.as_chunks();
    for (index, word) in words.iter().enumerate() {
        let found = equal(u64::from_le_bytes(*word), b'%');
        if found != 0 {
            return Some(8 * index + first(found));
        }
    }
    if equal(last_word(text, rest), b'%') == 0 {
        return None;
    }
    let at = rest.iter().position(|byte| *byte == b'%')?;
    Some(8 * words.len() + at)
}

/// Whether `found` marks a byte in any word of a text.
#[inline]
fn any(text: &[u8], found: impl Fn(u64) -> u64) -> bool {
    let (words, rest) = text.as_chunks();
    let mut words = words.iter().map(|word| u64::from_le_bytes(*word));
    words.any(|word| found(word) != 0) || found(last_word(text, rest)) != 0
}

/// The last eight bytes of a text which has `rest` behind its words; all of it and zeros, where it is
/// shorter.
#[inline]
fn last_word(text: &[u8], rest: &[u8]) -> u64 {
    match text.last_chunk() {
        Some(word) => u64::from_le_bytes(*word),
        None => (rest.iter().rev()).fold(0, |word, byte| (word << 8) | u64::from(*byte)),
    }
}

/// Which bytes of a word are capital letters: the highest bit of each.
#[inline]
const fn capitals(word: u64) -> u64 {
    let low = word & !HIGH;
    let from_a = low + (0x80 - b'A' as u64) * ONES;
    let behind_z = low + (0x7F - b'Z' as u64) * ONES;
    from_a & !behind_z & !word & HIGH
}

/// Which bytes of a word are `byte`: the highest bit of each.
#[inline]
const fn equal(word: u64, byte: u8) -> u64 {
    let difference = word ^ (byte as u64 * ONES);
    !(((difference & !HIGH) + !HIGH) | difference) & HIGH
}

/// The place of the first byte that is marked in a word.
#[inline]
const fn first(marks: u64) -> usize {
    (marks.trailing_zeros() / 8) as usize
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test fails by panicking

    use super::{Look, look};
    use crate::op::Level;
    use crate::op::normalize::Plan;
    use crate::{AnyRef, Standard};
    use alloc::format;
    use alloc::string::String;
    use urikit_testkit::abnf::{Generator, Grammar, dir};

    /// Fails when the plan has another normal form; gives whether the reference is plain.
    fn agrees(reference: AnyRef<'_>) -> bool {
        let is_plain = look(&reference) == Look::Normal;
        for level in Level::ALL {
            let plan = Plan::new(reference, level);
            assert!(plan.is_as_written() || !is_plain, "{reference:?}, {level}");
            let mut planned = String::new();
            plan.write(&mut planned);
            assert_eq!(
                reference.normalize(level),
                planned,
                "{reference:?}, {level}"
            );
            let mut written = String::new();
            let changes = reference.normalize_into(level, &mut written);
            assert_eq!((&written, changes), (&planned, !plan.is_as_written()));
        }
        is_plain
    }

    #[test]
    fn what_is_plain_is_its_normal_form() {
        for standard in Standard::ALL {
            let grammar = Grammar::load(&dir(), standard.name()).unwrap();
            let mut generator = Generator::new(&grammar, 62);
            let mut plain = 0;
            for _ in 0..20_000 {
                let text = generator.generate(grammar.start());
                plain += usize::from(agrees(standard.parse(&text).unwrap()));
            }
            assert!(plain > 500, "{standard}: {plain}");
        }
    }

    #[test]
    fn whatever_stands_at_whatever_place() {
        const TEXTS: [&str; 8] = [
            "http://example.com",
            "https://example.com?q#f",
            "http://example.com/abcdefgh/ijklmnop/q?rstuvw/x#yz",
            "file://localhost/a/bcdefgh",
            "ftp://u@h/abcdefgh/i",
            "//h/a/b/cdefghi/j",
            "x:/abcdefgh",
            "abcdefgh/ijk",
        ];
        const CHANGES: [&str; 23] = [
            "",
            "A",
            "Z",
            "@",
            "[",
            ".",
            "/",
            "/.",
            "/..",
            "./",
            "../",
            "/./",
            "/../",
            "/.a",
            ":80",
            ":",
            "%2F",
            "%2f",
            "%2E",
            "%7E",
            "%41",
            "%C3%A9",
            "%E2%80%8E",
        ];
        for standard in Standard::ALL {
            let (mut plain, mut other) = (0, 0);
            for text in TEXTS {
                for (place, change) in
                    (0..=text.len()).flat_map(|place| CHANGES.map(|change| (place, change)))
                {
                    let (before, behind) = text.split_at(place);
                    let text = format!("{before}{change}{behind}");
                    if let Ok(reference) = standard.parse(&text) {
                        let count = if agrees(reference) {
                            &mut plain
                        } else {
                            &mut other
                        };
                        *count += 1;
                    }
                }
            }
            assert!(plain > 100 && other > 100, "{standard}: {plain}, {other}");
        }
    }

    #[test]
    fn what_the_web_has_is_plain() {
        for text in [
            "http://www.ietf.org/rfc/rfc2396.txt", // RFC 3986, 1.1.2
            "http://example.com/a.well-known/a?b=%2Fc%3D#d",
            "//example.com/a/b..c/d?e=A..b",
            "../a/b%20c",
        ] {
            let reference = Standard::Rfc3986.parse(text).unwrap();
            assert!(agrees(reference), "{text}");
        }
        // Seen by the plan alone.
        for text in [
            "http://example.com/.well-known/a",
            "//example.com/a?e=A/../b",
        ] {
            assert!(!agrees(Standard::Rfc3986.parse(text).unwrap()), "{text}");
        }
        let long: String = "abc/".repeat(64);
        for length in 0..64 {
            let text = format!("https://h/{}", long.get(..length).unwrap());
            assert!(agrees(Standard::Rfc3986.parse(&text).unwrap()), "{text}");
            for end in ["/.", "/..", "%41", "%7E", "%2f"] {
                let text = format!("{text}{end}");
                assert!(!agrees(Standard::Rfc3986.parse(&text).unwrap()), "{text}");
            }
        }
    }
}
