//! A JSON object under construction, and the keys that many objects share.

use crate::input::{Given, Unparsed};
use serde::ser::{Serialize, SerializeStruct, Serializer};
use std::fmt;
use urikit_mime::base64;

/// A JSON object that is being written, key by key.
pub(crate) struct Object<S: Serializer>(S::SerializeStruct);

impl<S: Serializer> Object<S> {
    /// Begins an object.
    pub(crate) fn new(serializer: S) -> Result<Self, S::Error> {
        // JSON has no type names, and its serializers only check whether the length is 0.
        serializer.serialize_struct("", 1).map(Self)
    }

    /// Writes a key and its value.
    #[inline]
    pub(crate) fn field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), S::Error> {
        self.0.serialize_field(key, value)
    }

    /// Writes `null` for each key.
    pub(crate) fn nulls(&mut self, keys: &[&'static str]) -> Result<(), S::Error> {
        keys.iter().try_for_each(|key| self.field(key, &()))
    }

    /// Writes `input`, and `input_base64` if it is not UTF-8; with `--lenient`, its repairs.
    pub(crate) fn input<'a>(&mut self, input: impl Into<Given<'a>>) -> Result<(), S::Error> {
        let given = input.into();
        self.bytes(["input", "input_base64"], given.unparsed)?;
        self.repairs(given.repairs)
    }

    /// Writes bytes as text. If they are not UTF-8, the text has U+FFFD in their place, and the
    /// second key holds them exactly.
    pub(crate) fn bytes<'a>(
        &mut self,
        [key, base64_key]: [&'static str; 2],
        bytes: impl Into<Unparsed<'a>>,
    ) -> Result<(), S::Error> {
        let Unparsed { bytes, text } = bytes.into();
        if let Some(text) = text {
            return self.field(key, text);
        }
        self.lossy(key, bytes)?;
        self.base64(base64_key, bytes)
    }

    /// Writes bytes as text, with U+FFFD for what is not UTF-8.
    pub(crate) fn lossy(&mut self, key: &'static str, bytes: &[u8]) -> Result<(), S::Error> {
        self.field(key, &Text(Lossy(bytes)))
    }

    /// Writes bytes in base64.
    pub(crate) fn base64(&mut self, key: &'static str, bytes: &[u8]) -> Result<(), S::Error> {
        self.field(key, &Text(base64::encode(bytes)))
    }

    /// Ends the object.
    pub(crate) fn end(self) -> Result<S::Ok, S::Error> {
        self.0.end()
    }
}

/// A value that is written as a JSON string, without an intermediate `String`.
pub(super) struct Text<T>(pub(super) T);

impl<T: fmt::Display> Serialize for Text<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// Bytes as text, with U+FFFD for what is not UTF-8.
struct Lossy<'a>(&'a [u8]);

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
