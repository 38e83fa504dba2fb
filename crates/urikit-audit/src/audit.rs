//! Everything about one input.

use crate::agree::Voice;
use crate::agree::{Agreement, agree};
use crate::detect;
use crate::finding::Findings;
use crate::reader::{READERS, Reader};

/// What readers say about an input, and what could go wrong with it.
///
/// See [`audit`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Audit<'a> {
    input: &'a str,
    agreement: Agreement<'a>,
    findings: Findings,
}

/// Asks the readers that vote, as [`agree`] does, and looks for what could go wrong.
///
/// Nothing is looked up, and nothing is connected to. The work grows linearly with the length of
/// the input, and each code is found once at most.
///
/// ```
/// use urikit_audit::{Code, Severity, audit};
/// let report = audit("http://user@good.example@10.0.0.1:25/%2e%2e/");
/// assert!(!report.agreement().is_unanimous());
/// assert!(report.findings().contains(Code::SeveralAt));
/// assert!(report.findings().contains(Code::PrivateAddress));
/// assert!(report.findings().contains(Code::BlockedPort));
/// assert!(report.findings().contains(Code::EscapedDotSegment));
/// assert_eq!(report.findings().worst(), Some(Severity::High));
/// ```
pub fn audit(input: &str) -> Audit<'_> {
    let agreement = agree(input);
    let findings = detect::findings(input, &agreement);
    Audit {
        input,
        agreement,
        findings,
    }
}

impl<'a> Audit<'a> {
    /// The input.
    pub const fn input(&self) -> &'a str {
        self.input
    }

    /// Whether the readers that vote agree.
    pub const fn agreement(&self) -> &Agreement<'a> {
        &self.agreement
    }

    /// What could go wrong, by offset.
    pub const fn findings(&self) -> &Findings {
        &self.findings
    }

    /// What all readers of this crate say, the older standards included, in the order of
    /// [`READERS`].
    ///
    /// ```
    /// let report = urikit_audit::audit("http://[::1]/");
    /// let rejected: Vec<_> = report
    ///     .readings()
    ///     .filter(|voice| voice.outcome.is_err())
    ///     .map(|voice| voice.reader)
    ///     .collect();
    /// assert_eq!(rejected, ["rfc1630", "rfc1738", "rfc1808", "rfc2396"]);
    /// ```
    pub fn readings(&self) -> impl Iterator<Item = Voice<'a>> {
        READERS.into_iter().map(|reader: &dyn Reader| {
            let known = self.agreement.outcome(reader.name());
            Voice {
                reader: reader.name(),
                outcome: known.cloned().unwrap_or_else(|| reader.read(self.input)),
            }
        })
    }
}
