//! Runs the command on every row of `testdata/parse/`, `testdata/reject/` and `testdata/schemes/`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test fails by panicking

#[path = "cli/support.rs"]
#[allow(dead_code)] // shared with the other tests of the command
mod support;

use serde_json::{Value, json};
use support::{uri, uri_with};
use urikit_testkit::data::{self, Parts};
use urikit_testkit::rows;

const STANDARDS: [&str; 7] = [
    "rfc1630", "rfc1738", "rfc1808", "rfc2396", "rfc2732", "rfc3986", "rfc3987",
];

/// The output of `uri parse --json` for the inputs, and its status.
fn parse(standard: &str, inputs: &[&str]) -> (Vec<Value>, i32) {
    // No row contains both a NUL and a line end, so one of them can separate the inputs.
    let (flag, separator) = if inputs.iter().any(|input| input.contains('\0')) {
        ("--jobs=1", b'\n')
    } else {
        ("--null", 0)
    };
    let mut lines = Vec::new();
    for input in inputs {
        lines.extend_from_slice(input.as_bytes());
        lines.push(separator);
    }
    let outcome = uri_with(["parse", "--json", "--standard", standard, flag], &lines);
    let values = outcome.json();
    assert_eq!(values.len(), inputs.len(), "one line per input");
    (values, outcome.status)
}

/// Parses one input, with an optional edition of the scheme's specification.
fn parse_one(standard: &str, edition: Option<&str>, text: &str) -> Value {
    let edition = edition.map(|name| format!("--scheme-text={name}"));
    let arguments = ["parse", "--json", "--standard", standard];
    let arguments = arguments.into_iter().chain(edition.as_deref());
    uri(arguments.chain(["--", text])).json().remove(0)
}

/// Returns the expected components, in the form that the command prints.
fn expected_parts(parts: &Parts) -> Value {
    json!({
        "form": parts.form, "scheme": parts.scheme, "authority": parts.authority,
        "userinfo": parts.userinfo, "user": parts.user, "password": parts.password,
        "host": parts.host, "host_kind": parts.host_kind, "port": parts.port,
        "path": parts.path, "params": parts.params, "query": parts.query,
        "fragment": parts.fragment, "opaque": parts.opaque,
    })
}

/// Returns these keys of a printed object.
fn printed_parts(value: &Value, like: &Value) -> Value {
    let keys = like.as_object().unwrap().keys();
    keys.map(|key| (key.clone(), value[key].clone())).collect()
}

#[test]
fn every_example_of_the_rfcs_under_every_standard() {
    let rows = data::references();
    let inputs: Vec<&str> = rows.iter().map(|(_, row)| row.input.as_str()).collect();
    for standard in STANDARDS {
        let (values, status) = parse(standard, &inputs);
        assert_eq!(status, 1, "some rows are rejected under {standard}");
        for ((file, row), value) in rows.iter().zip(&values) {
            let place = format!("{file}: {:?} under {standard}", row.input);
            assert_eq!(value["input"], json!(row.input), "{place}");
            assert_eq!(value["standard"], json!(standard), "{place}");
            let valid = row.valid.iter().any(|name| name == standard);
            assert_eq!(value["valid"], json!(valid), "{place}");
            if valid {
                let expected = expected_parts(row.parts_of(standard).unwrap());
                assert_eq!(printed_parts(value, &expected), expected, "{place}");
                assert_eq!(value["error"], Value::Null, "{place}");
            } else {
                let offset = row.invalid.get(standard).copied();
                assert_eq!(value["error"]["offset"], json!(offset), "{place}");
                let generic = row.generic_valid.iter().any(|name| name == standard);
                assert_eq!(value["generic_valid"], json!(generic), "{place}");
                assert_eq!(value["path"].is_null(), !generic, "{place}");
            }
        }
    }
}

#[test]
fn every_invalid_input_at_its_offset() {
    let rows = data::rejects();
    for standard in STANDARDS {
        let of_standard = rows.iter().filter(|(file, _)| file == standard);
        for with_nul in [false, true] {
            let rows: Vec<_> = of_standard
                .clone()
                .filter(|(_, row)| row.input.contains('\0') == with_nul)
                .collect();
            if rows.is_empty() {
                continue;
            }
            let inputs: Vec<&str> = rows.iter().map(|(_, row)| row.input.as_str()).collect();
            let (values, status) = parse(standard, &inputs);
            assert_eq!(status, 1);
            for ((_, row), value) in rows.iter().zip(&values) {
                let place = format!("{standard}: {:?}", row.input);
                assert_eq!(value["valid"], json!(false), "{place}");
                assert_eq!(value["error"]["offset"], json!(row.offset), "{place}");
                assert_eq!(value["error"]["found"], json!(row.found), "{place}");
                if row.production.is_some() {
                    let production = json!([row.production, row.section]);
                    let printed = json!([value["error"]["production"], value["error"]["section"]]);
                    assert_eq!(printed, production, "{place}");
                }
            }
        }
    }
}

/// Removes the members that are null.
fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let present = members.iter().filter(|(_, value)| !value.is_null());
            present
                .map(|(key, value)| (key.clone(), without_nulls(value)))
                .collect()
        }
        Value::Array(values) => values.iter().map(without_nulls).collect(),
        value => value.clone(),
    }
}

#[test]
fn every_url_means_what_its_specification_says() {
    for (file, row) in rows::urls() {
        for standard in &row.standards {
            let place = format!("{file}: {:?} under {standard}", row.text);
            let value = parse_one(standard, row.edition.as_deref(), &row.text);
            let mut expected = row.details.clone();
            let scheme = value["scheme"].as_str().unwrap().to_ascii_lowercase();
            expected.insert("scheme".to_owned(), json!(scheme));
            assert_eq!(
                without_nulls(&value["details"]),
                Value::Object(expected),
                "{place}"
            );
            assert_eq!(value["scheme_text"], json!(row.by), "{place}");
            assert_eq!(value["scheme_error"], Value::Null, "{place}");
        }
    }
}

#[test]
fn an_invalid_url_of_its_scheme_has_no_details() {
    for (file, row) in rows::no_urls() {
        for standard in &row.standards {
            let place = format!("{file}: {:?} under {standard}", row.text);
            let value = parse_one(standard, row.edition.as_deref(), &row.text);
            assert_eq!(value["details"], Value::Null, "{place}");
            let error = if value["valid"] == json!(true) {
                &value["scheme_error"]
            } else {
                &value["error"]
            };
            assert_eq!(error["offset"], json!(row.offset), "{place}");
        }
    }
}
