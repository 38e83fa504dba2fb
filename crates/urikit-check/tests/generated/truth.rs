//! The expected results for links, which the generators record, and their comparison with a report.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use urikit_check::{DocumentReport, OutcomeKind, Report, Rule, Source};

/// A kind of link: a pattern, and the outcome and the findings of its links.
pub(crate) type Row = (&'static str, OutcomeKind, &'static [Rule]);

/// A link and the expected result for it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Truth {
    pub(crate) reference: String,
    pub(crate) outcome: OutcomeKind,
    pub(crate) rules: Vec<Rule>,
}

/// Numbers that are the same in each run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(end).unwrap()).unwrap()
    }
}

/// A generated site in a temporary folder, which is removed at the end.
pub(crate) struct Generated {
    pub(crate) root: PathBuf,
    pub(crate) documents: BTreeMap<PathBuf, Vec<Truth>>,
}

impl Drop for Generated {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// Makes a link with the number `n`. Patterns with `{few}` make three links, and patterns with
/// `{host}` make links to ten hosts.
pub(crate) fn truth((pattern, outcome, rules): &Row, n: usize) -> Truth {
    Truth {
        reference: pattern
            .replace("{n}", &n.to_string())
            .replace("{host}", &(n % 10).to_string())
            .replace("{few}", &(n % 3).to_string()),
        outcome: *outcome,
        rules: sorted(rules.to_vec()),
    }
}

fn sorted(mut rules: Vec<Rule>) -> Vec<Rule> {
    rules.sort();
    rules
}

/// The results for a document, in the same form as the expected results.
pub(crate) fn links(document: &DocumentReport<'_>) -> Vec<Truth> {
    let links = document.links().map(|checked| Truth {
        reference: checked.link.reference,
        outcome: checked.outcome.kind(),
        rules: sorted(checked.findings.iter().map(|it| it.rule).collect()),
    });
    links.collect()
}

/// The results in the same form as the expected results.
pub(crate) fn found(report: &Report) -> BTreeMap<PathBuf, Vec<Truth>> {
    let mut all = BTreeMap::new();
    for document in report.documents() {
        let links = links(&document);
        if !links.is_empty() {
            all.insert(document.path().unwrap().to_owned(), links);
        }
    }
    all
}

pub(crate) fn sources(folder: &Path) -> Vec<Source> {
    let mut paths = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                paths.push(path);
            }
        }
    }
    paths.sort();
    paths
        .into_iter()
        .map(|path| Source::found(path, folder))
        .collect()
}

/// Compares the links of documents with the truth.
pub(crate) fn assert_equal(
    found: &BTreeMap<PathBuf, Vec<Truth>>,
    expected: &BTreeMap<PathBuf, Vec<Truth>>,
) {
    let name = |(path, links): (&PathBuf, &Vec<Truth>)| {
        (!links.is_empty()).then(|| (path.display().to_string(), links.clone()))
    };
    let all = |documents: &BTreeMap<_, _>| documents.iter().filter_map(name).collect();
    assert_listed(&all(found), &all(expected));
}

/// Compares the links of documents with the expected results. Each differing kind of link is shown
/// once.
pub(crate) fn assert_listed(
    found: &BTreeMap<String, Vec<Truth>>,
    expected: &BTreeMap<String, Vec<Truth>>,
) {
    let names = |documents: &BTreeMap<String, _>| -> BTreeSet<String> {
        documents.keys().cloned().collect()
    };
    let (names, expected_names) = (names(found), names(expected));
    let differing: Vec<_> = names.symmetric_difference(&expected_names).collect();
    assert_eq!(differing, [""; 0]);
    let mut differences = BTreeMap::new();
    for (name, links) in found {
        let expected = &expected[name];
        assert_eq!(links.len(), expected.len(), "{name}");
        for (found, expected) in links.iter().zip(expected) {
            if found != expected {
                let kind: String = found
                    .reference
                    .chars()
                    .filter(|c| !c.is_numeric())
                    .collect();
                let (count, ..) = differences
                    .entry(kind)
                    .or_insert_with(|| (0, name, found, expected));
                *count += 1;
            }
        }
    }
    assert!(differences.is_empty(), "{differences:#?}");
}

/// Compares the counts of a report with the expected results.
pub(crate) fn assert_counts(report: &Report, expected: &BTreeMap<PathBuf, Vec<Truth>>) {
    let summary = report.summary();
    let all: Vec<&Truth> = expected.values().flatten().collect();
    assert_eq!(summary.links, all.len());
    assert_eq!(summary.outcomes.values().sum::<usize>(), all.len());
    for kind in OutcomeKind::ALL {
        let expected = all.iter().filter(|truth| truth.outcome == kind).count();
        assert_eq!(summary.outcomes[&kind], expected, "{}", kind.name());
    }
    for rule in Rule::ALL {
        let expected = all
            .iter()
            .filter(|truth| truth.rules.contains(&rule))
            .count();
        let found = summary.findings.get(&rule).copied().unwrap_or(0);
        assert_eq!(found, expected, "{}", rule.id());
    }
}
