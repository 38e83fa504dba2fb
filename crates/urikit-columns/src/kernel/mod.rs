//! What is done with each row: one file for each family of functions.

mod agree;
mod compare;
mod diagnose;
mod key;
mod normalize;
mod parse;
mod parts;
mod path;
mod percent;
mod query;
mod resolve;

pub use agree::{agree, findings};
pub use compare::compare;
pub use diagnose::{diagnose, reason};
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
