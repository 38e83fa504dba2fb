//! One result as `edit --json` prints it: the input, the result, and what `parse` prints for the
//! result.

use crate::input::Given;
use crate::reading::{Failure, Reading};
use crate::record::Object;
use crate::standard::Reader;
use serde::ser::{Serialize, Serializer};

/// An input and its result.
pub(super) struct Edited<'a> {
    pub(super) input: Given<'a>,
    pub(super) outcome: Outcome<'a>,
    /// The character between the query's pairs.
    pub(super) separator: char,
}

pub(super) enum Outcome<'a> {
    /// The result, and how it is parsed.
    Done(&'a str, &'a Reading<'a>),
    /// How the input is parsed, which is invalid.
    Invalid(&'a Reading<'a>),
    /// Why there is no result.
    Refused(Reader, &'a Failure),
}

impl Serialize for Edited<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::new(serializer)?;
        object.input(self.input)?;
        match self.outcome {
            Outcome::Done(text, reading) => {
                object.field("edited", text)?;
                object.reading(reading, self.separator)?;
            }
            Outcome::Invalid(reading) => {
                object.field("edited", &())?;
                object.reading(reading, self.separator)?;
            }
            Outcome::Refused(reader, why) => {
                object.field("edited", &())?;
                object.no_reading(reader, why)?;
            }
        }
        object.end()
    }
}
