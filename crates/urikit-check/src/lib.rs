//! Checks links.
//!
//! A [`Link`] is a reference in a document. Each link gets one [`Outcome`] (ok, broken,
//! unverifiable or not checked) and any number of [`Finding`]s, each of which breaks a [`Rule`].
//!
//! ```
//! use urikit_check::{Outcome, Reason, Rule, Severities, Severity};
//! let outcome = Outcome::Broken(Reason::Status(404));
//! assert_eq!(outcome.rule(), Some(Rule::Broken));
//! assert_eq!(outcome.reason().map(ToString::to_string), Some("404 Not Found".to_owned()));
//! assert_eq!(Severities::default().of(Rule::Broken), Severity::Error);
//! ```

mod link;
mod outcome;
mod rule;
mod severity;

pub use link::{Checked, Finding, Link, Suggestion};
pub use outcome::{Outcome, OutcomeKind, Reason};
pub use rule::Rule;
pub use severity::{Severities, Severity};
