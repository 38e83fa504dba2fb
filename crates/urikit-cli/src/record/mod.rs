//! Serializes results as JSON objects. The keys and their order are a public interface. Each shared
//! key is written in one place.

mod error;
mod plan;
mod reading;

use crate::input::{Changed, Given, Repairs, Unparsed};
use crate::reading::Failure;
pub(crate) use error::ErrorRecord;
pub(crate) use plan::Steps;
pub(crate) use reading::{AMPERSAND, QueryPairs, Record, Unread};
use serde::ser::{Serialize, SerializeStruct, Serializer};
use std::borrow::Cow;
use std::fmt;
use urikit_mime::base64;

/// A JSON object under construction.
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

    /// Writes bytes as text. If they are not UTF-8, the text contains U+FFFD, and the second key
    /// has the exact bytes in base64.
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

    /// Writes bytes as text, with U+FFFD for bytes that are not UTF-8.
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

/// Serializes a `Display` value as a string, without an intermediate `String`.
struct Text<T>(T);

impl<T: fmt::Display> Serialize for Text<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// Displays bytes as text, with U+FFFD for bytes that are not UTF-8.
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
    /// With `--lenient` or `--guess`, writes `repaired` and `repair_error`.
    fn repairs(&mut self, repairs: Option<&Repairs>) -> Result<(), S::Error> {
        let Some(repairs) = repairs else {
            return Ok(());
        };
        self.repaired(repairs.made())?;
        let failure = repairs.failed().map(Failure::from);
        self.failure("repair_error", failure.as_ref())
    }

    /// Writes `repaired` and `repair_error` of two inputs as objects with the keys `a` and `b`, or
    /// `null` if both inputs have none.
    pub(crate) fn repairs_of_two(
        &mut self,
        a: Option<&Repairs>,
        b: Option<&Repairs>,
    ) -> Result<(), S::Error> {
        if a.is_none() && b.is_none() {
            return Ok(());
        }
        let made = [a, b].map(|one| Some(RepairedRecord::new(one?.made()?)));
        self.field("repaired", &OfTwo::new(made))?;
        let failed = [a, b].map(|one| Some(ErrorRecord::from(&one?.failed()?.into())));
        self.field("repair_error", &OfTwo::new(failed))
    }

    /// Writes `repaired`, which is `null` for an input that was not repaired.
    pub(crate) fn repaired(&mut self, changed: Option<&Changed>) -> Result<(), S::Error> {
        self.field("repaired", &changed.map(RepairedRecord::new))
    }
}

/// The keys that describe an input: `input`, `input_base64` if it is not UTF-8, and its repairs.
#[derive(serde::Serialize)]
pub(crate) struct InputKeys<'a> {
    input: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_base64: Option<String>,
    #[serde(flatten)]
    repairs: Option<RepairKeys<'a>>,
}

/// The keys that `--lenient` and `--guess` add.
#[derive(serde::Serialize)]
struct RepairKeys<'a> {
    repaired: Option<RepairedRecord<'a>>,
    repair_error: Option<ErrorRecord>,
}

impl<'a> From<Given<'a>> for InputKeys<'a> {
    fn from(given: Given<'a>) -> Self {
        let Unparsed { bytes, text } = given.unparsed;
        let repair_error = |repairs: &Repairs| Some(ErrorRecord::from(&repairs.failed()?.into()));
        Self {
            input: text.map_or_else(|| String::from_utf8_lossy(bytes), Cow::Borrowed),
            input_base64: text.is_none().then(|| base64::encode(bytes).to_string()),
            repairs: given.repairs.map(|repairs| RepairKeys {
                repaired: repairs.made().map(RepairedRecord::new),
                repair_error: repair_error(repairs),
            }),
        }
    }
}

/// A value for each of two inputs.
#[derive(serde::Serialize)]
struct OfTwo<T> {
    a: Option<T>,
    b: Option<T>,
}

impl<T> OfTwo<T> {
    /// Returns `None` if both values are absent.
    fn new([a, b]: [Option<T>; 2]) -> Option<Self> {
        (a.is_some() || b.is_some()).then_some(Self { a, b })
    }
}

/// A repaired input.
#[derive(serde::Serialize)]
struct RepairedRecord<'a> {
    text: &'a str,
    changes: Vec<ChangeRecord<'a>>,
}

#[derive(serde::Serialize)]
struct ChangeRecord<'a> {
    /// The offset in the input, in bytes.
    offset: usize,
    found: &'a str,
    became: &'a str,
}

impl<'a> RepairedRecord<'a> {
    fn new(input: &'a Changed) -> Self {
        let changes = input.changes.iter().map(|change| ChangeRecord {
            offset: change.offset,
            found: &change.found,
            became: &change.became,
        });
        Self {
            text: &input.text,
            changes: changes.collect(),
        }
    }
}
