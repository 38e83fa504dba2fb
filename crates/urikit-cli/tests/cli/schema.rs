//! Holds every line of `--json` that a test prints against the schema of its subcommand, as
//! `uri json-schema` prints that.

use jsonschema::Validator;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// Checks the output of a command that ran with `--json`.
pub(super) fn check(command: &Command, output: &[u8]) {
    let is_ours = command.get_program() == env!("CARGO_BIN_EXE_uri");
    if !is_ours || !command.get_args().any(|argument| argument == "--json") {
        return;
    }
    let subcommand = command.get_args().next().unwrap().to_str().unwrap();
    let text = std::str::from_utf8(output).unwrap();
    // The tests of scale print the same again and again, and lines of many megabytes.
    for line in text.lines().take(5_000).filter(|line| line.len() < 1 << 20) {
        check_line(subcommand, line);
    }
}

/// Checks one line.
fn check_line(subcommand: &str, line: &str) {
    static VALIDATORS: Mutex<Option<HashMap<String, &'static Validator>>> = Mutex::new(None);
    let validator = *VALIDATORS
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .get_or_insert_default()
        .entry(subcommand.to_owned())
        .or_insert_with(|| Box::leak(Box::new(validator(subcommand))));
    let value: Value = serde_json::from_str(line).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(&value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{subcommand}: {line}\n{errors:#?}");
}

fn validator(subcommand: &str) -> Validator {
    let output = Command::new(env!("CARGO_BIN_EXE_uri"))
        .args(["json-schema", subcommand])
        .output()
        .unwrap();
    assert!(output.status.success(), "the schema of {subcommand}");
    let mut schema: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(jsonschema::draft202012::meta::is_valid(&schema));
    close(&mut schema);
    jsonschema::draft202012::new(&schema).unwrap()
}

/// Users allow keys that are not in the schema, because new ones may be added; the tests do not,
/// so that none is forgotten in the schema.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(keys) => {
            keys.values_mut().for_each(close);
            let is_object = |kind: &Value| kind == "object" || kind == &json!(["object", "null"]);
            if keys.get("type").is_some_and(is_object) {
                keys.insert("unevaluatedProperties".to_owned(), json!(false));
            }
        }
        Value::Array(values) => values.iter_mut().for_each(close),
        _ => {}
    }
}
