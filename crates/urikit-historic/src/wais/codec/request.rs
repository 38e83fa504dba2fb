//! WAIS requests: Init and the two kinds of search (RFC 1625, 4).

use super::fields::{apdu, tag, write_field, write_number};
use std::fmt;
use std::ops::Range;

/// The type of an Init APDU.
const INIT: u8 = 20;

/// The type of a Search APDU.
const SEARCH: u8 = 22;

/// Version 1, which is the first bit of a bitmap.
const VERSION_1: u8 = 0x80;

/// Separates the names of several databases.
const SEPARATOR: [u8; 1] = [0x1F];

/// A request to agree on the size of messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Init<'a> {
    /// The services that the client will use. The first bit means Search, and the second bit means
    /// Present.
    pub options: u8,
    /// The maximum length of messages in octets, which is also sent as the maximum length of
    /// records.
    pub max_message: u32,
    /// The name of the client.
    pub implementation_name: &'a [u8],
    /// The version of the client.
    pub implementation_version: &'a [u8],
}

impl Init<'_> {
    /// Requests only the Search service, which also fetches documents.
    ///
    /// freeWAIS declines clients that request the Present service, but serves them anyway.
    pub const SEARCH: u8 = 0x80;

    /// Returns the APDU.
    pub fn encode(&self) -> Vec<u8> {
        let mut header = vec![INIT];
        write_field(&mut header, tag::PROTOCOL_VERSION, &[VERSION_1]);
        write_field(&mut header, tag::OPTIONS, &[self.options]);
        let max = self.max_message.into();
        write_number(&mut header, tag::PREFERRED_MESSAGE_SIZE, max);
        write_number(&mut header, tag::MAXIMUM_RECORD_SIZE, max);
        let (name, version) = (self.implementation_name, self.implementation_version);
        write_field(&mut header, tag::IMPLEMENTATION_NAME, name);
        write_field(&mut header, tag::IMPLEMENTATION_VERSION, version);
        apdu(&header, &[])
    }
}

/// A search for words, which is a query of type 3.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WordSearch<'a> {
    /// The databases. An empty name selects the server's own catalogue.
    pub databases: &'a [&'a [u8]],
    /// The words to search for.
    pub words: &'a [u8],
    /// The maximum number of documents to return.
    pub max_documents: u32,
}

impl WordSearch<'_> {
    /// Returns the APDU.
    pub fn encode(&self) -> Vec<u8> {
        // These numbers limit which records the response includes. WAIS servers have no result
        // sets, and always send the records. freeWAIS uses the same values.
        let mut header = search_header([30, 5000, 30], b"", self.databases);
        write_field(&mut header, tag::QUERY_TYPE, b"3");
        let mut query = Vec::new();
        write_field(&mut query, tag::SEED_WORDS, self.words);
        write_number(&mut query, tag::DATE_FACTOR, 1); // dates do not affect the score
        let max = self.max_documents.into();
        write_number(&mut query, tag::MAX_DOCUMENTS_RETRIEVED, max);
        let mut information = Vec::new();
        write_field(&mut information, tag::USER_INFORMATION, &query);
        apdu(&header, &information)
    }
}

/// A search that fetches part of a document, which is a query of type 1, in reverse Polish
/// notation.
///
/// A term is a list of attributes and a value. An operator joins the two preceding terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocumentSearch<'a> {
    /// The databases.
    pub databases: &'a [&'a [u8]],
    /// The document-id, as received from the server.
    pub id: &'a [u8],
    /// The type, such as `TEXT`.
    pub document_type: &'a [u8],
    /// The unit of the range.
    pub unit: Unit,
    /// The range, counted from 0. The range is required, because freeWAIS exits without a response
    /// if the range is missing.
    pub range: Range<u64>,
}

/// Determines whether a range counts octets or lines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Unit {
    /// The octets of the document.
    Bytes,
    /// The lines of the document.
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
    /// Returns the APDU.
    pub fn encode(&self) -> Vec<u8> {
        let mut header = search_header([10, 16, 15], b"FOO", self.databases);
        write_field(&mut header, tag::QUERY_TYPE, b"1");
        write_field(&mut header, tag::ELEMENT_SET_NAMES, b" \x1FDocument Text");
        let (from, to) = match self.unit {
            Unit::Bytes => (*b"wb ro", *b"wb rl"),
            Unit::Lines => (*b"wl ro", *b"wl rl"),
        };
        let mut query = Vec::new();
        write_term(&mut query, *b"un re", self.id);
        for (attributes, value) in [
            (*b"wt re", self.document_type),
            (from, self.range.start.to_string().as_bytes()),
            (to, self.range.end.to_string().as_bytes()),
        ] {
            write_term(&mut query, attributes, value);
            write_field(&mut query, tag::OPERATOR, b"a"); // and
        }
        let mut information = Vec::new();
        write_field(&mut information, tag::QUERY, &query);
        apdu(&header, &information)
    }
}

/// Appends a term, which consists of the attributes *use* and *relation*, four attributes that
/// servers ignore, and the value.
fn write_term(query: &mut Vec<u8>, attributes: [u8; 5], value: &[u8]) {
    let list = [&attributes, &b" ig ig ig ig"[..]].concat();
    write_field(query, tag::ATTRIBUTE_LIST, &list);
    write_field(query, tag::TERM, value);
}

/// Returns the header part of a Search request, up to the names of the databases.
fn search_header(bounds: [u32; 3], result_set: &[u8], databases: &[&[u8]]) -> Vec<u8> {
    let mut header = vec![SEARCH];
    for bound in bounds {
        let [_, octets @ ..] = bound.to_be_bytes();
        header.extend_from_slice(&octets);
    }
    header.push(1); // replaces the result set
    write_field(&mut header, tag::RESULT_SET_NAME, result_set);
    let names = databases.join(&SEPARATOR[..]);
    write_field(&mut header, tag::DATABASE_NAMES, &names);
    header
}
