//! SARIF 2.1.0 (OASIS, 27 March 2020).

use super::Results;
use super::fingerprint::{Fingerprints, of_text};
use super::json::Separator;
use super::problem::{Problem, problems};
use super::shown::Shown;
use crate::{Checked, Failure, Grades, Rule, Severity};
use serde_json::{Value, json};
use std::io::{self, Write};
use urikit::grammar::ByteSet;
use urikit::grammar::rfc3986::PCHAR;
use urikit::percent::encode_with;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/\
    sarif-schema-2.1.0.json";

/// The name of the fingerprints. If their definition changes, the name must change too (3.27.17).
const FINGERPRINT: &str = "uriCheckLink/v1";

/// Writes a log with one run.
pub(super) fn write(
    results: &dyn Results,
    grades: &Grades<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let rules = Rule::ALL.map(|rule| rule_object(rule, grades));
    let driver = json!({
        "name": "uri check",
        "informationUri": env!("CARGO_PKG_REPOSITORY"),
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "rules": rules,
    });
    let failures = results.failures();
    let notifications: Vec<_> = failures.iter().map(notification).collect();
    let invocation = json!({
        "executionSuccessful": failures.is_empty(),
        "toolExecutionNotifications": notifications,
    });
    write!(
        out,
        "{{\"$schema\":\"{SCHEMA}\",\"version\":\"2.1.0\",\"runs\":[{{\"tool\":"
    )?;
    serde_json::to_writer(&mut *out, &json!({ "driver": driver }))?;
    out.write_all(b",\n\"invocations\":[")?;
    serde_json::to_writer(&mut *out, &invocation)?;
    out.write_all(b"],\n\"columnKind\":\"unicodeCodePoints\",\n\"results\":[")?;
    let mut separator = Separator::default();
    let mut fingerprints = Fingerprints::default();
    results.links(&mut |checked| {
        for problem in problems(checked, grades) {
            let fingerprint = fingerprints.next(problem.rule, checked);
            separator.write(out)?;
            serde_json::to_writer(&mut *out, &result(checked, &problem, &fingerprint))?;
        }
        Ok(())
    })?;
    for finding in results.findings() {
        let severity = grades.of_rule(finding.rule);
        if severity > Severity::Off {
            separator.write(out)?;
            let result = json!({
                "ruleId": finding.rule.id(),
                "ruleIndex": index(finding.rule),
                "level": severity.name(),
                "message": { "text": Shown(&finding.message).to_string() },
                "partialFingerprints": { FINGERPRINT: of_text(finding.rule, &finding.message) },
            });
            serde_json::to_writer(&mut *out, &result)?;
        }
    }
    out.write_all(b"\n]}]}\n")
}

/// Describes a rule (3.49).
fn rule_object(rule: Rule, grades: &Grades<'_>) -> Value {
    let configuration = match grades.of_rule(rule) {
        Severity::Off => json!({ "enabled": false }),
        severity => json!({ "level": severity.name() }),
    };
    json!({
        "id": rule.id(),
        "shortDescription": { "text": rule.description() },
        "defaultConfiguration": configuration,
    })
}

/// Returns the index of a rule in the list of rules.
fn index(rule: Rule) -> Option<usize> {
    Rule::ALL.iter().position(|other| *other == rule)
}

fn result(checked: &Checked, problem: &Problem, fingerprint: &str) -> Value {
    let link = &checked.link;
    let file = json!({ "uri": artifact(&link.document) });
    // Lines and columns are counted from 1 (3.30.5).
    let location = if link.line > 0 && link.column > 0 {
        let region = json!({ "startLine": link.line, "startColumn": link.column });
        json!({ "artifactLocation": file, "region": region })
    } else {
        json!({ "artifactLocation": file })
    };
    let mut result = json!({
        "ruleId": problem.rule.id(),
        "ruleIndex": index(problem.rule),
        "level": problem.severity.name(),
        "message": { "text": format!("{}: {}", Shown(&link.reference), problem.advice()) },
        "locations": [{ "physicalLocation": location }],
        "partialFingerprints": { FINGERPRINT: fingerprint },
    });
    if problem.is_known()
        && let Some(result) = result.as_object_mut()
    {
        let suppressions = json!([{ "kind": "external", "status": "accepted" }]);
        result.insert("suppressions".to_owned(), suppressions);
    }
    result
}

/// Describes a document that could not be read.
fn notification(failure: &Failure) -> Value {
    json!({
        "level": "error",
        "message": { "text": Shown(&failure.reason).to_string() },
        "locations": [{
            "physicalLocation": { "artifactLocation": { "uri": artifact(&failure.name) } },
        }],
    })
}

/// Returns the URI reference for a document: an unchanged URL, or a path.
fn artifact(document: &str) -> String {
    if urikit::Uri::parse(document).is_ok_and(|uri| uri.authority().is_some()) {
        return document.to_owned();
    }
    let document = if cfg!(windows) {
        document.replace('\\', "/")
    } else {
        document.to_owned()
    };
    let path = document.strip_prefix("./").unwrap_or(&document);
    let encoded = encode_with(path, &PCHAR.set().or(ByteSet::of(b"/"))).to_string();
    if path.starts_with('/') {
        return format!("file://{encoded}");
    }
    // The first segment of a relative reference has no colon (RFC 3986, 4.2).
    let first = encoded.split('/').next().unwrap_or_default();
    if first.contains(':') || first.is_empty() {
        format!("./{encoded}")
    } else {
        encoded
    }
}
