//! The command as people and programs run it: the built binary, real files, real pipes.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // a test that panics has failed

mod errors;
mod explain;
mod explained;
mod guess;
mod inputs;
mod json;
mod lenient;
mod parse;
mod scale;
mod support;
mod terminal;
mod usage;
