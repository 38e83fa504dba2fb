//! What Urikit's tests share: the oracle (the crate `urikit-oracle`, as [`abnf`]), test servers, and
//! readers of the test data. It is not published.

#![forbid(unsafe_code)]
// A test crate fails by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::indexing_slicing, clippy::string_slice)]
#![allow(clippy::cast_possible_truncation)] // lengths in small messages

pub mod data;
pub mod instructions;
mod linear;
pub mod prospero;
mod resolve_rows;
pub mod rows_audit;
pub mod rows_edit;
pub mod rows_extract;
pub mod rows_mime;
pub mod rows_normalize;
pub mod rows_percent;
pub mod rows_schemes;
pub mod servers;
pub mod wais;

pub use linear::assert_linear;
pub use resolve_rows::{ResolveGroup, resolve_groups};
pub use urikit_oracle::{self as abnf, Random};
