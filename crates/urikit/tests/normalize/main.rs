//! Normal forms and comparison: the rows of `testdata/`, and what must hold for every reference.
//!
//! | module | what it holds |
//! |---|---|
//! | `data` | the rows of `testdata/normalize/` and `testdata/compare/` |
//! | `properties` | generated references of every standard: normal forms, pairs, hashes |
//! | `literal` | RFC 3986's own algorithm, written out, against the one that reads from the end |
//! | `fast` | the fast check, against the plan without it |
//! | `limits` | linear time |
//! | `steps` | what is a normal form already, in instructions |
//! | `sample` | the references that the others try |

// A test fails by panicking.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

mod data;
mod fast;
mod literal;
mod properties;
