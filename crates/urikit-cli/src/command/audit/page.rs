//! The text form of an audit: verdict, disagreements and findings.

use super::message;
use super::site::SiteAudit;
use crate::input::Input;
use crate::mask::{MASK, Masked, mask};
use crate::safe::{safe, width, wrap};
use crate::style::{BAD, DIM, ERROR, GOOD, HEADING, NOTE};
use anstyle::Style;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::net::IpAddr;
use urikit_audit::{Audit, Code, Destination, Finding, Part, Resolved, Severity, Side};

/// The settings of the text form.
pub(in crate::command) struct Page {
    /// The width in columns.
    pub(in crate::command) width: usize,
    /// The lowest severity that counts as a failure.
    pub(in crate::command) fail_on: Severity,
    pub(in crate::command) show_secrets: bool,
}

/// The number of columns before a disputed part's value: the mark, the name and spaces.
const PART: usize = 12;

/// The number of columns before a resolved target: the mark, the parser's name and spaces.
const READER: usize = 16;

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
    pub(super) fn of(&self, audit: &Audit<'_>, input: Input<'_>) -> String {
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
        let sentence = |finding: Finding| message(sentence(audit, finding), finding.code, input);
        self.findings_with(&mut out, audit, &masked, sentence);
        out
    }

    /// Formats the audit of a target against a base: the URL to which each parser resolves it, and
    /// the findings.
    pub(super) fn of_target(&self, audit: &SiteAudit<'_>) -> String {
        let mut out = String::new();
        let (word, style) = match audit.worst() {
            Some(worst) if worst >= self.fail_on => (worst.as_str(), severity_style(worst)),
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
        let lines = audit.findings.iter().map(|located| {
            let reader = |reader: &&Resolved| Some(reader.reader) == located.reader;
            let resolved = audit.readings.iter().find(reader);
            let target = resolved.and_then(|resolved| resolved.outcome.as_ref().ok());
            let place = target.map(|to| {
                let masked = Masked::new(&to.target, self.show_secrets);
                let offset = masked.offset(located.finding.offset);
                format!("byte {offset} of {}", located.reader.unwrap_or_default())
            });
            Line {
                finding: located.finding,
                place: place.unwrap_or_default(),
                sentence: Cow::Borrowed(located.finding.code.sentence()),
            }
        });
        self.lines(&mut out, &lines.collect::<Vec<_>>());
        out
    }

    /// Returns a resolved target, made safe to print.
    fn destination(&self, to: &Destination) -> String {
        cut(&mask(&to.target, self.show_secrets))
    }

    /// Formats the verdict on an input that is not UTF-8.
    pub(super) fn invalid(&self, text: &str) -> String {
        let mut out = String::new();
        verdict(&mut out, "invalid", BAD, &mask(text, self.show_secrets));
        out
    }

    /// Writes the values of a part after `mark`. The parsers' names follow each value, or appear
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

    /// Returns a value, made safe to print.
    ///
    /// INVARIANT: the result contains no password. A parser may read a password, or its beginning,
    /// as part of the userinfo or the port, or after a colon in the host.
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
        self.findings_with(out, audit, masked, |finding| sentence(audit, finding));
    }

    fn findings_with(
        &self,
        out: &mut String,
        audit: &Audit<'_>,
        masked: &Masked<'_>,
        sentence: impl Fn(Finding) -> Cow<'static, str>,
    ) {
        let lines = audit.findings().iter().map(|finding| Line {
            finding,
            // The offset in the original would reveal the length of a password before it.
            place: format!("byte {}", masked.offset(finding.offset)),
            sentence: sentence(finding),
        });
        self.lines(out, &lines.collect::<Vec<_>>());
    }

    /// Writes findings with their positions.
    fn lines(&self, out: &mut String, lines: &[Line]) {
        let places = lines.iter().map(|line| line.place.len()).max().unwrap_or(0);
        for Line {
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

/// Describes a finding in one sentence. The page shows the values of a disagreement elsewhere.
fn sentence(audit: &Audit<'_>, finding: Finding) -> Cow<'static, str> {
    match finding.code {
        Code::LookAlike => audit.message(finding),
        code => Cow::Borrowed(code.sentence()),
    }
}

/// A finding with its position and sentence.
struct Line {
    finding: Finding,
    /// Empty for a finding about an entire target.
    place: String,
    sentence: Cow<'static, str>,
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

/// Truncates a string to `LONGEST` characters and makes it safe to print.
pub(in crate::command) fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", safe(text.get(..end).unwrap_or_default())),
        None => safe(text).into_owned(),
    }
}
