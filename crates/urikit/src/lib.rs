//! Parses URLs, URIs and IRIs exactly as their RFCs define them, and resolves, normalizes,
//! compares, edits and builds them.
//!
//! ```
//! use urikit::Uri;
//! let url = Uri::parse("https://user@example.com:8042/over/there?name=fer%20ret&x#nose")?;
//! assert_eq!(url.scheme(), "https");
//! assert_eq!(url.host().unwrap(), "example.com");
//! assert_eq!(url.port_number(), Some(8042));
//! assert_eq!(url.segments().last().unwrap(), "there");
//! assert_eq!(url.query_get_raw("name").unwrap().value().unwrap().decode_utf8()?, "fer ret");
//!
//! let error = Uri::parse("https://example.com/a b").unwrap_err();
//! assert_eq!(error.offset(), 21); // the space
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing is decoded, changed or added unless you ask for it. An absent component ([`None`])
//! differs from an empty one, and joining the components gives the original text, byte for byte.
//!
//! ```text
//!   foo://example.com:8042/over/there?name=ferret#nose
//!   \_/   \______________/\_________/ \_________/ \__/
//!    |           |            |            |        |
//! scheme     authority       path        query   fragment
//! ```
//!
//! # Types
//!
//! | borrowed | owned | syntax |
//! |---|---|---|
//! | [`Uri`] | `UriBuf` | a URI, with a scheme (RFC 3986) |
//! | [`UriRef`] | `UriRefBuf` | a URI or a relative reference (RFC 3986) |
//! | [`Iri`] | `IriBuf` | an IRI, with a scheme (RFC 3987) |
//! | [`IriRef`] | `IriRefBuf` | an IRI or a relative reference (RFC 3987) |
//! | [`AnyRef`] | `AnyRefBuf` | a reference of any [`Standard`], from RFC 1630 to RFC 3987 |
//!
//! # Resolve and relativize
//!
//! ```
//! use urikit::{Uri, UriRef};
//! let base = Uri::parse("http://a/b/c/d;p?q")?; // RFC 3986, 5.4
//! assert_eq!(base.join("../g")?, "http://a/b/g");
//! let reference = UriRef::parse("../g")?;
//! let target = reference.resolve_against(&base)?;
//! assert_eq!(target.relative_to(&base)?, "../g");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Normalize and compare
//!
//! ```
//! use std::collections::HashSet;
//! use urikit::Uri;
//! use urikit::op::{Equivalence, NormalKey};
//! let a = Uri::parse("HTTP://Example.com:80/%7Efoo/./x")?;
//! let b = Uri::parse("http://example.com/~foo/x")?;
//! assert_eq!(a.normalize(), b);
//! assert_eq!(a.compare(b), Some(Equivalence::Scheme)); // RFC 3986, 6.2.3
//! let seen = HashSet::from([NormalKey(a)]);
//! assert!(seen.contains(&NormalKey(b)));
//! # Ok::<(), urikit::ParseError>(())
//! ```
//!
//! # Edit and build
//!
//! ```
//! use urikit::{UriBuf, UriBuilder};
//! let mut url = UriBuf::parse("http://example.com/a?x=1")?;
//! url.set_scheme("https")?;
//! url.push_segment("b/c")?; // data: the slash is escaped
//! url.query_append("q", "50% off")?; // data too
//! url.set_fragment("top")?;
//! assert_eq!(url, "https://example.com/a/b%2Fc?x=1&q=50%25%20off#top");
//!
//! let url = UriBuilder::new().scheme("https").host("example.com").path("/a").query("b").build()?;
//! assert_eq!(url, "https://example.com/a?b");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Errors
//!
//! A [`ParseError`] gives the exact offset: the first byte at which no valid reference can
//! continue. The error also contains the character found there, the expected characters, the
//! production, and its section in the RFC. Parsing never repairs. `repair` is a separate, lenient
//! parser, and reports its changes.
//!
//! ```
//! assert_eq!(urikit::repair(" http://example.com/a b ")?.reference, "http://example.com/a%20b");
//! # Ok::<(), urikit::op::RepairError>(())
//! ```
//!
//! # Schemes
//!
//! [`scheme`] contains facts about schemes, such as default ports. The
//! [`urikit-schemes`](https://docs.rs/urikit-schemes) crate parses the parts of a URL according to
//! the specification of its scheme.
//!
//! ```
//! use urikit::scheme::{default_port, known};
//! assert_eq!(default_port("https"), Some(443));
//! assert_eq!(known("FTP").unwrap().title, "File Transfer Protocol");
//! ```
//!
//! # Other standards
//!
//! RFC 3986 is the default. [`Standard`] selects an older standard, or RFC 3987:
//!
//! ```
//! use urikit::Standard;
//! for standard in Standard::ALL {
//!     match standard.parse("http://user@[::1]/~who?a b") {
//!         Ok(reference) => println!("{standard}: {reference:?}"),
//!         Err(error) => println!("{standard}: {error}"),
//!     }
//! }
//! ```
//!
//! Each grammar is written twice: as constants in [`grammar`], and as ABNF in the project's
//! `spec/abnf/`. A test checks that the two versions agree. Where a standard is silent, wrong or
//! contradictory, its module and the notes in its ABNF file explain our interpretation, and
//! `CONFORMANCE.md` lists these places.
//!
//! # Features
//!
//! - `simd` (default) uses SIMD instructions where the target has them. Without this feature,
//!   programs are smaller but slower.
//! - `std` (default) and `alloc` only add items. Without either feature, all borrowed types still
//!   work.
//! - `serde` reads and writes references as strings. Deserialize from JSON into an owned type,
//!   because a borrowed type cannot represent a string with JSON escapes.
//! - `url` and `http` add conversions to and from the types of the crates with the same names.
//! - `idna` converts the hosts of IRIs to DNS names (`to_uri_idna`).
//!
//! # Limits
//!
//! The crate does not parse URLs as browsers do (WHATWG URL), does not look up names, and does not
//! open connections.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

