//! The fast check accepts only references in normal form. The check accepts most references on the
//! Web, and never changes the result.

use urikit::internal::fast;
use urikit::op::Level;
use urikit::{AnyRef, Standard};
use urikit_testkit::abnf::{Generator, Grammar, dir};

/// Fails if the normal form differs without the fast check. Returns whether the fast check accepts
/// the reference.
fn agrees(reference: AnyRef<'_>) -> bool {
    let is_plain = fast::is_normal(&reference);
    for level in Level::ALL {
        let mut planned = String::new();
        let is_changed = fast::normalize_without(reference, level, &mut planned);
        assert!(!is_changed || !is_plain, "{reference:?}, {level}");
        assert_eq!(
            reference.normalize_to(level),
            planned,
            "{reference:?}, {level}"
        );
        let mut written = String::new();
        let changes = reference.normalize_into(level, &mut written);
        assert_eq!((&written, changes), (&planned, is_changed));
        assert_eq!(reference.is_normal(level), !is_changed);
    }
    is_plain
}

#[test]
fn accepted_references_are_normal() {
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
fn every_change_at_every_offset() {
    const TEXTS: [&str; 9] = [
        "http://example.com",
        "https://example.com?q#f",
        "http://example.com/abcdefgh/ijklmnop/q?rstuvw/x#yz",
        "file://localhost/a/bcdefgh",
        "ftp://u@h/abcdefgh/i",
        "//h/a/b/cdefghi/j",
        "x:/abcdefgh",
        "abcdefgh/ijk",
        "/bcdefgh/ijklmnop/qrstuvw",
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
                let (before, after) = text.split_at(place);
                let text = format!("{before}{change}{after}");
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
fn common_references_are_accepted() {
    for text in [
        "http://www.ietf.org/rfc/rfc2396.txt", // RFC 3986, 1.1.2
        "http://example.com/a.well-known/a?b=%2Fc%3D#d",
        "//example.com/a/b..c/d?e=A..b",
        "../a/b%20c",
    ] {
        let reference = Standard::Rfc3986.parse(text).unwrap();
        assert!(agrees(reference), "{text}");
    }
    // The fast check does not accept these references, although they are in normal form.
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
