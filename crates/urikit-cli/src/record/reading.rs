//! One parsed input, as `parse --json` prints it.

use super::object::Object;
use super::pairs::QueryPairs;
use crate::input::Given;
use crate::reading::{Components, Failure, Reading};
use crate::standard::Reader;
use serde::ser::{Serialize, Serializer};

/// An input and how one reader reads it.
pub(crate) struct Record<'a> {
    pub(crate) input: Given<'a>,
    pub(crate) reading: &'a Reading<'a>,
    /// The character between the query's pairs.
    pub(crate) separator: char,
}

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::new(serializer)?;
        object.input(self.input)?;
        object.reading(self.reading, self.separator)?;
        object.end()
    }
}

/// An input that could not be read.
pub(crate) struct Unread<'a> {
    pub(crate) input: Given<'a>,
    pub(crate) reader: Reader,
    pub(crate) why: &'a Failure,
}

impl Serialize for Unread<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::new(serializer)?;
        object.input(self.input)?;
        object.no_reading(self.reader, self.why)?;
        object.end()
    }
}

impl<S: Serializer> Object<S> {
    /// Writes everything that follows the input: verdict, components, the scheme's own reading, and
    /// the query's pairs, which `separator` separates.
    pub(crate) fn reading(
        &mut self,
        reading: &Reading<'_>,
        separator: char,
    ) -> Result<(), S::Error> {
        self.field("standard", reading.reader().name())?;
        self.field("valid", &reading.is_valid())?;
        self.field("generic_valid", &reading.is_generic_valid())?;
        self.error(reading.failure().as_ref())?;
        let components = reading.components();
        match &components {
            Some(components) => {
                for (key, text) in components.texts() {
                    self.field(key, &text)?;
                }
                self.field("opaque", &components.opaque)?;
            }
            None => self.no_components()?,
        }
        self.details(reading.meaning())?;
        let components = components.as_ref();
        self.field("port_number", &components.and_then(Components::port_number))?;
        let query = components.and_then(|components| components.query);
        self.field("query_pairs", &QueryPairs::new(query, separator))
    }

    /// Writes everything that follows the input for one that has no result: `failure` says why.
    pub(crate) fn no_reading(&mut self, reader: Reader, failure: &Failure) -> Result<(), S::Error> {
        self.field("standard", reader.name())?;
        self.field("valid", &false)?;
        self.field("generic_valid", &false)?;
        self.error(Some(failure))?;
        self.no_components()?;
        self.nulls(&[
            "details",
            "scheme_text",
            "scheme_error",
            "port_number",
            "query_pairs",
        ])
    }

    /// Writes `null` for every component.
    fn no_components(&mut self) -> Result<(), S::Error> {
        self.nulls(&Components::KEYS)?;
        self.nulls(&["opaque"])
    }
}
