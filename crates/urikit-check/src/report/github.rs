//! Workflow commands of GitHub Actions: annotations of files.

use super::problem::problems;
use super::shown::{Escaping, Shown};
use super::{Results, Summary};
use crate::{Grades, OutcomeKind, Severity};
use std::fmt::{self, Display, Write as _};
use std::io::{self, Write};

/// Writes one command per problem, and a line with the counts.
pub(super) fn write(
    results: &dyn Results,
    grades: &Grades<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    results.links(&mut |checked| {
        for problem in problems(checked, grades) {
            let link = &checked.link;
            writeln!(
                out,
                "::{} file={},line={},col={},title={}::{}: {}",
                command(problem.severity),
                Property(Shown(plain(&link.document))),
                link.line,
                link.column,
                problem.rule,
                Data(Shown(&link.reference)),
                Data(problem.advice()),
            )?;
        }
        Ok(())
    })?;
    for finding in results.findings() {
        let severity = grades.of_rule(finding.rule);
        if severity > Severity::Off {
            let message = Data(Shown(&finding.message)).to_string();
            writeln!(
                out,
                "::{} title={}::{message}",
                command(severity),
                finding.rule
            )?;
        }
    }
    for failure in results.failures() {
        writeln!(
            out,
            "::error file={}::{}",
            Property(Shown(plain(&failure.name))),
            Data(Shown(&failure.reason))
        )?;
    }
    let summary = Summary::of(results, grades)?;
    let outcomes =
        OutcomeKind::ALL.map(|kind| format!("{} {}", summary.outcome(kind), kind.name()));
    writeln!(out, "{} links: {}", summary.links, outcomes.join(", "))
}

/// Returns a path without `./`: annotations need the path in the repository.
fn plain(document: &str) -> &str {
    document.strip_prefix("./").unwrap_or(document)
}

const fn command(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note | Severity::Off => "notice",
    }
}

/// The text of a command.
struct Data<D>(D);

impl<D: Display> Display for Data<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let escape = |c| match c {
            '%' => Some("%25"),
            '\r' => Some("%0D"),
            '\n' => Some("%0A"),
            _ => None,
        };
        write!(Escaping { f, escape }, "{}", self.0)
    }
}

/// The value of a property.
struct Property<D>(D);

impl<D: Display> Display for Property<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let escape = |c| match c {
            ':' => Some("%3A"),
            ',' => Some("%2C"),
            _ => None,
        };
        write!(Escaping { f, escape }, "{}", Data(&self.0))
    }
}
