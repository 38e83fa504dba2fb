//! Validates every `--json` line that a test prints against the schema that `uri json-schema`
//! prints for its subcommand.

use boon::{Compiler, Draft, SchemaIndex, Schemas};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// A schema, with all schemas that it refers to.
type Checker = (Schemas, SchemaIndex);

/// Checks the output of a command that ran with `--json`.
pub(super) fn check(command: &Command, output: &[u8]) {
    let is_ours = command.get_program() == env!("CARGO_BIN_EXE_uri");
    // The last of several formats applies.
    let formats = ["--json", "--csv", "--output-format"];
    let last = command.get_args().filter(|argument| {
        let argument = argument.to_str().unwrap_or_default();
        formats.contains(&argument)
    });
    let is_json = last.last().is_some_and(|format| format == "--json");
    // `check` has `--format jsonl` instead.
    let mut arguments = command.get_args();
    let subcommand = arguments.next().and_then(|name| name.to_str());
    let is_check = subcommand == Some("check") && arguments.any(|argument| argument == "jsonl");
    let Some(subcommand) = subcommand.filter(|_| is_ours && (is_json || is_check)) else {
        return;
    };
    let text = std::str::from_utf8(output).unwrap();
    // The scale tests print the same lines many times, and lines of many megabytes.
    for line in text.lines().take(5_000).filter(|line| line.len() < 1 << 20) {
        check_line(subcommand, line);
    }
}

/// Checks one line.
fn check_line(subcommand: &str, line: &str) {
    static CHECKERS: Mutex<Option<HashMap<String, &'static Checker>>> = Mutex::new(None);
    let (schemas, schema) = *CHECKERS
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .get_or_insert_default()
        .entry(subcommand.to_owned())
        .or_insert_with(|| Box::leak(Box::new(checker(subcommand))));
    let value: Value = serde_json::from_str(line).unwrap();
    let outcome = schemas.validate(&value, *schema);
    assert!(
        outcome.is_ok(),
        "{subcommand}: {line}\n{}",
        outcome.unwrap_err()
    );
}

/// Reads the schema of a subcommand, which must itself be valid.
fn checker(subcommand: &str) -> Checker {
    let output = Command::new(env!("CARGO_BIN_EXE_uri"))
        .args(["json-schema", subcommand])
        .output()
        .unwrap();
    assert!(output.status.success(), "the schema of {subcommand}");
    let mut schema: Value = serde_json::from_slice(&output.stdout).unwrap();
    close(&mut schema);
    let mut compiler = Compiler::new();
    compiler.set_default_draft(Draft::V2020_12);
    let url = format!("http://uri.invalid/{subcommand}");
    compiler.add_resource(&url, schema).unwrap();
    let mut schemas = Schemas::new();
    let schema = compiler.compile(&url, &mut schemas).unwrap();
    (schemas, schema)
}

/// Rejects keys that the schema lacks, so the schema lists every key. Users accept such keys,
/// because later versions may add some.
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
