//! The keys that all JSON lines share. Every line that any test prints is validated against its
//! schema; see `schema.rs`.

use crate::manual::SUBCOMMANDS;
use crate::support::uri;
use serde_json::{Value, json};

fn line(arguments: &[&str]) -> Value {
    uri(arguments).json().remove(0)
}

#[test]
fn every_subcommand_with_json_has_a_schema() {
    for name in SUBCOMMANDS {
        let help = uri([name, "--help"]).out;
        // `check` has `--format jsonl` instead.
        let has_json = help.contains("--json ") || name == "check";
        let outcome = uri(["json-schema", name]);
        assert_eq!(outcome.status == 0, has_json, "{name}");
        if has_json {
            let schema: Value = serde_json::from_str(&outcome.out).unwrap();
            assert_eq!(
                schema["$schema"],
                "https://json-schema.org/draft/2020-12/schema"
            );
            assert!(
                schema["$id"]
                    .as_str()
                    .unwrap()
                    .ends_with(&format!("/{name}.json"))
            );
        }
    }
}

#[test]
fn every_line_about_a_reference_has_valid_and_one_shape_of_error() {
    let shape = line(&["parse", "--json", "^"])["error"].clone();
    for arguments in [
        &["resolve", "--base", "x:/"][..],
        &["relativize", "--base", "http://a/"],
        &["normalize"],
        &["get", "{url}"],
        &["edit", "-s", "port=8080"],
        &["explain"],
        &["audit"],
        &["fetch", "--plan"],
        &["fetch", "-I"],
    ] {
        let value = line(&[arguments, &["--json", "^"]].concat());
        assert_eq!(value["valid"], json!(false), "{value}");
        assert_eq!(value["error"], shape, "{value}");
        assert_eq!(value["input"], json!("^"), "{value}");
    }
    let value = line(&["compare", "--json", "a", "^"]);
    assert_eq!(value["valid"], json!(false));
    assert_eq!(value["error"]["b"], shape);
    for (key, member) in shape.as_object().unwrap() {
        assert_eq!(
            &value["error"][key], member,
            "the first error is that of the line"
        );
    }
}

#[test]
fn each_error_has_its_class() {
    for (arguments, key, class) in [
        (&["parse", "^"][..], "error", "syntax"),
        (&["parse", "ftp://h/a;type=x"], "scheme_error", "scheme"),
        (&["edit", "-s", "port=1", "mailto:a"], "error", "usage"),
        (&["get", "{must:query}", "a"], "error", "usage"),
        (&["fetch", "--plan", "../a"], "error", "syntax"),
        (&["fetch", "--plan", "nonsense:a"], "error", "scheme"),
        (&["fetch", "-I", "http://127.0.0.1/"], "error", "policy"),
        (
            &[
                "fetch",
                "-I",
                "--allow-private",
                "--allow-port=1",
                "http://127.0.0.1:1/",
            ],
            "error",
            "network",
        ),
        (&["explain", "ftp://h/a%0Ab/c"], "plan_error", "scheme"),
    ] {
        let mut all = arguments.to_vec();
        all.insert(1, "--json");
        let value = line(&all);
        assert_eq!(value[key]["class"], json!(class), "{value}");
        assert!(value[key]["message"].is_string());
    }
}

#[test]
fn ports_are_text_and_numbers() {
    for (port, number) in [
        ("80", json!(80)),
        ("0080", json!(80)),
        ("", json!(null)),
        ("99999", json!(null)),
    ] {
        let value = line(&["parse", "--json", &format!("http://h:{port}/")]);
        assert_eq!(value["port"], json!(port));
        assert_eq!(value["port_number"], number, "{port}");
    }
    assert_eq!(
        line(&["parse", "--json", "http://h/"])["port_number"],
        json!(null)
    );
    assert_eq!(
        line(&["edit", "--json", "-s", "port=81", "http://h/"])["port_number"],
        json!(81)
    );
}

#[test]
fn pairs_are_the_same_everywhere() {
    for (query, pairs) in [
        (
            "?a=b&c&=d&%C3%A9=%FF&+=1",
            json!([
                {"key": "a", "value": "b"}, {"key": "c", "value": null}, {"key": "", "value": "d"},
                {"key": "é", "value": "%FF"}, {"key": "+", "value": "1"},
            ]),
        ),
        ("?", json!([])),
        ("", json!(null)),
    ] {
        let url = format!("http://h/{query}");
        for arguments in [
            &["parse", "--json"][..],
            &["edit", "--json", "-s", "fragment=f"],
            &["get", "--json", "x"],
        ] {
            assert_eq!(
                line(&[arguments, &[&url]].concat())["query_pairs"],
                pairs,
                "{arguments:?}"
            );
        }
    }
    // URLs under browsers' rules also have pairs, even with characters that no RFC allows.
    let value = line(&["parse", "--json", "--standard", "whatwg", "http://h/?a|%=b"]);
    assert_eq!(value["query_pairs"], json!([{"key": "a|%", "value": "b"}]));
}
