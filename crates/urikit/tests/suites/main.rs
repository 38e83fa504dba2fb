//! The public conformance suites of other projects: every row about parsing, validity, resolving,
//! relativizing, normal forms, escapes, composing or query pairs.
//!
//! The suites are not part of this project. The suites are expected in `vectors/` in the folder
//! that `URIKIT_SHARED` names, or in `../shared` beside the project. Without the suites, the test
//! is skipped. `testdata/suites/known.toml` lists each row that differs, with a reason. A listed
//! row that no longer differs also fails the test, so the list stays exact.
//!
//! Rows of other operations, rows with expectations that have no meaning under an RFC, and files
//! that are not read (`left_out`) are counted with their reasons. A folder, file or operation that
//! neither the tests nor the lists mention fails the test, and so does a listed file that does not
//! exist.
//!
//! `cargo test -p urikit --test suites -- --nocapture` prints the table.

// A test fails by panicking, and may rely on the form of its data.
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

/// Judges a row. Returns `None` if the row's family does not have the operation. Resolving and
/// relativizing are the same in every suite, so they belong to no family.
type Family = fn(&Row) -> Option<Judged>;

/// The files, and the families that read their rows.
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

/// Every file is read, or omitted with a reason.
#[test]
fn every_file_is_read_or_left_out() {
    let Some(vectors) = row::vectors() else {
        println!("SKIPPED suites: vectors is missing; URIKIT_SHARED names the folder that has it");
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
            Some(reason) => assert!(!is_read, "{file} is both read and left out: {reason}"),
            None => assert!(is_read, "{file} is neither read nor left out"),
        }
    }
    assert_eq!(left_out::file_reason("corpora/new.txt"), None);
    let missing = left_out::missing(&files);
    assert!(missing.is_empty(), "left out, but missing: {missing:?}");
    println!("{} files, {} of them read", files.len(), FILES.len());
}

#[test]
fn every_row_of_what_the_library_does() {
    let Some(vectors) = row::vectors() else {
        println!("SKIPPED suites: vectors is missing; URIKIT_SHARED names the folder that has it");
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
                .unwrap_or_else(|| panic!("{file} {}: unknown operation {}", row.id, row.op));
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
