//! Public suffixes and registrable domains of hosts, by the [Public Suffix
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
//! Results are slices of the host, as written; letters are compared in any case, escapes decoded,
//! and a final dot is ignored and is not part of the result.
//!
//! # Which list
//!
//! [`List::builtin`] is compiled in, by the crate `psl`: [`LIST_VERSION`] and [`LIST_DATE`] say which
//! it is. [`List::parse`] reads one at run time, in the format of `public_suffix_list.dat`.
//!
//! # Private suffixes
//!
//! The list has two parts: suffixes of registries (`com`, `co.uk`), and those of companies that
//! let others register names below theirs (`github.io`, `s3.amazonaws.com`). Browsers use both, to
//! keep sites apart; statistics of domains mostly want the first only. [`List::with_private`]
//! chooses; by default the second part is not used.
//!
//! ```
//! use urikit_domains::List;
//! let host = "someone.github.io";
//! assert_eq!(List::builtin().domain(host).unwrap().registrable(), Some("github.io"));
//! let list = List::builtin().with_private(true);
//! assert_eq!(list.domain(host).unwrap().registrable(), Some("someone.github.io"));
//! ```
//!
//! # What is no domain
//!
//! Addresses, also in the forms that operating systems accept (`127.1`, `0x7f.1`), hosts in
//! brackets, and hosts with an empty label. A suffix that is not on the list is one label, by the
//! list's own rule (`*`): [`Domain::is_listed`] reports it.
//!
//! # What this crate does not do
//!
//! It does not look anything up, does not fetch lists, and knows nothing of URLs: `urikit` gives the
//! host.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod list;

pub use list::{Domain, LIST_DATE, LIST_VERSION, List, ListError};

/// The examples of the README, which are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
