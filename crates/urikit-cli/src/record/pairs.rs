//! `query_pairs`: the query's keys and values, decoded, in addition to the query as written.

use super::object::Object;
use serde::ser::{Serialize, Serializer};
use urikit::Standard;
use urikit::percent::{self, Place};

/// The character between pairs unless an option sets another one.
pub(crate) const AMPERSAND: char = '&';

/// The pairs in order, including empty ones; `null` if there is no query.
#[derive(Clone, Copy)]
pub(crate) struct QueryPairs<'a> {
    query: Option<&'a str>,
    separator: char,
}

impl<'a> QueryPairs<'a> {
    /// The pairs of a query, which `separator` separates.
    pub(crate) const fn new(query: Option<&'a str>, separator: char) -> Self {
        Self { query, separator }
    }
}

impl Serialize for QueryPairs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.query {
            Some("") => serializer.collect_seq([(); 0]),
            Some(query) => serializer.collect_seq(query.split(self.separator).map(Pair)),
            None => serializer.serialize_none(),
        }
    }
}

struct Pair<'a>(&'a str);

impl Serialize for Pair<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (name, value) = match self.0.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (self.0, None),
        };
        let mut object = Object::new(serializer)?;
        object.field("key", &Decoded(name))?;
        object.field("value", &value.map(Decoded))?;
        object.end()
    }
}

/// Decoded, or as written if that is not UTF-8. A `+` remains a `+`.
struct Decoded<'a>(&'a str);

impl Serialize for Decoded<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Browsers allow a `%` that is not part of an escape: that remains as written, too.
        let decoded = percent::decode(self.0, Place::QueryValue, Standard::Rfc3986);
        let octets = decoded.map(|decoded| decoded.to_bytes());
        let text = octets.as_deref().map(str::from_utf8);
        match text {
            Ok(Ok(text)) => serializer.serialize_str(text),
            _ => serializer.serialize_str(self.0),
        }
    }
}
