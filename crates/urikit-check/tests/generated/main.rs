//! Generated sites with every kind of break, redirect, loop and calendar, and of slow and hostile
//! servers. The generators write down the truth about each link, and every outcome and finding must
//! equal it. Nothing in the truth comes from the code under test.
//!
//! With `URIKIT_LONG=1`, the sites have 10,000 documents and 100,000 links. `bench/check truth`
//! runs the tests at this size.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test fails by panicking

mod crawl;
mod local;
mod prefix;
mod server;
mod truth;
mod web;

use local::{HTML, OFFLINE, generate};
use regex::Regex;
use truth::{assert_counts, assert_equal, found, sources};
use urikit_check::{Check, Offline, OutcomeKind, Rule, Selection};

/// The number of pages in HTML, and of links on each.
fn size() -> (usize, usize) {
    let is_long = std::env::var_os("URIKIT_LONG").is_some();
    if is_long { (5_000, 16) } else { (120, 16) }
}

fn as_written(reference: &str) -> String {
    reference.to_owned()
}

#[test]
fn every_outcome_equals_the_truth() {
    let rows = [&HTML[..], &OFFLINE].concat();
    let generated = generate("site", size(), &rows, &as_written);
    let folder = generated.root.join("site");
    let report = Check::new().run(sources(&folder), &Offline);
    assert!(report.failures().is_empty());
    assert_equal(&found(&report), &generated.documents);
    assert_counts(&report, &generated.documents);
}

#[test]
fn exclusions_are_counted() {
    let rows = [&HTML[..], &OFFLINE].concat();
    let generated = generate("excluded", (10, 30), &rows, &as_written);
    let mut selection = Selection::default();
    selection.exclude(Regex::new("^page").unwrap());
    selection.exclude(Regex::new("no such link").unwrap());
    let check = Check::new().selection(selection);
    let report = check.run(sources(&generated.root.join("site")), &Offline);
    let expected = generated.documents.values().flatten();
    let expected = expected
        .filter(|truth| truth.reference.starts_with("page"))
        .count();
    let excluded = report.excluded();
    assert_eq!((excluded[0].links, excluded[1].links), (expected, 0));
    assert_eq!(report.findings().len(), 1);
    assert_eq!(report.findings()[0].rule, Rule::UnusedExclusion);
    for document in report.documents() {
        for checked in document.links() {
            if checked.link.reference.starts_with("page") {
                assert_eq!(checked.outcome.kind(), OutcomeKind::NotChecked);
            }
        }
    }
}
