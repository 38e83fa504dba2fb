//! The text form of an audit: verdict, disagreements and findings.

use crate::mask::{MASK, Masked, mask};
use crate::safe::{safe, width, wrap};
use crate::style::{BAD, DIM, ERROR, GOOD, HEADING, NOTE};
use anstyle::Style;
use std::fmt::Write as _;
use std::net::IpAddr;
use urikit_audit::{Audit, Part, Severity, Side};

/// The settings of the text form.
pub(in crate::command) struct Page {
    /// The width in columns.
    pub(in crate::command) width: usize,
    /// The lowest severity that counts as a failure.
    pub(in crate::command) fail_on: Severity,
    pub(in crate::command) show_secrets: bool,
}

/// The number of columns before a disputed part's value: mark, name and spaces.
const PART: usize = 12;

/// The indentation of a finding's sentence, in columns.
const INDENT: usize = 10;

/// The maximum length of a value, in characters. Longer values are cut off.
const LONGEST: usize = 300;

impl Page {
    /// Returns true if a finding reaches `fail_on`.
    pub(super) fn fails(&self, audit: &Audit<'_>) -> bool {
        audit.findings().worst() >= Some(self.fail_on)
    }

    /// Formats the audit of one input.
    pub(super) fn of(&self, audit: &Audit<'_>) -> String {
        let mut out = String::new();
        let masked = Masked::new(audit.input(), self.show_secrets);
        let (word, style) = match audit.findings().worst() {
            Some(worst) if self.fails(audit) => (worst.as_str(), severity_style(worst)),
            _ => ("ok", GOOD),
        };
        verdict(&mut out, word, style, &masked.text);
        for part in audit.agreement().disputed().iter() {
            let sides = audit.agreement().sides(part);
            let sides = sides
                .iter()
                .map(|side| (self.value(part, side), side.readers.join(", ")));
            self.part(&mut out, ' ', part.as_str(), &sides.collect::<Vec<_>>());
        }
        self.findings(&mut out, audit, &masked);
        out
    }

    /// Formats the verdict on an input that is not UTF-8.
    pub(super) fn invalid(&self, text: &str) -> String {
        let mut out = String::new();
        verdict(&mut out, "invalid", BAD, &mask(text, self.show_secrets));
        out
    }

    /// Writes the values of a part after `mark`. The names of the readers follow each value, or are
    /// below it if the page is too narrow.
    pub(in crate::command) fn part(
        &self,
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

    /// Returns a value in a form that is safe to print.
    ///
    /// INVARIANT: the result contains no password. A reader may find a password, or its start, in
    /// the userinfo, in the port, or after a colon in the host.
    pub(in crate::command) fn value(&self, part: Part, side: &Side<'_>) -> String {
        let value = &*side.value;
        let before_colon = value.split_once(':').map(|(before, _)| before);
        let is_secret = !self.show_secrets
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

    /// Writes the findings.
    pub(in crate::command) fn findings(
        &self,
        out: &mut String,
        audit: &Audit<'_>,
        masked: &Masked<'_>,
    ) {
        // The offset in the original would reveal the length of a password before it.
        let place = |offset| format!("byte {}", masked.offset(offset));
        let findings = || audit.findings().iter();
        let places = findings().map(|finding| place(finding.offset).len()).max();
        let places = places.unwrap_or(0);
        for finding in findings() {
            let (severity, style) = (finding.severity(), severity_style(finding.severity()));
            let (code, place) = (finding.code, place(finding.offset));
            let _ = writeln!(
                out,
                "  {style}{severity:8}{style:#}{place:places$}  {HEADING}{code}{HEADING:#}"
            );
            for line in wrap(finding.code.sentence(), self.width.saturating_sub(INDENT)) {
                let _ = writeln!(out, "{:INDENT$}{line}", "");
            }
        }
    }
}

/// Writes the line of the verdict.
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

/// Shortens a text to `LONGEST` characters and makes it safe to print.
pub(in crate::command) fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", safe(text.get(..end).unwrap_or_default())),
        None => safe(text).into_owned(),
    }
}
