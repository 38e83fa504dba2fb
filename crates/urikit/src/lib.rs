//! The Web's addressing system: references (URIs, URLs, IRIs), parsed exactly as each standard
//! defines them.
//!
//! ```
//! use urikit::{Standard, Uri};
//!
//! // RFC 3986 is the default.
//! let url = Uri::parse("ftp://foo:@host.dom:21/%2Fetc/motd;type=a")?;
//! assert_eq!(url.host().unwrap(), "host.dom");
//! assert_eq!(url.password().unwrap(), ""); // empty, and not absent
//!
//! // The same text, read by every standard.
//! for standard in Standard::ALL {
//!     match standard.parse("http://user@[::1]/~who?a b") {
//!         Ok(reference) => println!("{standard}: {reference:?}"),
//!         Err(error) => println!("{standard}: {error}"),
//!     }
//! }
//! # Ok::<(), urikit::ParseError>(())
//! ```
//!
//! # The types
//!
//! | borrowed | owned | what it is |
//! |---|---|---|
//! | [`Uri`] | `UriBuf` | a URI, with a scheme (RFC 3986) |
//! | [`UriRef`] | `UriRefBuf` | a URI reference, which may be relative (RFC 3986) |
//! | [`Iri`] | `IriBuf` | an IRI, with a scheme (RFC 3987) |
//! | [`IriRef`] | `IriRefBuf` | an IRI reference, which may be relative (RFC 3987) |
//! | [`AnyRef`] | `AnyRefBuf` | a reference of any [`Standard`], from RFC 1630 on |
//!
//! Components are as written: nothing is decoded, changed or added. An absent component ([`None`])
//! is not the same as an empty one, and the components put together again are the text, byte for
//! byte. [`Encoded`](component::Encoded) parts are decoded when you ask for it.
//!
//! ```text
//!   foo://example.com:8042/over/there?name=ferret#nose
//!   \_/   \______________/\_________/ \_________/ \__/
//!    |           |            |            |        |
//! scheme     authority       path        query   fragment
//! ```
//!
//! # Parse, and ask for components
//!
//! ```
//! use urikit::{Uri, UriBuf};
//! let url = Uri::parse("https://user@example.com:8042/over/there?name=fer%20ret&x#nose")?;
//! assert_eq!(url.scheme(), "https");
//! assert_eq!(url.host().unwrap(), "example.com");
//! assert_eq!(url.port_number(), Some(8042));
//! assert_eq!(url.segments().last().unwrap(), "there");
//! assert_eq!(url.query_get("name").unwrap().value().unwrap().to_utf8()?, "fer ret");
//!
//! let owned: UriBuf = "mailto:a@b".parse()?; // the same methods
//! assert_eq!(owned.path(), "a@b");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
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
//! use urikit::op::{Equivalence, Normal};
//! let a = Uri::parse("HTTP://Example.com:80/%7Efoo/./x")?;
//! let b = Uri::parse("http://example.com/~foo/x")?;
//! assert_eq!(a.normalize(), b);
//! assert_eq!(a.compare(b), Some(Equivalence::Scheme)); // RFC 3986, 6.2.3
//! let seen = HashSet::from([Normal(a)]);
//! assert!(seen.contains(&Normal(b)));
//! # Ok::<(), urikit::ParseError>(())
//! ```
//!
//! # Edit
//!
//! ```
//! use urikit::UriBuf;
//! let mut url = UriBuf::parse("http://example.com/a?x=1")?;
//! url.set_scheme("https")?;
//! url.push_segment("b/c")?; // data: the slash is escaped
//! url.query_append("q", "50% off")?; // data too
//! url.set_fragment("top")?;
//! assert_eq!(url, "https://example.com/a/b%2Fc?x=1&q=50%25%20off#top");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Build
//!
//! ```
//! use urikit::UriBuilder;
//! let url = UriBuilder::new().scheme("https").host("example.com").path("/a").query("b").build()?;
//! assert_eq!(url, "https://example.com/a?b");
//! # Ok::<(), urikit::EditError>(())
//! ```
//!
//! # Schemes
//!
//! What is known of a scheme independently of any URL is here. What the parts of a URL mean by the
//! specification of its scheme is in the crate
//! [`urikit-schemes`](https://docs.rs/urikit-schemes): typed readings, builders and warnings.
//!
//! ```
//! use urikit::scheme::{Denotes, known};
//! let ftp = known("FTP").unwrap();
//! assert_eq!((ftp.name, ftp.port, ftp.denotes), ("ftp", Some(21), Denotes::Object));
//! assert!(known("magic").is_none());
//! ```
//!
//! # Text that is not valid
//!
//! Parsing never repairs. [`repair`] is a separate, lenient parser, and reports what it changed.
//!
//! ```
//! assert_eq!(urikit::repair(" http://example.com/a b ")?.reference, "http://example.com/a%20b");
//! # Ok::<(), urikit::op::RepairError>(())
//! ```
//!
//! # Errors
//!
//! A [`ParseError`] has the exact offset: the first byte at which no valid reference of the
//! standard can continue. It says what was found and what was expected there, and names the
//! production and the section of the RFC.
//!
//! # How the standards are read
//!
//! Each grammar is written as constants in [`grammar`] and as ABNF in the project's `spec/abnf/`,
//! and a test compares the two. Where a standard is silent, wrong or contradicts itself, its
//! module and the notes in its ABNF file say how it is read; `CONFORMANCE.md` lists these places.
//!
//! # Features
//!
//! - `std` (default) and `alloc` only add; without both, everything borrowed works.
//! - `serde` reads and writes references as strings. A borrowed type cannot be read from a string
//!   with escapes, so use an owned type in a structure that is read from JSON.
//! - `url` and `http` convert to and from the types of the crates of these names.
//! - `idna` converts the hosts of IRIs to the names in the DNS (`to_uri_idna`).
//!
//! # What this crate does not do
//!
//! It does not parse as browsers do (WHATWG URL). It does not look anything up and does not connect to anything.

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
mod octet;
pub mod op;
mod parse;
pub mod percent;
pub mod scheme;
mod standard;
mod unknown;
mod visible;

