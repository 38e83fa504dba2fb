//! Building and editing: a reference is taken apart, changed, written and parsed again.
//!
//! What is not changed is written byte for byte. The result is parsed by the same standard and
//! must have each component where it was put; otherwise it is an error, and the reference is
//! unchanged. So the pitfalls of the syntax are all caught: a path `//x` without an authority, a
//! first segment with a colon, a relative path after an authority, a query after an opaque part
//! (RFC 3986, 3.3, 4.2 and 5.3; RFC 2396, 3 and 5.2).

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
