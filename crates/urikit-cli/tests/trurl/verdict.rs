//! Decides whether a result is the same as trurl's.
//!
//! trurl omits the line of an input that it refuses, where we print an empty line, and its exit
//! statuses have other numbers. References are the same if their normal forms are. trurl's JSON is
//! a list, in which `parts` are the decoded components that are present, and `params` the pairs of
//! the query. `uri edit --json` has the components as written, under the same names, and
//! `query_pairs`, where a name without `=` has no value.

use crate::normal::{normal, path};
use crate::plan::Plan;
use crate::row::Row;
use crate::support::Outcome;
use serde_json::{Value, json};

pub(crate) enum Verdict {
    Same,
    /// The references are the same in normal form.
    Normal,
    /// The references differ in this way.
    Differs(String),
}

pub(crate) fn judge(plan: &Plan, row: &Row) -> Verdict {
    let outcome = plan.run();
    let differs = || {
        let Outcome { out, err, status } = &outcome;
        Verdict::Differs(format!(
            "expected {}\n  found    {status} {out:?} {err:?}",
            row.output
        ))
    };
    if row.is_good != (outcome.status == 0) {
        return differs();
    }
    let Some(expected) = row.output.as_str() else {
        let list = row.output.as_array().expect("the output is text or a list");
        return if is_same_json(plan, list, &outcome) {
            Verdict::Normal
        } else {
            differs()
        };
    };
    let lines: Vec<&str> = if outcome.status == 0 {
        outcome.out.lines().collect()
    } else {
        outcome
            .out
            .lines()
            .filter(|line| !line.is_empty())
            .collect()
    };
    let expected: Vec<&str> = expected.lines().collect();
    let is_normal = || {
        let mut pairs = lines.iter().zip(&expected);
        !plan.is_template
            && lines.len() == expected.len()
            && pairs.all(|(a, b)| is_same_reference(plan, a, b))
    };
    match () {
        () if lines == expected => Verdict::Same,
        () if is_normal() => Verdict::Normal,
        () => differs(),
    }
}

fn is_same_reference(plan: &Plan, a: &str, b: &str) -> bool {
    let a = normal(a, plan.standard);
    a.is_some() && a == normal(b, plan.standard)
}

fn is_same_json(plan: &Plan, expected: &[Value], outcome: &Outcome) -> bool {
    let found = outcome.json();
    let mut both = found.iter().zip(expected);
    found.len() == expected.len()
        && both.all(|(found, expected)| {
            let [a, b] =
                [&found["edited"], &expected["url"]].map(|url| url.as_str().unwrap_or_default());
            is_same_reference(plan, a, b)
                && parts(found, plan.urlencode) == expected["parts"]
                && params(found) == expected["params"]
        })
}

/// Returns the components as trurl shows them.
fn parts(found: &Value, as_written: bool) -> Value {
    let mut parts = json!({});
    for key in [
        "scheme", "user", "password", "host", "port", "path", "query", "fragment",
    ] {
        if let Some(text) = found[key].as_str() {
            let text = if key == "path" { path(found) } else { text };
            let text = match key {
                _ if as_written => text.to_owned(),
                "query" => decoded(&text.replace('+', " ")),
                _ => decoded(text),
            };
            parts[key] = text.into();
        }
    }
    parts
}

/// Returns the pairs as trurl shows them, or `null` if the reference has no query. trurl then omits
/// the key.
fn params(found: &Value) -> Value {
    let mut pairs = found["query_pairs"].clone();
    for pair in pairs.as_array_mut().into_iter().flatten() {
        if pair["value"].is_null() {
            pair["value"] = "".into();
        }
    }
    pairs
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((plain, escape)) = rest.split_once('%') {
        bytes.extend_from_slice(plain.as_bytes());
        let (digits, after) = escape.split_at(2);
        bytes.push(u8::from_str_radix(digits, 16).expect("two digits"));
        rest = after;
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8(bytes).expect("text")
}
