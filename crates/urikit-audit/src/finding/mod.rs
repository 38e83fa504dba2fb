//! Findings: potentially dangerous features of an input.

mod code;

pub use code::Code;

use std::fmt;
use std::str::FromStr;
use urikit::{UnknownName, names_of_all};

/// A danger in an input.
///
/// `Display` writes one line: the code, the sentence without its full stop, and the offset.
///
/// ```
/// use urikit_audit::{Code, audit};
/// let report = audit("http://good.example\\@evil.example/");
/// let mut findings = report.findings().iter();
/// let finding = findings.find(|finding| finding.code == Code::Backslash).unwrap();
/// assert_eq!(finding.offset, 19);
/// assert_eq!(finding.code.to_string(), "backslash");
/// assert!(finding.code.sentence().contains("browsers read it as a slash"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Finding {
    /// The offset in the input, in bytes.
    pub offset: usize,
    /// The kind of danger.
    pub code: Code,
    severity: Severity,
}

impl Finding {
    /// Returns the severity of the code. The exception is [`Code::NestedUrl`], which is only
    /// [`Severity::Info`] for a `blob:` URL of a public host.
    ///
    /// ```
    /// use urikit_audit::{Severity, audit};
    /// let worst = |input| audit(input).findings().worst();
    /// assert_eq!(worst("blob:https://example.com/9115d58c"), Some(Severity::Info));
    /// assert_eq!(worst("view-source:https://example.com/"), Some(Severity::Medium));
    /// ```
    pub const fn severity(self) -> Severity {
        self.severity
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sentence = self.code.sentence().trim_end_matches('.');
        write!(f, "{}: {sentence} (byte {})", self.code, self.offset)
    }
}

/// The findings of one input in order of their offsets. Each code occurs once, at its first
/// offset.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Findings(Vec<Finding>);

impl Findings {
    pub(crate) fn add(&mut self, code: Code, offset: usize) {
        self.add_with(code, offset, code.severity());
    }

    pub(crate) fn add_with(&mut self, code: Code, offset: usize, severity: Severity) {
        if !self.contains(code) {
            self.0.push(Finding {
                offset,
                code,
                severity,
            });
        }
    }

    pub(crate) fn sort(&mut self) {
        self.0.sort_unstable();
    }

    /// Iterates over the findings in order of their offsets.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Finding> {
        self.0.iter().copied()
    }

    /// Returns whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether a finding has this code.
    pub fn contains(&self, code: Code) -> bool {
        self.0.iter().any(|finding| finding.code == code)
    }

    /// Returns the highest severity, or `None` if nothing was found.
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
    /// Writes one line per finding.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, finding) in self.0.iter().enumerate() {
            let end = if index == 0 { "" } else { "\n" };
            write!(f, "{end}{finding}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Findings {}

/// The severity of a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The finding is common in ordinary references.
    Info,
    /// The finding is unusual, but rarely dangerous.
    Low,
    /// The finding is rarely intended, and a check and a client may treat the input differently.
    Medium,
    /// The pattern is used in known attacks.
    High,
}

impl Severity {
    /// All severities, lowest first.
    pub const ALL: [Self; 4] = [Self::Info, Self::Low, Self::Medium, Self::High];

    /// Returns the name: `info`, `low`, `medium` or `high`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Severity {
    type Err = UnknownName;

    /// Reads a [name](Self::as_str) in lower case.
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        const NAMES: &[&str] = &names_of_all!(Severity, as_str);
        let is_it = |severity: &Self| severity.as_str() == text;
        let error = UnknownName::new("severity", NAMES);
        Self::ALL.into_iter().find(is_it).ok_or(error)
    }
}
