//! The meaning of the reference under its scheme, and the steps of a client that fetches it.

use super::Subject;
use super::page::{Layout, caret, cut};
use crate::mask::{MASK, Masked};
use crate::reading::Meaning;
use crate::safe::{quoted, safe, wrap};
use crate::style::{DIM, HEADING, NOTE};
use std::fmt::Write as _;
use urikit::error::Found;
use urikit_access::{Action, Planned};
use urikit_schemes::{Detail, Details, Mismatch, ReadError};

/// The maximum length of a value, in characters. Longer values are cut off.
const LONGEST: usize = 1000;

/// The minimum width of a value on the same line as its name. `wrap` never makes narrower lines.
const LEAST: usize = 8;

/// The fields that the list of components already shows.
const SHOWN: [&str; 4] = ["host", "port", "user", "password"];

impl Layout {
    /// Writes the section. Writes nothing if the scheme is unknown.
    pub(super) fn scheme(
        self,
        out: &mut String,
        meaning: Option<Meaning<'_>>,
        subject: &Subject<'_>,
    ) {
        let Some(meaning) = meaning else { return };
        let facts = meaning.scheme.facts();
        let details = match meaning.details() {
            Ok(details) => details,
            Err(ReadError::Mismatch(mismatch)) => {
                self.mismatch(
                    out,
                    mismatch,
                    meaning.reference.as_str(),
                    facts.name,
                    subject,
                );
                return;
            }
            Err(_) => return,
        };
        // All `x-…` schemes share one entry.
        let name = meaning.reference.scheme().unwrap_or(facts.name);
        let mut heading = format!("Scheme {}", safe(&name.to_ascii_lowercase()));
        if !facts.title.is_empty() {
            let _ = write!(heading, ": {}", facts.title);
        }
        if !details.specification.is_empty() {
            let _ = write!(heading, " ({})", details.specification);
        }
        out.push('\n');
        self.heading(out, &heading, HEADING);
        if self.hides_more(meaning) {
            let _ = writeln!(
                out,
                "  {DIM}hidden because it would reveal a password; --show-secrets shows it{DIM:#}"
            );
            return;
        }
        self.details(out, &details);
        self.plan(out, subject);
    }

    /// Explains why the reference is not a valid URL of its scheme: shows the reference with a
    /// caret, the expected characters and the rule.
    fn mismatch(
        self,
        out: &mut String,
        mismatch: Mismatch,
        read: &str,
        name: &str,
        subject: &Subject<'_>,
    ) {
        let columns = self.width - 2;
        let input = String::from_utf8_lossy(subject.reference);
        let (text, offset) = match place(&input, read, mismatch.offset()) {
            Some(offset) => (&*input, offset),
            None => (read, mismatch.offset()),
        };
        let masked = Masked::new(text, self.show_secrets);
        let found = match mismatch.found() {
            _ if masked.hides(offset) => "found a masked character".to_owned(),
            Found::End => "it ends too early".to_owned(),
            found => format!("found {found}"),
        };
        out.push('\n');
        self.heading(out, &format!("Not a valid {name} URL: {found}"), NOTE);
        let (production, expected) = (mismatch.production(), mismatch.expected());
        let mut lines = caret(&masked, Some(offset), columns);
        if text != input {
            lines.insert(0, format!("{DIM}as browsers write it:{DIM:#}"));
        }
        lines.extend(wrap(&format!("expected {expected}"), columns));
        let rule = format!("{}, {}", production.name(), production.section());
        let rule = wrap(&rule, columns);
        lines.extend(rule.iter().map(|line| format!("{DIM}{line}{DIM:#}")));
        for line in lines {
            let _ = writeln!(out, "  {line}");
        }
    }

    /// Returns true if the reference contains a masked secret other than its password. The scheme's
    /// fields would reveal this secret.
    fn hides_more(self, meaning: Meaning<'_>) -> bool {
        let text = meaning.reference.as_str();
        let masked = Masked::new(text, self.show_secrets);
        let Some(password) = meaning.reference.password() else {
            return masked.text != text;
        };
        let start = password.as_str().as_ptr().addr() - text.as_ptr().addr();
        let end = start + password.len();
        let before = text.get(..start).unwrap_or_default();
        let after = text.get(end..).unwrap_or_default();
        let shown = [before, password.as_str(), after].concat();
        let only_password = [before, MASK, after].concat();
        masked.text != shown && masked.text != only_password
    }

