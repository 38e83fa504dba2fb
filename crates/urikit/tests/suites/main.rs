//! The public conformance suites of other projects: every row that is about parsing, validity,
//! resolving or making relative, normal forms, escapes, composing or pairs of queries, read by this
//! library.
//!
//! The suites are other people's and no part of the project. They lie in `vectors/` under the folder
//! that `URIKIT_SHARED` names, or else under `../shared` beside the project; without them, the test
//! is skipped by name. A row that differs is listed in `testdata/suites/known.toml` with its reason,
//! and a listed row that has come to pass fails the test as well, so that the list is exact.
//!
//! Rows of other operations, and rows of which the expected value has no meaning under an RFC, are
//! counted by operation and reason, and files that are not read are listed with theirs
//! (`left_out`). Nothing is lost silently: a folder, file or operation that nobody has decided on
//! fails the test, and so does a file that is listed and not there.
//!
//! `cargo test -p urikit --test suites -- --nocapture` prints the table.

// A test fails by panicking, and its data is what it is.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod boost;
mod composing;
mod escapes;
mod examples;
mod hosts;
mod java_script;
mod judged;
mod left_out;
mod normal;
mod pairs_perl;
mod pairs_python;
mod perl;
mod python;
mod relative;
mod report;
mod resolution;
mod row;
mod ruby;
mod stated;

use judged::Judged;
use report::Known;
use report::Tally;
use row::Row;

/// Judges one row, or gives `None` when its operation is none of its family's. Resolving and making
/// relative belong to no family: every suite's rows are judged alike.
type Family = fn(&Row) -> Option<Judged>;

/// The files, and who reads their rows.
const FILES: [(&str, Family); 24] = [
    ("rfc2396/fielding_test1-5_1997.jsonl", stated::judge),
    ("rfc2396/jdk_url_lists.jsonl", stated::judge),
    ("rfc2396/perl_uri_trace_dev.jsonl", perl::judge),
    ("rfc2396/ruby_uri.jsonl", ruby::judge),
    ("rfc2396/w3c_swap_uripath.jsonl", stated::judge),
    ("rfc3986/boost_url.jsonl", boost::judge),
    ("rfc3986/cpython_313_urlparse.jsonl", python::judge),
    ("rfc3986/fast-uri_uri-js-parse.json", java_script::judge),
    ("rfc3986/fast-uri_uri-js-serialize.json", java_script::judge),
    ("rfc3986/fielding_rel_examples1-5.jsonl", stated::judge),
    ("rfc3986/fluent_uri.jsonl", stated::judge),
    ("rfc3986/guzzle_psr7.jsonl", stated::judge),
    ("rfc3986/haskell_network_uri.jsonl", stated::judge),
    ("rfc3986/iri_string.jsonl", stated::judge),
    ("rfc3986/json_schema_formats.jsonl", stated::judge),
    ("rfc3986/medialize_urijs.jsonl", java_script::judge),
    ("rfc3986/pear_net_url2.jsonl", stated::judge),
    ("rfc3986/python_rfc3986.jsonl", python::judge),
    ("rfc3986/w3c_turtle_iri_resolution.jsonl", stated::judge),
    ("rfc3987/oxiri.jsonl", stated::judge),
    ("schemes/rfc_examples.jsonl", examples::judge),
    ("wpt/IdnaTestV2.json", hosts::judge),
    ("wpt/toascii.json", hosts::judge),
    ("wpt/verifydnslength_tests.json", hosts::judge),
];

/// Every file is either read, or left out by name and for a reason.
#[test]
fn every_file_is_read_or_left_out() {
    let Some(vectors) = row::vectors() else {
        println!("SKIPPED suites: no shared folder");
        return;
    };
    let folders = row::folders(&vectors);
    let files: Vec<String> = folders
        .iter()
        .flat_map(|folder| row::files_in(&vectors, folder))
        .collect();
    for file in &files {
        let is_read = FILES.iter().any(|(name, _)| name == file);
        match left_out::file_reason(file) {
            Some(reason) => assert!(!is_read, "{file} is read, and left out: {reason}"),
            None => assert!(is_read, "nobody decided on {file}"),
        }
    }
    assert_eq!(left_out::file_reason("corpora/new.txt"), None);
    let missing = left_out::missing(&files);
    assert!(missing.is_empty(), "left out, and not there: {missing:?}");
    println!("{} files, {} of them read", files.len(), FILES.len());
}

#[test]
fn every_row_of_what_the_library_does() {
    let Some(vectors) = row::vectors() else {
        println!("SKIPPED suites: no shared folder");
        return;
    };
    let mut known = Known::load("known.toml");
    let mut tallies = Vec::new();
    for (file, family) in FILES {
        let mut tally = Tally::new(file);
        for row in row::load(&vectors, file) {
            let judged = family(&row)
                .or_else(|| resolution::judge(&row))
                .or_else(|| relative::judge(&row))
                .or_else(|| normal::judge(&row))
                .or_else(|| escapes::judge(&row))
                .or_else(|| composing::judge(&row))
                .or_else(|| pairs_python::judge(&row))
                .or_else(|| pairs_perl::judge(&row))
                .or_else(|| left_out::reason(&row.op).map(Judged::NotThisKind))
                .unwrap_or_else(|| panic!("{file} {}: nobody decided on {}", row.id, row.op));
            tally.count(&row, judged, &mut known);
        }
        tallies.push(tally);
    }
    report::print(&tallies);
    let mut failures: Vec<String> = tallies.into_iter().flat_map(|t| t.failures).collect();
    failures.extend(known.never_run());
    assert!(
        failures.is_empty(),
        "{} rows:\n{}",
        failures.len(),
        failures.join("\n")
    );
}
