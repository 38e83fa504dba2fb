//! The problems of a link: its outcome and its findings, with their severities.

use super::shown::Shown;
use crate::{Checked, Grades, Rule, Severity, Suggestion};

/// A problem that is reported.
pub(super) struct Problem {
    pub(super) rule: Rule,
    pub(super) severity: Severity,
    /// True if the baseline contains the problem.
    is_known: bool,
    message: String,
    /// The reference to write instead.
    pub(super) suggestion: Option<Suggestion>,
}

/// Returns the problems of a link, except those whose rule is off. The problem that corresponds to
/// the outcome comes first.
pub(super) fn problems(checked: &Checked, grades: &Grades<'_>) -> Vec<Problem> {
    let link = &checked.link;
    let problem = |rule, message: &str, suggestion| {
        let severity = grades.of(rule, &link.document, &link.reference);
        (severity > Severity::Off).then(|| Problem {
            rule,
            severity,
            is_known: grades.is_known(rule, &link.document, &link.reference),
            message: Shown(message).to_string(),
            suggestion,
        })
    };
    let outcome = checked.outcome.rule().zip(checked.outcome.reason());
    let outcome =
        outcome.and_then(|(rule, reason)| problem(rule, &reason.to_string(), checked.suggestion()));
    let findings = checked
        .findings
        .iter()
        .filter_map(|finding| problem(finding.rule, &finding.message, finding.suggestion.clone()));
    outcome.into_iter().chain(findings).collect()
}

impl Problem {
    /// Returns true if the baseline contains the problem.
    pub(super) const fn is_known(&self) -> bool {
        self.is_known
    }

    /// Returns the message, with a remark if the baseline contains the problem.
    pub(super) fn message(&self) -> String {
        let known = if self.is_known {
            " (in the baseline)"
        } else {
            ""
        };
        format!("{}{known}", self.message)
    }

    /// Returns the words before and after the suggestion.
    pub(super) const fn frame(suggestion: &Suggestion) -> (&'static str, &'static str) {
        if suggestion.is_certain {
            ("; write ", " instead")
        } else {
            ("; did you mean ", "?")
        }
    }

    /// Returns the message with the reference to write instead.
    pub(super) fn advice(&self) -> String {
        let message = self.message();
        match &self.suggestion {
            Some(suggestion) => {
                let (before, after) = Self::frame(suggestion);
                format!("{message}{before}{}{after}", Shown(&suggestion.reference))
            }
            None => message,
        }
    }
}
