//! One result as `get --json` prints it.

use crate::input::Given;
use crate::reading::Failure;
use crate::record::{Object, QueryPairs};
use crate::standard::Reader;
use serde::ser::{Serialize, Serializer};

/// An input and the template filled from it.
pub(super) struct Filled<'a> {
    pub(super) input: Given<'a>,
    pub(super) reader: Reader,
    /// What would be printed. Decoded components need not be UTF-8.
    pub(super) text: Result<&'a [u8], &'a Failure>,
    pub(super) pairs: QueryPairs<'a>,
}

impl Serialize for Filled<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::new(serializer)?;
        object.input(self.input)?;
        object.field("standard", self.reader.name())?;
        object.valid(self.text.err())?;
        match self.text {
            Ok(text) => object.bytes(["text", "text_base64"], text)?,
            Err(_) => object.field("text", &())?,
        }
        object.error(self.text.err())?;
        object.field("query_pairs", &self.pairs)?;
        object.end()
    }
}
