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

mod baseline;
mod document;
mod files;
pub mod fix;
mod forge;
mod fragment;
mod grades;
mod link;
mod moved;
mod near;
mod network;
mod outcome;
mod probe;
mod records;
pub mod report;
mod results;
mod rule;
mod run;
mod scheme;
mod seed;
mod select;
mod severity;
mod since;
mod site;
mod state;
pub mod store;
mod table;

pub use baseline::{Baseline, Known};
pub use document::Source;
pub use fragment::Profile;
pub use grades::Grades;
pub use link::{Checked, Finding, Link, Suggestion};
pub use network::{Network, Progress};
pub use outcome::{Outcome, OutcomeKind, Reason};
pub use probe::{Content, HostSummary, Offline, Probed, Prober, Request, RequestId, Validators};
pub use records::DamagedLines;
pub use results::{DocumentReport, Failure, Report, Summary};
pub use rule::Rule;
pub use run::{Check, Recursion, Scope};
pub use select::{Excluded, Selection};
pub use severity::{Severities, Severity};
pub use since::{Changes, FileAnchors, GitError, Removed, Since};
pub use site::{Preset, Site, SiteError};
pub use state::{State, StateError};

#[doc(hidden)]
pub use fragment::internal;

/// Runs the examples in the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
