//! The functions for columns. Each file contains a group of related functions.

mod components;
mod keys;
mod references;
mod report;

pub use components::{
    authority, fragment, host, host_kind, parse, path, path_query, path_segments, port,
    port_number, query, query_pairs, query_value, query_value_each, scheme, userinfo,
};
pub use keys::{canonicalize, key, public_suffix, registrable_domain, subdomain, surt};
pub use references::{compare, decode, encode, normalize, resolve, resolve_each};
pub use report::{agree, diagnose, findings, reason};
