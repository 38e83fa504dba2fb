//! Results as JSON objects. The keys and their order are a public interface; each shared key is
//! written in one place.

mod error;
mod plan;
mod reading;

use crate::input::{Change, Changed, Given, Repairs, Unparsed};
use crate::reading::Failure;
pub(crate) use plan::Steps;
pub(crate) use reading::{AMPERSAND, QueryPairs, Record, Unread};
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
struct Text<T>(T);

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

impl<S: Serializer> Object<S> {
    /// With `--lenient` or `--guess`, writes `repaired`, and `repair_error`: why an input could not be repaired.
    fn repairs(&mut self, repairs: Option<&Repairs>) -> Result<(), S::Error> {
        let Some(repairs) = repairs else {
            return Ok(());
        };
        self.repaired(repairs.made())?;
        let failure = repairs.failed().map(Failure::from);
        self.failure("repair_error", failure.as_ref())
    }

    /// The same for several inputs, each under its key; `null` if it is `null` for all of them.
    pub(crate) fn repairs_of(
        &mut self,
        inputs: &[(&'static str, Option<&Repairs>)],
    ) -> Result<(), S::Error> {
        let any = |has: fn(&Repairs) -> bool| inputs.iter().any(|(_, one)| one.is_some_and(has));
        if inputs.iter().all(|(_, repairs)| repairs.is_none()) {
            return Ok(());
        }
        let made = any(|repairs| repairs.made().is_some()).then_some(MadeRepairs(inputs));
        self.field("repaired", &made)?;
        let failed = any(|repairs| repairs.failed().is_some()).then_some(FailedRepairs(inputs));
        self.field("repair_error", &failed)
    }

    /// Writes `repaired`, which is `null` for what was not repaired.
    pub(crate) fn repaired(&mut self, changed: Option<&Changed>) -> Result<(), S::Error> {
        self.field("repaired", &changed.map(RepairedRecord))
    }
}

/// `repaired` of each input.
struct MadeRepairs<'a>(&'a [(&'static str, Option<&'a Repairs>)]);

impl Serialize for MadeRepairs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::new(serializer)?;
        for (key, repairs) in self.0 {
            object.field(key, &repairs.and_then(Repairs::made).map(RepairedRecord))?;
        }
        object.end()
    }
}

/// `repair_error` of each input.
struct FailedRepairs<'a>(&'a [(&'static str, Option<&'a Repairs>)]);

impl Serialize for FailedRepairs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::new(serializer)?;
        for (key, repairs) in self.0 {
            let failure = repairs.and_then(Repairs::failed).map(Failure::from);
            object.failure(key, failure.as_ref())?;
        }
        object.end()
    }
}

/// A repaired input.
struct RepairedRecord<'a>(&'a Changed);

impl Serialize for RepairedRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let changes: Vec<_> = self.0.changes.iter().map(ChangeRecord).collect();
        let mut object = Object::new(serializer)?;
        object.field("text", &self.0.text)?;
        object.field("changes", &changes)?;
        object.end()
    }
}

struct ChangeRecord<'a>(&'a Change);

impl Serialize for ChangeRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::new(serializer)?;
        object.field("offset", &self.0.offset)?;
        object.field("found", &self.0.found)?;
        object.field("became", &self.0.became)?;
        object.end()
    }
}
