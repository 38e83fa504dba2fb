//! `query_pairs`: the query's keys and values, decoded, in addition to the query as written.

use super::object::Object;
use serde::ser::{Serialize, Serializer};
use urikit::AnyRef;
use urikit::component::{Encoded, Pair, Pairs};

/// The pairs in order, including empty ones; `null` if there is no query.
pub(crate) struct QueryPairs<'a> {
    pairs: Option<Pairs<'a>>,
}

impl<'a> QueryPairs<'a> {
    /// The pairs of the reference's query, which `separator` separates.
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
        let mut object = Object::new(serializer)?;
        object.field("key", &Decoded(self.0.name()))?;
        object.field("value", &self.0.value().map(Decoded))?;
        object.end()
    }
}

/// Decoded, or as written if that is not UTF-8. A `+` remains a `+`.
struct Decoded<'a>(Encoded<'a>);

impl Serialize for Decoded<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.to_utf8() {
            Ok(text) => serializer.serialize_str(&text),
            Err(_) => serializer.serialize_str(self.0.as_str()),
        }
    }
}
