//! `uri normalize` and `uri compare`.

use crate::support::{keys, uri, uri_with};
use serde_json::{Value, json};
use urikit_testkit::rows::{comparisons, normalizations};

#[test]
fn every_normal_form() {
    for row in normalizations() {
        for standard in &row.standards {
            for (level, expected) in row.levels() {
                let options = [
                    "normalize",
                    "--json",
                    "--standard",
                    standard,
                    "--level",
                    level,
                ];
                let outcome = uri(options.into_iter().chain(["--", &row.input]));
                let place = format!("{standard} {level}: {:?}", row.input);
                assert_eq!(outcome.status, 0, "{place}");
                let changed = expected != row.input;
                assert_eq!(
                    outcome.json(),
                    [
                        json!({"input": row.input, "standard": standard, "valid": true, "level": level,
                        "normalized": expected, "changed": changed, "error": null, "result": expected})
                    ],
                    "{place}"
                );
            }
        }
    }
}

#[test]
fn every_comparison() {
    for row in comparisons() {
        for standard in &row.standards {
            let outcome = uri(["compare", "--standard", standard, &row.a, &row.b]);
            let place = format!("{standard}: {:?} and {:?}", row.a, row.b);
            assert_eq!(outcome.out, format!("{}\n", row.by), "{place}");
            assert_eq!(outcome.err, "", "{place}");
            assert_eq!(outcome.status, i32::from(row.by == "different"), "{place}");
        }
    }
}

#[test]
fn each_input_has_a_line_which_is_empty_if_it_is_invalid() {
    let outcome = uri_with(["normalize"], b"HTTP://A\na b\n\n%7e\n");
    assert_eq!(outcome.out, "http://a/\n\n\n~\n");
    assert_eq!(outcome.status, 1);
    assert!(
        outcome
            .err
            .starts_with("uri: -:2:2: not valid under RFC 3986: "),
        "{}",
        outcome.err
    );
    let plain = uri(["normalize", "http://u:secret@A/"]);
    assert_eq!(plain.out, "http://u:secret@a/\n");
}

#[test]
fn normalize_has_these_keys_in_order() {
    let expected = [
        "input",
        "standard",
        "valid",
        "level",
        "normalized",
        "changed",
        "error",
        "result",
    ];
    let values = uri(["normalize", "--json", "HTTP://a/", "a b"]).json();
    for value in &values {
        assert_eq!(keys(value), expected);
    }
    assert_eq!(values[1]["normalized"], Value::Null);
    assert_eq!(values[1]["changed"], Value::Null);
    assert_eq!(values[1]["error"]["offset"], json!(1));
    let bytes = uri_with(["normalize", "--json"], b"a\xFF\n").json();
    assert_eq!(bytes[0]["input_base64"], json!("Yf8="));
}

#[test]
fn compare_has_these_keys_in_order() {
    let compare = |a, b| {
        let outcome = uri(["compare", "--json", a, b]);
        (outcome.out, outcome.status)
    };
    assert_eq!(
        compare("http://a", "http://a/"),
        (
            "{\"a\":\"http://a\",\"b\":\"http://a/\",\"standard\":\"rfc3986\",\"valid\":true,\
             \"equivalent\":true,\"by\":\"scheme\",\"error\":null,\"result\":\"scheme\"}\n"
                .to_owned(),
            0
        )
    );
    let (out, status) = compare("http://a", "http://b/");
    assert!(
        out.ends_with(
            "\"equivalent\":false,\"by\":null,\"error\":null,\"result\":\"different\"}\n"
        ),
        "{out}"
    );
    assert_eq!(status, 1);
    let outcome = uri(["compare", "--json", "a", "a b"]);
    assert_eq!((outcome.status, outcome.err.as_str()), (1, ""));
    let [value] = &outcome.json()[..] else {
        panic!("one line")
    };
    assert_eq!(value["equivalent"], Value::Null);
    assert_eq!(value["valid"], json!(false));
    // The first error is the line's error, as in every other line.
    assert_eq!(value["error"]["class"], json!("syntax"));
    assert_eq!(value["error"]["message"], value["error"]["b"]["message"]);
    assert_eq!(value["error"]["a"], Value::Null);
    assert_eq!(value["error"]["b"]["offset"], json!(1));
}

