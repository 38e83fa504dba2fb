//! Public suites about URLs of single schemes. `testdata/suites/schemes.toml` lists the rows that
//! differ, with the reason. A listed row that passes fails the test. Without the suites, the test
//! is skipped. The core's tests read all other suites.
//!
//! `cargo test -p urikit-schemes --test suites -- --nocapture` prints the table.

// A test fails by panicking.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

// The core's tests contain the code that reads and counts rows.
#[allow(dead_code)]
#[path = "../../urikit/tests/suites/judged.rs"]
mod judged;
#[path = "../../urikit/tests/suites/report.rs"]
mod report;
#[allow(dead_code)]
#[path = "../../urikit/tests/suites/row.rs"]
mod row;
#[path = "suites/web.rs"]
mod web;

use report::{Known, Tally};

const FILES: [&str; 2] = [
    "schemes/commons_validator.jsonl",
    "schemes/dovecot_http_url.jsonl",
];

#[test]
fn every_row_about_urls_of_a_scheme() {
    let Some(vectors) = row::vectors() else {
        println!("SKIPPED suites: vectors is missing; URIKIT_SHARED names the folder that has it");
        return;
    };
    let mut known = Known::load("schemes.toml");
    let mut tallies = Vec::new();
    for file in FILES {
        let mut tally = Tally::new(file);
        for row in row::load(&vectors, file) {
            let judged = web::judge(&row)
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
