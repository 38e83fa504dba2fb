//! The numbers of links, outcomes and problems.

use super::Results;
use super::problem::problems;
use crate::{Checked, Grades, OutcomeKind, Rule, Severity};
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

/// The counts of a run.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Summary {
    /// The number of links, which is the sum of the numbers in `outcomes`.
    pub links: u64,
    /// The number of links with each outcome.
    pub outcomes: BTreeMap<OutcomeKind, u64>,
    /// The number of problems for each rule that is not off.
    pub rules: BTreeMap<Rule, u64>,
    /// The number of problems for each severity that is not off.
    pub severities: BTreeMap<Severity, u64>,
}

/// A document with its counts.
pub(super) struct DocumentSummary {
    pub(super) name: Arc<str>,
    pub(super) summary: Summary,
    /// The number of links with a problem that fails the run.
    pub(super) failed: u64,
    /// The number of unverifiable or unchecked links that do not fail the run and whose rule is not
    /// off.
    pub(super) skipped: u64,
}

impl Summary {
    /// Counts the links and problems of a run.
    ///
    /// # Errors
    ///
    /// Fails if reading `results` fails.
    pub fn of(results: &dyn Results, grades: &Grades<'_>) -> io::Result<Self> {
        let mut summary = Self::default();
        documents(results, grades, &mut |document| {
            summary.add(&document.summary);
        })?;
        for finding in results.findings() {
            summary.count(finding.rule, grades.of_rule(finding.rule));
        }
        Ok(summary)
    }

    /// Returns the number of links with this outcome.
    pub fn outcome(&self, kind: OutcomeKind) -> u64 {
        self.outcomes.get(&kind).copied().unwrap_or(0)
    }

    /// Returns the number of problems with this severity.
    pub fn severity(&self, severity: Severity) -> u64 {
        self.severities.get(&severity).copied().unwrap_or(0)
    }

    fn count(&mut self, rule: Rule, severity: Severity) {
        if severity > Severity::Off {
            *self.rules.entry(rule).or_default() += 1;
            *self.severities.entry(severity).or_default() += 1;
        }
    }

    fn add(&mut self, other: &Self) {
        self.links += other.links;
        other
            .outcomes
            .iter()
            .for_each(|(kind, n)| *self.outcomes.entry(*kind).or_default() += n);
        other
            .rules
            .iter()
            .for_each(|(rule, n)| *self.rules.entry(*rule).or_default() += n);
        let severities = other.severities.iter();
        severities.for_each(|(severity, n)| *self.severities.entry(*severity).or_default() += n);
    }
}

/// Returns true if the outcome does not show whether the link works.
pub(super) const fn is_skippable(checked: &Checked) -> bool {
    matches!(
        checked.outcome.kind(),
        OutcomeKind::Unverifiable | OutcomeKind::NotChecked
    )
}

/// Calls `each` with the counts of each document.
pub(super) fn documents(
    results: &dyn Results,
    grades: &Grades<'_>,
    each: &mut dyn FnMut(DocumentSummary),
) -> io::Result<()> {
    let mut current: Option<DocumentSummary> = None;
    results.links(&mut |checked| {
        if let Some(done) = current.take_if(|current| current.name != checked.link.document) {
            each(done);
        }
        let document = current.get_or_insert_with(|| DocumentSummary {
            name: Arc::clone(&checked.link.document),
            summary: Summary::default(),
            failed: 0,
            skipped: 0,
        });
        document.summary.links += 1;
        *document
            .summary
            .outcomes
            .entry(checked.outcome.kind())
            .or_default() += 1;
        let mut fails = false;
        let problems = problems(checked, grades);
        let is_reported = problems
            .iter()
            .any(|found| Some(found.rule) == checked.outcome.rule());
        for problem in problems {
            document.summary.count(problem.rule, problem.severity);
            fails |= grades.fails(problem.severity);
        }
        document.failed += u64::from(fails);
        document.skipped += u64::from(!fails && is_reported && is_skippable(checked));
        Ok(())
    })?;
    current.into_iter().for_each(each);
    Ok(())
}
