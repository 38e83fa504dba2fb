//! Keys for URLs: the SURT keys that web archives use to sort and find pages, exactly as the
//! archives' programs write them, and canonicalization in named steps.
//!
//! ```
//! use urikit_keys::{Profile, Scope};
//! // The key in an index of the Internet Archive, whose programs drop prefixes such as `www2`:
//! let key = Profile::IaPython.surt("http://www2.Example.com/A?b&a")?;
//! assert_eq!(key, "com,example)/a?a&b");
//! // Without collisions:
//! let key = Profile::Urikit.surt("http://www2.Example.com/A?b&a")?;
//! assert_eq!(key, "com,example,www2)/A?b&a");
//! // All keys of the host, in a sorted index:
//! let (start, end) = Scope::Host.range(&key).unwrap();
//! assert_eq!((start.as_str(), end.as_str()), ("com,example,www2)/", "com,example,www2,"));
//! # Ok::<(), urikit_keys::SurtError>(())
//! ```
//!
//! # SURT
//!
//! The Sort-friendly URI Reordering Transform reverses the host, so that a sorted list keeps the
//! URLs of a domain together. Each program has its own transform, and a record can be found only
//! with the key computed by the program that built the index. A [`Profile`] selects the program.
//! Each profile's module describes how its keys were checked.
//!
//! # Steps
//!
//! Each [`Step`] removes or changes one part that canonicalizers usually drop although it may
//! matter: the fragment, the order of the query, tracking parameters, session identifiers, a
//! redirector around the target ([`unwrap_redirect`]). No step is applied by default.
//!
//! ```
//! use urikit::Standard;
//! use urikit_keys::{Canonicalizer, Steps};
//! let steps: Steps = "strip-tracking,drop-fragment".parse()?;
//! let url = Standard::Rfc3986.parse("http://a/?utm_source=x&q=1#top")?;
//! let mut out = String::new();
//! Canonicalizer::new(steps).write(url, &mut out);
//! assert_eq!(out, "http://a/?q=1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What this crate does not do
//!
//! The crate never queries the DNS, and it does not decide which of two equivalent URLs to prefer.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod range;
mod steps;
mod surt;
mod unwrap;

pub use range::Scope;
pub use steps::{Canonicalizer, Step, Steps, session_parameters, tracking_parameters};
pub use surt::{Profile, SurtError, SurtWriter};
pub use unwrap::unwrap_redirect;

/// Runs the examples in the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
