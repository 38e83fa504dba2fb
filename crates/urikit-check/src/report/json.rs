//! JSON and JSON lines.

use super::{Results, Summary};
use crate::{Checked, Failure, Finding, Grades, HostSummary, OutcomeKind, Rule, Severity};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Writes one line per link, and then one line for each finding without a link and for each
/// failure.
pub(super) fn write_lines(
    results: &dyn Results,
    grades: &Grades<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    results.links(&mut |checked| {
        write_link(checked, grades, out)?;
        out.write_all(b"\n")
    })?;
    for finding in results.findings() {
        let severity = grades.of_rule(finding.rule);
        if severity > Severity::Off {
            serde_json::to_writer(&mut *out, &FindingLine::new(&finding, severity))?;
            out.write_all(b"\n")?;
        }
    }
    for failure in results.failures() {
        serde_json::to_writer(&mut *out, &FailureLine::new(&failure))?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Writes one object.
pub(super) fn write(
    results: &dyn Results,
    grades: &Grades<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    out.write_all(b"{\"links\":[")?;
    let mut separator = Separator::default();
    results.links(&mut |checked| {
        separator.write(out)?;
        write_link(checked, grades, out)
    })?;
    out.write_all(b"\n],\n\"findings\":")?;
    let findings = results.findings();
    let severity = |finding: &Finding| grades.of_rule(finding.rule);
    let reported = findings
        .iter()
        .filter(|finding| severity(finding) > Severity::Off);
    let findings: Vec<_> = reported
        .map(|found| FindingLine::new(found, severity(found)))
        .collect();
    serde_json::to_writer(&mut *out, &findings)?;
    out.write_all(b",\n\"failures\":")?;
    let failures = results.failures();
    let failures: Vec<_> = failures.iter().map(FailureLine::new).collect();
    serde_json::to_writer(&mut *out, &failures)?;
    out.write_all(b",\n\"hosts\":")?;
    let hosts = results.hosts();
    serde_json::to_writer(
        &mut *out,
        &hosts.iter().map(HostLine::new).collect::<Vec<_>>(),
    )?;
    out.write_all(b",\n\"summary\":")?;
    serde_json::to_writer(&mut *out, &SummaryLine::new(&Summary::of(results, grades)?))?;
    out.write_all(b"}\n")
}

/// Writes the commas between the elements of an array, and begins a new line for each element.
#[derive(Default)]
pub(super) struct Separator {
    is_needed: bool,
}

impl Separator {
    pub(super) fn write(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let separator: &[u8] = if self.is_needed { b",\n" } else { b"\n" };
        self.is_needed = true;
        out.write_all(separator)
    }
}

fn write_link(checked: &Checked, grades: &Grades<'_>, out: &mut dyn Write) -> io::Result<()> {
    let link = &checked.link;
    let finding = |finding: &'_ Finding| {
        let severity = grades.of(finding.rule, &link.document, &link.reference);
        (severity > Severity::Off).then_some(severity)
    };
    let findings = checked.findings.iter();
    let findings = findings.filter_map(|found| Some(FindingLine::new(found, finding(found)?)));
    let record = LinkLine {
        file: &link.document,
        line: link.line,
        column: link.column,
        reference: &link.reference,
        target: link.target.as_deref(),
        outcome: checked.outcome.kind().name(),
        reason: checked.outcome.reason().map(ToString::to_string),
        severity: grades.worst(checked).name(),
        redirected: checked.redirected.as_deref(),
        suggestion: checked.suggestion().map(|suggestion| suggestion.reference),
        findings: findings.collect(),
    };
    Ok(serde_json::to_writer(out, &record)?)
}

#[derive(Serialize)]
struct LinkLine<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    reference: &'a str,
    target: Option<&'a str>,
    outcome: &'a str,
    reason: Option<String>,
    severity: &'a str,
    redirected: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestion: Option<String>,
    findings: Vec<FindingLine<'a>>,
}

#[derive(Serialize)]
struct FindingLine<'a> {
    rule: &'a str,
    severity: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestion: Option<&'a str>,
}

impl<'a> FindingLine<'a> {
    fn new(finding: &'a Finding, severity: Severity) -> Self {
        let suggestion = finding.suggestion.as_ref();
        Self {
            rule: finding.rule.id(),
            severity: severity.name(),
            message: &finding.message,
            suggestion: suggestion.map(|suggestion| &*suggestion.reference),
        }
    }
}

#[derive(Serialize)]
struct FailureLine<'a> {
    file: &'a str,
    error: &'a str,
}

impl<'a> FailureLine<'a> {
    fn new(failure: &'a Failure) -> Self {
        Self {
            file: &failure.name,
            error: &failure.reason,
        }
    }
}

#[derive(Serialize)]
struct HostLine<'a> {
    host: &'a str,
    requests: u64,
    waited_seconds: f64,
    failures: u64,
}

impl<'a> HostLine<'a> {
    fn new(host: &'a HostSummary) -> Self {
        Self {
            host: &host.host,
            requests: host.requests,
            waited_seconds: host.waited.as_secs_f64(),
            failures: host.failures,
        }
    }
}

#[derive(Serialize)]
struct SummaryLine {
    links: u64,
    outcomes: BTreeMap<&'static str, u64>,
    rules: BTreeMap<&'static str, u64>,
    severities: BTreeMap<&'static str, u64>,
}

impl SummaryLine {
    fn new(summary: &Summary) -> Self {
        let severities = [Severity::Error, Severity::Warning, Severity::Note];
        let rules = summary.rules.iter();
        Self {
            links: summary.links,
            outcomes: OutcomeKind::ALL
                .map(|kind| (kind.name(), summary.outcome(kind)))
                .into(),
            rules: rules
                .map(|(rule, count): (&Rule, _)| (rule.id(), *count))
                .collect(),
            severities: severities
                .map(|level| (level.name(), summary.severity(level)))
                .into(),
        }
    }
}
