//! The messages of WAIS: Z39.50-1988 with the extensions of WAIS, which is not BER.
//!
//! ```text
//! message = header (25 octets) APDU                       RFC 1625, 4
//! APDU    = header-length (2 octets) header-part user-information
//! field   = tag length octets        tag, length: compressed integers
//! ```
//!
//! A *compressed integer* has seven bits in each octet, the most significant ones first; the high
//! bit marks that another octet follows. RFC 1625 names no tags: they are those of freeWAIS.
//!
//! Decoding borrows from the message and allocates nothing. Every length is checked against the
//! octets that remain, and unknown fields are skipped. What is not decoded has a [`DecodeError`],
//! never a panic.

mod diagnostic;
mod document_id;
mod document_search;
mod encode;
mod header;
mod init;
mod reader;
mod record;
mod response;
mod source;
mod tag;
mod word_search;

pub use diagnostic::Diagnostic;
pub use document_id::{IdField, decode_document_id, encode_document_id};
pub use document_search::{DocumentSearch, Unit};
pub use header::{HEADER_LEN, decode_header, message};
pub use init::{Init, InitResponse, InitResponseFields};
pub use reader::DecodeError;
pub use record::{DocumentHeader, DocumentText, Record};
pub use response::{Records, SearchResponse};
pub use source::Source;
pub use word_search::WordSearch;
