//! The exact messages of parse errors.

use crate::{Iri, Standard, Uri, UriRef};
use std::string::ToString;

/// Returns a standard's error message for invalid text.
fn message(standard: Standard, text: &str) -> std::string::String {
    standard.parse(text).unwrap_err().to_string()
}

#[test]
fn a_message_names_place_and_law() {
    use Standard::{Rfc1630, Rfc1738, Rfc2396, Rfc2732, Rfc3986, Rfc3987};
    for (standard, text, expected) in [
        (
            Rfc3986,
            "http://a/b c",
            "expected a path character, `/`, `?`, `#` or the end, but found a space at byte 10 (segment, RFC 3986, 3.3)",
        ),
        (
            Rfc3986,
            "http://a:b/",
            "expected digits as the port, or a userinfo that ends in `@`, but found `/` at byte 10 (userinfo, RFC 3986, 3.2.1)",
        ),
        (
            Rfc3986,
            "http://u@a:8x/",
            "expected a digit, `/`, `?`, `#` or the end, but found `x` at byte 12 (port, RFC 3986, 3.2.3)",
        ),
        (
            Rfc3986,
            "http://a@b@c/",
            "expected a host character, `:`, `/`, `?`, `#` or the end, but found `@` at byte 10 (authority, RFC 3986, 3.2)",
        ),
        (
            Rfc3986,
            "http://[1:2:3:4:5:6:7]/",
            "expected a hexadecimal digit, `.` or `:`, but found `]` at byte 21 (IPv6address, RFC 3986, 3.2.2)",
        ),
        (
            Rfc3986,
            "1a:b",
            "expected a path character, `/`, `?`, `#` or the end, but found `:` at byte 2 (path-noscheme, RFC 3986, 3.3)",
        ),
        (
            Rfc3986,
            "http://é/",
            "expected a host character, `:`, `@`, `/`, `?`, `#` or the end, but found `é` (U+00E9) at byte 7 (authority, RFC 3986, 3.2)",
        ),
        (
            Rfc3987,
            "http://é/\u{E000}",
            "expected a path character, `/`, `?`, `#` or the end, but found U+E000 at byte 10 (isegment, RFC 3987, 2.2)",
        ),
        (
            Rfc2732,
            "http://[::1/",
            "expected a hexadecimal digit, `.`, `:` or `]`, but found `/` at byte 11 (IPv6address, RFC 2732, 3)",
        ),
        (
            Rfc2396,
            "foo:",
            "expected a URI character or `/`, but the text ends at byte 4 (opaque_part, RFC 2396, 3)",
        ),
        (
            Rfc1738,
            "http:xyz",
            "expected `//`, but found `x` at byte 5 (httpurl, RFC 1738, 5)",
        ),
        (
            Rfc1738,
            "ftp://h/f;type=x",
            "expected a typecode, but found `x` at byte 15 (ftptype, RFC 1738, 5)",
        ),
        (
            Rfc1738,
            "mailto:joe",
            "expected an addr-spec character, `.` or `@`, but the text ends at byte 10 (encoded822addr, RFC 1738, 5)",
        ),
        (
            Rfc1630,
            "news:12345667123%asdghfh@info.cern.ch",
            "expected a hexadecimal digit, but found `s` at byte 18 (escape, RFC 1630, BNF for specific URL schemes)",
        ),
    ] {
        assert_eq!(message(standard, text), expected, "{text}");
    }
}

#[test]
fn a_relative_reference_is_named_as_one_where_a_scheme_is_required() {
    let relative = "a scheme is required, but this is a relative reference: ";
    for (text, prefix, rest) in [
        (
            "",
            relative,
            "expected a letter, but the text ends at byte 0",
        ),
        (
            "/v1/",
            relative,
            "expected a letter, but found `/` at byte 0",
        ),
        (
            "example.com/a",
            relative,
            "expected a scheme character or `:`, but found `/` at byte 11",
        ),
        (
            "10.0.0.1/",
            relative,
            "expected a letter, but found `1` at byte 0",
        ),
        (
            "//h/a",
            relative,
            "expected a letter, but found `/` at byte 0",
        ),
        (
            "index",
            relative,
            "expected a scheme character or `:`, but the text ends at byte 5",
        ),
        // This text is neither a URI nor a relative reference.
        ("/a b", "", "expected a letter, but found `/` at byte 0"),
        (
            "example.com/a b",
            "",
            "expected a scheme character or `:`, but found `/` at byte 11",
        ),
        (
            "10.0.0.1:80/",
            "",
            "expected a letter, but found `1` at byte 0",
        ),
    ] {
        let expected = std::format!("{prefix}{rest} (scheme, RFC 3986, 3.1)");
        assert_eq!(
            Uri::parse(text).unwrap_err().to_string(),
            expected,
            "{text}"
        );
        assert_eq!(
            Iri::parse(text).unwrap_err().to_string(),
            expected,
            "{text}"
        );
        assert_eq!(UriRef::parse(text).is_ok(), !prefix.is_empty(), "{text}");
    }
    // With a scheme, the error is about the rest of the reference.
    let error = Uri::parse("http://a b/").unwrap_err();
    assert_eq!(Some(error), UriRef::parse("http://a b/").err());
}

#[test]
fn a_caret_points_and_nothing_acts_on_the_terminal() {
    let caret = |text: &str, offset| super::Caret::new(text, offset).to_string();
    assert_eq!(caret("a b", 1), "a b\n ^");
    assert_eq!(caret("", 0), "\n^");
    assert_eq!(caret("é b", 2), "é b\n ^");
    assert_eq!(caret("紙 b", 3), "紙 b\n  ^");
    assert_eq!(
        caret("a\u{1B}[31m\u{202E}b", 1),
        "a\u{FFFD}[31m\u{FFFD}b\n ^"
    );
    let long = "x".repeat(100);
    let expected = std::format!("…{}…\n{}^", "x".repeat(60), " ".repeat(31));
    assert_eq!(caret(&long, 50), expected);
    // An offset inside a character is moved to the character's start, and an offset past the end of
    // the text is moved to the end.
    assert_eq!(caret("é", 1), "é\n^");
    assert_eq!(caret("ab", 9), "ab\n  ^");
}
