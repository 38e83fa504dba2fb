//! The counts of rows and their table, and the lists of known differences, such as
//! `testdata/suites/known.toml`.

use crate::judged::Judged;
use crate::row;
use crate::row::Row;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use toml::Table;

/// The counts of a file.
pub(crate) struct Tally {
    file: &'static str,
    rows: usize,
    passed: usize,
    known: usize,
    not_this_kind: BTreeMap<(String, &'static str), usize>,
    /// Rows that differ and are not listed, and listed rows that do not differ.
    pub(crate) failures: Vec<String>,
}

impl Tally {
    pub(crate) const fn new(file: &'static str) -> Self {
        Self {
            file,
            rows: 0,
            passed: 0,
            known: 0,
            not_this_kind: BTreeMap::new(),
            failures: Vec::new(),
        }
    }

    pub(crate) fn count(&mut self, row: &Row, judged: Judged, known: &mut Known) {
        self.rows += 1;
        let place = || format!("{} {} ({})", row.file, row.id, row.op);
        match judged {
            Judged::NotThisKind(reason) => {
                *self
                    .not_this_kind
                    .entry((row.op.clone(), reason))
                    .or_default() += 1;
            }
            Judged::Same if known.lists(row.file, &row.id) => {
                self.failures.push(format!(
                    "{}: listed as a known difference, but passes",
                    place()
                ));
            }
            Judged::Same => self.passed += 1,
            Judged::Differs { .. } if known.lists(row.file, &row.id) => self.known += 1,
            Judged::Differs { expected, actual } => {
                let input = row.field("input");
                let args = row.field("args");
                self.failures.push(format!(
                    "{}: {input} {args}\n  expected {expected}\n  actual   {actual}",
                    place()
                ));
            }
        }
    }

    fn run(&self) -> usize {
        self.passed + self.known + self.failures.len()
    }

    /// The share of known differences among the rows that run, in tenths of a percent.
    fn share(&self) -> usize {
        (self.known * 1000 + self.run() / 2)
            .checked_div(self.run())
            .unwrap_or(0)
    }
}

/// Prints the counts of all files and, below each file, what did not run.
pub(crate) fn print(tallies: &[Tally]) {
    let line = |[file, rows, run, passed, known, share, failed]: [String; 7]| {
        println!("{file:40} {rows:>5} {run:>5} {passed:>6} {known:>6} {share:>7} {failed:>7}");
    };
    line(["file", "rows", "run", "passed", "known", "share", "failed"].map(str::to_owned));
    for tally in tallies {
        let share = format!("{}.{} %", tally.share() / 10, tally.share() % 10);
        line([
            tally.file.to_owned(),
            tally.rows.to_string(),
            tally.run().to_string(),
            tally.passed.to_string(),
            tally.known.to_string(),
            if tally.run() == 0 {
                "-".to_owned()
            } else {
                share
            },
            tally.failures.len().to_string(),
        ]);
    }
    let sum = |count: fn(&Tally) -> usize| tallies.iter().map(count).sum::<usize>();
    println!(
        "{} files, {} rows, {} run, {} passed, {} known differences",
        tallies.len(),
        sum(|tally| tally.rows),
        sum(Tally::run),
        sum(|tally| tally.passed),
        sum(|tally| tally.known),
    );
    println!("\nNot this kind:");
    for tally in tallies {
        for ((op, reason), count) in &tally.not_this_kind {
            println!("  {} {count} × {op}: {reason}", tally.file);
        }
    }
}

/// The rows that are known to differ, and which of them have run.
pub(crate) struct Known {
    rows: BTreeMap<(String, String), bool>,
}

impl Known {
    /// Reads a list from `testdata/suites/`.
    pub(crate) fn load(list: &str) -> Self {
        let path = row::root().join("testdata/suites").join(list);
        let text = fs::read_to_string(&path).expect("the list of known differences can be read");
        let table: Table = text.parse().expect("the list of known differences is TOML");
        let mut rows = BTreeMap::new();
        for row in table
            .get("row")
            .and_then(|rows| rows.as_array())
            .expect("a list of rows")
        {
            let field = |name: &str| {
                let field = row
                    .get(name)
                    .and_then(|field| field.as_str())
                    .unwrap_or_default();
                assert!(!field.is_empty(), "{name} is missing: {row:?}");
                field.to_owned()
            };
            field("reason");
            assert!(
                field("section").starts_with("RFC "),
                "a section names its RFC: {row:?}"
            );
            let unlisted = rows.insert((field("file"), field("id")), false).is_none();
            assert!(unlisted, "listed twice: {row:?}");
        }
        Self { rows }
    }

    /// Returns true if the list contains a row. Records that the row has run.
    pub(crate) fn lists(&mut self, file: &str, id: &str) -> bool {
        let row = self.rows.get_mut(&(file.to_owned(), id.to_owned()));
        row.map(|run| *run = true).is_some()
    }

    /// The listed rows that did not run.
    pub(crate) fn never_run(&self) -> BTreeSet<String> {
        let rows = self.rows.iter().filter(|(_, run)| !**run);
        rows.map(|((file, id), _)| {
            format!("{file} {id}: listed as a known difference, but not run")
        })
        .collect()
    }
}
