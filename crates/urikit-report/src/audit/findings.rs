//! Findings and values as pages show them, without passwords.

use crate::mask::{MASK, Masked};
use crate::safe::safe;
use std::borrow::Cow;
use std::net::IpAddr;
use urikit_audit::{Audit, Code, Finding, Part, Resolved, Side};

use super::SiteAudit;

/// A finding with its position and description.
pub struct FindingLine {
    /// The finding.
    pub finding: Finding,
    /// The position, such as `byte 7`; empty for a finding about an entire target.
    pub place: String,
    /// The finding in one sentence.
    pub sentence: Cow<'static, str>,
}

/// Returns the findings of an audit. `masked` is the displayed form of the audited input.
pub fn findings(audit: &Audit<'_>, masked: &Masked<'_>) -> Vec<FindingLine> {
    let lines = audit.findings().iter().map(|finding| FindingLine {
        finding,
        // The offset in the original would reveal the length of a password before it.
        place: format!("byte {}", masked.offset(finding.offset)),
        sentence: sentence(audit, finding),
    });
    lines.collect()
}

impl SiteAudit<'_> {
    /// Returns the findings, with positions in the resolved targets.
    pub fn lines(&self, show_secrets: bool) -> Vec<FindingLine> {
        let lines = self.findings.iter().map(|located| {
            let is_reader = |reader: &&Resolved| Some(reader.reader) == located.reader;
            let resolved = self.readings.iter().find(is_reader);
            let target = resolved.and_then(|resolved| resolved.outcome.as_ref().ok());
            let place = target.map(|to| {
                let masked = Masked::new(&to.target, show_secrets);
                let offset = masked.offset(located.finding.offset);
                format!("byte {offset} of {}", located.reader.unwrap_or_default())
            });
            FindingLine {
                finding: located.finding,
                place: place.unwrap_or_default(),
                sentence: Cow::Borrowed(located.finding.code.sentence()),
            }
        });
        lines.collect()
    }
}

/// Describes a finding in one sentence. The sentence omits the values of a disagreement, which the
/// page shows elsewhere.
fn sentence(audit: &Audit<'_>, finding: Finding) -> Cow<'static, str> {
    match finding.code {
        Code::LookAlike => audit.message(finding),
        code => Cow::Borrowed(code.sentence()),
    }
}

/// Returns a value, made safe to print.
///
/// INVARIANT: the result contains no password. A parser may read a password, or its beginning,
/// as part of the userinfo or the port, or after a colon in the host.
pub fn value(part: Part, side: &Side<'_>, show_secrets: bool) -> String {
    let value = &*side.value;
    let before_colon = value.split_once(':').map(|(before, _)| before);
    let is_secret = !show_secrets
        && match part {
            Part::Userinfo => before_colon.is_some() && !value.ends_with(':'),
            Part::Host => before_colon.is_some() && value.parse::<IpAddr>().is_err(),
            Part::Port => !value.bytes().all(|byte| byte.is_ascii_digit()),
            _ => false,
        };
    match (value, before_colon) {
        ("", _) => "(none)".to_owned(),
        (_, Some(before)) if is_secret => cut(&format!("{before}:{MASK}")),
        _ if is_secret => "(not a number)".to_owned(),
        _ => cut(value),
    }
}

/// The maximum length of a value, in characters. Longer values are cut off.
const LONGEST: usize = 300;

/// Truncates a string to `LONGEST` characters and makes it safe to print.
pub fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", safe(text.get(..end).unwrap_or_default())),
        None => safe(text).into_owned(),
    }
}
