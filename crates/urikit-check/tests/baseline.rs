//! Baselines: known failures, stale entries, and the format of the file.

// A test fails by panicking.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic
)]
#![allow(clippy::similar_names)]

use std::fs;
use std::sync::Arc;
use urikit_check::{
    Baseline, Checked, Finding, Grades, Link, Outcome, Reason, Rule, Severities, Severity,
};

fn link(document: &str, reference: &str, outcome: Outcome, rules: &[Rule]) -> Checked {
    Checked {
        link: Link {
            document: Arc::from(document),
            line: 1,
            column: 1,
            range: None,
            reference: reference.to_owned(),
            target: None,
        },
        outcome,
        findings: rules
            .iter()
            .map(|rule| Finding {
                rule: *rule,
                message: String::new(),
                suggestion: None,
            })
            .collect(),
        redirected: None,
    }
}

fn broken() -> Outcome {
    Outcome::Broken(Reason::Status(404))
}

#[test]
fn a_known_failure_is_a_note() {
    let mut baseline = Baseline::default();
    baseline.add(Rule::Broken, "a.md", "x");
    let severities = Severities::default();
    let grades = Grades::new(&severities, Some(&baseline));
    assert_eq!(grades.of(Rule::Broken, "a.md", "x"), Severity::Note);
    assert_eq!(grades.of(Rule::Broken, "a.md", "y"), Severity::Error);
    assert_eq!(grades.of(Rule::Broken, "b.md", "x"), Severity::Error);
    assert_eq!(grades.of(Rule::Tls, "a.md", "x"), Severity::Error);
    // A rule that is off stays off.
    assert_eq!(grades.of(Rule::Insecure, "a.md", "x"), Severity::Off);
    // If a link also has a failure that is not in the baseline, that failure determines its
    // severity.
    assert_eq!(
        grades.worst(&link("a.md", "x", broken(), &[])),
        Severity::Note
    );
    assert_eq!(
        grades.worst(&link("a.md", "x", broken(), &[Rule::Tls])),
        Severity::Error
    );
    assert_eq!(
        grades.worst(&link("a.md", "x", Outcome::Ok, &[])),
        Severity::Off
    );
}

/// Each row: the links of the run with this reference, and whether the entry is stale.
#[test]
fn stale_entries() {
    let unverifiable = || Outcome::Unverifiable(Reason::Timeout);
    let excluded = || Outcome::NotChecked(Reason::Excluded);
    let rows: [(&str, Vec<Checked>, bool); 7] = [
        ("ok", vec![link("a.md", "x", Outcome::Ok, &[])], true),
        ("no longer in the file", vec![], true),
        (
            "still broken",
            vec![link("a.md", "x", broken(), &[])],
            false,
        ),
        (
            "unverifiable",
            vec![link("a.md", "x", unverifiable(), &[])],
            false,
        ),
        (
            "not checked",
            vec![link("a.md", "x", excluded(), &[])],
            false,
        ),
        (
            "twice, and one is still broken",
            vec![
                link("a.md", "x", Outcome::Ok, &[]),
                link("a.md", "x", broken(), &[]),
            ],
            false,
        ),
        (
            "ok, with a finding of another rule",
            vec![link("a.md", "x", Outcome::Ok, &[Rule::FragmentMissing])],
            true,
        ),
    ];
    for (row, links, is_stale) in rows {
        let mut baseline = Baseline::default();
        baseline.add(Rule::Broken, "a.md", "x");
        for link in &links {
            baseline.observe(link);
        }
        let stale = baseline.stale(&|_| true);
        assert_eq!(!stale.is_empty(), is_stale, "{row}");
        assert!(
            baseline.stale(&|_| false).is_empty(),
            "{row}: the file was not read"
        );
        baseline.remove(&stale);
        assert_eq!(baseline.is_empty(), is_stale, "{row}");
    }
}

#[test]
fn removing_an_entry_leaves_the_others() {
    let mut baseline = Baseline::default();
    for reference in ["x", "y"] {
        baseline.add(Rule::Broken, "a.md", reference);
        baseline.add(Rule::FragmentMissing, "a.md", reference);
    }
    baseline.observe(&link("a.md", "x", broken(), &[]));
    baseline.observe(&link("a.md", "y", Outcome::Ok, &[Rule::FragmentMissing]));
    // A failure that the baseline does not contain is not added.
    baseline.observe(&link("a.md", "z", broken(), &[]));
    let stale = baseline.stale(&|_| true);
    assert_eq!(
        stale[0].finding().message,
        "the baseline expects fragment-missing for x in a.md, but this no longer occurs"
    );
    baseline.remove(&stale);
    let mut text = Vec::new();
    baseline.write_to(&mut text).unwrap();
    assert_eq!(
        String::from_utf8(text).unwrap(),
        "{\"rule\":\"broken\",\"file\":\"a.md\",\"reference\":\"x\"}\n\
         {\"rule\":\"fragment-missing\",\"file\":\"a.md\",\"reference\":\"y\"}\n"
    );
}

#[test]
fn the_file_is_sorted_and_damaged_lines_are_skipped() {
    let path = std::env::temp_dir().join(format!("urikit-baseline-{}", std::process::id()));
    let (baseline, damaged) = Baseline::read(&path).unwrap();
    assert!(
        baseline.is_empty() && damaged.count == 0,
        "a file that does not exist is empty"
    );

    let mut baseline = Baseline::default();
    let hostile = "\u{202E}a\tb\n\"\0";
    for (file, reference) in [("b.md", "x"), ("a.md", hostile), ("a.md", "x")] {
        baseline.add_failures(
            &link(file, reference, broken(), &[Rule::RedirectPermanent]),
            &Severities::default(),
        );
    }
    baseline.write(&path).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), 3, "notes are not part of a baseline");
    assert!(text.contains("a.md") && text.find("a.md") < text.find("b.md"));

    // The last line is cut, a merge left its marks, and a rule does not exist.
    let cut = &text[..text.len() - 5];
    fs::write(
        &path,
        format!("<<<<<<< HEAD\n{{\"rule\":\"brokn\",\"file\":\"\",\"reference\":\"\"}}\n{cut}"),
    )
    .unwrap();
    let (baseline, damaged) = Baseline::read(&path).unwrap();
    assert_eq!((baseline.len(), damaged.count), (2, 3));
    assert!(baseline.contains(Rule::Broken, "a.md", hostile));
    assert!(
        damaged.first[1]
            .1
            .starts_with("unknown rule; expected one of broken, "),
        "{}",
        damaged.first[1].1
    );
    fs::remove_file(path).unwrap();
}
