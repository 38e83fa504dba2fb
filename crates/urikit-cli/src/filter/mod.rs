//! `--where`: which references are wanted, by their normalized components.

mod glob;

use crate::fields::{Field, Subject};
use crate::input::Unparsed;
use crate::reading::parse;
use crate::standard::Reader;
use glob::Glob;
use std::sync::atomic::{AtomicU64, Ordering};
use urikit::component::Encoded;
use urikit_domains::List;

/// A condition, such as `host=*.example.com` or `!query:utm_*`.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    left: Left,
    /// What it must be; any value if `None`.
    value: Option<Glob>,
    is_negated: bool,
}

/// What a condition is about.
#[derive(Clone, Debug)]
enum Left {
    Field(Field),
    /// The pairs of the query with such a name.
    Pairs(Glob),
}

/// What filters say of a reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    Wanted,
    Unwanted,
    /// It is not valid, and so nothing is known of its components.
    Invalid,
}

/// The conditions that a reference must meet.
#[derive(Debug)]
pub(crate) struct Filters {
    reader: Reader,
    all: Vec<Filter>,
    domains: List,
    /// The number of inputs that met them.
    wanted: AtomicU64,
}

impl Filters {
    /// The filters; `None` if there are none.
    pub(crate) fn new(reader: Reader, all: Vec<Filter>, domains: List) -> Option<Self> {
        let is_any = !all.is_empty();
        is_any.then(|| Self {
            reader,
            all,
            domains,
            wanted: AtomicU64::new(0),
        })
    }

    /// Counts a wanted input; returns how many came before it, if there is one thread.
    pub(crate) fn count(&self) -> u64 {
        self.wanted.fetch_add(1, Ordering::Relaxed)
    }

    /// Applies them to a reference.
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
    /// A message for a usage error.
    pub(crate) fn new(text: &str) -> Result<Self, String> {
        let (text, is_negated) = match text.strip_prefix('!') {
            Some(text) => (text, true),
            None => (text, false),
        };
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        let left = match name.split_once(':') {
            Some(("query", key)) => Left::Pairs(Glob::new(key)),
            _ => Left::Field(Field::for_filter(name)?),
        };
        let is_host = name == "host";
        let value = value.map(|value| Glob::new(&if is_host { host(value) } else { value.into() }));
        Ok(Self {
            left,
            value,
            is_negated,
        })
    }

    fn matches(&self, subject: &Subject<'_>) -> bool {
        self.is_met(subject) != self.is_negated
    }

    fn is_met(&self, subject: &Subject<'_>) -> bool {
        let is_it = |text: &[u8]| self.value.as_ref().is_none_or(|value| value.matches(text));
        match &self.left {
            Left::Field(field) => {
                let mut text = Vec::new();
                matches!(field.fill(subject, &mut text), Ok(true)) && is_it(&text)
            }
            Left::Pairs(name) => {
                let query = subject.written.query();
                query.is_some_and(|query| {
                    query.pairs('&').any(|pair| {
                        let value = pair.value().map(Encoded::to_bytes);
                        name.matches(&pair.name().to_bytes()) && is_it(&value.unwrap_or_default())
                    })
                })
            }
        }
    }
}

/// A pattern for hosts, with labels beyond US-ASCII as the DNS has them.
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
