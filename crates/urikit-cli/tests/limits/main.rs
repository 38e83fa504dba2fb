//! Memory, output and time are bounded by the input.
//!
//! | module | what it shows |
//! |---|---|
//! | `bulk` | bulk files in constant memory |
//! | `documents` | `extract` on documents that multiply themselves |
//! | `lines` | `--max-line`, and input without end |
//! | `memory` | the peak memory of every subcommand on its worst known input |
//! | `time` | the figures of hostile documents at n and 4 n |

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test fails by panicking

mod bulk;
mod documents;
mod lines;
mod memory;
mod peak;
#[path = "../cli/support.rs"]
#[allow(dead_code)] // shared with the other tests of the command
mod support;
mod time;
