//! Runs public suites: the Web Platform Tests with the `whatwg` reader, and those rows of trurl's
//! suite that print components with the model of curl.
//!
//! The suites are not part of the project. The tests look for `vectors/` in the folder that the
//! variable `URIKIT_SHARED` specifies, or in `../shared` beside the project. Without the suites,
//! they are skipped. `testdata/suites/urltestdata.toml` lists rows that differ, with reasons. If a
//! listed row passes, the test fails too.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test fails by panicking

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use urikit_audit::{Curl, Outcome, Reader as _, Whatwg};
use urikit_testkit::data::project_root;

/// Returns the rows of a suite, or `None` if it is missing.
fn suite(file: &str) -> Option<Vec<Value>> {
    let shared = std::env::var_os("URIKIT_SHARED").map(PathBuf::from);
    let shared = shared.unwrap_or_else(|| project_root().join("../shared"));
    let text = fs::read_to_string(shared.join("vectors").join(file)).ok()?;
    Some(serde_json::from_str(&text).unwrap())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    row: Vec<KnownRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KnownRow {
    input: String,
    #[serde(default)]
    base: Option<String>,
    reason: String,
}

/// Returns the difference between the reading and the row, if any.
fn difference(row: &Value, outcome: &Outcome<'_>) -> Option<String> {
    let reading = match outcome {
        Ok(reading) => reading,
        Err(_) if row["failure"] == true => return None,
        Err(error) => return Some(format!("rejected: {error}")),
    };
    if row["failure"] == true {
        return Some("accepted".to_owned());
    }
    let expected = |key: &str| row[key].as_str().unwrap().to_owned();
    let pairs = [
        (
            "protocol",
            format!("{}:", reading.scheme.as_deref().unwrap_or_default()),
        ),
        ("username", reading.user().unwrap_or_default().to_owned()),
        (
            "password",
            reading.password().unwrap_or_default().to_owned(),
        ),
        (
            "hostname",
            reading.host.as_deref().unwrap_or_default().to_owned(),
        ),
        (
            "port",
            reading.port.as_deref().unwrap_or_default().to_owned(),
        ),
        ("pathname", reading.path.clone().into_owned()),
        ("search", after('?', reading.query.as_deref())),
        ("hash", after('#', reading.fragment.as_deref())),
    ];
    let mut wrong = pairs
        .into_iter()
        .filter(|(key, value)| expected(key) != *value);
    wrong
        .next()
        .map(|(key, value)| format!("{key} is {value:?}, not {:?}", expected(key)))
}

/// The files of the suite: the version in the `url` crate, and that of July 2026.
const SUITES: [&str; 2] = ["wpt/urltestdata.json", "wpt-2026-07/urltestdata.json"];

/// Returns the query or fragment with its delimiter, or nothing if it is absent or empty.
fn after(delimiter: char, text: Option<&str>) -> String {
    match text {
        None | Some("") => String::new(),
        Some(text) => format!("{delimiter}{text}"),
    }
}

#[test]
fn whatwg_reads_urltestdata() {
    let mut rows = BTreeMap::new();
    for name in SUITES {
        let Some(suite) = suite(name) else {
            println!("SKIPPED urltestdata: {name} is missing; set URIKIT_SHARED to its folder");
            return;
        };
        for row in suite.into_iter().filter(Value::is_object) {
            let input = row["input"].as_str().unwrap().to_owned();
            let base = row["base"].as_str().map(str::to_owned);
            // A newer row for the same input replaces the older one.
            rows.insert((input, base), row);
        }
    }
    let file = project_root().join("testdata/suites/urltestdata.toml");
    let known: Known = toml::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let mut known: BTreeMap<_, _> = known
        .row
        .into_iter()
        .map(|row| ((row.input, row.base), row.reason))
        .collect();
    let (count, mut wrong, named) = (rows.len(), Vec::new(), known.len());
    for (key, row) in &rows {
        let (input, base) = key;
        let outcome = match base {
            Some(base) => Whatwg.read_on_page(base, input),
            None => Whatwg.read(input),
        };
        match (difference(row, &outcome), known.remove(key)) {
            (None, None) | (Some(_), Some(_)) => {}
            (Some(difference), None) => wrong.push(format!("{input:?} on {base:?}: {difference}")),
            (None, Some(reason)) => {
                wrong.push(format!("{input:?} passes, but is listed: {reason}"));
            }
        }
    }
    wrong.extend(
        known
            .keys()
            .map(|(input, _)| format!("{input:?} is listed, and not there")),
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 880, "{count}");
    println!("urltestdata: {count} rows, of which {named} known differences");
}

#[test]
fn curl_reads_as_trurl_prints() {
    let Some(rows) = suite("security/trurl_tests.json") else {
        println!(
            "SKIPPED trurl: security/trurl_tests.json is missing; \
             set URIKIT_SHARED to its folder"
        );
        return;
    };
    let mut count = 0;
    for row in &rows {
        let arguments = row["input"]["arguments"].as_array().unwrap();
        let arguments: Vec<_> = arguments.iter().filter_map(Value::as_str).collect();
        let ([url] | [url, "--json"] | ["--url", url]) = arguments[..] else {
            continue;
        };
        let parts = &row["expected"]["stdout"][0]["parts"];
        let printed = match row["expected"]["stdout"].as_str() {
            Some(text) => text.split_once("://").map(|(_, rest)| rest.to_owned()),
            None => parts["host"].as_str().map(str::to_owned),
        };
        let (Some(printed), true) = (printed, url.contains("://")) else {
            continue;
        };
        let reading = Curl
            .read(url)
            .unwrap_or_else(|error| panic!("{url}: {error}"));
        let authority = printed.split(['/', '?', '#']).next().unwrap();
        let host = authority.rsplit('@').next().unwrap();
        let read = reading.host.as_deref().unwrap_or_default();
        assert!(
            host.starts_with(read) || host.contains('%'),
            "{url}: {read}, not {host}"
        );
        count += 1;
    }
    assert!(count > 15, "{count}");
    println!("trurl: {count} rows, all texts agree");
}
