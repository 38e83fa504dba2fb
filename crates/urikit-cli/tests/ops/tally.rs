//! `--unique` and `--count`.

use crate::support::uri_with;
use serde_json::json;

const INPUT: &[u8] = b"http://b/\nHTTP://A:80\nhttp://a/\n^\nhttp://c\nhttp://A/.\n";

#[test]
fn each_normal_form_once_in_order() {
    let outcome = uri_with(["normalize", "--unique"], INPUT);
    assert_eq!(outcome.out, "http://b/\nhttp://a/\nhttp://c/\n");
    assert_eq!(outcome.status, 1);
    assert_eq!(outcome.err.matches("uri: ").count(), 1);
    let outcome = uri_with(["normalize", "--unique", "--json"], INPUT);
    assert_eq!(outcome.out.lines().count(), 4);
    let many = "http://a/\nhttp://b/\n".repeat(50_000) + "http://c/\n";
    let outcome = uri_with(["normalize", "--unique", "-j4"], many.as_bytes());
    assert_eq!(outcome.out, "http://a/\nhttp://b/\nhttp://c/\n");
}

#[test]
fn the_most_frequent_come_first() {
    let outcome = uri_with(["normalize", "--count"], INPUT);
    assert_eq!(outcome.out, "3\thttp://a/\n1\thttp://b/\n1\thttp://c/\n");
    assert_eq!(outcome.status, 1);
    let outcome = uri_with(["get", "--count", "{host:lower}"], INPUT);
    assert_eq!(outcome.out, "3\ta\n1\tb\n1\tc\n");
    let outcome = uri_with(["get", "--unique", "{scheme:lower}"], INPUT);
    assert_eq!(outcome.out, "http\n");
    let outcome = uri_with(["normalize", "--count", "--json"], b"http://a\nhttp://a/\n");
    assert_eq!(
        outcome.out,
        "{\"count\":2,\"normalized\":\"http://a/\",\"result\":\"http://a/\"}\n"
    );
    let outcome = uri_with(["normalize", "--count", "--json"], INPUT);
    assert_eq!(outcome.json()[0]["valid"], false);
    assert_eq!(outcome.json()[1]["count"], 3);
    let input = b"http://a/%ff\nhttp://b/c\nhttp://a/%ff\n^\n";
    let outcome = uri_with(["get", "--count", "--json", "{decode:path}"], input);
    let [invalid, bytes, text] = <[_; 3]>::try_from(outcome.json()).unwrap();
    assert_eq!(invalid["valid"], false);
    assert_eq!(
        bytes,
        json!({"count": 2, "text": "/\u{FFFD}", "text_base64": "L/8=", "result": "/\u{FFFD}"})
    );
    assert_eq!(text, json!({"count": 1, "text": "/c", "result": "/c"}));
    assert_eq!(
        uri_with(["normalize", "--count", "--unique"], b"").status,
        2
    );
}

/// Equal rows are counted, or printed only once, as lines are.
#[test]
fn tables_of_different_results() {
    let table = |arguments: &[&str]| {
        let outcome = uri_with(arguments.iter().copied(), INPUT);
        assert_eq!(outcome.status, 1, "{arguments:?}");
        assert!(outcome.err.contains("not valid"), "{outcome:?}");
        outcome.out
    };
    assert_eq!(
        table(&["get", "--csv", "--count", "{host:lower},{port:default}"]),
        "count,host:lower,port:default\n3,a,80\n1,b,80\n1,c,80\n"
    );
    assert_eq!(
        table(&["get", "--csv", "--unique", "{host:lower},{scheme:lower}"]),
        "host:lower,scheme:lower\nb,http\na,http\nc,http\n"
    );
    assert_eq!(
        table(&["normalize", "--csv", "--count"]),
        "count,normalized\n3,http://a/\n1,http://b/\n1,http://c/\n"
    );
    let unique = table(&["normalize", "--csv", "--unique"]);
    assert_eq!(unique.lines().count(), 4, "{unique}");
}
