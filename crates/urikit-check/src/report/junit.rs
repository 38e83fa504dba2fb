//! JUnit XML, as CI servers read it: one suite per document, one case per link. A link that was not
//! checked or is unverifiable is a skipped case, unless it fails the run.

use super::Results;
use super::problem::{Problem, problems};
use super::shown::{Markup, Shown};
use super::summary::{documents, is_skippable};
use crate::{Checked, Failure, Grades, Severity};
use std::io::{self, Write};
use std::sync::Arc;

/// A suite without its cases.
struct Suite {
    name: Arc<str>,
    tests: u64,
    failures: u64,
    skipped: u64,
}

/// Writes the suites. A first pass over the results counts the cases of each suite.
pub(super) fn write(
    results: &dyn Results,
    grades: &Grades<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut suites: Vec<Suite> = Vec::new();
    documents(results, grades, &mut |document| {
        suites.push(Suite {
            name: document.name,
            tests: document.summary.links,
            failures: document.failed,
            skipped: document.skipped,
        });
    })?;
    let errors = results.failures();
    let findings = results.findings();
    let findings: Vec<_> = findings
        .iter()
        .filter(|finding| grades.fails(grades.of_rule(finding.rule)))
        .collect();
    let sum = |count: fn(&Suite) -> u64| suites.iter().map(count).sum::<u64>();
    let others = (errors.len() + findings.len()) as u64;
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(
        out,
        "<testsuites name=\"uri check\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">",
        sum(|suite| suite.tests) + others,
        sum(|suite| suite.failures) + findings.len() as u64,
        errors.len(),
        sum(|suite| suite.skipped),
    )?;
    let mut next = suites.iter();
    let mut current: Option<&Suite> = None;
    results.links(&mut |checked| {
        if current.is_none_or(|suite| suite.name != checked.link.document) {
            if current.is_some() {
                writeln!(out, "</testsuite>")?;
            }
            current = next.next();
            if let Some(suite) = current {
                begin_suite(
                    &suite.name,
                    suite.tests,
                    suite.failures,
                    0,
                    suite.skipped,
                    out,
                )?;
            }
        }
        write_case(checked, grades, out)
    })?;
    if current.is_some() {
        writeln!(out, "</testsuite>")?;
    }
    if others > 0 {
        begin_suite(
            "uri check",
            others,
            findings.len() as u64,
            errors.len() as u64,
            0,
            out,
        )?;
        for finding in findings {
            let message = Markup(Shown(&finding.message)).to_string();
            writeln!(
                out,
                "<testcase classname=\"uri check\" name=\"{message}\">\
                 <failure type=\"{}\" message=\"{message}\"/></testcase>",
                finding.rule
            )?;
        }
        errors
            .iter()
            .try_for_each(|failure| write_error(failure, out))?;
        writeln!(out, "</testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

fn begin_suite(
    name: &str,
    tests: u64,
    failures: u64,
    errors: u64,
    skipped: u64,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(
        out,
        "<testsuite name=\"{}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" \
         skipped=\"{skipped}\">",
        Markup(Shown(name))
    )
}

fn write_case(checked: &Checked, grades: &Grades<'_>, out: &mut dyn Write) -> io::Result<()> {
    let link = &checked.link;
    write!(
        out,
        "<testcase classname=\"{file}\" name=\"{}:{} {}\" file=\"{file}\" line=\"{}\"",
        link.line,
        link.column,
        Markup(Shown(&link.reference)),
        link.line,
        file = Markup(Shown(&link.document)),
    )?;
    let problems = problems(checked, grades);
    if problems.is_empty() {
        return writeln!(out, "/>");
    }
    out.write_all(b">")?;
    let (failures, others): (Vec<_>, Vec<_>) = problems
        .iter()
        .partition(|problem| grades.fails(problem.severity));
    for problem in &failures {
        write_element("failure", problem, out)?;
    }
    let mut others = others.into_iter().peekable();
    // The problem of the outcome comes first.
    let outcome = others.next_if(|problem| {
        let is_outcome = Some(problem.rule) == checked.outcome.rule();
        failures.is_empty() && is_skippable(checked) && is_outcome
    });
    if let Some(problem) = outcome {
        write!(out, "<skipped message=\"{}\"/>", Markup(problem.advice()))?;
    }
    let rest: Vec<_> = others.map(describe).collect();
    if !rest.is_empty() {
        write!(out, "<system-out>{}</system-out>", Markup(rest.join("\n")))?;
    }
    writeln!(out, "</testcase>")
}

fn write_element(name: &str, problem: &Problem, out: &mut dyn Write) -> io::Result<()> {
    write!(
        out,
        "<{name} type=\"{}\" message=\"{}\"/>",
        problem.rule,
        Markup(problem.advice())
    )
}

fn describe(problem: &Problem) -> String {
    let severity: Severity = problem.severity;
    format!("{severity}: {}: {}", problem.rule, problem.advice())
}

fn write_error(failure: &Failure, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "<testcase classname=\"uri check\" name=\"{}\"><error message=\"{}\"/></testcase>",
        Markup(Shown(&failure.name)),
        Markup(Shown(&failure.reason))
    )
}
