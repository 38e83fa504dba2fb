//! A search for a document, or a part of it: a Search APDU with a query of type 1 (RFC 1625, 4).
//!
//! The query is in reverse Polish notation: a term is a list of attributes and a value, and an
//! operator joins the two before it.

use super::word_search::search_header;
use super::{encode, tag};
use std::fmt;
use std::ops::Range;

/// The request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocumentSearch<'a> {
    /// The databases.
    pub databases: &'a [&'a [u8]],
    /// The document-id, as the server gave it.
    pub id: &'a [u8],
    /// The type, such as `TEXT`.
    pub document_type: &'a [u8],
    /// The unit of the range.
    pub unit: Unit,
    /// The range, counted from 0. It is always sent: freeWAIS ends without an answer where it is
    /// missing.
    pub range: Range<u64>,
}

/// What a range counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Unit {
    /// Octets of the document.
    Bytes,
    /// Lines of a text.
    Lines,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bytes => "bytes",
            Self::Lines => "lines",
        })
    }
}

impl DocumentSearch<'_> {
    /// The APDU.
    pub fn encode(&self) -> Vec<u8> {
        let mut header = search_header([10, 16, 15], b"FOO", self.databases);
        encode::field(&mut header, tag::QUERY_TYPE, b"1");
        encode::field(&mut header, tag::ELEMENT_SET_NAMES, b" \x1FDocument Text");
        let (from, to) = match self.unit {
            Unit::Bytes => (*b"wb ro", *b"wb rl"),
            Unit::Lines => (*b"wl ro", *b"wl rl"),
        };
        let mut query = Vec::new();
        term(&mut query, *b"un re", self.id);
        for (attributes, value) in [
            (*b"wt re", self.document_type),
            (from, self.range.start.to_string().as_bytes()),
            (to, self.range.end.to_string().as_bytes()),
        ] {
            term(&mut query, attributes, value);
            encode::field(&mut query, tag::OPERATOR, b"a"); // and
        }
        let mut information = Vec::new();
        encode::field(&mut information, tag::QUERY, &query);
        encode::apdu(&header, &information)
    }
}

/// A value with its use and its relation; the other four attributes are ignored.
fn term(query: &mut Vec<u8>, attributes: [u8; 5], value: &[u8]) {
    let list = [&attributes, &b" ig ig ig ig"[..]].concat();
    encode::field(query, tag::ATTRIBUTE_LIST, &list);
    encode::field(query, tag::TERM, value);
}
