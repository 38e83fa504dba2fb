//! The URL to which each parser resolves a target, and the findings about it.

use super::{AuditKeys, FindingRecord, ReaderKey, TargetKey, VoiceRecord};
use crate::input::Unparsed;
use crate::reading::Failure;
use crate::record::{ErrorRecord, InputKeys};
use urikit_audit::{BaseError, Keep, Located, Resolved, SameSite, Severity, same_site};

/// The base against which references are resolved, and the part that targets must share with the
/// base.
pub struct Site {
    base: String,
    keep: Keep,
}

impl Site {
    /// Checks the base.
    ///
    /// # Errors
    ///
    /// Fails unless the base is an absolute http or https URL on which all parsers agree.
    pub fn new(base: String, keep: Keep) -> Result<Self, BaseError> {
        let _ = same_site(&base, "", keep)?;
        Ok(Self { base, keep })
    }

    /// Audits a target. Because the base was already checked, the result is `Some`.
    pub fn audit<'a>(&'a self, target: &'a str) -> Option<SiteAudit<'a>> {
        let answer = same_site(&self.base, target, self.keep).ok()?;
        let readings = answer.readings().into_owned();
        let findings = answer.audit();
        Some(SiteAudit {
            answer,
            readings,
            findings,
        })
    }

    /// Returns the record of an input and its audit. `failure` is the input's error under RFC 3986.
    /// The audit is `None` if the input is not UTF-8.
    pub fn record<'a>(
        &'a self,
        input: Unparsed<'a>,
        failure: Option<&Failure>,
        audit: Option<&'a SiteAudit<'a>>,
    ) -> SiteRecord<'a> {
        SiteRecord {
            input: input.into(),
            valid: failure.is_none(),
            error: failure.map(ErrorRecord::from),
            base: &self.base,
            passes: audit.map(|audit| audit.answer.passes()),
            audit: keys(audit),
        }
    }
}

/// The audit of a target resolved against a base.
pub struct SiteAudit<'a> {
    /// The result of [`same_site`] for the reference and the base.
    pub answer: SameSite<'a>,
    /// The target as each parser resolves it.
    pub readings: Vec<Resolved>,
    /// Each code appears once. Findings about the entire target come first.
    pub findings: Vec<Located>,
}

impl SiteAudit<'_> {
    /// Returns the highest severity.
    pub fn worst(&self) -> Option<Severity> {
        let severities = self
            .findings
            .iter()
            .map(|located| located.finding.severity());
        severities.max()
    }
}

/// A target.
#[derive(serde::Serialize)]
pub struct SiteRecord<'a> {
    #[serde(flatten)]
    input: InputKeys<'a>,
    valid: bool,
    error: Option<ErrorRecord>,
    base: &'a str,
    passes: Option<bool>,
    #[serde(flatten)]
    audit: AuditKeys<'a>,
}

/// Describes an audit; `None` means that the target is not UTF-8.
fn keys<'a>(audit: Option<&'a SiteAudit<'a>>) -> AuditKeys<'a> {
    let Some(audit) = audit else {
        return AuditKeys::new(None);
    };
    let agreement = audit.answer.agreement();
    let disputed = agreement.disputed();
    AuditKeys {
        agreed: Some(agreement.is_unanimous()),
        disputed: disputed.iter().map(|part| part.as_str()).collect(),
        severity: audit.worst().map(Severity::as_str),
        readings: audit.readings.iter().map(resolved).collect(),
        findings: audit.findings.iter().map(record).collect(),
    }
}

fn resolved(resolved: &Resolved) -> VoiceRecord<'_> {
    let destination = resolved.outcome.as_ref().ok();
    let outcome = match &resolved.outcome {
        Ok(destination) => Ok(destination.reading.clone()),
        Err(rejection) => Err(*rejection),
    };
    VoiceRecord {
        target: Some(TargetKey {
            target: destination.map(|destination| &*destination.target),
        }),
        ..VoiceRecord::new(resolved.reader, outcome)
    }
}

/// Describes a finding. The offset is a position in the target as the finding's parser resolves it.
fn record(located: &Located) -> FindingRecord {
    let code = located.finding.code;
    FindingRecord {
        code: code.as_str(),
        severity: located.finding.severity().as_str(),
        reader: Some(ReaderKey {
            reader: located.reader,
        }),
        offset: located.reader.map(|_| located.finding.offset),
        message: located.message.clone(),
        sources: code.source(),
    }
}
