//! The command as people and programs run it: the built binary, real files, real pipes.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice)] // a test that panics has failed

mod check;
mod check_bad_input;
mod check_results;
mod colours;
mod completions;
mod domains;
mod errors;
mod explain;
mod explained;
mod explained_hosts;
mod guess;
mod habits;
mod inputs;
mod json;
mod lenient;
mod live;
mod manual;
mod parse;
mod results;
mod scale;
mod screens;
mod shape;
mod streams;
mod support;
mod terminal;
mod usage;
