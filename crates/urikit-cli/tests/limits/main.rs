//! Memory, output and time are bounded by the input.
//!
//! | module | subject |
//! |---|---|
//! | `bulk` | bulk files in constant memory |
//! | `checking` | `check` on large and hostile documents |
//! | `containers` | containers with forged numbers, and damaged ones |
//! | `documents` | `extract` on documents that expand |
//! | `lines` | `--max-line`, and endless input |
//! | `memory` | the peak memory of every subcommand on its worst known input |
//! | `parquet` | Parquet files with false numbers |
//! | `time` | the time for hostile documents of sizes n and 4 n |

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test fails by panicking

mod bulk;
mod checking;
mod containers;
mod documents;
#[cfg(feature = "parquet")]
#[allow(clippy::indexing_slicing)] // a test fails by panicking
#[path = "../../../urikit-parquet/tests/files/mod.rs"]
mod files;
mod lines;
mod memory;
#[cfg(feature = "parquet")]
mod parquet;
mod peak;
#[path = "../cli/support.rs"]
#[allow(dead_code)] // shared with the other tests of the command
mod support;
mod time;
