//! The text form of an audit: verdict, disagreements and findings.

use crate::audit::{FindingLine, SiteAudit, cut, findings, value};
use crate::mask::{Masked, mask};
use crate::safe::safe;
use crate::text::Layout;
use crate::text::style::{BAD, DIM, ERROR, GOOD, HEADING, NOTE};
use crate::text::{width, wrap};
use anstyle::Style;
use std::fmt::Write as _;
use urikit_audit::{Audit, Code, Destination, Severity};

/// The number of columns before a disputed part's value: the mark, the name and spaces.
const PART: usize = 12;

/// The number of columns before a resolved target: the mark, the parser's name and spaces.
const READER: usize = 16;

/// The indentation of a finding's sentence, in columns.
const INDENT: usize = 10;

impl Layout {
    /// Formats the audit of one input. The verdict is `ok` unless a finding reaches `fail_on`.
    /// `advice` is added to the sentence about a relative reference.
    pub fn audit(self, audit: &Audit<'_>, fail_on: Severity, advice: &str) -> String {
        let mut out = String::new();
        let masked = Masked::new(audit.input(), self.show_secrets);
        let (word, style) = match audit.findings().worst() {
            Some(worst) if worst >= fail_on => (worst.as_str(), severity_style(worst)),
            _ => ("ok", GOOD),
        };
        verdict(&mut out, word, style, &masked.text);
        for part in audit.agreement().disputed().iter() {
            let sides = audit.agreement().sides(part);
            let sides = sides.iter().map(|side| {
                (
                    value(part, side, self.show_secrets),
                    side.readers.join(", "),
                )
            });
            self.part(&mut out, ' ', part.as_str(), &sides.collect::<Vec<_>>());
        }
        let mut lines = findings(audit, &masked);
        let is_relative = |line: &&mut FindingLine| line.finding.code == Code::RelativeReference;
        for line in lines.iter_mut().filter(is_relative) {
            line.sentence.to_mut().push_str(advice);
        }
        self.finding_lines(&mut out, &lines);
        out
    }

    /// Formats the audit of a target against a base: the URL to which each parser resolves it, and
    /// the findings.
    pub fn site_audit(self, audit: &SiteAudit<'_>, fail_on: Severity) -> String {
        let mut out = String::new();
        let (word, style) = match audit.worst() {
            Some(worst) if worst >= fail_on => (worst.as_str(), severity_style(worst)),
            _ => ("ok", GOOD),
        };
        verdict(
            &mut out,
            word,
            style,
            &mask(audit.answer.target(), self.show_secrets),
        );
        let room = self.width.saturating_sub(READER);
        for resolved in &audit.readings {
            let (mark, text) = match &resolved.outcome {
                Ok(to) if to.keeps() => (' ', self.destination(to)),
                Ok(to) => ('!', self.destination(to)),
                Err(rejection) => (' ', format!("rejected: {rejection}")),
            };
            let style = if resolved.outcome.is_ok() {
                Style::new()
            } else {
                DIM
            };
            let mut head = format!("{mark} {HEADING}{:12}{HEADING:#}", resolved.reader);
            for line in wrap(&text, room) {
                let _ = writeln!(out, "{head}  {style}{line}{style:#}");
                head = " ".repeat(READER - 2);
            }
        }
        self.finding_lines(&mut out, &audit.lines(self.show_secrets));
        out
    }

    /// Returns a resolved target, made safe to print.
    fn destination(self, to: &Destination) -> String {
        cut(&mask(&to.target, self.show_secrets))
    }

    /// Formats the verdict on an input that is not UTF-8.
    pub fn invalid(self, text: &str) -> String {
        let mut out = String::new();
        verdict(&mut out, "invalid", BAD, &mask(text, self.show_secrets));
        out
    }

    /// Writes the values of a part after `mark`. The parsers' names follow each value, or appear
    /// below it if the page is too narrow.
    pub(super) fn part(
        self,
        out: &mut String,
        mark: char,
        mut name: &str,
        sides: &[(String, String)],
    ) {
        let room = self.width.saturating_sub(PART);
        let longest = sides
            .iter()
            .map(|(value, _)| width(value))
            .max()
            .unwrap_or(0);
        let is_beside = longest <= room / 2;
        let mut mark = mark;
        let mut start = |out: &mut String| {
            let _ = write!(out, "{mark} {HEADING}{name:10}{HEADING:#}");
            (mark, name) = (' ', "");
        };
        for (value, readers) in sides {
            if is_beside {
                let padding = " ".repeat(longest - width(value));
                let mut value = format!("{value}{padding}");
                for line in wrap(readers, room.saturating_sub(longest + 2)) {
                    start(out);
                    let _ = writeln!(out, "{value}  {DIM}{line}{DIM:#}");
                    value = " ".repeat(longest);
                }
            } else {
                for line in wrap(value, room) {
                    start(out);
                    let _ = writeln!(out, "{line}");
                }
                for line in wrap(readers, room.saturating_sub(2)) {
                    start(out);
                    let _ = writeln!(out, "  {DIM}{line}{DIM:#}");
                }
            }
        }
    }

    /// Writes findings with their positions.
    pub(super) fn finding_lines(self, out: &mut String, lines: &[FindingLine]) {
        let places = lines.iter().map(|line| line.place.len()).max().unwrap_or(0);
        for FindingLine {
            finding,
            place,
            sentence,
        } in lines
        {
            let (severity, style) = (finding.severity(), severity_style(finding.severity()));
            let code = finding.code;
            let _ = writeln!(
                out,
                "  {style}{severity:8}{style:#}{place:places$}  {HEADING}{code}{HEADING:#}"
            );
            for line in wrap(sentence, self.width.saturating_sub(INDENT)) {
                let _ = writeln!(out, "{:INDENT$}{line}", "");
            }
        }
    }
}

/// Writes the verdict line.
fn verdict(out: &mut String, word: &str, style: Style, shown: &str) {
    let line = format!("{style}{word:8}{style:#}  {}", safe(shown));
    let _ = writeln!(out, "{}", line.trim_end());
}

/// Returns the style of a severity.
const fn severity_style(severity: Severity) -> Style {
    match severity {
        Severity::High => ERROR,
        Severity::Medium => NOTE,
        Severity::Low | Severity::Info => DIM,
    }
}
