//! What could go wrong with an input.

mod code;
mod findings;
mod severity;

pub use code::{Code, UnknownCode};
pub use findings::Findings;
pub use severity::{Severity, UnknownSeverity};

use std::fmt;

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
