//! What is done with each row: one file for each family of functions.

mod agree;
mod canonicalize;
mod compare;
mod diagnose;
mod domain;
mod key;
mod normalize;
mod parse;
mod parts;
mod path;
mod percent;
mod query;
mod resolve;
mod surt;

pub use agree::{agree, findings};
pub use canonicalize::canonicalize;
pub use compare::compare;
pub use diagnose::{diagnose, reason};
pub use domain::{public_suffix, registrable_domain, subdomain};
pub use key::key;
pub use normalize::normalize;
pub use parse::parse;
pub use parts::{
    authority, fragment, host, host_kind, path, path_query, port, port_number, query, scheme,
    userinfo,
};
pub use path::path_segments;
pub use percent::{decode, encode};
pub use query::{query_pairs, query_value};
pub use resolve::{resolve, resolve_each};
pub use surt::surt;
