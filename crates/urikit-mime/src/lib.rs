//! MIME for mail and URLs: header fields and parameters, multiparts, base64 and quoted-printable.
//!
//! Bodies of any size are decoded in pieces and in constant memory, and each octet can be traced
//! to its position in the source. All functions take linear time in the length of the input, and
//! never panic. The crate is `no_std`.
//!
//! # Decode a body
//!
//! A [`transfer::Decoder`] accepts input that is split at any octet, and tolerates damaged bodies.
//!
//! ```
//! # #[cfg(feature = "mail")] {
//! use urikit_mime::transfer::{Decoder, Encoding};
//!
//! let mut decoder = Decoder::new(Encoding::parse(b"quoted-printable"));
//! let mut text = Vec::new();
//! for piece in ["Now's the time =\r", "\nfor all folk=2", "0to come"] {
//!     decoder.push(piece.as_bytes(), |run| text.extend_from_slice(run.octets()));
//! }
//! decoder.finish(|run| text.extend_from_slice(run.octets()));
//! assert_eq!(text, b"Now's the time for all folk to come");
//! # }
//! ```
//!
//! Each [`Run`](transfer::Run) reports whether the next octets of the input were copied, replaced
//! or skipped.
//!
//! # Find the parts of a message
//!
//! ```
//! # #[cfg(feature = "mail")] {
//! use urikit_mime::{ContentType, boundary, header};
//!
//! let message = b"Content-Type: multipart/mixed; boundary=\"simple boundary\"\r\n\
//!     \r\n\
//!     --simple boundary\r\n\
//!     Content-ID: <one@example.org>\r\n\
//!     \r\n\
//!     The first part.\r\n\
//!     --simple boundary--\r\n";
//! let (head, body) = header::split(message);
//! let content = header::value(head, "Content-Type").and_then(ContentType::parse).unwrap();
//! let part = boundary::parts(body, &content.boundary().unwrap()).next().unwrap();
//! let (head, text) = header::split(&body[part]);
//! let id = header::value(head, "content-id").map(header::identifier);
//! assert_eq!(id, Some(&b"one@example.org"[..]));
//! assert_eq!(text, b"The first part.");
//! # }
//! ```
//!
//! To read a message that does not fit into memory, pass each of its lines to
//! [`delimiter`](boundary::delimiter).
//!
//! # Base64
//!
//! This example encodes base64, and decodes it strictly according to RFC 4648:
//!
//! ```
//! use urikit_mime::base64;
//!
//! assert_eq!(base64::encode(b"foob").to_string(), "Zm9vYg==");
//! let octets: Result<Vec<u8>, _> = base64::decode(*b"Zm9vYg==").collect();
//! assert_eq!(octets?, b"foob");
//! # Ok::<(), base64::DecodeError>(())
//! ```
//!
//! # Modules
//!
//! | module | contents | source |
//! |---|---|---|
//! | [`header`] | header and body, fields, identifiers | RFC 5322, 2.2; RFC 2045, 7 |
//! | [`ContentType`], [`parameter`] | media types and parameters | RFC 2045, 5; RFC 2231, 3 and 4 |
//! | [`boundary`] | the parts of multiparts | RFC 2046, 5.1 |
//! | [`mailbox`] | the messages of a mailbox | RFC 4155 |
//! | [`transfer`] | bodies and their transfer encodings | RFC 2045, 6 |
//! | [`word`] | the Q encoding of encoded words | RFC 2047, 4.2 |
//! | [`base64`] | base64, encoded and strictly decoded | RFC 4648, 4 |
//!
//! # Limits
//!
//! At most [`parameter::MAX_PARAMETERS`] parameters of a field are read, and
//! [`is_complete`](parameter::Parameters::is_complete) returns false if the field has more. A
//! boundary has at most [`boundary::MAX_LENGTH`] octets, and a delimiter line at most 998. A
//! decoder stores at most 998 octets between pieces.
//!
//! # Features
//!
//! - **mail** (default): everything except [`base64`]. The feature needs `alloc` and the `memchr`
//!   crate. Without this feature, the crate does not allocate and has no dependencies.

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "mail")]
extern crate alloc;

pub mod base64;
#[cfg(feature = "mail")]
pub mod boundary;
#[cfg(feature = "mail")]
pub mod header;
#[cfg(feature = "mail")]
pub mod mailbox;
#[cfg(feature = "mail")]
pub mod parameter;
#[cfg(feature = "mail")]
pub mod transfer;
#[cfg(feature = "mail")]
pub mod word;

#[cfg(feature = "mail")]
pub use parameter::ContentType;

/// The examples in the README, which are run as tests.
#[cfg(all(doctest, feature = "mail"))]
#[doc = include_str!("../README.md")]
struct Readme;
