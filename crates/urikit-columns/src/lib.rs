//! URLs in Arrow columns: parsed, resolved, normalized, compared and grouped, by the standard that
//! you name.
//!
//! ```
//! use arrow_array::{StringArray, cast::AsArray};
//! use urikit_columns::{Options, Reader, diagnose, host};
//!
//! let urls = StringArray::from(vec!["http://Example.com/a", "http://a_b/", "http://a/{x}"]);
//!
//! // By RFC 3986: two hosts, and a row that is rejected, with its reason.
//! let hosts = host(&urls, Options::new())?;
//! assert_eq!(hosts.as_string(), &StringArray::from(vec![Some("Example.com"), Some("a_b"), None]));
//! let why = diagnose(&urls, Options::new())?;
//! let section = why.column_by_name("section").unwrap();
//! assert_eq!(section.as_string::<i32>().value(2), "RFC 3986, 3.3");
//!
//! // As `java.net.URI` reads, and with it Spark's `parse_url`: one host.
//! let hosts = host(&urls, Reader::JavaNetUri)?;
//! assert_eq!(hosts.as_string(), &StringArray::from(vec![Some("Example.com"), None, None]));
//! # Ok::<(), urikit_columns::ColumnError>(())
//! ```
//!
//! # Columns in, columns out
//!
//! A column is an Arrow array of the type Utf8, LargeUtf8 or Utf8View, a slice of one, or a
//! dictionary of one (with keys of any type). Results have the same number of rows, and their texts
//! the same type as the column; a result is never a dictionary, but what a dictionary repeats is
//! read once. A null stays null.
//!
//! Each row is parsed once, and nothing is allocated for a single row, except by the reader
//! `whatwg`, whose parser allocates, by `urllib` where it has to convert, and by the audit
//! ([`agree`], [`findings`]). Columns of many rows are divided among threads
//! ([`Options::threads`]); the results do not depend on how many there are.
//!
//! # Functions
//!
//! | function | result |
//! |---|---|
//! | [`parse`] | a struct of all parts, from one parse |
//! | [`scheme`], [`authority`], [`userinfo`], [`host`], [`port`], [`path`], [`query`], [`fragment`], [`path_query`] | a part, as the reader gives it |
//! | [`host_kind`], [`port_number`] | the kind of the host; the port as a number |
//! | [`query_value`], [`query_pairs`], [`path_segments`] | pieces, as written or decoded ([`Decoding`]) |
//! | [`normalize`], [`resolve`], [`resolve_each`] | references |
//! | [`registrable_domain`], [`public_suffix`], [`subdomain`] | parts of the host, by the Public Suffix List |
//! | [`surt`], [`canonicalize`] | keys of web archives; named steps of canonicalization |
//! | [`compare`] | the first step at which two columns are equivalent |
//! | [`encode`], [`decode`] | percent-encoding for a component |
//! | [`key`] | 64 bits for deduplication |
//! | [`diagnose`], [`reason`] | why rows are rejected |
//! | [`agree`], [`findings`] | what the audit says |
//!
//! # Readers and errors
//!
//! [`Reader`] names the rules: the standards from RFC 1630 on, `whatwg`, `java-net-uri`, `urllib` and
//! `lenient`. The standards and `whatwg` can resolve, normalize and compare; the standards encode and
//! decode. A row that the reader rejects is null, or an error, or keeps its text: [`OnError`].
//!
//! # Memory from elsewhere
//!
//! With the feature `ffi`, `arrow_array::ffi` imports arrays by Arrow's C data interface. Arrow takes
//! the word of the producer that texts are UTF-8: call `ArrayData::validate_full` on those from a
//! producer that you do not trust.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod cells;
mod column;
mod decoding;
mod error;
mod kernel;
mod options;
mod row;
mod run;

pub use arrow_array;
pub use arrow_data;
pub use arrow_schema;
pub use decoding::Decoding;
pub use error::{ColumnError, Reason};
pub use kernel::{
    agree, authority, canonicalize, compare, decode, diagnose, encode, findings, fragment, host,
    host_kind, key, normalize, parse, path, path_query, path_segments, port, port_number,
    public_suffix, query, query_pairs, query_value, reason, registrable_domain, resolve,
    resolve_each, scheme, subdomain, surt, userinfo,
};
pub use options::{OnError, Options, Reader, UnknownName};
pub use urikit_domains;
pub use urikit_keys;

/// The examples of the README, which are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