use urikit_scan as scan;

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

/// What the project's other crates and its tests need of the parser and the scanner. It is hidden
/// and not covered by semantic versioning, so each of the crates depends on exactly one version.
#[doc(hidden)]
pub mod internal {
    pub use crate::octet::{AnyOctets, Octet, escape, escaped_octet, octet, octets};
    pub use crate::parse::mail::Cursor;
    pub use crate::parse::{is_article, rfc822, rfc1738_host, rfc6068};
    pub use crate::visible::{Escaped, is_visible};
    pub use urikit_scan::text as scan_text;

    /// A part of a reference: in `text`, two hexadecimal digits follow each `%`.
    pub const fn encoded(text: &str) -> crate::component::Encoded<'_> {
        crate::component::Encoded::new(text)
    }

    /// Access to the fast paths, which must not change any result.
    #[cfg(feature = "test-hooks")]
    pub mod fast {
        use crate::{AnyRef, Standard};

        /// Whether the fast path parses `text`, and not the parser that reads byte by byte.
        #[inline]
        pub fn parses(text: &str, standard: Standard) -> bool {
            crate::parse::fast(text, standard).is_some()
        }

        /// Whether the fast check finds that the reference is in normal form at every level.
        #[inline]
        pub fn is_normal(reference: &AnyRef<'_>) -> bool {
            reference.is_normal_fast()
        }

        /// [`AnyRef::normalize_into`] without the fast check.
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

/// Limits the scanner to `level` (`bytes`, `sse2`, `avx2` or `avx512`) from now on. Returns whether
/// the processor supports it.
#[cfg(feature = "test-hooks")]
#[doc(hidden)]
pub fn limit_scanner(level: &str) -> bool {
    scan::Level::limit(level)
}

/// The examples of the README, which are run as tests.
#[cfg(all(doctest, feature = "std", feature = "serde"))]
#[doc = include_str!("../README.md")]
struct Readme;
