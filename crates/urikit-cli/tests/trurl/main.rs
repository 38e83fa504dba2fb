//! The public test suite of `trurl`, curl's command for URLs, run with this command.
//!
//! The suite belongs to its authors and is not part of the project. The suite is expected in
//! `vectors/security/` in the folder that `URIKIT_SHARED` specifies, or else in `../shared` beside
//! the project. Without the suite, the test is reported as skipped. Each row is a command line of
//! trurl and its output. `plan.rs` translates the command line into commands of `uri`, and
//! `verdict.rs` decides whether the results are the same. A row that differs, or that `uri` does
//! not support, is listed in `testdata/suites/trurl.toml` with its reason; the test also fails if a
//! listed row passes.
//!
//! `cargo test -p urikit-cli --test trurl -- --nocapture` prints the counts.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test fails by panicking
#![allow(clippy::indexing_slicing)] // its data is trusted

mod known;
mod line;
mod normal;
mod plan;
mod row;
#[path = "../cli/support.rs"]
#[allow(dead_code)] // shared with the other tests of the command
mod support;
mod template;
mod verdict;

use known::Known;
use plan::Plan;
use std::collections::BTreeMap;
use verdict::Verdict;

#[test]
fn every_row_of_trurl() {
    let mut known = Known::load();
    let Some(rows) = row::load() else {
        println!("SKIPPED trurl: the suite is missing; URIKIT_SHARED names the folder that has it");
        return;
    };
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut failures = Vec::new();
    let (mut same, mut normal, mut written_out) = (0, 0, 0);
    for row in &rows {
        let plan = Plan::new(&row.arguments);
        let verdict = match &plan {
            Ok(plan) => verdict::judge(plan, row),
            Err(nothing) => Verdict::Differs(format!("no equivalent here: {nothing}")),
        };
        match (verdict, known.category(row)) {
            (Verdict::Differs(_), Some(category)) => *counts.entry(category).or_default() += 1,
            (Verdict::Differs(how), None) => failures.push(format!("{row}\n  {how}")),
            (_, Some(_)) => failures.push(format!("{row}: listed as known, but passes")),
            (verdict, None) => {
                written_out += usize::from(plan.is_ok_and(|plan| plan.is_written_out));
                match verdict {
                    Verdict::Same => same += 1,
                    _ => normal += 1,
                }
            }
        }
    }
    failures.extend(known.never_run());
    let all: usize = counts.values().sum();
    for (category, count) in counts {
        println!("{count:>4} {category}");
    }
    println!(
        "trurl: {} rows, {same} the same, {normal} in normal form ({written_out} of both with an \
         added scheme or slash), {all} known differences",
        rows.len(),
    );
    let list = failures.join("\n");
    assert!(failures.is_empty(), "{} rows:\n{list}", failures.len());
}
