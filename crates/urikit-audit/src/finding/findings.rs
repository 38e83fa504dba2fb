//! Findings of one input.

use super::{Code, Finding, Severity};
use std::fmt;

/// The findings of one input, by offset; each code once, where it begins.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Findings(Vec<Finding>);

impl Findings {
    pub(crate) fn add(&mut self, code: Code, offset: usize) {
        if !self.contains(code) {
            self.0.push(Finding { offset, code });
        }
    }

    pub(crate) fn sort(&mut self) {
        self.0.sort_unstable();
    }

    /// The findings, by offset.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Finding> {
        self.0.iter().copied()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether there is one with this code.
    pub fn contains(&self, code: Code) -> bool {
        self.0.iter().any(|finding| finding.code == code)
    }

    /// The severity of the worst.
    ///
    /// ```
    /// use urikit_audit::{Severity, audit};
    /// assert_eq!(audit("http://example.com:80/").findings().worst(), Some(Severity::Info));
    /// assert_eq!(audit("http://example.com/").findings().worst(), None);
    /// ```
    pub fn worst(&self) -> Option<Severity> {
        self.0.iter().map(|finding| finding.severity()).max()
    }
}

impl fmt::Display for Findings {
    /// One line for each.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, finding) in self.0.iter().enumerate() {
            let end = if index == 0 { "" } else { "\n" };
            write!(f, "{end}{finding}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Findings {}
