//! The key `result` of each JSON record: the plain output, or `null`.

use crate::support::{Folder, command, run_with, uri, uri_with};
use serde_json::{Value, json};

/// Command lines with one result.
const WITH_RESULT: [&[&str]; 25] = [
    &["parse", "http://u:p@example.com:80/a?b#c"],
    &["parse", "--standard", "whatwg", "HTTP://EXAMPLE.com"],
    &["get", "{host} {path}", "http://a/b"],
    &["resolve", "--base", "http://a/b", "c"],
    &["relativize", "--base", "http://a/b", "http://a/c"],
    &["normalize", "HTTP://a/%7e"],
    &["edit", "-s", "host=b", "http://a/"],
    &["encode", "--component", "query", "a b&c"],
    &["decode", "a%20b"],
    &["compare", "http://a", "HTTP://a:80/"],
    &["compare", "http://a", "http://b"],
    &["compare", "--diff", "http://a/?x=1#f", "http://a/?x=2"],
    &["compare", "--diff", "http://a", "http://a"],
    &["audit", "http://example.com/"],
    &["audit", "http://u:p@good.example\\@evil.example/"],
    &[
        "audit",
        "--base",
        "https://good.example/",
        "/\\evil.example",
    ],
    &["audit", "no-scheme"],
    &["explain", "http://u:p@127.1/?a=b"],
    &["explain", "--standard", "rfc1738", "ftp://a/%2Fb"],
    &["schemes", "wais"],
    &["fetch", "--plan", "http://example.com/a"],
    &["fetch", "--plan", "http://127.0.0.1/"],
    &["fetch", "-I", "data:text/plain,a"],
    &["extract", "--defang"],
    &["extract"],
];

/// Command lines without a result, and with one input.
const WITHOUT_RESULT: [&[&str]; 12] = [
    &["parse", "a b"],
    &["get", "{host}", "a b"],
    &["resolve", "--base", "http://a/b", "a b"],
    &["relativize", "--base", "http://a/b", "a b"],
    &["normalize", "a b"],
    &["edit", "-s", "host=b", "a b"],
    &["decode", "a%"],
    &["compare", "http://a", "a b"],
    &["explain", "a b"],
    &["fetch", "--plan", "a b"],
    &["fetch", "-I", "a b"],
    &["extract", "--as", "html"],
];

/// The input of `extract`: one invalid link.
const TEXT: &[u8] = b"<a href='http://a.example/%'>x</a>";

/// Runs a command line with an option before its arguments.
fn records(arguments: &[&str]) -> Vec<Value> {
    let (subcommand, others) = arguments.split_first().unwrap();
    let arguments = [&[*subcommand, "--json"], others].concat();
    uri_with(arguments, TEXT).json()
}

#[test]
fn is_the_plain_output() {
    for arguments in WITH_RESULT {
        let is_extract = arguments[0] == "extract";
        let text: &[u8] = if is_extract {
            b"http://a.example/x"
        } else {
            b""
        };
        let json = [&[arguments[0], "--json"], &arguments[1..]].concat();
        let records = uri_with(json, text).json();
        assert_eq!(records.len(), 1, "{arguments:?}");
        let plain = uri_with(arguments, text).out;
        let result = records[0]["result"].as_str();
        let plain = plain.strip_suffix('\n').unwrap_or(&plain);
        assert_eq!(result, Some(plain), "{arguments:?}");
    }
}

#[test]
fn is_null_without_a_result() {
    for arguments in WITHOUT_RESULT {
        let records = records(arguments);
        assert_eq!(records.len(), 1, "{arguments:?}: {records:?}");
        assert_eq!(
            records[0].get("result"),
            Some(&Value::Null),
            "{arguments:?}"
        );
    }
    for subcommand in [
        &["audit", "--json"][..],
        &["audit", "--json", "--base", "http://a/"],
    ] {
        let record = uri_with(subcommand, b"\xff\n").json().remove(0);
        assert_eq!(record.get("result"), Some(&Value::Null), "{subcommand:?}");
    }
    // A line without two references
    let record = uri_with(["compare", "--json"], b"a\n").json().remove(0);
    assert_eq!(record.get("result"), Some(&Value::Null));
}

