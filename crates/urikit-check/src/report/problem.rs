//! The problems of a link: its outcome and its findings, with their severities.

use super::shown::Shown;
use crate::{Checked, Grades, Reason, Rule, Severity};

/// One problem that is reported.
pub(super) struct Problem<'a> {
    pub(super) rule: Rule,
    pub(super) severity: Severity,
    /// True if the baseline contains it.
    pub(super) is_known: bool,
    message: Message<'a>,
    /// The reference to write instead.
    pub(super) suggestion: Option<&'a str>,
}

enum Message<'a> {
    Reason(&'a Reason),
    Finding(&'a str),
}

/// Returns the problems of a link whose rules are not off: first that of its outcome.
pub(super) fn problems<'a>(checked: &'a Checked, grades: &Grades<'_>) -> Vec<Problem<'a>> {
    let outcome = checked.outcome.rule().zip(checked.outcome.reason());
    let outcome = outcome.map(|(rule, reason)| (rule, Message::Reason(reason), None));
    let findings = checked.findings.iter().map(|finding| {
        let suggestion = finding.suggestion.as_ref();
        let suggestion = suggestion.map(|suggestion| &*suggestion.reference);
        (finding.rule, Message::Finding(&finding.message), suggestion)
    });
    let all = outcome.into_iter().chain(findings);
    let problems = all.map(|(rule, message, suggestion)| {
        let (document, reference) = (&*checked.link.document, &*checked.link.reference);
        Problem {
            rule,
            severity: grades.of(rule, document, reference),
            is_known: grades.is_known(rule, document, reference),
            message,
            suggestion,
        }
    });
    problems
        .filter(|problem| problem.severity > Severity::Off)
        .collect()
}

impl Problem<'_> {
    /// Returns the message with the name that is most similar to a missing file, and a remark if
    /// the baseline contains the problem.
    pub(super) fn message(&self) -> String {
        let mut message = match &self.message {
            Message::Finding(message) => Shown(message).to_string(),
            Message::Reason(reason) => match reason {
                Reason::NoSuchFile {
                    nearest: Some(name),
                } => {
                    format!("{reason}; did you mean {}?", Shown(name))
                }
                reason => Shown(&reason.to_string()).to_string(),
            },
        };
        if self.is_known {
            message.push_str(" (in the baseline)");
        }
        message
    }

    /// Returns the message with the reference to write instead.
    pub(super) fn advice(&self) -> String {
        let message = self.message();
        match self.suggestion {
            Some(suggestion) => format!("{message}; write {} instead", Shown(suggestion)),
            None => message,
        }
    }
}
