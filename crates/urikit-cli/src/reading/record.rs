//! One input as `parse --json` prints it. The keys and their order are a public interface.

use super::{Failure, Reading, serialize_details};
use crate::input::Given;
use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::ser::{Serialize, SerializeStruct as _, Serializer};
use std::fmt;
use urikit::error::Found;

/// An input and what a reader makes of it.
pub(crate) struct Record<'a> {
    pub(crate) input: Given<'a>,
    pub(crate) reading: &'a Reading<'a>,
}

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Record", 23)?;
        serialize_input::<S>(&mut object, self.input)?;
        serialize_reading::<S>(&mut object, self.reading)?;
        object.end()
    }
}

/// Writes `input`, and `input_base64` for one that is no UTF-8.
pub(crate) fn serialize_input<'a, S: Serializer>(
    object: &mut S::SerializeStruct,
    input: impl Into<Given<'a>>,
) -> Result<(), S::Error> {
    serialize_bytes::<S>(object, ["input", "input_base64"], input)
}

/// Writes bytes as text, and under the second key exactly when they are no UTF-8.
pub(crate) fn serialize_bytes<'a, S: Serializer>(
    object: &mut S::SerializeStruct,
    [key, base64_key]: [&'static str; 2],
    given: impl Into<Given<'a>>,
) -> Result<(), S::Error> {
    let Given { bytes, text } = given.into();
    if let Some(text) = text {
        return object.serialize_field(key, text);
    }
    object.serialize_field(key, &Text(Lossy(bytes)))?;
    let base64 = Base64Display::new(bytes, &BASE64);
    object.serialize_field(base64_key, &Text(base64))
}

/// Writes all that follows the input.
pub(crate) fn serialize_reading<S: Serializer>(
    object: &mut S::SerializeStruct,
    reading: &Reading<'_>,
) -> Result<(), S::Error> {
    object.serialize_field("standard", reading.reader().name())?;
    object.serialize_field("valid", &reading.is_valid())?;
    object.serialize_field("generic_valid", &reading.is_generic_valid())?;
    object.serialize_field("error", &reading.failure().map(Error))?;
    match reading.components() {
        Some(components) => {
            for (key, text) in components.texts() {
                object.serialize_field(key, &text)?;
            }
            object.serialize_field("opaque", &components.opaque)?;
        }
        None => serialize_absent::<S>(object)?,
    }
    serialize_details::<S>(object, reading.meaning())
}

/// Writes the components where there is nothing to have any.
pub(crate) fn serialize_absent<S: Serializer>(
    object: &mut S::SerializeStruct,
) -> Result<(), S::Error> {
    ABSENT
        .into_iter()
        .try_for_each(|key| object.serialize_field(key, &()))
}

/// The keys that are `null` for an invalid input.
const ABSENT: [&str; 14] = [
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
];

/// Why an input is not valid, or has no answer.
pub(crate) struct Error(pub(crate) Failure);

impl Serialize for Error {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let found = self.0.found().map(|found| match found {
            Found::Char(c) => c,
            _ => char::REPLACEMENT_CHARACTER,
        });
        let mut object = serializer.serialize_struct("Error", 6)?;
        object.serialize_field("offset", &self.0.offset())?;
        object.serialize_field("found", &found)?;
        object.serialize_field("expected", &self.0.expected().map(Text))?;
        object.serialize_field("production", &self.0.production())?;
        object.serialize_field("section", &self.0.section())?;
        object.serialize_field("message", &Text(&self.0))?;
        object.end()
    }
}

/// Something to be written as a string, without a string being made of it first.
pub(crate) struct Text<T>(pub(crate) T);

impl<T: fmt::Display> Serialize for Text<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// Bytes as text, with U+FFFD for what is no UTF-8.
pub(crate) struct Lossy<'a>(pub(crate) &'a [u8]);

impl fmt::Display for Lossy<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            f.write_str(chunk.valid())?;
            if !chunk.invalid().is_empty() {
                f.write_str("\u{FFFD}")?;
            }
        }
        Ok(())
    }
}
