//! `uri get`.

use crate::support::{uri, uri_with};
use serde_json::json;

/// `uri get TEMPLATE URI`, which must be good, without its line end.
#[track_caller]
fn get(template: &str, uri_text: &str) -> String {
    let outcome = uri(["get", template, uri_text]);
    assert_eq!((outcome.err.as_str(), outcome.status), ("", 0));
    outcome.out.strip_suffix('\n').unwrap().to_owned()
}

#[test]
fn components_are_as_written() {
    let url = "FTP://us%65r:p%77@h%6Fst:021/a/%2Fb;type=i?q=%41+b&&x&q=#%7e";
    for (template, expected) in [
        ("{scheme}", "FTP"),
        ("{authority}", "us%65r:p%77@h%6Fst:021"),
        ("{userinfo}", "us%65r:p%77"),
        ("{user}", "us%65r"),
        ("{password}", "p%77"),
        ("{host}", "h%6Fst"),
        ("{port}", "021"),
        ("{default:port}", "021"),
        ("{path}", "/a/%2Fb;type=i"),
        ("{segments}", "a %2Fb;type=i"),
        ("{params}", ""),
        ("{query}", "q=%41+b&&x&q="),
        ("{query:q}", "%41+b"),
        ("{query:x}", ""),
        ("{query:none}", ""),
        ("{query-all:q}", "%41+b "),
        ("{fragment}", "%7e"),
        ("{url}", url),
        (
            "{decode:user} {decode:host} {decode:fragment}",
            "user host ~",
        ),
        ("{decode:query:q}", "A+b"),
        ("{form:query:q}", "A b"),
        ("{decode:segments}", "a /b;type=i"),
        ("{must:query:x}", ""),
        ("{must:decode:host}", "host"),
    ] {
        assert_eq!(get(template, url), expected, "{template}");
    }
    assert_eq!(get("{default:port}", "gopher://h"), "70");
    assert_eq!(get("{query:}", "//h/?=bar"), "bar");
    assert_eq!(get("{query:a b}{query:c:d}", "?a%20b=1&c:d=2"), "12");
    assert_eq!(get("{query:a}", "mailto:a@b?a=1"), "1");
}

#[test]
fn escapes_and_braces() {
    assert_eq!(get("\\{{scheme}\\}", "x:"), "{x}");
    assert_eq!(get("a\\tb\\nc\\\\d\\q\\", ""), "a\tb\nc\\d\\q\\");
    assert_eq!(get("{query:\\}}", "?%7D=1"), "1");
    assert_eq!(get("}[scheme]", "x:"), "}[scheme]");
    assert_eq!(get("", "x:"), "");
    for template in [
        "{scheme",
        "{none}",
        "{}",
        "{default:host}",
        "{decode:url}",
        "{query:a",
    ] {
        let outcome = uri(["get", template, "x:"]);
        assert_eq!(
            (outcome.out.as_str(), outcome.status),
            ("", 2),
            "{template}"
        );
    }
}

#[test]
fn bytes_are_bytes() {
    let mut command = crate::support::command();
    let output = command
        .args(["get", "{decode:path}", "/%FF%00"])
        .output()
        .unwrap();
    assert_eq!(output.stdout, b"/\xff\0\n");
    let json = uri(["get", "--json", "{decode:path}", "/%FF"]).json();
    assert_eq!(
        json,
        [
            json!({"input": "/%FF", "standard": "rfc3986", "valid": true, "text": "/\u{FFFD}", "text_base64": "L/8=", "error": null})
        ]
    );
}

#[test]
fn the_standard_says_what_the_components_are() {
    let query = |standard| {
        uri([
            "get",
            "--standard",
            standard,
            "{path} {query}",
            "mailto:a@b?c",
        ])
        .out
    };
    assert_eq!(query("rfc2396"), "a@b?c \n");
    assert_eq!(query("rfc3986"), "a@b c\n");
    assert_eq!(
        uri(["get", "--standard", "rfc1808", "{params}", "a;b"]).out,
        "b\n"
    );
    assert_eq!(
        uri(["get", "--standard", "whatwg", "{host}", "http://h"]).status,
        2
    );
}

#[test]
fn what_is_invalid_or_absent_is_reported_and_the_rest_goes_on() {
    let outcome = uri_with(["get", "{must:query}"], b"?a\n^\nb\n?\n");
    assert_eq!(outcome.out, "a\n\n\n\n");
    assert_eq!(outcome.status, 1);
    assert!(
        outcome.err.contains("uri: -:2:1: not valid"),
        "{}",
        outcome.err
    );
    assert!(
        outcome
            .err
            .contains("uri: -:3:1: `{must:query}` is absent\n  b\n"),
        "{}",
        outcome.err
    );
    let json = uri_with(["get", "--json", "{must:query}"], b"^\nb\n").json();
    assert_eq!(
        (&json[0]["valid"], &json[0]["text"]),
        (&json!(false), &json!(null))
    );
    assert_eq!(
        json[1]["error"]["message"],
        json!("`{must:query}` is absent")
    );
    // A password is shown in no message.
    let outcome = uri(["get", "{must:query}", "http://u:secret@h"]);
    assert!(!outcome.err.contains("secret"));
}
