//! `uri edit`: plus signs in pairs, `--keep`, `--each-parameter`, and `authority=`.

use crate::support::{uri, uri_with};

/// Runs `uri edit`, which must succeed, and returns its lines.
#[track_caller]
fn edited(arguments: &[&str]) -> Vec<String> {
    let outcome = uri(["edit"].iter().chain(arguments));
    assert_eq!((outcome.err.as_str(), outcome.status), ("", 0));
    outcome.out.lines().map(str::to_owned).collect()
}

/// Runs `uri edit` and returns its error and status.
#[track_caller]
fn error(arguments: &[&str]) -> (String, i32) {
    let outcome = uri(["edit"].iter().chain(arguments));
    (outcome.err, outcome.status)
}

#[test]
fn a_plus_sign_in_a_pair_is_data() {
    for (arguments, expected) in [
        (&["-a", "query=a=1+1"][..], "//h?q=1&a=1%2B1"),
        (&["-a", "query=a+b"], "//h?q=1&a%2Bb"),
        (&["--replace", "q=1+1"], "//h?q=1%2B1"),
        (&["--replace-append", "r=1+1"], "//h?q=1&r=1%2B1"),
        // An existing escape remains.
        (&["--replace", "q=1%2b1+%20"], "//h?q=1%2b1%2B%20"),
        // The complete query has delimiters, so it is not a pair.
        (&["-s", "query=a=1+1"], "//h?a=1+1"),
    ] {
        assert_eq!(edited(&[arguments, &["//h?q=1"]].concat()), [expected]);
    }
}

#[test]
fn a_pair_can_be_written_exactly() {
    for (arguments, expected) in [
        (&["-a", "query=a:=1+1"][..], "//h?q=1&a=1+1"),
        (&["--replace", "q:=1+1"], "//h?q=1+1"),
        (&["--replace", "q:="], "//h?q="),
        (&["--replace-append", "r:=a+b"], "//h?q=1&r=a+b"),
        (&["--raw", "--replace", "q:=%20"], "//h?q=%20"),
        // A name that ends in a colon is written with an escape.
        (&["--replace-append", "r%3A=a"], "//h?q=1&r%3A=a"),
    ] {
        assert_eq!(edited(&[arguments, &["//h?q=1"]].concat()), [expected]);
    }
    let (message, status) = error(&["--replace", "q:=a b", "//h?q=1"]);
    assert!(message.contains("found a space"), "{message}");
    assert_eq!(status, 1);
    let (message, status) = error(&["--replace", "q:=a&b", "//h?q=1"]);
    assert!(message.starts_with("uri: argument 1: "), "{message}");
    assert_eq!(status, 1);
}

#[test]
fn only_the_kept_pairs_stay() {
    let url = "http://h/?id=1&utm_source=x&page=2&i%64=3&&a#f";
    for (arguments, expected) in [
        (&["--keep", "id"][..], "http://h/?id=1&i%64=3#f"),
        (
            &["--keep", "id", "--keep", "page"],
            "http://h/?id=1&page=2&i%64=3#f",
        ),
        (&["--keep", "utm_*"], "http://h/?utm_source=x#f"),
        (&["--keep", "none"], "http://h/#f"),
        (&["--keep", ""], "http://h/?#f"),
        (
            &["--keep", "*", "--trim", "query=id"],
            "http://h/?utm_source=x&page=2&&a#f",
        ),
        (
            &["--keep", "id", "-a", "query=b"],
            "http://h/?id=1&i%64=3&b#f",
        ),
    ] {
        assert_eq!(
            edited(&[arguments, &[url]].concat()),
            [expected],
            "{arguments:?}"
        );
    }
    assert_eq!(
        edited(&["--keep", "id", "http://h/", "http://h/?"]),
        ["http://h/", "http://h/?"]
    );
}

#[test]
fn each_parameter_has_a_result() {
    let each = ["--each-parameter", "--replace"];
    let lines = |rest: &[&str]| edited(&[&each, rest].concat());
    assert_eq!(
        lines(&["*=X+", "http://h/?a=1&b=2&a=3&c#f"]),
        [
            "http://h/?a=X%2B&b=2&a=3&c#f",
            "http://h/?a=1&b=X%2B&a=3&c#f",
            "http://h/?a=1&b=2&a=X%2B&c#f",
            "http://h/?a=1&b=2&a=3&c=X%2B#f",
        ]
    );
    assert_eq!(
        lines(&["a=X", "//h?a=1&b&a=2"]),
        ["//h?a=X&b&a=2", "//h?a=1&b&a=X"]
    );
    assert_eq!(
        lines(&["u*:=+", "//h?ua=1&b&uc"]),
        ["//h?ua=+&b&uc", "//h?ua=1&b&uc=+"]
    );
    assert_eq!(lines(&["\\*=X", "//h?*=1&b"]), ["//h?*=X&b"]);
    assert_eq!(lines(&["*", "//h?a=1&b=2"]), ["//h?a&b=2", "//h?a=1&b"]);
    // Several options, and words of --iterate.
    assert_eq!(
        lines(&["a=1", "--replace", "b=2", "//h?a&b"]),
        ["//h?a=1&b", "//h?a&b=2"]
    );
    assert_eq!(
        lines(&["*=X", "--iterate", "host=i j", "//h?a&b"]),
        ["//i?a=X&b", "//i?a&b=X", "//j?a=X&b", "//j?a&b=X"]
    );
    // Without a matching pair, nothing is printed.
    assert_eq!(lines(&["*=X", "//h", "//h?a"]), ["//h?a=X"]);
    let json = uri([
        "edit",
        "--json",
        "--each-parameter",
        "--replace",
        "*=X",
        "//h?a&b",
    ])
    .json();
    let results: Vec<_> = json
        .iter()
        .map(|line| line["edited"].as_str().unwrap())
        .collect();
    assert_eq!(results, ["//h?a=X&b", "//h?a&b=X"]);
    let (message, status) = error(&["--each-parameter", "-a", "query=x", "//h"]);
    assert!(message.contains("--replace"), "{message}");
    assert_eq!(status, 2);
}

