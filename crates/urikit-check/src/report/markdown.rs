//! Markdown for comments and job summaries: counts, then the problems of each document.

use super::problem::{Problem, problems};
use super::shown::{Escaping, Shown};
use super::{Results, Summary};
use crate::{Grades, OutcomeKind, Severity};
use std::fmt::{self, Display, Write as _};
use std::io::{self, Write};
use std::sync::Arc;

/// Writes the report.
pub(super) fn write(
    results: &dyn Results,
    grades: &Grades<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let summary = Summary::of(results, grades)?;
    writeln!(
        out,
        "# Link check\n\n| links | {} |",
        OutcomeKind::ALL.map(|kind| kind.name()).join(" | ")
    )?;
    writeln!(out, "|--:|{}", "--:|".repeat(OutcomeKind::ALL.len()))?;
    let counts = OutcomeKind::ALL.map(|kind| summary.outcome(kind).to_string());
    writeln!(out, "| {} | {} |", summary.links, counts.join(" | "))?;

    let mut document: Option<Arc<str>> = None;
    results.links(&mut |checked| {
        let link = &checked.link;
        let problems = problems(checked, grades);
        if !problems.is_empty() && document.as_ref() != Some(&link.document) {
            writeln!(out, "\n## {}\n", Code(&link.document))?;
            document = Some(Arc::clone(&link.document));
        }
        for problem in problems {
            write!(
                out,
                "- **{}** {}:{} {} {}: {}",
                problem.severity,
                link.line,
                link.column,
                Code(&link.reference),
                problem.rule,
                Escaped(problem.message()),
            )?;
            if let Some(suggestion) = &problem.suggestion {
                let (before, after) = Problem::frame(suggestion);
                write!(out, "{before}{}{after}", Code(&suggestion.reference))?;
            }
            writeln!(out)?;
        }
        Ok(())
    })?;
    let findings = results.findings();
    let severity = |rule| grades.of_rule(rule);
    let mut findings = findings
        .iter()
        .filter(|found| severity(found.rule) > Severity::Off)
        .peekable();
    if findings.peek().is_some() {
        writeln!(out, "\n## Options\n")?;
    }
    for finding in findings {
        let message = Escaped(Shown(&finding.message)).to_string();
        writeln!(
            out,
            "- **{}** {}: {message}",
            severity(finding.rule),
            finding.rule
        )?;
    }
    let failures = results.failures();
    if !failures.is_empty() {
        writeln!(out, "\n## Not read\n")?;
    }
    for failure in failures {
        writeln!(
            out,
            "- {}: {}",
            Code(&failure.name),
            Escaped(Shown(&failure.reason))
        )?;
    }
    Ok(())
}

/// Text as a code span (CommonMark, 6.1). The fence is longer than any run of backticks within it.
struct Code<'a>(&'a str);

impl Display for Code<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = Shown(self.0).to_string();
        if text.is_empty() {
            return f.write_str("(empty)");
        }
        let mut longest = 0;
        let mut run = 0;
        for byte in text.bytes() {
            run = if byte == b'`' { run + 1 } else { 0 };
            longest = longest.max(run);
        }
        let fence = "`".repeat(longest + 1);
        // Markdown removes a space from each end if both ends have one and the text is not all
        // spaces.
        let is_padded = text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']);
        let space = if is_padded { " " } else { "" };
        write!(f, "{fence}{space}{text}{space}{fence}")
    }
}

/// Text with the special characters of Markdown escaped.
struct Escaped<D>(D);

impl<D: Display> Display for Escaped<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let escape = |c| match c {
            '\\' => Some("\\\\"),
            '`' => Some("\\`"),
            '*' => Some("\\*"),
            '_' => Some("\\_"),
            '[' => Some("\\["),
            ']' => Some("\\]"),
            '<' => Some("\\<"),
            '>' => Some("\\>"),
            '&' => Some("\\&"),
            '!' => Some("\\!"),
            '#' => Some("\\#"),
            '~' => Some("\\~"),
            '|' => Some("\\|"),
            // An unescaped `@` would make GitHub notify people.
            '@' => Some("\\@"),
            _ => None,
        };
        write!(Escaping { f, escape }, "{}", self.0)
    }
}
