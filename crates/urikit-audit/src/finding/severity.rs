//! How bad a finding is.

use std::fmt;
use std::str::FromStr;

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