#[test]
fn the_results_of_many_pairs_are_bounded() {
    let pair = format!("a={}&", "1".repeat(500));
    let url = format!("http://h/?{}\n", pair.repeat(2000));
    let arguments = ["edit", "--each-parameter", "--replace", "*=X"];
    let outcome = uri_with(arguments, url.as_bytes());
    assert_eq!(outcome.status, 1);
    assert!(
        outcome.err.contains("the rest was omitted"),
        "{}",
        outcome.err
    );
    assert!(outcome.out.len() < 70 << 20);
    let url = format!("http://h/?{}\n", "a=1&".repeat(100_000));
    let kept = uri_with(["edit", "--keep", "b"], url.as_bytes());
    assert_eq!((kept.out.as_str(), kept.status), ("http://h/\n", 0));
}

#[test]
fn the_authority_is_set_as_a_whole() {
    for (assignment, url, expected) in [
        (
            "authority=localhost:3000",
            "http://u:p@h:1/a?b",
            "http://localhost:3000/a?b",
        ),
        ("authority=a b@h", "http://x/", "http://a%20b@h/"),
        (
            "authority=u:p@[::1]:81",
            "http://x/",
            "http://u:p@[::1]:81/",
        ),
        ("authority=[::1]", "http://x:8/", "http://[::1]/"),
        ("authority=h", "/a", "//h/a"),
        ("authority=h:80", "http://x:8080/", "http://h/"),
        ("authority:=h:80", "http://x:8080/", "http://h:80/"),
        ("authority=h:", "http://x/", "http://h/"),
        ("authority:=h:", "http://x/", "http://h:/"),
        ("authority=", "file://localhost/etc", "file:/etc"),
        ("authority:=", "file:/etc", "file:///etc"),
        ("authority?=h", "http://x/", "http://x/"),
        ("authority?=h:8", "/x", "//h:8/x"),
    ] {
        assert_eq!(edited(&["-s", assignment, url]), [expected], "{assignment}");
    }
    assert_eq!(
        edited(&["--default-port", "-s", "authority=h", "http://x:8/"]),
        ["http://h:80/"]
    );
    assert_eq!(
        edited(&["--keep-port", "-s", "authority=h:80", "http://x/"]),
        ["http://h:80/"]
    );
    let (message, status) = error(&["-s", "authority=h", "-s", "port=80", "http://x/"]);
    assert!(message.contains("the port is set twice"), "{message}");
    assert_eq!(status, 2);
    let (message, status) = error(&["-s", "authority=h/p", "http://x/"]);
    assert!(message.contains('/'), "{message}");
    assert_eq!(status, 1);
}

#[test]
fn a_host_with_a_port_is_an_error_that_names_the_authority() {
    for option in [
        ["-s", "host=localhost:3000"],
        ["--iterate", "host=a localhost:3000"],
    ] {
        let (message, status) = error(&[&option[..], &["http://x/"]].concat());
        assert!(
            message.contains("a host does not include a port; use `-s authority=localhost:3000`"),
            "{message}"
        );
        assert_eq!(status, 2);
    }
    assert_eq!(
        edited(&["-s", "host=[::1]", "http://x/"]),
        ["http://[::1]/"]
    );
    let (message, status) = error(&["-s", "host=a:b", "http://x/"]);
    assert!(message.starts_with("uri: argument 1: "), "{message}");
    assert_eq!(status, 1);
}

#[test]
fn form_data_has_spaces_as_plus_signs() {
    let url = "https://shop.example/?first+name=Ann&page=1";
    for (edits, result) in [
        (
            &["--replace", "first name=Jo Ann"][..],
            "?first+name=Jo+Ann&page=1",
        ),
        (
            &["--replace-append", "first name=Jo"],
            "?first+name=Jo&page=1",
        ),
        (&["--trim", "query=first n*"], "?page=1"),
        (&["--keep", "first name"], "?first+name=Ann"),
        (&["-a", "query=a b=c d"], "?first+name=Ann&page=1&a+b=c+d"),
        (
            &["--each-parameter", "--replace", "first n*=a b"],
            "?first+name=a+b&page=1",
        ),
    ] {
        let outcome = uri(["edit", "--form"].iter().chain(edits).chain(&[url]));
        assert_eq!(
            outcome.out,
            format!("https://shop.example/{result}\n"),
            "{edits:?}"
        );
        assert_eq!((outcome.err.as_str(), outcome.status), ("", 0));
    }
    let outcome = uri(["edit", "--replace", "first name=Bob", url]);
    assert_eq!(outcome.out, format!("{url}\n")); // a plus sign
}
