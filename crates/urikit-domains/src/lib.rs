//! Finds public suffixes and registrable domains with the [Public Suffix
//! List](https://publicsuffix.org/).
//!
//! ```
//! use urikit_domains::{Domain, List};
//! let list = List::builtin();
//! let domain = list.domain("www.Example.CO.UK").unwrap();
//! assert_eq!(domain.suffix(), "CO.UK");
//! assert_eq!(domain.registrable(), Some("Example.CO.UK"));
//! assert_eq!(domain.subdomain(), Some("www"));
//!
//! assert!(list.domain("127.0.0.1").is_none()); // an address
//! assert!(list.domain("[::1]").is_none());
//! assert_eq!(list.domain("co.uk").unwrap().registrable(), None); // a suffix itself
//! ```
//!
//! Results are slices of the host, as written. Case does not matter, escapes are decoded, and a
//! trailing dot is ignored and left out of the result.
//!
//! # Which list
//!
//! [`List::builtin`] returns the list of the `psl` crate, which is compiled in. [`LIST_VERSION`]
//! and [`LIST_DATE`] identify the compiled-in list. [`List::parse`] reads a list in the format of
//! `public_suffix_list.dat` at run time.
//!
//! # Private suffixes
//!
//! The list has two parts: suffixes of registries (`com`, `co.uk`), and suffixes of companies that
//! let others register names under them (`github.io`, `s3.amazonaws.com`). Browsers use both parts
//! to separate sites from each other. Statistics about domains usually need only the first part.
//! The second part is off by default, and [`List::with_private`] turns it on.
//!
//! ```
//! use urikit_domains::List;
//! let host = "someone.github.io";
//! assert_eq!(List::builtin().domain(host).unwrap().registrable(), Some("github.io"));
//! let list = List::builtin().with_private(true);
//! assert_eq!(list.domain(host).unwrap().registrable(), Some("someone.github.io"));
//! ```
//!
//! # Hosts without a domain
//!
//! Addresses are not domains, even if they are written in a form that only operating systems accept
//! (`127.1`, `0x7f.1`). Hosts in brackets and hosts with an empty label are not domains. If no
//! suffix on the list matches, the last label is the suffix (the default rule of the list, `*`),
//! and [`Domain::is_listed`] returns false.
//!
//! # What this crate does not do
//!
//! This crate sends no queries, fetches no lists, and does not parse URLs: get the host from
//! `urikit`.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod list;

pub use list::{Domain, LIST_DATE, LIST_VERSION, List, ListError};

/// Runs the examples in the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
