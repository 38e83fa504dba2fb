//! One parsed input, as `parse --json` prints it.

use super::object::Object;
use crate::input::Given;
use crate::reading::Reading;
use serde::ser::{Serialize, Serializer};

/// An input and how one reader reads it.
pub(crate) struct Record<'a> {
    pub(crate) input: Given<'a>,
    pub(crate) reading: &'a Reading<'a>,
}

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::new(serializer)?;
        object.input(self.input)?;
        object.reading(self.reading)?;
        object.end()
    }
}

impl<S: Serializer> Object<S> {
    /// Writes everything that follows the input: verdict, components and the scheme's own reading.
    pub(crate) fn reading(&mut self, reading: &Reading<'_>) -> Result<(), S::Error> {
        self.field("standard", reading.reader().name())?;
        self.field("valid", &reading.is_valid())?;
        self.field("generic_valid", &reading.is_generic_valid())?;
        self.error(reading.failure().as_ref())?;
        match reading.components() {
            Some(components) => {
                for (key, text) in components.texts() {
                    self.field(key, &text)?;
                }
                self.field("opaque", &components.opaque)?;
            }
            None => self.no_components()?,
        }
        self.details(reading.meaning())
    }

    /// Writes `null` for every component.
    pub(crate) fn no_components(&mut self) -> Result<(), S::Error> {
        self.nulls(&[
            "form",
            "scheme",
            "authority",
            "userinfo",
            "user",
            "password",
            "host",
            "host_kind",
            "port",
            "path",
            "params",
            "query",
            "fragment",
            "opaque",
        ])
    }
}
