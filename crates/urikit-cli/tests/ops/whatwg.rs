//! `--standard whatwg`: browsers' rules.

use crate::support::{Outcome, uri};

fn whatwg(arguments: &[&str]) -> Outcome {
    uri(arguments.iter().copied().chain(["--standard", "whatwg"]))
}

#[test]
fn get_prints_what_browsers_make_of_it() {
    for (template, url, expected) in [
        (
            "{url}",
            " HTTP:\\\\Ex%61mple.com:80\\a b",
            "http://example.com/a%20b",
        ),
        ("{host} {port:default}", "http://0x7f.1/", "127.0.0.1 80"),
        ("{host}", "http://münchen.de", "xn--mnchen-3ya.de"),
        // Characters that RFC 3986 does not allow are escaped.
        (
            "{url} {query:a:decode}",
            "http://a/?a=b|c%",
            "http://a/?a=b%7Cc%25 b|c%",
        ),
    ] {
        let outcome = whatwg(&["get", template, url]);
        assert_eq!(outcome.out, format!("{expected}\n"), "{outcome:?}");
        assert_eq!((outcome.err.as_str(), outcome.status), ("", 0));
    }
    let outcome = whatwg(&["get", "--json", "{host}", "relative"]);
    let line = &outcome.json()[0];
    assert_eq!((line["valid"].as_bool(), outcome.status), (Some(false), 1));
}

#[test]
fn edit_says_that_it_reserializes() {
    let outcome = whatwg(&["edit", "-s", "path=/b c", "HTTP://A:80\\x"]);
    assert_eq!(
        (outcome.out.as_str(), outcome.status),
        ("http://a/b%20c\n", 0)
    );
    assert_eq!(
        outcome.err,
        "uri: argument 1: reserialized as browsers write it: http://a/x\n"
    );
    let outcome = whatwg(&["edit", "-q", "-s", "host=B", "HTTP://u:pass@A"]);
    assert_eq!(
        (outcome.out.as_str(), outcome.err.as_str()),
        ("http://u:pass@b/\n", "")
    );
    // Passwords are masked in messages.
    let outcome = whatwg(&["edit", "-s", "host=B", "HTTP://u:pass@A"]);
    assert!(!outcome.err.contains("pass"), "{outcome:?}");
    // A reference that browsers serialize unchanged causes no message.
    let outcome = whatwg(&["edit", "-s", "host=B", "http://a/"]);
    assert_eq!(
        (outcome.out.as_str(), outcome.err.as_str()),
        ("http://b/\n", "")
    );
    let outcome = whatwg(&["edit", "--json", "-s", "port=80", "http://a/"]);
    let line = &outcome.json()[0];
    assert_eq!(
        (line["edited"].as_str(), line["standard"].as_str()),
        (Some("http://a/"), Some("whatwg"))
    );
    // The result is rejected.
    let outcome = whatwg(&["edit", "-s", "host=a%20b", "http://a/"]);
    assert_eq!((outcome.out.as_str(), outcome.status), ("\n", 1));
    assert!(
        outcome.err.contains("browsers reject the result: "),
        "{outcome:?}"
    );
    assert_eq!(whatwg(&["edit", "-s", "path=/", "relative"]).status, 1);
}

#[test]
fn bugs_of_the_url_crate_are_corrected() {
    for url in [r"foo://h:\x", r"foo://h\x", "foo://@"] {
        for command in ["parse", "normalize"] {
            assert_eq!(whatwg(&[command, url]).status, 1, "{command} {url}");
        }
    }
}

#[test]
fn resolve_relativize_and_compare_follow_browsers() {
    // As a relative reference, `javascript:d` would be a URL of another scheme.
    let outcome = whatwg(&[
        "relativize",
        "--base",
        "http://a/b/c",
        "http://a/b/javascript:d",
    ]);
    assert_eq!(
        (outcome.out.as_str(), outcome.status),
        ("./javascript:d\n", 0)
    );
    let outcome = whatwg(&["resolve", "--base", "http://a/b/c", "..\\d e"]);
    assert_eq!(
        (outcome.out.as_str(), outcome.status),
        ("http://a/d%20e\n", 0)
    );
    let outcome = whatwg(&["compare", "http://0x7f.1", "HTTP:\\\\127.0.0.1:80"]);
    assert_eq!((outcome.out.as_str(), outcome.status), ("scheme\n", 0));
}
