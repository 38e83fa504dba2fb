//! Generated sites with every kind of break, redirect, loop and calendar, and of slow and hostile
//! servers. The generators record the expected result for each link, and every outcome and finding
//! must equal it. None of the expected results come from the code under test.
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
use std::io::Write as _;
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

/// From `whatsnew/changelog.html.gz` of Debian's package python3.11-doc.
#[test]
fn compressed_pages_are_relative_to_the_root_of_pages() {
    let root = std::env::temp_dir().join(format!("urikit-check-gz-{}", std::process::id()));
    let folder = root.join("site");
    std::fs::create_dir_all(root.join(".git")).unwrap();
    std::fs::create_dir_all(folder.join("new")).unwrap();
    std::fs::write(folder.join("bugs.html"), "").unwrap();
    let file = std::fs::File::create(folder.join("new/changes.html.gz")).unwrap();
    let mut page = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    page.write_all(b"<a href=/bugs.html>1</a> <a href=/absent.html>2</a>")
        .unwrap();
    page.finish().unwrap();
    let report = Check::new().run(sources(&folder), &Offline);
    let links = report.documents().flat_map(|it| truth::links(&it));
    let kinds: Vec<_> = links.map(|link| link.outcome).collect();
    std::fs::remove_dir_all(&root).unwrap();
    assert_eq!(kinds, [OutcomeKind::Ok, OutcomeKind::Broken]);
}
