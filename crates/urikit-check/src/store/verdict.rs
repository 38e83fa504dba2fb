//! Results that come from the store instead of a request.

use super::age::Ages;
use super::entry::Entry;
use crate::{Finding, Outcome, OutcomeKind, Reason, Rule};
use jiff::civil::Date;

/// The stored result of a URL.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stored {
    /// The outcome.
    pub outcome: Outcome,
    /// Findings about the target, without suggestions.
    pub findings: Vec<Finding>,
    /// The URL to which redirects led, if it differs from the requested one.
    pub redirected: Option<String>,
    /// The fragments that the store does not contain, if the page exists.
    pub missing_fragments: Vec<String>,
}

impl Stored {
    /// The store does not contain the URL.
    pub(super) fn absent() -> Self {
        Self::not_in_store("the store does not contain this URL".to_owned())
    }

    fn not_in_store(message: String) -> Self {
        Self {
            outcome: Outcome::NotChecked(Reason::Offline),
            findings: vec![Finding {
                rule: Rule::NotInStore,
                message,
                suggestion: None,
            }],
            redirected: None,
            missing_fragments: Vec::new(),
        }
    }

    /// The outcome of a failure whose streak is too short.
    pub(super) fn not_yet(reason: &str, patience: &str) -> Outcome {
        Outcome::Unverifiable(Reason::Failed(format!("{reason} ({patience})")))
    }
}

impl Entry {
    /// Returns the result of `--check-store`.
    pub(super) fn verdict(&self, fragments: &[String], ages: Ages, today: Date) -> Stored {
        if !ages.is_young(self.day(), today) {
            return Stored::not_in_store(format!("the stored result is from {}", self.day()));
        }
        let mut stored = self.stored();
        if self.kind() == OutcomeKind::Ok {
            let missing = fragments
                .iter()
                .filter(|fragment| !self.has_fragment(fragment));
            stored.missing_fragments = missing.cloned().collect();
        }
        if let Some(reason) = self.reason() {
            stored.outcome = match (self.kind(), self.patience(ages, today)) {
                (OutcomeKind::Broken, Some(patience)) => Stored::not_yet(reason, &patience),
                (OutcomeKind::Broken, None) => Outcome::Broken(Reason::Failed(reason.to_owned())),
                _ => Outcome::Unverifiable(Reason::Failed(reason.to_owned())),
            };
        }
        stored
    }
}
