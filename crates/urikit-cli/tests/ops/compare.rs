//! `uri compare`: differences, and lists of pairs.

use crate::support::{uri, uri_with};
use serde_json::json;
use std::time::{Duration, Instant};

/// Returns the lines of `uri compare --diff`.
fn diff(a: &str, b: &str) -> Vec<String> {
    let outcome = uri(["compare", "--diff", a, b]);
    assert_eq!(outcome.err, "");
    outcome.out.lines().map(str::to_owned).collect()
}

#[test]
fn differences_are_components_and_pairs() {
    assert_eq!(
        diff("http://u:p@a:8080/b?c#d", "https://v@b/B#e"),
        [
            "scheme\thttp\thttps",
            "user\tu\tv",
            "password\tp\t<absent>",
            "host\ta\tb",
            "port\t8080\t<absent>",
            "path\t/b\t/B",
            "query\tc\t<absent>",
            "fragment\td\te",
        ]
    );
    assert_eq!(
        diff("//a?x=1&y=2&x=3&z", "//a?y=2&x=1&x=4&w=&z="),
        ["query:x\t3\t4", "query\tz\tz=", "query:w\t<absent>\t"]
    );
    assert_eq!(
        diff("//a?x=1&y=2", "//a?y=2&x=1"),
        ["query\tx=1&y=2\ty=2&x=1"]
    );
    assert_eq!(diff("//a?", "//a"), ["query\t\t<absent>"]);
    // Only the normal forms are compared.
    assert!(diff("HTTP://A:80/%7eb", "http://a/~b").is_empty());
    assert_eq!(diff("HTTP://A:80/%7eb", "http://a/~c"), ["path\t/~b\t/~c"]);
    let ignoring = ["compare", "--diff", "--ignore", "fragment,query-order"];
    let outcome = uri(ignoring.iter().chain(&["//a?x&y#f", "//a?y&x#g"]));
    assert_eq!((outcome.out.as_str(), outcome.status), ("", 0));
    let outcome = uri([
        "compare",
        "--diff",
        "--standard",
        "whatwg",
        "http://a/b c",
        "http://a/d",
    ]);
    assert_eq!(
        (outcome.out.as_str(), outcome.status),
        ("path\t/b%20c\t/d\n", 1)
    );
}

#[test]
fn json_lists_the_differences() {
    let lines = uri(["compare", "--json", "--diff", "//a?x=1#f", "//a?x=2"]).json();
    assert_eq!(
        lines[0]["differences"],
        json!([
            { "component": "query:x", "a": "1", "b": "2" },
            { "component": "fragment", "a": "f", "b": null },
        ])
    );
    let lines = uri(["compare", "--json", "--diff", "http://a", "http://a/"]).json();
    assert_eq!(lines[0]["differences"], json!([]));
    let lines = uri(["compare", "--json", "--diff", "http://a", "a b"]).json();
    assert_eq!(lines[0].get("differences"), None);
    let lines = uri(["compare", "--json", "//a", "//b"]).json();
    assert_eq!(lines[0].get("differences"), None);
}

#[test]
fn a_list_has_a_pair_on_each_line() {
    let list = b"http://a\tHTTP://a/\na\tb\n\xC3\xA9\ta b\nx\n\t\n";
    let outcome = uri_with(["compare"], list);
    assert_eq!(outcome.out, "scheme\ndifferent\n\n\nidentical\n");
    assert_eq!(outcome.status, 1);
    let messages: Vec<_> = outcome
        .err
        .lines()
        .filter(|line| line.starts_with("uri"))
        .collect();
    assert_eq!(
        messages,
        [
            "uri: -:3:1: not valid under RFC 3986: found `é` (U+00E9)",
            // The column counts from the beginning of the line.
            "uri: -:3:4: not valid under RFC 3986: found a space",
            "uri: -:4:1: expected two references, separated by a tab",
        ]
    );
    let json = uri_with(["compare", "--json"], list).json();
    assert_eq!(json.len(), 5);
    assert_eq!(
        (&json[0]["by"], &json[1]["equivalent"]),
        (&json!("scheme"), &json!(false))
    );
    assert_eq!((&json[3]["a"], &json[3]["b"]), (&json!("x"), &json!(null)));
    let outcome = uri_with(["compare", "--diff"], b"a\tb\na\ta\na?b=1\ta?b=2\n");
    assert_eq!(outcome.out, "path\ta\tb\n\n\nquery:b\t1\t2\n");
    let outcome = uri_with(["compare", "--csv"], b"http://a\tHTTP://a\na\tb\n");
    let lines: Vec<_> = outcome.out.lines().collect();
    let columns = "a,b,valid,equivalent,by,error,error_class,error_offset,error_found,\
                   error_expected,error_production,error_section";
    let rows = ["http://a,HTTP://a,true,true,case", "a,b,true,false,"]
        .map(|row| row.to_owned() + ",,,,,,,");
    assert_eq!(lines, [columns, &rows[0], &rows[1]]);
    assert_eq!(uri_with(["compare"], b"a\ta\n").status, 0);
    assert_eq!(uri_with(["compare", "-q"], b"a\tb\n").out, "");
    let outcome = uri_with(
        ["compare", "--lenient", "-q"],
        b"http://a/b c\thttp://a/b%20c\n",
    );
    assert_eq!((outcome.err.as_str(), outcome.status), ("", 0));
    assert_eq!(uri(["compare", "--csv", "a", "a"]).out.lines().count(), 2);
}

#[test]
fn one_reference_or_three_are_usage_errors() {
    for arguments in [&["a"][..], &["a", "b", "c"]] {
        let outcome = uri(["compare"].iter().chain(arguments));
        assert!(
            outcome.err.contains("expected two references"),
            "{}",
            outcome.err
        );
        assert_eq!(outcome.status, 2);
    }
}

#[test]
fn many_pairs_are_compared_in_linear_time() {
    let start = Instant::now();
    let query = |value: &str| {
        let pairs = (0..100_000).map(|number| format!("a{number}=1&"));
        format!("//h?{}z={value}", pairs.collect::<String>())
    };
    let outcome = uri_with(
        ["compare", "--diff"],
        format!("{}\t{}\n", query("1"), query("2")).as_bytes(),
    );
    assert_eq!(outcome.out, "query:z\t1\t2\n");
    let same = |count| "a=1&".repeat(count);
    let line = format!("//h?{}\t//h?{}\n", same(100_000), same(99_999));
    let outcome = uri_with(["compare", "--diff"], line.as_bytes());
    assert_eq!(outcome.out, "query:a\t1\t<absent>\n");
    assert!(start.elapsed() < Duration::from_secs(60));
}
