//! Serializes results as JSON objects. The keys and their order are a public interface. Each shared
//! key is defined in one place.

mod error;
mod plan;
mod reading;

use crate::input::{Given, Unparsed};
use crate::reading::Failure;
use crate::repairs::{Changed, Repairs};
pub use error::{ErrorOfTwo, ErrorRecord};
pub use plan::Steps;
pub use reading::{AMPERSAND, DomainKeys, QueryPairs, ReadRecord, ReadingKeys};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use std::borrow::Cow;
use urikit_mime::base64;

/// A string under one key. If its bytes are not UTF-8, another key contains them in base64.
pub struct TextKeys<'a> {
    keys: [&'static str; 2],
    text: Option<Cow<'a, str>>,
    base64: Option<String>,
}

impl<'a> TextKeys<'a> {
    /// Keeps bytes as a string, replacing invalid UTF-8 with U+FFFD.
    pub fn lossy(keys: [&'static str; 2], bytes: impl Into<Unparsed<'a>>) -> Self {
        let bytes = bytes.into();
        let (text, base64) = lossy(bytes);
        let text = Some(text);
        Self { keys, text, base64 }
    }

    /// Keeps the exact bytes, if any. If the bytes are not UTF-8, the string is `null`.
    pub fn exact(keys: [&'static str; 2], bytes: Option<&'a [u8]>) -> Self {
        let unparsed = bytes.map(Unparsed::from);
        let text = unparsed.and_then(|unparsed| unparsed.text);
        let base64 = bytes.filter(|_| text.is_none());
        Self {
            keys,
            text: text.map(Cow::Borrowed),
            base64: base64.map(|bytes| base64::encode(bytes).to_string()),
        }
    }
}

impl Serialize for TextKeys<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry(self.keys[0], &self.text)?;
        if let Some(base64) = &self.base64 {
            object.serialize_entry(self.keys[1], base64)?;
        }
        object.end()
    }
}

/// Converts bytes to text, replacing invalid UTF-8 with U+FFFD. If anything was replaced, also
/// returns the bytes in base64.
fn lossy(Unparsed { bytes, text }: Unparsed<'_>) -> (Cow<'_, str>, Option<String>) {
    if let Some(text) = text {
        return (Cow::Borrowed(text), None);
    }
    let base64 = base64::encode(bytes).to_string();
    (String::from_utf8_lossy(bytes), Some(base64))
}

/// The keys that describe an input: `input`, `input_base64` for input that is not UTF-8, and the
/// repairs.
#[derive(serde::Serialize)]
pub struct InputKeys<'a> {
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
        let (input, input_base64) = lossy(given.unparsed);
        Self {
            input,
            input_base64,
            repairs: given.repairs.map(|repairs| RepairKeys {
                repaired: repairs.made().map(RepairedRecord::new),
                repair_error: unrepaired(repairs),
            }),
        }
    }
}

/// Returns the reason why a repair failed.
fn unrepaired(repairs: &Repairs) -> Option<ErrorRecord> {
    let failure = Failure::from(repairs.failed()?);
    Some((&failure).into())
}

impl<'a> From<Unparsed<'a>> for InputKeys<'a> {
    fn from(unparsed: Unparsed<'a>) -> Self {
        Given::from(unparsed).into()
    }
}

/// The repairs of two inputs: objects with the keys `a` and `b`, or `null` if neither input was
/// repaired.
#[derive(serde::Serialize)]
pub struct RepairsOfTwo<'a> {
    repaired: Option<OfTwo<RepairedRecord<'a>>>,
    repair_error: Option<OfTwo<ErrorRecord>>,
}

impl<'a> RepairsOfTwo<'a> {
    /// Returns `None` if repairs were not allowed.
    pub fn new(repairs: [Option<&'a Repairs>; 2]) -> Option<Self> {
        repairs.iter().any(Option::is_some).then(|| Self {
            repaired: OfTwo::new(repairs.map(|one| Some(RepairedRecord::new(one?.made()?)))),
            repair_error: OfTwo::new(repairs.map(|one| unrepaired(one?))),
        })
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
pub struct RepairedRecord<'a> {
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
    /// Serializes the result of a repair with its changes.
    pub fn new(input: &'a Changed) -> Self {
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

    /// Serializes the repaired text without a list of changes.
    pub fn without_changes(input: &'a Changed) -> Self {
        Self {
            text: &input.text,
            changes: Vec::new(),
        }
    }
}

/// A record with the key `result`: what the command prints without `--json`, or `null` for an input
/// without a result.
#[derive(serde::Serialize)]
pub struct WithResult<'a, T> {
    #[serde(flatten)]
    record: &'a T,
    result: Option<Cow<'a, str>>,
}

impl<'a, T> WithResult<'a, T> {
    /// Adds the result. Bytes that are not UTF-8 become U+FFFD.
    pub fn new(record: &'a T, result: Option<&'a [u8]>) -> Self {
        let result = result.map(String::from_utf8_lossy);
        Self { record, result }
    }
}
