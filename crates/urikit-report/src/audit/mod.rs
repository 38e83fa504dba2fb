//! Audits: where parsers disagree about a reference, and which risks it poses.

mod findings;
mod site;

use crate::Reader;
use crate::input::Unparsed;
use crate::reading::Failure;
use crate::record::{ErrorRecord, InputKeys};
pub use findings::{FindingLine, cut, findings, value};
pub use site::{Site, SiteAudit, SiteRecord};
use std::borrow::Cow;
use std::net::IpAddr;
use urikit::Standard;
use urikit_audit::{Audit, Code, Finding, Outcome, Rejection, Severity, VOTERS};

/// The standard that `valid` and `error` refer to.
pub const STANDARD: Reader = Reader::Rfc(Standard::Rfc3986);

/// An audited input.
#[derive(serde::Serialize)]
pub struct Audited<'a> {
    #[serde(flatten)]
    input: InputKeys<'a>,
    valid: bool,
    error: Option<ErrorRecord>,
    #[serde(flatten)]
    audit: AuditKeys<'a>,
}

impl<'a> Audited<'a> {
    /// Describes an input. `failure` is the input's error under RFC 3986. The audit is `None` if
    /// the input is not UTF-8.
    pub fn new(
        input: Unparsed<'a>,
        failure: Option<&Failure>,
        audit: Option<&'a Audit<'a>>,
    ) -> Self {
        Self {
            input: input.into(),
            valid: failure.is_none(),
            error: failure.map(ErrorRecord::from),
            audit: AuditKeys::new(audit),
        }
    }

    /// Adds a sentence to the message of the finding with this code.
    pub fn advise(&mut self, code: Code, advice: &str) {
        let is_it = |finding: &&mut FindingRecord| finding.code == code.as_str();
        for finding in self.audit.findings.iter_mut().filter(is_it) {
            finding.message.to_mut().push_str(advice);
        }
    }
}

/// The keys of an audit.
#[derive(serde::Serialize)]
pub struct AuditKeys<'a> {
    agreed: Option<bool>,
    disputed: Vec<&'static str>,
    severity: Option<&'static str>,
    readings: Vec<VoiceRecord<'a>>,
    findings: Vec<FindingRecord>,
}

impl<'a> AuditKeys<'a> {
    /// Describes an audit; `None` means that the input is not UTF-8.
    pub fn new(audit: Option<&'a Audit<'a>>) -> Self {
        let Some(audit) = audit else {
            return Self {
                agreed: None,
                disputed: Vec::new(),
                severity: None,
                readings: Vec::new(),
                findings: Vec::new(),
            };
        };
        let agreement = audit.agreement();
        let disputed = agreement.disputed();
        let findings = audit.findings();
        Self {
            agreed: Some(agreement.is_unanimous()),
            disputed: disputed.iter().map(|part| part.as_str()).collect(),
            severity: findings.worst().map(Severity::as_str),
            readings: audit
                .readings()
                .map(|voice| VoiceRecord::new(voice.reader, voice.outcome))
                .collect(),
            findings: findings
                .iter()
                .map(|finding| FindingRecord::new(audit, finding))
                .collect(),
        }
    }
}

/// The result of one parser.
#[derive(serde::Serialize)]
struct VoiceRecord<'a> {
    reader: &'static str,
    votes: bool,
    valid: bool,
    /// Only present with `--base`.
    #[serde(flatten)]
    target: Option<TargetKey<'a>>,
    scheme: Option<Cow<'a, str>>,
    userinfo: Option<Cow<'a, str>>,
    host: Option<Cow<'a, str>>,
    address: Option<IpAddr>,
    port: Option<Cow<'a, str>>,
    path: Option<Cow<'a, str>>,
    error: Option<ErrorRecord>,
}

impl<'a> VoiceRecord<'a> {
    fn new(reader: &'static str, outcome: Outcome<'a>) -> Self {
        let (reading, error) = match outcome {
            Ok(reading) => (Some(reading), None),
            Err(rejection) => (None, Some(ErrorRecord::from(&failure(&rejection)))),
        };
        let valid = reading.is_some();
        let path = reading.as_ref().map(|reading| reading.path.clone());
        let reading = reading.unwrap_or_default();
        Self {
            reader,
            votes: VOTERS.iter().any(|voter| voter.name() == reader),
            valid,
            target: None,
            scheme: reading.scheme,
            userinfo: reading.userinfo,
            host: reading.host,
            address: reading.address,
            port: reading.port,
            path,
            error,
        }
    }
}

/// The target as one parser resolves it; `None` if that parser rejects it.
#[derive(serde::Serialize)]
struct TargetKey<'a> {
    target: Option<&'a str>,
}

/// The parser whose target has a finding; `None` for a finding about the entire target.
#[derive(serde::Serialize)]
struct ReaderKey {
    reader: Option<&'static str>,
}

/// Converts a rejection. Only the RFC parsers report productions and sections.
fn failure(rejection: &Rejection) -> Failure {
    match rejection {
        Rejection::Rfc(error) => Failure::Rfc(*error),
        other => Failure::Other(other.to_string()),
    }
}

#[derive(serde::Serialize)]
struct FindingRecord {
    code: &'static str,
    severity: &'static str,
    /// Only present with `--base`.
    #[serde(flatten)]
    reader: Option<ReaderKey>,
    offset: Option<usize>,
    message: Cow<'static, str>,
    sources: &'static str,
}

impl FindingRecord {
    fn new(audit: &Audit<'_>, finding: Finding) -> Self {
        let Finding { code, offset, .. } = finding;
        Self {
            code: code.as_str(),
            severity: finding.severity().as_str(),
            reader: None,
            offset: Some(offset),
            message: audit.message(finding),
            sources: code.source(),
        }
    }
}
