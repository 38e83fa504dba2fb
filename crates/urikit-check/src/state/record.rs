//! Converts an answer to a payload and back.

use crate::probe::{Content, Probed, Validators};
use crate::{Finding, Outcome, Reason, Rule, Suggestion};
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::io::{Read as _, Write as _};
use urikit_extract::document::Format;
use xxhash_rust::xxh3::xxh3_64;

/// An answer with its URL, without the content.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Record<'a> {
    #[serde(borrow)]
    url: Cow<'a, str>,
    #[serde(with = "StoredOutcome")]
    outcome: Outcome,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    findings: Vec<StoredFinding>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    redirected: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    etag: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    modified: Option<String>,
    #[serde(skip_serializing_if = "is_false", default)]
    pub(super) not_modified: bool,
    /// True if the request asked for the content.
    #[serde(skip_serializing_if = "is_false", default)]
    pub(super) is_sought: bool,
    /// True if the content follows the record.
    #[serde(skip_serializing_if = "is_false", default)]
    has_content: bool,
    /// The name of the content's format.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    format: Option<String>,
    /// The charset that the server specified.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    charset: Option<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // for serde
const fn is_false(yes: &bool) -> bool {
    !*yes
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Outcome", rename_all = "kebab-case")]
enum StoredOutcome {
    Ok,
    Broken(#[serde(with = "StoredReason")] Reason),
    Unverifiable(#[serde(with = "StoredReason")] Reason),
    NotChecked(#[serde(with = "StoredReason")] Reason),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Reason", rename_all = "kebab-case")]
enum StoredReason {
    Status(u16),
    NoSuchHost,
    DnsFailure,
    ConnectionRefused,
    Timeout,
    RedirectLoop,
    TooManyRedirects,
    Tls(String),
    NoSuchFile { nearest: Option<String> },
    Moved { to: String },
    NotFound(String),
    LoginRequired,
    BotWall,
    Robots,
    Script,
    UnknownScheme(String),
    MailAddress,
    Excluded,
    Refused(String),
    Offline,
    Interrupted,
    Invalid(String),
    NoBase,
    Fragment,
    Failed(String),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredFinding {
    rule: String,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    write: Option<String>,
    #[serde(skip_serializing_if = "is_false", default)]
    is_certain: bool,
}

/// Returns the key of a URL.
pub(super) fn key(url: &str) -> u64 {
    xxh3_64(url.as_bytes())
}

/// Splits a payload into the record and the compressed content.
pub(super) fn read(payload: &[u8]) -> Option<(Record<'_>, &[u8])> {
    let at = memchr::memchr(b'\n', payload)?;
    let (line, content) = payload.split_at_checked(at)?;
    let record = serde_json::from_slice(line).ok()?;
    Some((record, content.get(1..)?))
}

/// Makes the payload of an answer.
pub(super) fn write(url: &str, probed: &Probed, is_sought: bool) -> Vec<u8> {
    let content = probed.content.as_ref();
    let format = content.and_then(|content| content.format);
    let validators = probed.validators.clone().unwrap_or_default();
    let record = Record {
        url: Cow::Borrowed(url),
        outcome: probed.outcome.clone(),
        findings: probed.findings.iter().map(StoredFinding::of).collect(),
        redirected: probed.redirected.clone(),
        etag: validators.etag,
        modified: validators.modified,
        not_modified: probed.not_modified,
        is_sought,
        has_content: content.is_some(),
        format: format.map(|format| format.to_string()),
        charset: content.and_then(|content| content.charset.clone()),
    };
    // Serializing and compressing cannot fail, because the output is in memory.
    let mut payload = serde_json::to_vec(&record).unwrap_or_default();
    payload.push(b'\n');
    if let Some(content) = content {
        let mut encoder = DeflateEncoder::new(&mut payload, Compression::fast());
        let _ = encoder.write_all(&content.bytes);
        let _ = encoder.finish();
    }
    payload
}

impl Record<'_> {
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    pub(super) const fn is_ok(&self) -> bool {
        matches!(self.outcome, Outcome::Ok)
    }

    /// Returns the answer, with its content if the request needs it. Returns `None` if the content
    /// cannot be read.
    pub(super) fn probed(self, compressed: &[u8], needs_content: bool) -> Option<Probed> {
        let content = if self.has_content && needs_content {
            let mut bytes = Vec::new();
            DeflateDecoder::new(compressed)
                .read_to_end(&mut bytes)
                .ok()?;
            let format = self.format.as_deref().map(str::parse::<Format>);
            let format = format.transpose().ok()?;
            let charset = self.charset;
            Some(Content {
                format,
                charset,
                bytes,
            })
        } else {
            None
        };
        let findings = self.findings.into_iter().map(StoredFinding::into_finding);
        let validators = Validators {
            etag: self.etag,
            modified: self.modified,
        };
        Some(Probed {
            outcome: self.outcome,
            findings: findings.collect::<Option<_>>()?,
            redirected: self.redirected,
            content,
            fragments_found: false,
            fragments_not_stored: Vec::new(),
            validators: (validators != Validators::default()).then_some(validators),
            not_modified: self.not_modified,
        })
    }
}

impl StoredFinding {
    fn of(finding: &Finding) -> Self {
        let suggestion = finding.suggestion.as_ref();
        Self {
            rule: finding.rule.id().to_owned(),
            message: finding.message.clone(),
            write: suggestion.map(|suggestion| suggestion.reference.clone()),
            is_certain: suggestion.is_some_and(|suggestion| suggestion.is_certain),
        }
    }

    fn into_finding(self) -> Option<Finding> {
        let rule: Rule = self.rule.parse().ok()?;
        let is_certain = self.is_certain;
        Some(Finding {
            rule,
            message: self.message,
            suggestion: self.write.map(|reference| Suggestion {
                reference,
                is_certain,
            }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{read, write};
    use crate::probe::{Content, Probed, Validators};
    use crate::{Finding, Outcome, Reason, Rule, Suggestion};
    use urikit_extract::document::Format;

    #[test]
    fn answers_are_the_same_after_reading() {
        let reasons = [
            Reason::Status(999),
            Reason::NoSuchHost,
            Reason::Timeout,
            Reason::Tls("expired".to_owned()),
            Reason::NoSuchFile {
                nearest: Some("a\nb".to_owned()),
            },
            Reason::Refused("\u{e9} \"x\"".to_owned()),
        ];
        let mut answers: Vec<Probed> = reasons
            .into_iter()
            .flat_map(|reason| {
                [
                    Outcome::Broken(reason.clone()),
                    Outcome::Unverifiable(reason.clone()),
                    Outcome::NotChecked(reason),
                ]
            })
            .map(Probed::from)
            .collect();
        for (format, bytes) in [
            (Some(Format::Html), b"<a href=x>\n\n".repeat(1000)),
            (None, vec![0, 255, b'\n']),
            (Some(Format::Text), Vec::new()),
        ] {
            answers.push(Probed {
                findings: vec![Finding {
                    rule: Rule::RedirectPermanent,
                    message: "moved".to_owned(),
                    suggestion: Some(Suggestion {
                        reference: "http://a.example/".to_owned(),
                        is_certain: true,
                    }),
                }],
                redirected: Some("http://a.example/".to_owned()),
                content: Some(Content {
                    format,
                    charset: Some("iso-8859-1".to_owned()),
                    bytes,
                }),
                validators: Some(Validators {
                    etag: Some("\"1\"".to_owned()),
                    modified: None,
                }),
                not_modified: true,
                ..Probed::from(Outcome::Ok)
            });
        }
        for probed in answers {
            let payload = write("http://b.example/\u{e9}", &probed, true);
            let (record, content) = read(&payload).unwrap();
            assert_eq!(record.url(), "http://b.example/\u{e9}");
            assert_eq!(record.probed(content, true), Some(probed));
        }
    }
}
