//! One result as `edit --json` prints it: the input, the result, what `parse` prints for the
//! result, and the pairs of its query.

use crate::input::Given;
use crate::reading::{Failure, Reading};
use crate::record::{Object, QueryPairs};
use crate::standard::Reader;
use serde::ser::{Serialize, Serializer};

/// An input and its result.
pub(super) struct Edited<'a> {
    input: Given<'a>,
    outcome: Outcome<'a>,
}

enum Outcome<'a> {
    /// The result, how it is parsed, and its query's pairs.
    Done(&'a str, &'a Reading<'a>, QueryPairs<'a>),
    /// How the input is parsed, which is invalid.
    Invalid(&'a Reading<'a>),
    /// Why there is no result.
    Refused(Reader, &'a Failure),
}

impl<'a> Edited<'a> {
    /// The result; `separator` is the character between its query's pairs.
    pub(super) fn new(
        input: Given<'a>,
        text: &'a str,
        reading: &'a Reading<'a>,
        separator: char,
    ) -> Self {
        let pairs = QueryPairs::of(reading.reference(), separator);
        let outcome = Outcome::Done(text, reading, pairs);
        Self { input, outcome }
    }

    pub(super) const fn invalid(input: Given<'a>, reading: &'a Reading<'a>) -> Self {
        let outcome = Outcome::Invalid(reading);
        Self { input, outcome }
    }

    pub(super) const fn refused(input: Given<'a>, reader: Reader, why: &'a Failure) -> Self {
        let outcome = Outcome::Refused(reader, why);
        Self { input, outcome }
    }
}

impl Serialize for Edited<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::new(serializer)?;
        object.input(self.input)?;
        match &self.outcome {
            Outcome::Done(text, reading, pairs) => {
                object.field("edited", text)?;
                object.reading(reading)?;
                object.field("query_pairs", pairs)?;
            }
            Outcome::Invalid(reading) => {
                object.field("edited", &())?;
                object.reading(reading)?;
                object.field("query_pairs", &())?;
            }
            Outcome::Refused(reader, why) => {
                object.field("edited", &())?;
                object.field("standard", reader.name())?;
                object.field("valid", &false)?;
                object.field("generic_valid", &false)?;
                object.error(Some(why))?;
                object.no_components()?;
                object.nulls(&["details", "scheme_text", "scheme_error", "query_pairs"])?;
            }
        }
        object.end()
    }
}
