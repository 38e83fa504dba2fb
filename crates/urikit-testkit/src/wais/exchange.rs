//! The rows of `testdata/wais/exchanges.jsonl`: what freeWAIS-sf 2.2.10 answered.

use crate::data::{project_root, shared};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// An exchange on one connection.
#[derive(Debug)]
pub struct Exchange {
    /// Its name, which is unique.
    pub name: String,
    /// What was sent, in order: complete messages.
    pub requests: Vec<Vec<u8>>,
    /// What was received: message n answers request n. Missing where the server closed the
    /// connection.
    pub responses: Vec<Vec<u8>>,
    /// What the messages mean, as decoded by another program.
    pub meaning: Value,
}

/// The exchanges of `testdata/wais/`, and those with large documents where the folder of shared
/// data is present.
///
/// # Panics
///
/// If a file has another form, which is a mistake in the data.
pub fn exchanges() -> Vec<Exchange> {
    let mut all = read(&project_root().join("testdata/wais/exchanges.jsonl"));
    let name = "protocols/recordings/wais.jsonl";
    if let Some(more) = shared("exchanges with large documents", name) {
        let known: Vec<String> = all.iter().map(|exchange| exchange.name.clone()).collect();
        let more = read(&more).into_iter();
        all.extend(more.filter(|exchange| !known.contains(&exchange.name)));
    }
    all
}

fn read(path: &Path) -> Vec<Exchange> {
    let text =
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let messages = |value: &Value| -> Vec<Vec<u8>> {
        let texts = value.as_array().unwrap().iter();
        texts.map(|text| octets(text.as_str().unwrap())).collect()
    };
    text.lines()
        .map(|line| {
            let mut row: Value = serde_json::from_str(line).unwrap();
            Exchange {
                name: row["name"].as_str().unwrap().to_owned(),
                requests: messages(&row["request_hex"]),
                responses: messages(&row["response_hex"]),
                meaning: row["meaning"].take(),
            }
        })
        .collect()
}

/// Octets written in hexadecimal.
fn octets(hex: &str) -> Vec<u8> {
    let pairs = hex.as_bytes().chunks(2);
    let octet = |pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    pairs.map(octet).collect()
}
