//! Tests the operations by running the command.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test fails by panicking

mod added;
mod audit;
mod bulk;
mod compare;
#[cfg(feature = "parquet")]
mod containers;
mod converted;
mod csv;
mod defang;
mod edit;
mod edit_pairs;
mod extract;
mod fields;
mod filters;
mod get;
mod hosts;
mod normalize;
#[cfg(feature = "parquet")]
mod pages;
#[cfg(feature = "parquet")]
mod parquet_files;
mod percent;
mod resolve;
mod schemes;
mod secrets;
mod sources;
#[path = "../cli/support.rs"]
#[allow(dead_code)] // shared with the other tests of the command
mod support;
mod tables;
mod tally;
mod tracking;
mod walk;
mod whatwg;