#[test]
fn compare_says_which_argument_is_invalid() {
    let outcome = uri(["compare", "http://a/", "http://u:secret@a/ "]);
    assert_eq!((outcome.out.as_str(), outcome.status), ("", 1));
    assert!(
        outcome
            .err
            .starts_with("uri: argument 2: not valid under RFC 3986: "),
        "{}",
        outcome.err
    );
    assert!(!outcome.err.contains("secret"), "{}", outcome.err);
    assert_eq!(uri(["compare", "-q", "a b", "^"]).err, "");
}

#[test]
fn compare_accepts_jobs_like_every_command() {
    for jobs in [["-j", "2"], ["--jobs", "0"]] {
        let outcome = uri(["compare"]
            .iter()
            .chain(&jobs)
            .chain(&["http://a", "HTTP://a"]));
        assert_eq!((outcome.out.as_str(), outcome.status), ("case\n", 0));
    }
    assert_eq!(uri(["compare", "-j", "x", "a", "b"]).status, 2);
}

#[test]
fn browsers_always_normalize_completely() {
    let whatwg = |command: &[&str]| {
        let options = ["--standard", "whatwg"];
        uri(command.iter().copied().chain(options))
    };
    let outcome = whatwg(&["normalize", "HTTP://A:80/b/%2e%2e/c d"]);
    assert_eq!(
        (outcome.out.as_str(), outcome.status),
        ("http://a/c%20d\n", 0)
    );
    assert_eq!(
        whatwg(&["normalize", "--level", "case", "http://a/"]).status,
        2
    );
    assert_eq!(
        whatwg(&["compare", "http://a", "HTTP:\\\\a:80"]).out,
        "scheme\n"
    );
    assert_eq!(
        whatwg(&["compare", "http://a", "http://a"]).out,
        "identical\n"
    );
    assert_eq!(
        whatwg(&["compare", "http://a", "http://b"]).out,
        "different\n"
    );
    assert_eq!(whatwg(&["compare", "http://a", "relative"]).status, 1);
}

#[test]
fn usage_errors_and_help() {
    for arguments in [
        &["normalize", "--level", "none", "a"][..],
        &["compare", "a"],
        &["compare", "a", "b", "c"],
    ] {
        let outcome = uri(arguments);
        assert_eq!(
            (outcome.status, outcome.out.as_str()),
            (2, ""),
            "{arguments:?}"
        );
    }
    for command in ["normalize", "compare"] {
        let help = uri([command, "--help"]);
        assert!(help.out.contains("Examples:"), "{command}");
        assert!(uri(["man", command]).out.contains("EXAMPLES"), "{command}");
    }
    let examples = uri(["normalize", "HTTP://EXAMPLE.com:80/%7Esmith/./home.html"]);
    assert_eq!(examples.out, "http://example.com/~smith/home.html\n");
}

#[cfg(unix)]
#[test]
fn compare_keeps_bytes_that_are_not_utf8() {
    use std::os::unix::ffi::OsStrExt as _;
    let bytes = std::ffi::OsStr::from_bytes(b"\xFF");
    let arguments = [
        std::ffi::OsStr::new("compare"),
        "--json".as_ref(),
        bytes,
        "b".as_ref(),
    ];
    let outcome = crate::support::uri(arguments);
    let value = outcome.json().remove(0);
    assert_eq!(value["a"], serde_json::json!("\u{FFFD}"));
    assert_eq!(value["a_base64"], serde_json::json!("/w=="));
    assert_eq!(value["b"], serde_json::json!("b"));
    assert_eq!(value.get("b_base64"), None);
    assert_eq!(outcome.status, 1);
}
