//! One result as `get --json` prints it.

use crate::input::Given;
use crate::reading::{Error, Failure, Lossy, QueryPairs, Text, serialize_input};
use crate::standard::Reader;
use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::ser::{Serialize, SerializeStruct as _, Serializer};

/// An input and the template filled from it.
pub(super) struct Filled<'a> {
    pub(super) input: Given<'a>,
    pub(super) reader: Reader,
    /// What would be printed; bytes, since what is decoded need not be text.
    pub(super) text: Result<&'a [u8], &'a Failure>,
    pub(super) pairs: QueryPairs<'a>,
}

impl Serialize for Filled<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Filled", 8)?;
        serialize_input::<S>(&mut object, self.input)?;
        object.serialize_field("standard", self.reader.name())?;
        let valid = !matches!(self.text, Err(Failure::Rfc(_)));
        object.serialize_field("valid", &valid)?;
        match self.text.map(|bytes| (bytes, std::str::from_utf8(bytes))) {
            Err(_) => object.serialize_field("text", &())?,
            Ok((_, Ok(text))) => object.serialize_field("text", text)?,
            Ok((bytes, Err(_))) => {
                object.serialize_field("text", &Text(Lossy(bytes)))?;
                let base64 = Base64Display::new(bytes, &BASE64);
                object.serialize_field("text_base64", &Text(base64))?;
            }
        }
        object.serialize_field("error", &self.text.err().cloned().map(Error))?;
        object.serialize_field("query_pairs", &self.pairs)?;
        object.end()
    }
}
