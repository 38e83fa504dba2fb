//! A search for words: a Search APDU with a query of type 3 (RFC 1625, 4).

use super::{encode, tag};

/// The type of the APDU.
pub(super) const SEARCH: u8 = 22;

/// Between the names of several databases.
const SEPARATOR: [u8; 1] = [0x1F];

/// The request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WordSearch<'a> {
    /// The databases; the empty name is the server's own catalogue.
    pub databases: &'a [&'a [u8]],
    /// What is searched for.
    pub words: &'a [u8],
    /// How many documents are returned at most.
    pub max_documents: u32,
}

impl WordSearch<'_> {
    /// The APDU.
    pub fn encode(&self) -> Vec<u8> {
        // The bounds say which records come with the response. WAIS servers have no result sets,
        // and always send them; these are freeWAIS's.
        let mut header = search_header([30, 5000, 30], b"", self.databases);
        encode::field(&mut header, tag::QUERY_TYPE, b"3");
        let mut query = Vec::new();
        encode::field(&mut query, tag::SEED_WORDS, self.words);
        encode::number(&mut query, tag::DATE_FACTOR, 1); // dates do not count
        let max = self.max_documents.into();
        encode::number(&mut query, tag::MAX_DOCUMENTS_RETRIEVED, max);
        let mut information = Vec::new();
        encode::field(&mut information, tag::USER_INFORMATION, &query);
        encode::apdu(&header, &information)
    }
}

/// The header part of a Search up to the names of the databases.
pub(super) fn search_header(bounds: [u32; 3], result_set: &[u8], databases: &[&[u8]]) -> Vec<u8> {
    let mut header = vec![SEARCH];
    for bound in bounds {
        encode::three_octets(&mut header, bound);
    }
    header.push(1); // replaces the result set
    encode::field(&mut header, tag::RESULT_SET_NAME, result_set);
    let names = databases.join(&SEPARATOR[..]);
    encode::field(&mut header, tag::DATABASE_NAMES, &names);
    header
}