#[test]
fn of_send_is_the_plan() {
    let folder = Folder::new();
    let file = folder.file("a.txt", "a");
    let arguments = ["send", "--plan", &file, "ftp://host.dom/pub/"];
    let plain = uri(arguments).out;
    let json = ["send", "--json", "--plan", &file, "ftp://host.dom/pub/"];
    let record = uri(json).json().remove(0);
    assert_eq!(record["result"].as_str(), plain.strip_suffix('\n'));
    let record = uri(["send", "--json", &file, "ftp://a b/"])
        .json()
        .remove(0);
    assert_eq!(record.get("result"), Some(&Value::Null));
}

/// The body of a response is not part of its record.
#[test]
fn of_fetch_is_not_the_body() {
    let folder = Folder::new();
    let file = folder.path().join("a");
    for reference in ["data:text/plain,a", "a b"] {
        let arguments = ["fetch", "--json", "-o", file.to_str().unwrap(), reference];
        let record = uri(arguments).json().remove(0);
        assert_eq!(record.get("result"), Some(&Value::Null), "{reference}");
    }
}

#[test]
fn of_schemes_is_the_row_of_the_table() {
    let table = uri(["schemes"]).out;
    let records = uri(["schemes", "--json"]).json();
    let rows: Vec<_> = table.lines().skip(1).map(str::to_owned).collect();
    let results = records.iter().map(|record| record["result"].clone());
    assert_eq!(json!(rows), results.collect::<Value>());
}

#[test]
fn does_not_depend_on_the_terminal() {
    let subcommands: [&[&str]; 4] = [
        &["parse", "--json", "http://a/"],
        &["audit", "--json", "http://good.example\\@evil.example/"],
        &["explain", "--json", "http://example.com/"],
        &["schemes", "--json", "ftp"],
    ];
    for arguments in subcommands {
        let expected = uri(arguments);
        let mut command = command();
        command.args(arguments);
        command.env("CLICOLOR_FORCE", "1").env("COLUMNS", "40");
        assert_eq!(run_with(command, b""), expected, "{arguments:?}");
    }
}

#[test]
fn of_explain_is_cut_like_the_page() {
    let long = format!("http://a/{}", "b".repeat(70_000));
    let record = uri(["explain", "--json", &long]).json().remove(0);
    let plain = uri(["explain", &long]).out;
    assert_eq!(record["result"].as_str(), plain.strip_suffix('\n'));
    assert_eq!(record["reference"].as_str().map(str::len), Some(long.len()));
}

/// Returns true if each object under a schema has the key.
fn is_required(schema: &Value) -> bool {
    let has = |key: &Value| key == "result";
    let required = schema["required"].as_array();
    let each = |name: &str| {
        let schemas = schema[name].as_array();
        schemas.is_some_and(|schemas| schemas.iter().all(is_required))
    };
    required.is_some_and(|keys| keys.iter().any(has)) || each("anyOf") || each("oneOf")
}

#[test]
fn is_a_key_of_every_schema() {
    let help = uri(["json-schema", "--help"]).out;
    let (_, names) = help.split_once("possible values: ").unwrap();
    let (names, _) = names.split_once(']').unwrap();
    let names: Vec<_> = names.split(',').map(str::trim).collect();
    assert_eq!(names.len(), 16, "{names:?}");
    // A line of `check` describes a link, and its plain output groups the links of a file.
    for name in names.into_iter().filter(|name| *name != "check") {
        let schema = uri(["json-schema", name]).out;
        assert!(
            is_required(&serde_json::from_str(&schema).unwrap()),
            "{name}"
        );
    }
}
