//! Normal forms and comparison: the rows of `testdata/`, and properties of every reference.
//!
//! | module | subject |
//! |---|---|
//! | `data` | the rows of `testdata/`, linear time, and the references that the others try |
//! | `properties` | generated references: normal forms, pairs, hashes, instructions |
//! | `literal` | the literal algorithm of RFC 3986, compared with the one that reads from the end |
//! | `fast` | the fast check, compared with the plan without it |

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
