//! The severity of each finding in a run.

use crate::baseline::Baseline;
use crate::{Checked, Rule, Severities, Severity};

/// The severity of each finding: that of its rule, or `note` if the baseline contains it.
#[derive(Clone, Copy, Debug)]
pub struct Grades<'a> {
    severities: &'a Severities,
    baseline: Option<&'a Baseline>,
    fail_on: Severity,
}

impl<'a> Grades<'a> {
    /// Combines the severities of the rules with a baseline. Errors fail a run.
    pub const fn new(severities: &'a Severities, baseline: Option<&'a Baseline>) -> Self {
        Self {
            severities,
            baseline,
            fail_on: Severity::Error,
        }
    }

    /// Sets the lowest severity that fails a run (`--fail-on`).
    #[must_use]
    pub const fn fail_on(mut self, severity: Severity) -> Self {
        self.fail_on = severity;
        self
    }

    /// Returns true if a finding of this severity fails a run.
    pub fn fails(&self, severity: Severity) -> bool {
        severity > Severity::Off && severity >= self.fail_on
    }

    /// Returns the severities that apply without a baseline.
    pub const fn severities(&self) -> &'a Severities {
        self.severities
    }

    /// Returns the severity of a finding about a reference as written in a document.
    pub fn of(&self, rule: Rule, document: &str, reference: &str) -> Severity {
        let severity = self.severities.of(rule);
        if severity > Severity::Note && self.is_known(rule, document, reference) {
            Severity::Note
        } else {
            severity
        }
    }

    /// Returns the severity of a finding without a link, such as an unused exclusion.
    pub fn of_rule(&self, rule: Rule) -> Severity {
        self.severities.of(rule)
    }

    /// Returns true if the baseline contains the finding.
    pub fn is_known(&self, rule: Rule, document: &str, reference: &str) -> bool {
        let baseline = self.baseline;
        baseline.is_some_and(|known| known.contains(rule, document, reference))
    }

    /// Returns the severity of the most serious finding of a link.
    pub fn worst(&self, checked: &Checked) -> Severity {
        let rules = checked.rules();
        let grades =
            rules.map(|rule| self.of(rule, &checked.link.document, &checked.link.reference));
        grades.max().unwrap_or(Severity::Off)
    }
}