// Rustdoc lists the methods of a type in the order of the modules: parsing and getters come first.
mod reference;

mod bytes;
pub mod component;
pub mod error;
pub mod grammar;
mod layout;
pub mod octet;
pub mod op;
pub mod parse;
pub mod percent;
pub mod scheme;
mod standard;
mod unknown;
pub mod visible;

pub use error::ParseError;
pub use layout::{HostKind, MAX_LEN};
#[cfg(feature = "alloc")]
pub use op::edit::{Change, EditError, UriBuilder, Value};
#[cfg(feature = "alloc")]
pub use op::repair::repair;
pub use reference::{AnyRef, Form, Iri, IriRef, Reference, Uri, UriRef};
#[cfg(feature = "alloc")]
pub use reference::{AnyRefBuf, IriBuf, IriRefBuf, Rejected, UriBuf, UriRefBuf};
pub use standard::Standard;
pub use unknown::UnknownName;

/// Items for the project's tests and benches, which are not covered by semantic versioning.
#[cfg(feature = "test-hooks")]
#[doc(hidden)]
pub mod internal {
    /// Access to the fast paths, which must not change any result.
    pub mod fast {
        use crate::{AnyRef, Standard};

        /// Returns whether the fast path parses `text`.
        #[inline]
        pub fn parses(text: &str, standard: Standard) -> bool {
            crate::parse::fast(text, standard).is_some()
        }

        /// Returns whether the fast check finds that the reference is in normal form at every
        /// level.
        #[inline]
        pub fn is_normal(reference: &AnyRef<'_>) -> bool {
            reference.is_normal_fast()
        }

        /// Normalizes as [`AnyRef::normalize_into`] does, but without the fast check.
        #[cfg(feature = "alloc")]
        #[inline]
        pub fn normalize_without(
            reference: AnyRef<'_>,
            level: crate::op::Level,
            out: &mut alloc::string::String,
        ) -> bool {
            reference.normalize_by_plan(level, out)
        }
    }
}

/// Limits the scanner to `level` (`portable`, `ssse3`, `avx2`, `avx512`, `neon` or `simd128`) from
/// now on. Returns whether the processor supports that level.
#[cfg(feature = "test-hooks")]
#[doc(hidden)]
pub fn limit_scanner(level: &str) -> bool {
    urikit_scan::Level::limit(level)
}

/// Returns the name of the scanner's level, once a reference has been parsed.
#[cfg(feature = "test-hooks")]
#[doc(hidden)]
pub fn scanner_level() -> &'static str {
    urikit_scan::Level::name()
}

/// The examples in the README, which are run as tests.
#[cfg(all(doctest, feature = "std", feature = "serde"))]
#[doc = include_str!("../README.md")]
struct Readme;
