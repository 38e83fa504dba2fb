//! Keys for URLs: those by which web archives sort and find them, as their programs write them, and
//! canonicalization by named steps.
//!
//! ```
//! use urikit_keys::{Profile, Scope};
//! // The key in an index of the Internet Archive, whose programs lose prefixes `www`:
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
//! A key of the Sort-friendly URI Reordering Transform has the host reversed, so that what belongs
//! to a domain is together in a sorted list. There is no one transform: each program has its own, and
//! an index is only found by the keys that it was made with. [`Profile`] names them; the module of
//! each profile says what it was compared with.
//!
//! # Steps
//!
//! [`Step`] has what canonicalizers remove although it may matter: the fragment, the order of the
//! query, tracking parameters, sessions. Each is switched on by its name, and none is by default.
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
//! It never asks the DNS, and it has no opinion on which of two URLs is the better one.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod range;
mod steps;
mod surt;

pub use range::{Scope, UnknownScope};
pub use steps::{Canonicalizer, Step, Steps, UnknownStep, session_parameters, tracking_parameters};
pub use surt::{Profile, SurtError, SurtWriter, UnknownProfile};

/// The examples of the README, which are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
