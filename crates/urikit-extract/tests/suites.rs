//! Public suites of other programs that find links in text: linkify-it and twitter-text.
//!
//! `testdata/suites/links.toml` lists the rows in which this library differs, with a reason for
//! each. The test also fails if a listed row agrees.

#![allow(clippy::unwrap_used, clippy::string_slice)] // a test fails by panicking

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use urikit_extract::Finder;
use urikit_testkit::data::{project_root, shared};

/// A text from a suite, with the links that the suite expects.
struct Row {
    /// The file, and the line of the text.
    key: String,
    text: String,
    links: Vec<String>,
}

/// Returns the rows of linkify-it: a text, and the link in it unless the complete text is the link.
fn linkify_it(folder: &Path) -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, has_links) in [
        ("linkify-it_links.txt", true),
        ("linkify-it_not_links.txt", false),
    ] {
        let file = fs::read_to_string(folder.join(name)).unwrap();
        let mut lines = file.lines().enumerate().peekable();
        while let Some((number, line)) = lines.next() {
            let text = line.split(" % ").next().unwrap_or(line);
            let text = text.split(" // ").next().unwrap_or(text).trim_end();
            if text.is_empty() || line.starts_with('%') {
                continue;
            }
            let next = lines.peek().map_or("", |(_, next)| next.trim_end());
            let link = match next {
                _ if !has_links => None,
                "" => Some(text),
                _ if next.starts_with('%') => Some(text),
                _ => {
                    lines.next();
                    Some(next)
                }
            };
            rows.push(Row {
                key: format!("{name}:{}", number + 1),
                text: text.to_owned(),
                links: link.into_iter().map(str::to_owned).collect(),
            });
        }
    }
    rows
}

/// Returns the value of a YAML scalar in double quotes.
fn unquoted(text: &str) -> String {
    let mut json = String::new();
    let mut rest = text;
    // JSON has no `\U` with eight digits.
    while let Some((before, after)) = rest.split_once("\\U") {
        let (digits, after) = after.split_at_checked(8).unwrap();
        json.push_str(before);
        json.extend(
            u32::from_str_radix(digits, 16)
                .ok()
                .and_then(char::from_u32),
        );
        rest = after;
    }
    json.push_str(rest);
    serde_json::from_str(&json).unwrap()
}

/// Returns the rows of twitter-text about URLs.
fn twitter_text(folder: &Path) -> Vec<Row> {
    let name = "twitter-text_extract.yml";
    let file = fs::read_to_string(folder.join(name)).unwrap();
    let mut section = "";
    let mut rows: Vec<Row> = Vec::new();
    for (number, line) in file.lines().enumerate() {
        let trimmed = line.trim();
        if line.starts_with("  ") && !line.starts_with("   ") {
            section = trimmed.trim_end_matches(':');
        }
        if !section.starts_with("urls") {
            continue;
        }
        if let Some(text) = trimmed.strip_prefix("text: ") {
            rows.push(Row {
                key: format!("{name}:{}", number + 1),
                text: unquoted(text),
                links: Vec::new(),
            });
        } else if let Some(row) = rows.last_mut() {
            if let Some(list) = trimmed.strip_prefix("expected: ") {
                row.links = serde_json::from_str(list).unwrap();
            } else if let Some(link) = trimmed.strip_prefix("- url: ") {
                row.links.push(unquoted(link));
            }
        }
    }
    rows
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    row: Vec<KnownRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KnownRow {
    /// The lines of the rows: `linkify-it_links.txt:12`.
    rows: Vec<String>,
    reason: String,
}

#[test]
fn suites_of_other_programs() {
    let Some(folder) = shared("suites_of_other_programs", "vectors/links") else {
        return;
    };
    let known = fs::read_to_string(project_root().join("testdata/suites/links.toml")).unwrap();
    let known: Known = toml::from_str(&known).unwrap();
    let mut reasons = BTreeMap::new();
    for KnownRow { rows, reason } in &known.row {
        for row in rows {
            assert_eq!(
                reasons.insert(row.as_str(), reason),
                None,
                "{row} is listed twice"
            );
        }
    }
    let finder = Finder::new().abbreviated(true).addresses(true);
    let mut failures = String::new();
    let (mut agree, mut differ) = (0, 0);
    let rows = linkify_it(&folder).into_iter().chain(twitter_text(&folder));
    for Row { key, text, links } in rows {
        let found: Vec<_> = finder
            .links(&text)
            .map(|link| &text[link.range()])
            .collect();
        let agrees = found == links;
        match (agrees, reasons.remove(key.as_str())) {
            (true, None) => agree += 1,
            (false, Some(_)) => differ += 1,
            (true, Some(_)) => writeln!(failures, "{key} agrees now").unwrap(),
            (false, None) => {
                writeln!(
                    failures,
                    "{key}: {text:?}\n  suite {links:?}\n  found {found:?}"
                )
                .unwrap();
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
    assert!(reasons.is_empty(), "no rows: {reasons:?}");
    println!("linkify-it and twitter-text: {agree} texts agree, {differ} known differences");
}
