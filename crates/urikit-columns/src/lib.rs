//! Parses, resolves, normalizes, compares and groups URLs in Arrow columns, under a standard of
//! your choice.
//!
//! ```
//! use arrow_array::{StringArray, cast::AsArray};
//! use urikit_columns::{Options, Reader, diagnose, host};
//!
//! let urls = StringArray::from(vec!["http://Example.com/a", "http://a_b/", "http://a/{x}"]);
//!
//! // RFC 3986 finds two hosts and rejects a row, with a reason.
//! let hosts = host(&urls, Options::new())?;
//! assert_eq!(hosts.as_string(), &StringArray::from(vec![Some("Example.com"), Some("a_b"), None]));
//! let why = diagnose(&urls, Options::new())?;
//! let section = why.column_by_name("section").unwrap();
//! assert_eq!(section.as_string::<i32>().value(2), "RFC 3986, 3.3");
//!
//! // `java.net.URI`, which Spark's `parse_url` uses, finds one host.
//! let hosts = host(&urls, Reader::JavaNetUri)?;
//! assert_eq!(hosts.as_string(), &StringArray::from(vec![Some("Example.com"), None, None]));
//! # Ok::<(), urikit_columns::ColumnError>(())
//! ```
//!
//! # Columns in, columns out
//!
//! A column is an Arrow array of type Utf8, LargeUtf8 or Utf8View, a slice of such an array, or a
//! dictionary of these types (with keys of any type). A result has as many rows as the column, and
//! its text has the same type. A result is never a dictionary, but each value of a dictionary is
//! read only once. A null remains null.
//!
//! Each row is parsed once. Reading a row does not allocate, except with the `whatwg` reader, with
//! `urllib` if it must convert text, and in the audit ([`agree`], [`findings`]). Several threads
//! process long columns ([`Options::threads`]); the results do not depend on the number of threads.
//!
//! # Functions
//!
//! | function | result |
//! |---|---|
//! | [`parse`] | a struct of all components, from one parse |
//! | [`scheme`], [`authority`], [`userinfo`], [`host`], [`port`], [`path`], [`query`], [`fragment`], [`path_query`] | a component, as the reader returns it |
//! | [`host_kind`], [`port_number`] | the kind of the host; the port as a number |
//! | [`query_value`], [`query_value_each`], [`query_pairs`], [`path_segments`] | pieces, as written or decoded ([`Decoding`]) |
//! | [`normalize`], [`resolve`], [`resolve_each`] | references |
//! | [`registrable_domain`], [`public_suffix`], [`subdomain`] | parts of the host, by the Public Suffix List |
//! | [`surt`], [`canonicalize`] | keys of web archives; canonical forms by named steps |
//! | [`compare`] | the first step of RFC 3986, 6.2, at which the rows of two columns are equivalent |
//! | [`encode`], [`decode`] | percent-encoding for a component |
//! | [`key`] | 64-bit hashes for deduplication |
//! | [`diagnose`], [`reason`] | why rows are rejected |
//! | [`agree`], [`findings`] | the results of the audit |
//!
//! # Readers and errors
//!
//! A [`Reader`] is a standard (RFC 1630 to RFC 3987), `whatwg`, `java-net-uri`, `urllib` or
//! `lenient`. Resolving, normalizing and comparing require a standard or `whatwg`. Encoding and
//! decoding require a standard. [`OnError`] decides whether a rejected row becomes null, ends the
//! call or keeps its text.
//!
//! # Memory from elsewhere
//!
//! With the `ffi` feature, `arrow_array::ffi` imports arrays through Arrow's C data interface.
//! Arrow does not check that the text of imported arrays is UTF-8: call `ArrayData::validate_full`
//! on arrays from a producer that you do not trust.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod cells;
mod column;

mod error;
mod kernel;
mod options;
mod row;
mod run;
mod text;

pub use arrow_array;
pub use arrow_data;
pub use arrow_schema;

pub use error::{ColumnError, Reason};
pub use kernel::{
    agree, authority, canonicalize, compare, decode, diagnose, encode, findings, fragment, host,
    host_kind, key, normalize, parse, path, path_query, path_segments, port, port_number,
    public_suffix, query, query_pairs, query_value, query_value_each, reason, registrable_domain,
    resolve, resolve_each, scheme, subdomain, surt, userinfo,
};
pub use options::{Decoding, OnError, Options, Reader};
pub use urikit_domains;
pub use urikit_keys;

/// Runs the examples in the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
