//! The pairs of a query in JSON: a view for programs, beside the query as written.

use serde::ser::{Serialize, SerializeStruct as _, Serializer};
use urikit::AnyRef;
use urikit::component::{Encoded, Pair, Pairs};

/// The pairs in order, empty ones too; `null` where there is no query.
pub(crate) struct QueryPairs<'a> {
    pairs: Option<Pairs<'a>>,
}

impl<'a> QueryPairs<'a> {
    /// The pairs of what could be read.
    pub(crate) fn of(reference: Option<AnyRef<'a>>, separator: char) -> Self {
        let query = reference.and_then(|reference| reference.query());
        let pairs = query.map(|query| query.pairs(separator));
        Self { pairs }
    }
}

impl Serialize for QueryPairs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.pairs {
            Some(pairs) => serializer.collect_seq(pairs.clone().map(KeyAndValue)),
            None => serializer.serialize_none(),
        }
    }
}

struct KeyAndValue<'a>(Pair<'a>);

impl Serialize for KeyAndValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Pair", 2)?;
        object.serialize_field("key", &Readable(self.0.name()))?;
        object.serialize_field("value", &self.0.value().map(Readable))?;
        object.end()
    }
}

/// Decoded, and as written where that is no text. A `+` is a `+`.
struct Readable<'a>(Encoded<'a>);

impl Serialize for Readable<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.to_utf8() {
            Ok(text) => serializer.serialize_str(&text),
            Err(_) => serializer.serialize_str(self.0.as_str()),
        }
    }
}
