//! Checks every change that a repair makes, and its offset. Valid references stay unchanged.

#![cfg(feature = "alloc")]
// A test fails by panicking.
#![allow(
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic,
    clippy::unwrap_used
)]

use urikit::op::RepairError;
use urikit::op::repair::{repair, repair_for};
use urikit::{Uri, UriRef};
use urikit_testkit::Random;

fn repaired(text: &str) -> String {
    match repair(text) {
        Ok(repaired) => repaired.reference.into_string(),
        Err(error) => format!("error at {}", offset(error)),
    }
}

fn offset(error: RepairError) -> usize {
    match error {
        RepairError::Parse(error) => error.offset(),
        RepairError::NotADomainName { offset } => offset,
        other => panic!("{other}"),
    }
}

#[test]
fn each_change() {
    for (text, result) in [
        ("http://a/b", "http://a/b"),
        ("", ""),
        (" \u{A0}\n", ""),
        ("\u{1}http://a/\u{2}", "http://a/"),
        ("ht\ntp:/\t/a/\r\nb", "http://a/b"),
        ("a%2\n0b", "a%20b"),
        ("a%2\nxb%", "a%252xb%25"),
        ("http:\\\\a\\b?\\#\\", "http://a/b?%5C#%5C"),
        ("mailto:a\\b", "mailto:a%5Cb"),
        ("/a b\"<>^`{|}", "/a%20b%22%3C%3E%5E%60%7B%7C%7D"),
        ("?a[]=1", "?a%5B%5D=1"),
        ("#a#b", "#a%23b"),
        ("/é?ü#ö", "/%C3%A9?%C3%BC#%C3%B6"),
        ("http://u ser:p|w@h/", "http://u%20ser:p%7Cw@h/"),
        ("http://[::1]:80/", "http://[::1]:80/"),
        ("http://h:80 /", "error at 11"),
        ("http://a b/", "error at 8"),
        ("  http://a b/", "error at 10"),
        ("http://a@b@c/", "error at 10"),
        ("http://h%zz/", "error at 9"),
        ("1a:b", "error at 2"),
    ] {
        assert_eq!(repaired(text), result, "{text:?}");
    }
}

#[cfg(feature = "idna")]
#[test]
fn hosts_become_names_of_the_dns() {
    assert_eq!(
        repaired("http://münchen.de:80/ü"),
        "http://xn--mnchen-3ya.de:80/%C3%BC"
    );
    assert_eq!(
        repaired("http://u@mün\nchen.de"),
        "http://u@xn--mnchen-3ya.de"
    );
    assert_eq!(repaired("http://ü ö/"), "error at 7");
    // A `%` that does not begin an escape cannot be decoded. The host must not be cut off before
    // such a `%`.
    for host in ["RÉsum%ple.ORG", "é%", "é%4", "é.example%zz", "%é.example"] {
        assert_eq!(repaired(&format!("http://{host}/")), "error at 7", "{host}");
        assert_eq!(repaired(&format!("//{host}:80/")), "error at 2", "{host}");
    }
}

#[cfg(not(feature = "idna"))]
#[test]
fn hosts_beyond_ascii_are_rejected() {
    assert_eq!(repaired("http://münchen.de/"), "error at 7");
}

#[test]
fn the_scheme_of_the_base_decides() {
    let web = Uri::parse("https://h/").unwrap();
    let other = Uri::parse("ldap://h/").unwrap();
    let result = |text, base: Uri<'_>| repair_for(text, base).unwrap().reference.to_string();
    assert_eq!(result("\\\\a\\b", web), "//a/b");
    assert_eq!(result("\\\\a\\b", other), "%5C%5Ca%5Cb");
    assert_eq!(result("ldap:\\a", web), "ldap:%5Ca");
}

#[test]
fn what_is_valid_stays_and_changes_add_up() {
    const PIECES: [&str; 24] = [
        "http:", "//", "/", "\\", "a", "b.c", ":", "@", "?", "#", " ", "\t", "\n", "%", "%4", "1",
        "|", "é", "[", "]", "\u{1}", "..", "x=1", "&",
    ];
    let mut random = Random::new(13);
    for _ in 0..200_000 {
        let text: String = (0..random.below(9))
            .map(|_| PIECES[random.below(PIECES.len())])
            .collect();
        let Ok(repaired) = repair(&text) else {
            assert!(UriRef::parse(&text).is_err(), "{text:?}");
            continue;
        };
        if UriRef::parse(&text).is_ok() {
            assert!(
                repaired.changes.is_empty() && repaired.reference == text,
                "{text:?}"
            );
        }
        // Applying the changes to the text gives the result.
        let mut made = String::new();
        let mut at = 0;
        for change in &repaired.changes {
            made.push_str(&text[at..change.offset]);
            made.push_str(&change.became);
            at = change.offset + change.found.len();
            assert_eq!(text[change.offset..at], *change.found);
        }
        made.push_str(&text[at..]);
        assert_eq!(repaired.reference, made, "{text:?}");
        // Repairing again changes nothing.
        assert!(repair(&made).unwrap().changes.is_empty(), "{text:?}");
    }
}

/// A change takes much more memory than the text it replaces.
#[test]
fn changes_are_limited() {
    const MAX: usize = 1 << 16;
    assert_eq!(
        repair("a ".repeat(MAX).trim_end()).unwrap().changes.len(),
        MAX - 1
    );
    assert_eq!(repair(&"a b".repeat(MAX)).unwrap().changes.len(), MAX);
    for text in [
        "a ".repeat(MAX + 2),
        "a b".repeat(MAX + 1),
        "a ".repeat(1 << 22),
    ] {
        let error = RepairError::TooManyChanges { max: MAX };
        assert_eq!(repair(&text).unwrap_err(), error);
        let base = Uri::parse("http://h/").unwrap();
        assert_eq!(repair_for(&text, base).unwrap_err(), error);
    }
    // A run of characters is one change.
    assert_eq!(
        repair(&format!("a{}b", " ".repeat(MAX * 2)))
            .unwrap()
            .changes
            .len(),
        1
    );
}
