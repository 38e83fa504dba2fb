//! The test kit of Urikit: an independent oracle for its parser, and readers of its test data.
//!
//! Nothing here depends on the parser. The grammars under `spec/abnf` are transcribed from the
//! RFCs; this crate reads them, judges strings by them, generates strings from them, and breaks
//! them on purpose. It prefers obvious code to fast code, and is not published.

#![forbid(unsafe_code)]
// A test crate fails by panicking, and the grammars it works on have been checked.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::indexing_slicing, clippy::string_slice)]
#![allow(clippy::cast_possible_truncation)] // counts and indices of small grammars

pub mod abnf;
pub mod data;
pub mod instructions;
mod linear;
mod random;
mod resolve_rows;
pub mod rows_audit;
pub mod rows_edit;
pub mod rows_extract;
pub mod rows_mime;
pub mod rows_normalize;
pub mod rows_percent;
pub mod rows_prospero;
pub mod rows_schemes;
pub mod servers;
pub mod wais;

pub use linear::assert_linear;
pub use random::Random;
pub use resolve_rows::{ResolveGroup, resolve_groups};

/// The Rust examples of the project's README, which are run as tests. They are here since the
/// README is part of no package that is published.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
