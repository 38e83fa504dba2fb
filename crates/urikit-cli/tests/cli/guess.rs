//! `--guess`: references that people type without a scheme.

use crate::support::{uri, uri_with};
use serde_json::{Value, json};

/// `uri get --guess '{url}' TEXT`.
fn guessed(text: &str) -> String {
    let outcome = uri(["get", "--guess", "{url}", text]);
    assert_eq!(outcome.status, 0, "{outcome:?}");
    outcome.out.trim_end().to_owned()
}

#[test]
fn hosts_get_a_scheme() {
    for (text, expected) in [
        ("example.com/x", "https://example.com/x"),
        ("www.example.com", "https://www.example.com"),
        ("example.com:8080/x", "https://example.com:8080/x"),
        ("example.com:80", "http://example.com:80"),
        ("example.com?q", "https://example.com?q"),
        ("example.com#f", "https://example.com#f"),
        ("example.com.", "https://example.com."),
        ("//example.com/x", "https://example.com/x"),
        ("localhost", "http://localhost"),
        ("localhost:8080", "http://localhost:8080"),
        ("LOCALHOST/x", "http://LOCALHOST/x"),
        ("127.0.0.1:3000/x", "http://127.0.0.1:3000/x"),
        ("[::1]:80/", "http://[::1]:80/"),
        ("xn--mnchen-3ya.de/a", "https://xn--mnchen-3ya.de/a"),
    ] {
        assert_eq!(guessed(text), expected);
    }
}

#[test]
fn everything_else_stays() {
    for text in [
        "http://example.com/",
        "mailto:a@example.com",
        "tel:123",
        "urn:isbn:1",
        "a.b:c",
        "example/x",
        "/example.com/x",
        "../example.com",
        "user@example.com",
        "1.2.3",
        "?example.com",
        "",
        "C:/Windows/win.ini",
        "localhost:x",
    ] {
        assert_eq!(guessed(text), text);
        assert_eq!(uri(["get", "--guess", "{url}", text]).err, "");
    }
}

#[test]
fn every_subcommand_guesses_and_says_so() {
    let note = "uri: argument 1: the scheme is guessed: \"https://\" was added\n";
    for (arguments, expected) in [
        (&["get", "{host}"][..], "example.com\n"),
        (&["edit", "-s", "path=/y"], "https://example.com/y\n"),
        (&["normalize"], "https://example.com/x\n"),
        (&["get", "--standard", "rfc1738", "{host}"], "example.com\n"),
        (&["get", "--standard", "whatwg", "{host}"], "example.com\n"),
    ] {
        let outcome = uri(arguments
            .iter()
            .copied()
            .chain(["--guess", "example.com/x"]));
        assert_eq!(
            (outcome.out.as_str(), outcome.status),
            (expected, 0),
            "{outcome:?}"
        );
        assert_eq!(outcome.err, note);
        let quiet = uri(arguments
            .iter()
            .copied()
            .chain(["--guess", "-q", "example.com/x"]));
        assert_eq!((quiet.out.as_str(), quiet.err.as_str()), (expected, ""));
    }
    let outcome = uri(["fetch", "--plan", "--guess", "example.com/x"]);
    assert!(
        outcome.out.starts_with("connect  example.com:443\n"),
        "{outcome:?}"
    );
    assert_eq!(outcome.err, note);
    let outcome = uri(["explain", "--guess", "localhost:8080/x"]);
    assert!(
        outcome.out.contains("connects to localhost, port 8080"),
        "{outcome:?}"
    );
    assert_eq!(outcome.err, note.replace("https", "http"));
    let outcome = uri(["compare", "--guess", "example.com", "https://example.com/"]);
    assert_eq!((outcome.out.as_str(), outcome.status), ("scheme\n", 0));
}

#[test]
fn json_has_the_guess() {
    let outcome = uri(["normalize", "--json", "--guess", "example.com", "http://a/"]);
    assert_eq!(outcome.err, "");
    let lines = outcome.json();
    assert_eq!(
        lines[0]["repaired"],
        json!({
            "text": "https://example.com",
            "changes": [{"offset": 0, "found": "", "became": "https://"}],
        })
    );
    assert_eq!(lines[0]["input"], "example.com");
    assert_eq!(
        (&lines[0]["valid"], &lines[1]["repaired"]),
        (&Value::Bool(true), &Value::Null)
    );
}

#[test]
fn guesses_are_repaired_with_lenient() {
    let outcome = uri(["get", "--guess", "--lenient", "{url}", "  münchen.de/a b "]);
    assert_eq!(outcome.out, "https://xn--mnchen-3ya.de/a%20b\n");
    assert_eq!(
        outcome.err,
        "uri: argument 1: the scheme is guessed, and the rest repaired: \"  \" was removed, \
         \"https://\" was added, \"m\u{fc}nchen.de\" became \"xn--mnchen-3ya.de\", \" \" became \
         \"%20\", \" \" was removed\n"
    );
    let outcome = uri([
        "get",
        "--guess",
        "--lenient",
        "--json",
        "x",
        " example.com/a b",
    ]);
    assert_eq!(
        outcome.json()[0]["repaired"]["changes"],
        json!([
            {"offset": 0, "found": " ", "became": ""},
            {"offset": 1, "found": "", "became": "https://"},
            {"offset": 14, "found": " ", "became": "%20"},
        ])
    );
    // Without --lenient, the error refers to the text as written.
    let outcome = uri_with(["get", "--guess", "{url}"], b"example.com/a b\n");
    assert_eq!((outcome.out.as_str(), outcome.status), ("\n", 1));
    assert!(
        outcome.err.starts_with("uri: -:1:14: not valid"),
        "{outcome:?}"
    );
}

#[test]
fn lenient_tolerates_blanks_around() {
    let outcome = uri(["get", "--lenient", "{url}", " \thttp://a/ \n"]);
    assert_eq!((outcome.out.as_str(), outcome.status), ("http://a/\n", 0));
    assert!(
        outcome
            .err
            .contains("\" \\t\" was removed, \" \\n\" was removed"),
        "{outcome:?}"
    );
}

#[test]
fn a_list_of_hosts_gets_a_hint() {
    let hint = |input: &[u8], arguments: &[&str]| uri_with(arguments.iter().copied(), input).err;
    let lines = b"example.com\nexample.org/x\nhttp://a/\n";
    assert_eq!(
        hint(lines, &["parse"]),
        "uri: 2 of 3 lines begin with a host, without a scheme: --guess reads `example.com/x` as \
         `https://example.com/x`\n"
    );
    assert!(hint(&lines.repeat(100), &["get", "{host}"]).starts_with("uri: 67 of the first 100 "));
    for (input, arguments) in [
        (&lines[..], &["parse", "-q"][..]),
        (lines, &["resolve", "--base", "http://a/"]),
        (b"example.com\nhttp://a/\n", &["parse"]),
        (b"a/b\n../c\n", &["parse"]),
    ] {
        assert_eq!(hint(input, arguments), "", "{arguments:?}");
    }
    assert!(!hint(lines, &["parse", "--guess"]).contains("lines begin"));
}
