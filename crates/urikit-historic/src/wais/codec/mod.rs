//! WAIS messages, which are the messages of Z39.50-1988 with the WAIS extensions and without BER.
//!
//! ```text
//! message = header (25 octets) APDU                       RFC 1625, 4
//! APDU    = header-length (2 octets) header-part user-information
//! field   = tag length octets        tag, length: compressed integers
//! ```
//!
//! A *compressed integer* has seven bits in each octet, most significant bits first. The high bit
//! means that another octet follows. RFC 1625 does not define the tags, so this module uses the
//! tags of freeWAIS.
//!
//! Decoding borrows from the message and allocates nothing. The decoder checks every length against
//! the number of remaining octets, skips unknown fields, and returns a [`DecodeError`] on malformed
//! input.
//!
//! ```
//! use urikit_historic::wais::codec::{Record, SearchResponse, WordSearch, message};
//! let search = WordSearch { databases: &[b"sea"], words: b"whale", max_documents: 40 };
//! assert!(message(&search.encode()).starts_with(b"0000000038z2wais        0\x00\x15\x16"));
//!
//! // A header part of 11 octets, and user information with a record: the headline `Moby`.
//! let apdu = b"\0\x0B\x17\0\0\0\0\0\0\x01\0\0\0c\x09\x81\x16\x06\x7B\x04Moby";
//! let response = SearchResponse::decode(apdu)?;
//! for record in response.records {
//!     let Record::Header(header) = record? else { panic!() };
//!     assert_eq!(header.headline, b"Moby");
//! }
//! # Ok::<(), urikit_historic::wais::codec::DecodeError>(())
//! ```

mod fields;
mod request;
mod response;
mod source;

pub use fields::{
    DecodeError, HEADER_LEN, IdField, decode_document_id, decode_header, encode_document_id,
    message,
};
pub use request::{DocumentSearch, Init, Unit, WordSearch};
pub use response::{
    Diagnostic, DocumentHeader, DocumentText, InitResponse, InitResponseFields, Record, Records,
    SearchResponse,
};
pub use source::Source;
