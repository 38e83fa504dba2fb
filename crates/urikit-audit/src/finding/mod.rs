//! What could go wrong with an input.

mod code;

pub use code::{Code, UnknownCode};

use std::fmt;
use std::str::FromStr;

/// Something about an input that could go wrong.
///
/// `Display` is one line: the code, the sentence without its full stop, and the offset.
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
    /// Where in the input, in bytes.
    pub offset: usize,
    /// What it is.
    pub code: Code,
}

impl Finding {
    /// How bad it is: the severity of its code.
    pub const fn severity(self) -> Severity {
        self.code.severity()
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sentence = self.code.sentence().trim_end_matches('.');
        write!(f, "{}: {sentence} (byte {})", self.code, self.offset)
    }
}

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

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Worth knowing, and common in ordinary references.
    Info,
    /// Unusual, and seldom a danger.
    Low,
    /// Rarely intended; a check and a client may treat it differently.
    Medium,
    /// Known from attacks.
    High,
}

impl Severity {
    /// All of them, the mildest first.
    pub const ALL: [Self; 4] = [Self::Info, Self::Low, Self::Medium, Self::High];

    /// The name: `info`, `low`, `medium` or `high`.
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

/// The error for a name that is not a [`Severity`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownSeverity;

impl fmt::Display for UnknownSeverity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected `info`, `low`, `medium` or `high`")
    }
}

impl std::error::Error for UnknownSeverity {}

impl FromStr for Severity {
    type Err = UnknownSeverity;

    /// Reads a name, in lower case.
    fn from_str(text: &str) -> Result<Self, UnknownSeverity> {
        let all = Self::ALL.into_iter();
        all.into_iter()
            .find(|severity| severity.as_str() == text)
            .ok_or(UnknownSeverity)
    }
}
