//! The verdicts of all standards in words.

use super::Explanation;
use super::components::kind;
use super::shown::{Part, Shown};
use crate::Reader;
use crate::mask::mask;
use crate::reading::{Components, Failure, Reading};
use crate::safe::safe;
use std::fmt::Write as _;

/// The maximum length of a value, in characters.
const LONGEST: usize = 60;

/// The maximum length of a URL, in characters.
const LONGEST_HREF: usize = 300;

/// The verdict of one standard.
pub struct Verdict {
    /// The standard.
    pub reader: Reader,
    /// True if the reference is valid.
    pub is_valid: bool,
    /// True if the reference is valid under the generic production, regardless of its scheme.
    pub is_generic_valid: bool,
    /// True if this is the chosen standard.
    pub is_chosen: bool,
    /// The verdict in words, with the differences from the displayed components.
    pub words: String,
}

impl Explanation<'_> {
    /// Returns the verdict of each standard, oldest first. The verdicts contain no password unless
    /// `show_secrets` is true.
    pub fn verdicts(&self, show_secrets: bool) -> Vec<Verdict> {
        let text = String::from_utf8_lossy(self.reference);
        let words = Words {
            text: Shown::new(&text, show_secrets),
            show_secrets,
        };
        let verdicts = self.readings.iter().map(|reading| Verdict {
            reader: reading.reader(),
            is_valid: reading.is_valid(),
            is_generic_valid: reading.is_generic_valid(),
            is_chosen: reading.reader() == self.chosen,
            words: words.verdict(reading, self.shown()),
        });
        verdicts.collect()
    }
}

/// Describes verdicts in words.
struct Words<'a> {
    text: Shown<'a>,
    show_secrets: bool,
}

impl Words<'_> {
    /// Returns a verdict in words, with the differences from the displayed result.
    fn verdict(&self, reading: &Reading<'_>, shown: Option<&Reading<'_>>) -> String {
        let mut words = match reading.failure() {
            None => "valid".to_owned(),
            Some(failure) if reading.is_generic_valid() => format!(
                "valid under the generic production only; under the scheme's production, {}",
                self.reason(&failure)
            ),
            Some(failure) => return self.reason(&failure),
        };
        if let Some(href) = reading.href() {
            if href != self.text.original() {
                let href = cut(&mask(href, self.show_secrets), LONGEST_HREF);
                let _ = write!(words, "; becomes {href}");
            }
        } else if let Some(shown) = shown
            && shown.reader() != reading.reader()
            && shown.reader() != Reader::Whatwg
            && let (Some(there), Some(here)) = (shown.components(), reading.components())
        {
            for difference in self.differences(&there, &here) {
                let _ = write!(words, "; {difference}");
            }
        }
        words
    }

    /// Summarizes an error on one line.
    fn reason(&self, failure: &Failure) -> String {
        let Some(offset) = failure.offset() else {
            return failure.to_string();
        };
        let summary = if self.text.hides(offset) {
            "found a masked character".into()
        } else {
            failure.summary()
        };
        // The offset in the original would reveal the length of a password that precedes it.
        let offset = self.text.offset(offset);
        match (failure.production(), failure.section()) {
            (Some(production), Some(section)) => {
                format!("byte {offset}: {summary} ({production}, {section})")
            }
            _ => format!("byte {offset}: {summary}"),
        }
    }

    /// Returns how this standard's components (`here`) differ from the displayed components
    /// (`there`).
    fn differences(&self, there: &Components<'_>, here: &Components<'_>) -> Vec<String> {
        let swallows = here.opaque && there.query.is_some() && here.query.is_none();
        let mut words = Vec::new();
        if swallows {
            words.push("opaque: the query belongs to the opaque part".to_owned());
        } else if here.opaque && !there.opaque {
            words.push("opaque".to_owned());
        }
        for (key, there, here) in [
            ("scheme", there.scheme, here.scheme),
            ("userinfo", there.userinfo, here.userinfo),
            ("host", there.host, here.host),
            ("port", there.port, here.port),
            ("path", Some(there.path), Some(here.path)),
            ("params", there.params, here.params),
            ("query", there.query, here.query),
            ("fragment", there.fragment, here.fragment),
        ] {
            if there != here && !(swallows && matches!(key, "path" | "query")) {
                words.push(match here {
                    Some("") => format!("empty {key}"),
                    Some(text) => format!("{key} `{}`", self.value(key, text)),
                    None => format!("no {key}"),
                });
            }
        }
        if there.host == here.host
            && there.host_kind != here.host_kind
            && let Some(kind) = here.host_kind
        {
            words.push(format!("the host is {}", self::kind(kind)));
        }
        words
    }

    /// Returns a component's text, shortened and safe to print.
    fn value(&self, key: &'static str, text: &str) -> String {
        // Masking needs the complete reference, because a component alone does not reveal that it
        // is a password.
        cut(&self.text.value(&Part { key, text }), LONGEST)
    }
}

/// Shortens a string and makes it safe to print.
fn cut(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", safe(text.get(..end).unwrap_or_default())),
        None => safe(text).into_owned(),
    }
}
