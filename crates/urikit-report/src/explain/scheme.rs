//! The meaning of the reference under its scheme, and the steps that a client takes to fetch it.

use super::shown::cut;
use super::{Explanation, Fault};
use crate::mask::{MASK, Masked};
use crate::reading::Meaning;
use crate::safe::{quoted, safe};
use std::fmt::Write as _;
use urikit::error::Found;
use urikit_access::{Action, Planned};
use urikit_schemes::{Detail, Mismatch, ReadError};

/// The maximum length of a value, in characters. Longer values are cut off.
const LONGEST: usize = 1000;

/// The fields that the list of components already shows.
const SHOWN: [&str; 4] = ["host", "port", "user", "password"];

/// The meaning of a reference under its scheme.
pub enum SchemeSection {
    /// The reference is not a valid URL of its scheme.
    Invalid {
        /// The name of the scheme.
        name: &'static str,
        /// The error.
        fault: Fault,
        /// True if the error's position is in the URL as browsers serialize it.
        is_reserialized: bool,
    },
    /// The fields would reveal a password.
    Hidden {
        /// The scheme, its title and its specification.
        heading: String,
    },
    /// The reference is a valid URL of its scheme.
    Valid {
        /// The scheme, its title and its specification.
        heading: String,
        /// The names and values of the fields, except those that are components of the reference.
        fields: Vec<(String, String)>,
        /// The steps that a client takes to fetch it, or the reason why no client can. `None` if no
        /// protocol is known.
        client: Option<Result<Vec<String>, String>>,
    },
}

impl Explanation<'_> {
    /// Returns the meaning under the scheme, or `None` if the scheme is unknown.
    pub fn scheme(&self, show_secrets: bool) -> Option<SchemeSection> {
        let meaning = self.shown()?.meaning()?;
        let facts = meaning.scheme.facts();
        let details = match meaning.details() {
            Ok(details) => details,
            Err(ReadError::Mismatch(mismatch)) => {
                let input = String::from_utf8_lossy(self.reference);
                let read = meaning.reference.as_str();
                let place = place(&input, read, mismatch.offset());
                let (text, offset) = match place {
                    Some(offset) => (&*input, offset),
                    None => (read, mismatch.offset()),
                };
                return Some(SchemeSection::Invalid {
                    name: facts.name,
                    fault: fault(mismatch, &Masked::new(text, show_secrets), offset),
                    is_reserialized: text != input,
                });
            }
            Err(_) => return None,
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
        if hides_more(meaning, show_secrets) {
            return Some(SchemeSection::Hidden { heading });
        }
        let mut fields = Vec::new();
        for (name, value) in &details.fields {
            if !SHOWN.contains(name) {
                add(&mut fields, name, value, show_secrets);
            }
        }
        let client = self.requested().as_ref().map(|planned| match planned {
            Ok(plan) => Ok(plan
                .steps()
                .iter()
                .map(|it| step(it, show_secrets))
                .collect()),
            Err(error) => Err(error.to_string()),
        });
        Some(SchemeSection::Valid {
            heading,
            fields,
            client,
        })
    }
}

/// Describes why a reference is not a valid URL of its scheme.
fn fault(mismatch: Mismatch, masked: &Masked<'_>, offset: usize) -> Fault {
    let is_masked = masked.hides(offset);
    let summary = match mismatch.found() {
        _ if is_masked => super::FOUND_MASKED.to_owned(),
        Found::End => "it ends too early".to_owned(),
        found => format!("found {found}"),
    };
    let production = mismatch.production();
    Fault {
        summary,
        is_masked,
        text: masked.text.clone().into_owned(),
        offset: Some(masked.offset(offset)),
        expected: Some(mismatch.expected().to_string()),
        rule: Some(format!("{}, {}", production.name(), production.section())),
    }
}

/// Returns true if the reference contains a masked secret other than its password. The scheme's
/// fields would reveal this secret.
fn hides_more(meaning: Meaning<'_>, show_secrets: bool) -> bool {
    let text = meaning.reference.as_str();
    let masked = Masked::new(text, show_secrets);
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

/// Adds the lines of one value. The name of a nested field includes the outer name.
fn add(lines: &mut Vec<(String, String)>, name: &str, value: &Detail<'_>, show_secrets: bool) {
    match value {
        Detail::Absent => {}
        Detail::List(values) if values.is_empty() => {}
        Detail::Fields(fields) => {
            for (inner, value) in fields {
                add(lines, &format!("{name} {inner}"), value, show_secrets);
            }
        }
        Detail::List(values) if values.iter().any(|v| matches!(v, Detail::Fields(_))) => {
            for value in values {
                add(lines, name, value, show_secrets);
            }
        }
        Detail::List(values) => {
            let words: Vec<_> = values
                .iter()
                .map(|value| word(value, show_secrets))
                .collect();
            lines.push((spaced(name), cut(&words.join(" / "), LONGEST)));
        }
        value => lines.push((spaced(name), cut(&word(value, show_secrets), LONGEST))),
    }
}

/// Formats a single value.
fn word(value: &Detail<'_>, show_secrets: bool) -> String {
    match value {
        Detail::Flag(true) => "yes".to_owned(),
        Detail::Flag(false) => "no".to_owned(),
        Detail::Number(number) => number.to_string(),
        Detail::Secret(_) if !show_secrets => MASK.to_owned(),
        Detail::Text(text) | Detail::Secret(text) => quoted(text.as_bytes()),
        _ => String::new(),
    }
}

/// Formats a step.
fn step(step: &Planned, show_secrets: bool) -> String {
    let mut text = match &step.action {
        Action::Connect(host, port) => {
            format!("connects to {}, port {port}", safe(host))
        }
        Action::Send(command) => match command.words() {
            Some(words) => format!("sends {}", cut(&safe(&words), LONGEST)),
            None if show_secrets => {
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

/// Converts an offset in `read`, which is `input` as browsers serialize it, to an offset in
/// `input`.
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
