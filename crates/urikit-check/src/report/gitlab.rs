//! GitLab's code quality report, a subset of Code Climate's format.

use super::Results;
use super::fingerprint::{Fingerprints, of_text};
use super::json::Separator;
use super::problem::problems;
use super::shown::Shown;
use crate::{Grades, Severity};
use serde_json::json;
use std::io::{self, Write};

/// Writes one array. GitLab requires a path, so a document that could not be read is reported as a
/// problem on its first line.
pub(super) fn write(
    results: &dyn Results,
    grades: &Grades<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    out.write_all(b"[")?;
    let mut separator = Separator::default();
    let mut fingerprints = Fingerprints::default();
    results.links(&mut |checked| {
        let link = &checked.link;
        for problem in problems(checked, grades) {
            let issue = json!({
                "description": format!("{}: {}", Shown(&link.reference), problem.advice()),
                "check_name": problem.rule.id(),
                "fingerprint": fingerprints.next(problem.rule, checked),
                "severity": severity(problem.severity),
                "location": {
                    "path": path(&link.document),
                    "lines": { "begin": link.line.max(1) },
                },
            });
            separator.write(out)?;
            serde_json::to_writer(&mut *out, &issue)?;
        }
        Ok(())
    })?;
    for finding in results.findings() {
        let level = grades.of_rule(finding.rule);
        if level > Severity::Off {
            let issue = json!({
                "description": Shown(&finding.message).to_string(),
                "check_name": finding.rule.id(),
                "fingerprint": of_text(finding.rule, &finding.message),
                "severity": severity(level),
                "location": { "path": "uri.toml", "lines": { "begin": 1 } },
            });
            separator.write(out)?;
            serde_json::to_writer(&mut *out, &issue)?;
        }
    }
    out.write_all(b"\n]\n")
}

const fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "major",
        Severity::Warning => "minor",
        Severity::Note | Severity::Off => "info",
    }
}

/// GitLab matches only paths without `./`.
fn path(document: &str) -> &str {
    document.strip_prefix("./").unwrap_or(document)
}
