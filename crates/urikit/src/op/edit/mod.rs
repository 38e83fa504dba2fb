//! Builds and edits references.
//!
//! An edit splits a reference into components, changes some of them, writes all of them and parses
//! the result. Unchanged components are kept byte for byte. The result must parse under the same
//! standard, with every component where it was written; otherwise the edit is an error and the
//! reference does not change.
//!
//! This check catches every pitfall of the syntax: a path `//x` without an authority, a first
//! segment with a colon, a relative path after an authority, a query after an opaque part (RFC
//! 3986, 3.3, 4.2 and 5.3; RFC 2396, 3 and 5.2).

mod builder;
mod error;
mod path;
mod query;
mod setters;
mod slot;
mod value;
mod write;

pub use builder::UriBuilder;
pub use error::{Component, EditError, Invalid};
pub use value::{Change, Value};
