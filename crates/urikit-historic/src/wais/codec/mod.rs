//! The messages of WAIS: Z39.50-1988 with the extensions of WAIS, which does not use BER.
//!
//! ```text
//! message = header (25 octets) APDU                       RFC 1625, 4
//! APDU    = header-length (2 octets) header-part user-information
//! field   = tag length octets        tag, length: compressed integers
//! ```
//!
//! A *compressed integer* has seven bits in each octet, the most significant ones first. The high
//! bit means that another octet follows. RFC 1625 does not name the tags; these are freeWAIS's.
//!
//! Decoding borrows from the message and allocates nothing. It checks every length against the
//! octets that remain, skips unknown fields, and returns a [`DecodeError`] on malformed input.

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
