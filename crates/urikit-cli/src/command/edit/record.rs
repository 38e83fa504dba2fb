//! One result as `edit --json` prints it: parse's object of the result, behind the input and the result, and the pairs of
//! its query.

use crate::reading::{Error, Failure, QueryPairs, Reading};
use crate::reading::{serialize_absent, serialize_input, serialize_reading};
use serde::ser::{Serialize, SerializeStruct as _, Serializer};
use urikit::Standard;

/// An input and what became of it.
pub(super) struct Edited<'a> {
    input: &'a [u8],
    outcome: Outcome<'a>,
}

enum Outcome<'a> {
    /// The result, how it is read, and its query's pairs.
    Done(&'a str, &'a Reading<'a>, QueryPairs<'a>),
    /// How the input is read, which is invalid.
    Invalid(&'a Reading<'a>),
    /// Why there is no result.
    Refused(Standard, &'a Failure),
}

impl<'a> Edited<'a> {
    /// The result, whose query has pairs between such separators.
    pub(super) fn new(
        input: &'a [u8],
        text: &'a str,
        reading: &'a Reading<'a>,
        separator: char,
    ) -> Self {
        let pairs = QueryPairs::of(reading.reference(), separator);
        let outcome = Outcome::Done(text, reading, pairs);
        Self { input, outcome }
    }

    pub(super) const fn invalid(input: &'a [u8], reading: &'a Reading<'a>) -> Self {
        let outcome = Outcome::Invalid(reading);
        Self { input, outcome }
    }

    pub(super) const fn refused(input: &'a [u8], standard: Standard, why: &'a Failure) -> Self {
        let outcome = Outcome::Refused(standard, why);
        Self { input, outcome }
    }
}

impl Serialize for Edited<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Edited", 23)?;
        serialize_input::<S>(&mut object, self.input)?;
        match &self.outcome {
            Outcome::Done(text, reading, pairs) => {
                object.serialize_field("edited", text)?;
                serialize_reading::<S>(&mut object, reading)?;
                object.serialize_field("query_pairs", pairs)?;
                return object.end();
            }
            Outcome::Invalid(reading) => {
                object.serialize_field("edited", &())?;
                serialize_reading::<S>(&mut object, reading)?;
            }
            Outcome::Refused(standard, why) => {
                object.serialize_field("edited", &())?;
                object.serialize_field("standard", standard.name())?;
                object.serialize_field("valid", &false)?;
                object.serialize_field("generic_valid", &false)?;
                object.serialize_field("error", &Error(Failure::clone(why)))?;
                serialize_absent::<S>(&mut object)?;
                object.serialize_field("details", &())?;
                object.serialize_field("scheme_text", &())?;
                object.serialize_field("scheme_error", &())?;
            }
        }
        object.serialize_field("query_pairs", &())?;
        object.end()
    }
}
