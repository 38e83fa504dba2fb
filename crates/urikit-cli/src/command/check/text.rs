//! The report as text: grouped by document, with the line, a caret, and a suggested replacement.

use crate::safe::{safe, width};
use crate::style::{BAD, DIM, FILE, GOOD, LINE, NOTE};
use anstyle::Style;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use urikit_check::{
    Checked, DocumentReport, Grades, OutcomeKind, Report, Rule, Severity, Suggestion,
};

/// The maximum number of bytes shown before and after a reference.
const AROUND: usize = 60;
/// The maximum number of characters to show of a reference.
const MAX_REFERENCE: usize = 200;

/// Writes the summary, and the links and findings whose severity reaches the minimum.
pub(super) fn write(
    report: &Report,
    grades: &Grades<'_>,
    least: Severity,
    out: &mut dyn Write,
) -> io::Result<()> {
    for document in report.documents() {
        let mut is_first = true;
        for checked in document.links_at(least, grades.severities()) {
            if grades.worst(&checked) < least {
                continue;
            }
            if is_first {
                writeln!(out, "{FILE}{}{FILE:#}", safe(document.name()))?;
                is_first = false;
            }
            link(&document, &checked, grades, least, out)?;
        }
        if !is_first {
            writeln!(out)?;
        }
    }
    for finding in report.findings() {
        let severity = grades.of_rule(finding.rule);
        if severity >= least {
            problem("", severity, &finding.message, finding.rule, out)?;
        }
    }
    summary(report, grades, out)
}

/// Writes the problems with one link.
fn link(
    document: &DocumentReport<'_>,
    checked: &Checked,
    grades: &Grades<'_>,
    least: Severity,
    out: &mut dyn Write,
) -> io::Result<()> {
    let link = &checked.link;
    let place = format!("{}:{}:{}", safe(document.name()), link.line, link.column);
    let mut suggestions = Vec::new();
    if let (Some(rule), Some(reason)) = (checked.outcome.rule(), checked.outcome.reason()) {
        let severity = grades.of(rule, &link.document, &link.reference);
        if severity >= least {
            problem(&place, severity, &reason.to_string(), rule, out)?;
            suggestions.extend(checked.suggestion());
        }
    }
    for finding in &checked.findings {
        let severity = grades.of(finding.rule, &link.document, &link.reference);
        if severity >= least {
            problem(&place, severity, &finding.message, finding.rule, out)?;
            suggestions.extend(finding.suggestion.clone());
        }
    }
    let context = document.path().zip(link.range.clone());
    let context = context.and_then(|(path, range)| context_of(path, range));
    match context {
        Some((before, written, after)) => {
            let shown = cut(&written);
            writeln!(
                out,
                "    {DIM}{}{DIM:#}{shown}{DIM}{}{DIM:#}",
                safe(&before),
                safe(&after)
            )?;
            let (indent, carets) = (width(&safe(&before)), width(&shown).max(1));
            writeln!(
                out,
                "    {}{BAD}{}{BAD:#}",
                " ".repeat(indent),
                "^".repeat(carets)
            )?;
        }
        None => writeln!(out, "    {}", cut(&link.reference))?,
    }
    for Suggestion {
        reference,
        is_certain,
    } in suggestions
    {
        let advice = if is_certain { "write" } else { "did you mean" };
        let end = if is_certain { "" } else { "?" };
        writeln!(out, "    {GOOD}{advice} {}{end}{GOOD:#}", cut(&reference))?;
    }
    Ok(())
}

/// Writes one line about a problem.
fn problem(
    place: &str,
    severity: Severity,
    message: &str,
    rule: Rule,
    out: &mut dyn Write,
) -> io::Result<()> {
    let style: Style = match severity {
        Severity::Error => BAD,
        Severity::Warning => NOTE,
        _ => DIM,
    };
    let colon = if place.is_empty() { "" } else { ": " };
    writeln!(
        out,
        "  {LINE}{place}{LINE:#}{colon}{style}{severity}{style:#}: {} {DIM}[{}]{DIM:#}",
        safe(message),
        rule.id()
    )
}

/// Returns the text before, within and after a range of a file, up to the ends of the line.
/// Returns `None` if the file has changed or the range is empty.
fn context_of(path: &Path, range: Range<usize>) -> Option<(String, String, String)> {
    let length = range.len().min(4 * MAX_REFERENCE);
    let start = range.start.saturating_sub(AROUND + 1);
    let mut file = File::open(path).ok()?;
    file.seek(SeekFrom::Start(u64::try_from(start).ok()?))
        .ok()?;
    let mut bytes = vec![0; range.start - start + length + AROUND + 1];
    let mut filled = 0;
    loop {
        match file.read(bytes.get_mut(filled..)?) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
    let bytes = bytes.get(..filled)?;
    let (before, rest) = bytes.split_at_checked(range.start - start)?;
    let (written, after) = rest.split_at_checked(length.min(rest.len()))?;
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let is_cut_before = before.len() > AROUND && !before.iter().any(is_end);
    let is_cut_after = after.len() > AROUND && !after.iter().any(is_end);
    let before = before.rsplit(is_end).next()?;
    let after = after.split(is_end).next()?;
    // A reference that spans several lines is shown only up to its first line ending.
    let written = written.split(is_end).next()?;
    let before = String::from_utf8_lossy(before);
    // The bytes read may begin or end within a character.
    let before = before
        .trim_start_matches(char::REPLACEMENT_CHARACTER)
        .trim_start();
    let after = String::from_utf8_lossy(after);
    let after = after
        .trim_end_matches(char::REPLACEMENT_CHARACTER)
        .trim_end();
    let written = String::from_utf8_lossy(written).into_owned();
    let before = [if is_cut_before { "…" } else { "" }, before].concat();
    let after = [after, if is_cut_after { "…" } else { "" }].concat();
    (!written.is_empty()).then_some((before, written, after))
}

/// Returns text that is safe to display, and shortened if it is long.
fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_REFERENCE) {
        None => safe(text).into_owned(),
        Some((at, _)) => {
            let shown = text.get(..at).unwrap_or_default();
            format!("{}… ({} bytes)", safe(shown), text.len())
        }
    }
}

/// Returns a number followed by its noun, such as `2 links`.
fn counted(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// Writes the counts.
fn summary(report: &Report, grades: &Grades<'_>, out: &mut dyn Write) -> io::Result<()> {
    let summary = report.summary();
    let count = |kind| summary.outcomes.get(&kind).copied().unwrap_or(0);
    write!(
        out,
        "{} in {}: {} ok, {} broken, {} unverifiable, {} not checked",
        counted(summary.links, "link"),
        counted(summary.documents, "document"),
        count(OutcomeKind::Ok),
        count(OutcomeKind::Broken),
        count(OutcomeKind::Unverifiable),
        count(OutcomeKind::NotChecked),
    )?;
    for (rule, count) in &summary.findings {
        if grades.of_rule(*rule) > Severity::Off {
            write!(out, ", {count} {}", rule.id())?;
        }
    }
    writeln!(out)?;
    for excluded in report
        .excluded()
        .iter()
        .filter(|excluded| excluded.links > 0)
    {
        writeln!(
            out,
            "{} excludes {}",
            safe(&excluded.option),
            counted(excluded.links, "link")
        )?;
    }
    for (profile, file) in report.profiles() {
        writeln!(
            out,
            "heading ids follow the rules of {profile}, because of {}",
            safe(&file.to_string_lossy())
        )?;
    }
    Ok(())
}
