//! The Web's addressing system: references (URIs, URLs, IRIs) read exactly as each standard reads
//! them.
//!
//! ```
//! use urikit::{Standard, UriRef};
//!
//! // RFC 3986 is the default.
//! let url = UriRef::parse("ftp://foo:@host.dom:21/%2Fetc/motd;type=a")?;
//! assert_eq!(url.host().unwrap(), "host.dom");
//! assert_eq!(url.password().unwrap(), ""); // empty, and not absent
//!
//! // The same text as every standard reads it.
//! for standard in Standard::ALL {
//!     match standard.parse("http://user@[::1]/~who?a b") {
//!         Ok(reference) => println!("{standard}: {reference:?}"),
//!         Err(error) => println!("{standard}: {error}"),
//!     }
//! }
//! # Ok::<(), urikit::ParseError>(())
//! ```
//!
//! # What a reference is
//!
//! [`UriRef`] is a view of a text, typed by its standard; `UriRefBuf` owns its text; [`AnyRef`]
//! carries its standard as a value. Components are as written: nothing is decoded, changed or
//! added, an absent component ([`None`]) is not an empty one, and the parts put together again are
//! the text, byte for byte. [`Encoded`](component::Encoded) parts are decoded where you ask.
//!
//! # What an error says
//!
//! A [`ParseError`] has the exact offset: the first byte at which no valid reference of the
//! standard can go on. It says what was found and what was expected there, and names the
//! production and the section of the RFC.
//!
//! # How the texts are read
//!
//! Each grammar stands as constants in [`grammar`] and as ABNF in the project's `spec/abnf/`, and
//! a test holds the two together. Where a text is silent, wrong or contradicts itself, the module
//! of its standard and the note in its ABNF file say how it is read; `CONFORMANCE.md` lists them.
//!
//! # Features
//!
//! `std` (default) and `alloc` only add; without both, everything borrowed works. `serde` reads and
//! writes references as strings; a [`UriRef`] borrows from the input, which a string with escapes
//! cannot give, so that `UriRefBuf` is what to put into a type that is read from JSON. `idna`
//! writes the hosts of IRIs as the DNS has them (`UriRef::to_uri_idna`).
//!
//! # What this crate does not do
//!
//! It never repairs: a text with a space or a backslash is refused at that place. It does not read
//! as browsers do (WHATWG URL). It looks nothing up and connects to nothing.

#![no_std]
#![deny(unsafe_code)] // the scanner allows it

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod component;
pub mod error;
pub mod grammar;
pub mod op;
mod parse;
mod reference;
mod scan;
pub mod scheme;
mod standard;

pub use component::HostKind;
pub use error::ParseError;
pub use parse::MAX_LEN;
pub use reference::{AnyRef, Form, IriRef, UriRef};
#[cfg(feature = "alloc")]
pub use reference::{BuildError, Change, Component, Edit, EditError, UriBuilder, Value};
#[cfg(feature = "alloc")]
pub use reference::{IriRefBuf, RejectedText, UriRefBuf};
#[doc(hidden)]
pub use scan::text as scan_text;
pub use standard::{
    Rfc1630, Rfc1738, Rfc1808, Rfc2396, Rfc2732, Rfc3986, Rfc3987, Spec, Standard, UnknownStandard,
};

/// For tests and benches, which are to run each way of reading: from now on texts are read by no better one than `bytes`, `sse2`, `ssse3`,
/// `avx2` or `avx512`. Whether the machine has it.
#[cfg(feature = "std")]
#[doc(hidden)]
pub fn limit_scanner(level: &str) -> bool {
    scan::Level::limit(level)
}

/// The README's example, which must run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
