//! `--where`: selects references by their normalized components.
//!
//! ```text
//! option  = term *( " or " term )
//! term    = ["!"] field [ op operand ]      without op: the component is present
//! field   = NAME *( ":" MODIFIER )          as in templates
//! op      = "=" | "!=" | "~" | "<" | "<=" | ">" | ">="
//! operand = text up to " or " | DQUOTE text DQUOTE
//! ```

mod pattern;
mod syntax;

use crate::fields::Subject;
use crate::input::Unparsed;
use pattern::Test;
use std::sync::atomic::{AtomicU64, Ordering};
use syntax::Operand;
pub(crate) use syntax::field_of;
use urikit_domains::List;
use urikit_report::Reader;
use urikit_report::reading::parse;

/// A condition, which is met if at least one of its terms is met.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    terms: Vec<Term>,
}

/// A test of a component, such as `host=*.example.com` or `!query:utm_*`.
#[derive(Clone, Debug)]
struct Term {
    operand: Operand,
    /// The test of the value; `None` accepts any value.
    test: Option<Test>,
    is_negated: bool,
}

/// The verdict of the filters on a reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    Wanted,
    Unwanted,
    /// The reference is invalid, so it has no components to compare.
    Invalid,
}

/// The conditions. A reference must meet all conditions.
#[derive(Debug)]
pub(crate) struct Filters {
    reader: Reader,
    all: Vec<Filter>,
    domains: List,
    /// The number of references that have met the conditions so far.
    wanted: AtomicU64,
}

impl Filters {
    /// Returns `None` if there are no conditions.
    pub(crate) fn new(reader: Reader, all: Vec<Filter>, domains: List) -> Option<Self> {
        let is_any = !all.is_empty();
        is_any.then(|| Self {
            reader,
            all,
            domains,
            wanted: AtomicU64::new(0),
        })
    }

    /// Counts a selected input. Returns the number of inputs selected before this one, which is
    /// exact only if a single thread is used.
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
        if self.all.iter().all(|filter| filter.is_met(&subject)) {
            Verdict::Wanted
        } else {
            Verdict::Unwanted
        }
    }
}

impl Filter {
    /// Returns true if one of the terms is met.
    fn is_met(&self, subject: &Subject<'_>) -> bool {
        self.terms
            .iter()
            .any(|term| term.has_value(subject) != term.is_negated)
    }
}

impl Term {
    /// Returns true if the reference has the component, and its value passes the test.
    fn has_value(&self, subject: &Subject<'_>) -> bool {
        let passes = |text: &[u8]| self.test.as_ref().is_none_or(|test| test.passes(text));
        match &self.operand {
            Operand::Field(field) => {
                let mut text = Vec::new();
                matches!(field.fill(subject, &mut text), Ok(true)) && passes(&text)
            }
            Operand::Pairs { name, field } => field
                .pairs(subject)
                .any(|(key, value)| name.matches(&key) && passes(&value)),
        }
    }
}
