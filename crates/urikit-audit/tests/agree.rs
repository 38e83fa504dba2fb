//! Tests agreement in cases that `testdata/audit/` does not cover.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // a test fails by panicking

mod inputs;

use urikit_audit::{Part, VOTERS, Verdict, agree, agree_with};

#[test]
fn the_fast_path_says_what_the_readers_say() {
    let mut fast = 0;
    for input in inputs::inputs(100_000, 3) {
        let agreement = agree(&input);
        assert_eq!(agreement, agree_with(&input, &VOTERS), "{input:?}");
        fast += usize::from(agreement.is_unanimous() && input.contains("://"));
    }
    assert!(fast > 5_000, "{fast}");
}

#[test]
fn the_one_reading_is_that_of_rfc_3986() {
    let agreement = agree("HTTP://EXAMPLE.com:80/%7Euser");
    let Verdict::Unanimous(Some(reading)) = agreement.verdict() else {
        unreachable!("{agreement:?}");
    };
    assert_eq!(reading.scheme.as_deref(), Some("HTTP"));
    assert_eq!(reading.port_number(), Some(80));
    assert_eq!(reading.path, "/%7Euser");
}

#[test]
fn sides_name_all_readers_that_accept() {
    let agreement = agree("http://0127.0.0.1/");
    let sides = agreement.sides(Part::Host);
    let sides: Vec<_> = sides
        .iter()
        .map(|side| (&*side.value, &side.readers[..]))
        .collect();
    assert_eq!(
        sides,
        [
            ("0127.0.0.1", &["rfc3986", "lenient", "urllib"][..]),
            ("87.0.0.1", &["whatwg", "curl", "legacy-ipv4"]),
            ("127.0.0.1", &["java-net-uri"]),
        ]
    );
    let sides = agreement.sides(Part::Port);
    assert_eq!(sides.len(), 1);
    assert_eq!(sides[0].value, "80");
}

#[test]
fn a_null_host_has_no_opinion() {
    let agreement = agree("http://a_b:8080/");
    assert!(agreement.is_unanimous());
    let readers = &agreement.sides(Part::Host)[0].readers;
    assert!(!readers.contains(&"java-net-uri"));
    assert_eq!(agreement.sides(Part::Scheme)[0].readers.len(), 7);
}

#[test]
fn debug_masks_passwords() {
    let text = format!("{:?}", agree("http://user:secret@example.com/"));
    assert!(!text.contains("secret"), "{text}");
    assert!(text.contains("user"));
}
