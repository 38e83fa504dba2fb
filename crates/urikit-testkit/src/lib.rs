//! Tools that Urikit's tests share: the oracle (the `urikit-oracle` crate, as [`abnf`]), test
//! servers, and readers of the test data. Not published.

#![forbid(unsafe_code)]
// Code that is used only in tests may panic.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::indexing_slicing, clippy::string_slice)]
#![allow(clippy::cast_possible_truncation)] // lengths in small messages

pub mod data;
pub mod instructions;
mod linear;
pub mod prospero;
pub mod redirects;
pub mod rows;
pub mod servers;
pub mod thrift;
pub mod wais;

pub use linear::assert_linear;
pub use urikit_oracle::{self as abnf, Random};