    /// Writes the fields of the scheme.
    fn details(self, out: &mut String, details: &Details<'_>) {
        let mut lines = Vec::new();
        for (name, value) in &details.fields {
            if !SHOWN.contains(name) {
                self.value(name, value, &mut lines);
            }
        }
        let indent = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0) + 2;
        // On a narrow page, values are on the line after their names.
        let is_narrow = self.width < indent + 2 + LEAST;
        let indent = if is_narrow { 2 } else { indent };
        for (name, value) in lines {
            let mut name = name.as_str();
            if is_narrow {
                let _ = writeln!(out, "  {name}");
                name = "";
            }
            let room = self.width.saturating_sub(indent + 2);
            for line in wrap(&value, room) {
                let _ = writeln!(out, "  {name:indent$}{line}");
                name = "";
            }
        }
    }

    /// Adds the lines of one value. The name of a nested field includes the outer name.
    fn value(self, name: &str, value: &Detail<'_>, lines: &mut Vec<(String, String)>) {
        match value {
            Detail::Absent => {}
            Detail::List(values) if values.is_empty() => {}
            Detail::Fields(fields) => {
                for (inner, value) in fields {
                    self.value(&format!("{name} {inner}"), value, lines);
                }
            }
            Detail::List(values) if values.iter().any(|v| matches!(v, Detail::Fields(_))) => {
                for value in values {
                    self.value(name, value, lines);
                }
            }
            Detail::List(values) => {
                let words: Vec<_> = values.iter().map(|value| self.word(value)).collect();
                lines.push((spaced(name), cut(&words.join(" / "), LONGEST)));
            }
            value => lines.push((spaced(name), cut(&self.word(value), LONGEST))),
        }
    }

    /// Formats a single value.
    fn word(self, value: &Detail<'_>) -> String {
        match value {
            Detail::Flag(true) => "yes".to_owned(),
            Detail::Flag(false) => "no".to_owned(),
            Detail::Number(number) => number.to_string(),
            Detail::Secret(_) if !self.show_secrets => MASK.to_owned(),
            Detail::Text(text) | Detail::Secret(text) => quoted(text.as_bytes()),
            _ => String::new(),
        }
    }

    /// Writes the steps of a client.
    fn plan(self, out: &mut String, subject: &Subject<'_>) {
        let plan = match subject.requested() {
            Some(Ok(plan)) => plan,
            Some(Err(error)) => {
                for line in wrap(&format!("No client can fetch it: {error}"), self.width - 2) {
                    let _ = writeln!(out, "  {NOTE}{line}{NOTE:#}");
                }
                return;
            }
            None => return,
        };
        let _ = writeln!(out, "\n  A client");
        for step in plan.steps() {
            let mut mark = "·";
            for line in wrap(&self.step(step), self.width.saturating_sub(6)) {
                let _ = writeln!(out, "    {DIM}{mark}{DIM:#} {line}");
                mark = " ";
            }
        }
    }

    /// Formats a step.
    fn step(self, step: &Planned) -> String {
        let mut text = match &step.action {
            Action::Connect(host, port) => {
                format!("connects to {}, port {port}", safe(host))
            }
            Action::Send(command) => match command.words() {
                Some(words) => format!("sends {}", cut(&safe(&words), LONGEST)),
                None if self.show_secrets => {
                    format!("sends {}", cut(&quoted(&command.octets()), LONGEST))
                }
                None => format!("sends {}", cut(&quoted(&command.masked()), LONGEST)),
            },
            action => match action.words() {
                (words, with) if with.is_empty() => words.to_owned(),
                (words, with) => format!("{words} {}", cut(&quoted(&with), LONGEST)),
            },
        };
        if let Some(when) = &step.when {
            let _ = write!(text, " ({when})");
        }
        text
    }
}

/// Converts an offset in `read`, the URL as browsers serialize `input`, to an offset in `input`.
/// Returns `None` if browsers changed the text both before and after the offset.
fn place(input: &str, read: &str, offset: usize) -> Option<usize> {
    let from_end = read.len().checked_sub(offset)?;
    let is_same = |a: Option<&str>, b: Option<&str>| a.is_some() && a == b;
    if is_same(input.get(..offset), read.get(..offset)) && input.get(offset..).is_some() {
        return Some(offset);
    }
    let begin = input.len().checked_sub(from_end)?;
    is_same(input.get(begin..), read.get(offset..)).then_some(begin)
}

/// Returns a field's name with spaces.
fn spaced(name: &str) -> String {
    name.replace('_', " ")
}
