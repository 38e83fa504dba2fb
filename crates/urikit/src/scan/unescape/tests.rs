//! Decoding with every version of the scanner, compared with decoding byte by byte.

#![allow(clippy::indexing_slicing)] // a test fails by panicking

use super::{unescape_at, unescape_utf8_at};
use crate::scan::Level;
use alloc::format;
use alloc::string::{FromUtf8Error, String};
use alloc::vec::Vec;

/// Decodes byte by byte.
fn byte_by_byte(text: &str, plus: bool) -> Vec<u8> {
    let mut octets = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((byte, tail)) = rest.split_first() {
        rest = tail;
        match byte {
            b'%' => {
                let digits = core::str::from_utf8(&rest[..2]).unwrap_or_default();
                octets.extend(u8::from_str_radix(digits, 16));
                rest = &rest[2..];
            }
            b'+' if plus => octets.push(b' '),
            _ => octets.push(*byte),
        }
    }
    octets
}

fn check(text: &str) {
    for plus in [false, true] {
        let expected = byte_by_byte(text, plus);
        for level in Level::all() {
            let mut octets = b"before".to_vec();
            let outcome = unescape_at(level, text, plus, &mut octets);
            let has_scanner = text.len() >= level.least();
            assert_eq!(outcome.is_some(), has_scanner, "{text}: {level:?}");
            if has_scanner {
                assert_eq!(
                    octets.strip_prefix(b"before"),
                    Some(&*expected),
                    "{text}: {level:?}"
                );
                let utf8 = unescape_utf8_at(level, text, plus);
                let expected = String::from_utf8(expected.clone());
                let expected = expected.map_err(FromUtf8Error::into_bytes);
                assert_eq!(utf8, Some(expected), "{text}: {level:?}");
            } else {
                assert_eq!(octets, b"before");
                assert_eq!(unescape_utf8_at(level, text, plus), None);
            }
        }
    }
}

const ESCAPES: [&str; 24] = [
    "%41",
    "%2B",
    "+",
    "%7f",
    "%80",
    "%BF",
    "%C0",
    "%c3%A9",
    "%C3",
    "%C3%C3",
    "%E3%82%A2",
    "%E3%82",
    "%E0%80%80",
    "%ED%A0%80",
    "%EF%BF%BF",
    "%F0%9F%92%A9",
    "%F0%80%80%80",
    "%F4%90%80%80",
    "%F4%8F%BF%BF",
    "%FF",
    "\u{e9}",
    "%C3\u{e9}",
    "%E3+%82%A2",
    "%E3%82x%A2",
];

#[test]
fn every_escape_at_every_offset() {
    for length in [0, 14, 20, 31, 33, 63, 64, 65, 100, 130] {
        for at in 0..=length {
            for escape in ESCAPES {
                let (before, after) = ("x".repeat(at), "y".repeat(length - at));
                check(&format!("{before}{escape}{after}"));
            }
        }
    }
}

#[test]
fn escapes_after_each_other() {
    for first in ESCAPES {
        for second in ESCAPES {
            for between in 0..70 {
                let between = "z".repeat(between);
                check(&format!("{first}{between}{second}"));
                check(&format!("{between}{first}{second}{first}"));
            }
        }
    }
    for count in 0..200 {
        check(&"%41".repeat(count));
        check(&"%C3%A9".repeat(count));
        check(&"+".repeat(count));
    }
}

/// Callers check for malformed escapes first. If they did not, the octets would be unspecified,
/// but a `String` would still be UTF-8.
#[test]
fn malformed_escapes_make_no_invalid_string() {
    for escape in [
        "%",
        "%4",
        "%%",
        "%%41",
        "%4\u{e9}",
        "%\u{e9}",
        "%zz",
        "%\u{20ac}",
        "%a\u{20ac}",
    ] {
        for length in 0..140 {
            for (before, after) in [(length, 20), (20, length), (length, 0)] {
                let text = "x".repeat(before) + escape + &"y".repeat(after);
                for level in Level::all() {
                    if let Some(Ok(text)) = unescape_utf8_at(level, &text, true) {
                        assert!(core::str::from_utf8(text.as_bytes()).is_ok());
                    }
                }
            }
        }
    }
}
