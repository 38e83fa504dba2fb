//! The audit of one input: agreement and findings.

use crate::agree::{Agreement, Part, Voice, agree};
use crate::detect::{self, Nested};
use crate::finding::{Code, Finding, Findings, Severity};
use crate::reader::{READERS, Reader, Slices};
use std::borrow::Cow;
use std::fmt::Write as _;
use urikit::visible::Escaped;

/// The answers from all readers about an input, and the dangers that were found.
///
/// See [`audit`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Audit<'a> {
    input: &'a str,
    agreement: Agreement<'a>,
    findings: Findings,
    nested: Option<Box<Audit<'a>>>,
}

/// Asks the readers that vote in [`agree`] how they read the input, and looks for dangers.
///
/// This function never looks up names and never connects. The time is linear in the length of the
/// input. Each code is reported at most once.
///
/// Some programs remove a prefix such as `URL:` or `jar:` and open the URL after it
/// ([`Code::NestedUrl`]). The findings then include those about the inner URL.
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
    let mut report = audit_as_written(input);
    if let Some(at) = relative(input) {
        report.findings.add(Code::RelativeReference, at);
        report.findings.sort();
    }
    let Some(inside) = Nested::of(input) else {
        return report;
    };
    let nested = audit_as_written(inside.text);
    let severity = if inside.is_blob && nested.is_on_public_host() {
        Severity::Info
    } else {
        Code::NestedUrl.severity()
    };
    let found = &mut report.findings;
    let blanks = input.len() - input.trim_start_matches(detect::is_blank).len();
    found.add_with(Code::NestedUrl, blanks, severity);
    let begin = (inside.text.as_ptr() as usize).saturating_sub(input.as_ptr() as usize);
    for finding in nested.findings.iter() {
        found.add_with(finding.code, begin + finding.offset, finding.severity());
    }
    found.sort();
    report.nested = Some(Box::new(nested));
    report
}

/// Returns the offset at which to report that the input is a relative reference without a scheme.
fn relative(input: &str) -> Option<usize> {
    let trimmed = input.trim_start_matches(|c: char| c <= ' ');
    let has_scheme = Slices::of(trimmed).scheme.is_some();
    (!has_scheme).then(|| input.len() - trimmed.len())
}

/// Audits an input without looking for a URL inside it.
fn audit_as_written(input: &str) -> Audit<'_> {
    let agreement = agree(input);
    let findings = detect::findings(input, &agreement);
    Audit {
        input,
        agreement,
        findings,
        nested: None,
    }
}

impl<'a> Audit<'a> {
    /// Returns the input.
    pub const fn input(&self) -> &'a str {
        self.input
    }

    /// Returns the answers from the readers that vote, and whether they agree.
    pub const fn agreement(&self) -> &Agreement<'a> {
        &self.agreement
    }

    /// Returns the findings in order of their offsets.
    pub const fn findings(&self) -> &Findings {
        &self.findings
    }

    /// Returns the audit of the innermost URL, if the input contains one
    /// ([`Code::NestedUrl`]).
    ///
    /// ```
    /// let report = urikit_audit::audit("jar:view-source:http://127.1/a.jar!/b");
    /// assert_eq!(report.nested().unwrap().input(), "http://127.1/a.jar");
    /// ```
    pub fn nested(&self) -> Option<&Self> {
        self.nested.as_deref()
    }

    /// Returns whether this is an http(s) URL whose host may be public.
    fn is_on_public_host(&self) -> bool {
        let is_web = self.agreement.reading().is_some_and(|reading| {
            let scheme = reading.scheme.as_deref().unwrap_or_default();
            let is_web = ["http", "https"]
                .iter()
                .any(|web| scheme.eq_ignore_ascii_case(web));
            is_web && reading.host.as_deref().is_some_and(|host| !host.is_empty())
        });
        is_web
            && self.agreement.is_unanimous()
            && !self
                .findings
                .iter()
                .any(|finding| finding.code.is_address())
    }

    /// Describes a finding of this input in one sentence. For a disagreement, the sentence contains
    /// the readers' answers.
    ///
    /// Passwords are not shown, and control characters and invisible characters are escaped.
    ///
    /// ```
    /// use urikit_audit::{Code, audit};
    /// let report = audit("http://127.1/");
    /// let mut findings = report.findings().iter();
    /// let finding = findings.find(|finding| finding.code == Code::HostDisagreement).unwrap();
    /// assert_eq!(
    ///     report.message(finding),
    ///     "Readers find different hosts: `127.1` (rfc3986, lenient, urllib), `127.0.0.1` \
    ///      (whatwg, curl, legacy-ipv4)."
    /// );
    /// ```
    pub fn message(&self, finding: Finding) -> Cow<'static, str> {
        let (part, what) = match finding.code {
            Code::HostDisagreement => (Part::Host, "hosts"),
            Code::SchemeDisagreement => (Part::Scheme, "schemes"),
            Code::PortDisagreement => (Part::Port, "ports"),
            Code::LookAlike => {
                let similar = self.look_alike().map(|name| {
                    let mut sentence = "The host looks like ".to_owned();
                    push_quoted(&name, &mut sentence);
                    sentence + ", but is a different name."
                });
                return similar.map_or(Cow::Borrowed(finding.code.sentence()), Cow::Owned);
            }
            code => return Cow::Borrowed(code.sentence()),
        };
        if let Some(nested) = &self.nested
            && !self.agreement.disputed().contains(part)
        {
            return nested.message(finding);
        }
        let mut sentence = format!("Readers find different {what}: ");
        for (index, side) in self.agreement.sides(part).iter().enumerate() {
            let before = if index == 0 { "" } else { ", " };
            sentence.push_str(before);
            match &*side.value {
                "" => sentence.push_str("none"),
                // The text may be part of a password, so the sentence does not contain it.
                value if part == Part::Port && !value.bytes().all(|b| b.is_ascii_digit()) => {
                    sentence.push_str("not a number");
                }
                value => push_quoted(value, &mut sentence),
            }
            sentence.push_str(" (");
            sentence.push_str(&side.readers.join(", "));
            sentence.push(')');
        }
        sentence.push('.');
        Cow::Owned(sentence)
    }

    /// Returns the US-ASCII name that the host looks like, if it has the finding
    /// [`Code::LookAlike`]. A label in Punycode is decoded, and its letters are replaced by those
    /// that Unicode lists as similar (UTS #39).
    ///
    /// ```
    /// use urikit_audit::audit;
    /// // Cyrillic letters
    /// let report = audit("https://www.\u{430}\u{440}\u{440}\u{4CF}\u{435}.com/");
    /// assert_eq!(report.look_alike().as_deref(), Some("www.apple.com"));
    /// let report = audit("https://www.xn--80ak6aa92e.com/");
    /// assert_eq!(report.look_alike().as_deref(), Some("www.apple.com"));
    /// assert_eq!(audit("https://www.apple.com/").look_alike(), None);
    /// ```
    pub fn look_alike(&self) -> Option<String> {
        detect::look_alike(self.input)
            .or_else(|| self.nested.as_ref().and_then(|nested| nested.look_alike()))
    }

    /// Returns the answers from all [`READERS`], including the older standards.
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

/// Appends a value in backquotes, and escapes characters that must not be shown in a terminal.
fn push_quoted(value: &str, out: &mut String) {
    out.push('`');
    for c in value.chars() {
        match c {
            '\'' | '"' | '\\' => out.push(c),
            // INVARIANT: writing to a string does not fail.
            _ => drop(write!(out, "{}", Escaped(c))),
        }
    }
    out.push('`');
}
