//! `--where`: selects references by their normalized components.

use crate::fields::{Field, Subject};
use crate::input::Unparsed;
use crate::reading::parse;
use crate::standard::Reader;
use std::sync::atomic::{AtomicU64, Ordering};
use urikit::component::Encoded;
use urikit_domains::List;

/// A condition, such as `host=*.example.com` or `!query:utm_*`.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    operand: Operand,
    /// The required value, or `None` for any.
    value: Option<Glob>,
    is_negated: bool,
}

/// The left side of a condition.
#[derive(Clone, Debug)]
enum Operand {
    Field(Field),
    /// The pairs of the query whose names match.
    Pairs(Glob),
}

/// The verdict of the filters on a reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    Wanted,
    Unwanted,
    /// The reference is invalid, so it has no components to compare.
    Invalid,
}

/// The conditions that a reference must meet, all of them.
#[derive(Debug)]
pub(crate) struct Filters {
    reader: Reader,
    all: Vec<Filter>,
    domains: List,
    /// The number of references that met them so far.
    wanted: AtomicU64,
}

impl Filters {
    /// Returns `None` without conditions.
    pub(crate) fn new(reader: Reader, all: Vec<Filter>, domains: List) -> Option<Self> {
        let is_any = !all.is_empty();
        is_any.then(|| Self {
            reader,
            all,
            domains,
            wanted: AtomicU64::new(0),
        })
    }

    /// Counts a wanted input. Returns the number of earlier ones, which is exact on one thread.
    pub(crate) fn count(&self) -> u64 {
        self.wanted.fetch_add(1, Ordering::Relaxed)
    }

    /// Tests a reference.
    pub(crate) fn verdict(&self, reference: Unparsed<'_>) -> Verdict {
        let mut memory = String::new();
        let Ok(reference) = parse(self.reader, reference, &mut memory) else {
            return Verdict::Invalid;
        };
        let written = Subject::new(reference, '&', &self.domains);
        let subject = Subject::new(written.normal(), '&', &self.domains);
        if self.all.iter().all(|filter| filter.matches(&subject)) {
            Verdict::Wanted
        } else {
            Verdict::Unwanted
        }
    }
}

impl Filter {
    /// Parses `[!]FIELD[=PATTERN]`.
    ///
    /// # Errors
    ///
    /// Returns the message of a usage error.
    pub(crate) fn new(text: &str) -> Result<Self, String> {
        let (text, is_negated) = match text.strip_prefix('!') {
            Some(text) => (text, true),
            None => (text, false),
        };
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        let operand = match name.split_once(':') {
            Some(("query", key)) => Operand::Pairs(Glob::new(key)),
            _ => Operand::Field(Field::for_filter(name)?),
        };
        let is_host = name == "host";
        let value = value.map(|value| Glob::new(&if is_host { host(value) } else { value.into() }));
        Ok(Self {
            operand,
            value,
            is_negated,
        })
    }

    fn matches(&self, subject: &Subject<'_>) -> bool {
        self.is_met(subject) != self.is_negated
    }

    fn is_met(&self, subject: &Subject<'_>) -> bool {
        let has_value = |text: &[u8]| self.value.as_ref().is_none_or(|value| value.matches(text));
        match &self.operand {
            Operand::Field(field) => {
                let mut text = Vec::new();
                matches!(field.fill(subject, &mut text), Ok(true)) && has_value(&text)
            }
            Operand::Pairs(name) => {
                let query = subject.written.query();
                query.is_some_and(|query| {
                    query.pairs('&').any(|pair| {
                        let value = pair.value().map(Encoded::to_bytes);
                        name.matches(&pair.name().to_bytes())
                            && has_value(&value.unwrap_or_default())
                    })
                })
            }
        }
    }
}

/// Converts the non-ASCII labels of a host pattern to their DNS form (A-labels).
fn host(pattern: &str) -> String {
    let in_dns = |label: &str| {
        let text = format!("//{label}");
        let host = urikit::IriRef::parse(&text).ok()?.host()?;
        Some(host.to_ascii().ok()?.into_owned())
    };
    let labels = pattern.split('.').map(|label| {
        let name = if label.is_ascii() {
            None
        } else {
            in_dns(label)
        };
        name.unwrap_or_else(|| label.to_owned())
    });
    labels.collect::<Vec<_>>().join(".")
}

/// A pattern in which `*` matches any text, split at its asterisks, in lower case.
#[derive(Clone, Debug)]
struct Glob {
    first: Vec<u8>,
    /// The pieces after each asterisk.
    others: Vec<Vec<u8>>,
}

impl Glob {
    /// Parses a pattern; `\*` is an asterisk.
    fn new(pattern: &str) -> Self {
        let mut pieces = vec![Vec::new()];
        let mut bytes = pattern
            .to_ascii_lowercase()
            .into_bytes()
            .into_iter()
            .peekable();
        while let Some(byte) = bytes.next() {
            if byte == b'*' {
                pieces.push(Vec::new());
                continue;
            }
            let is_escape = byte == b'\\' && bytes.peek() == Some(&b'*');
            let byte = if is_escape { bytes.next() } else { Some(byte) };
            if let Some(last) = pieces.last_mut() {
                last.extend(byte);
            }
        }
        let mut pieces = pieces.into_iter();
        Self {
            first: pieces.next().unwrap_or_default(),
            others: pieces.collect(),
        }
    }

    /// Returns true if the pattern matches all of `text`, ignoring ASCII case.
    fn matches(&self, text: &[u8]) -> bool {
        let text = text.to_ascii_lowercase();
        let Some((last, middle)) = self.others.split_last() else {
            return text == self.first;
        };
        let Some(mut rest) = text.strip_prefix(self.first.as_slice()) else {
            return false;
        };
        for piece in middle {
            match memchr::memmem::find(rest, piece) {
                Some(at) => rest = rest.get(at + piece.len()..).unwrap_or_default(),
                None => return false,
            }
        }
        rest.ends_with(last)
    }
}

#[cfg(test)]
mod tests {
    use super::Glob;

    #[test]
    fn an_asterisk_matches_any_text() {
        for (pattern, text, is_match) in [
            ("a", "A", true),
            ("a", "ab", false),
            ("*.Example.com", "a.b.example.COM", true),
            ("*.example.com", "example.com", false),
            ("a*a", "a", false),
            ("a*a", "aa", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-c-b", false),
            ("*", "", true),
            ("", "a", false),
            ("a\\*", "a*", true),
            ("a\\*", "ab", false),
        ] {
            let found = Glob::new(pattern).matches(text.as_bytes());
            assert_eq!(found, is_match, "{pattern} {text}");
        }
    }
}
