//! An independent oracle for Urikit's parser. The oracle reads grammars in RFC 5234 ABNF, checks
//! strings against them, generates strings from them, and deliberately introduces errors into them.
//!
//! Nothing in this crate depends on the parser: the grammars under `spec/abnf` are transcribed from
//! the RFCs. The code aims to be obvious rather than fast. The crate is not published.
//!
//! | module | what it does |
//! |---|---|
//! | `node` | the elements of a rule, and how they are written |
//! | `read` | parses one file into rules and directives |
//! | `grammar` | loads and checks the rules, including those that a file `@extends` or `@uses` |
//! | `compile`, `items`, `recognise` | the oracle: validity, viability, comparison, character sets |
//! | `ways` | the numbered alternatives of a rule, and grammars with one rule broken |
//! | `steer`, `generate` | generate valid strings that take every alternative |
//! | `mutate` | creates strings that are almost valid |
//! | `random` | a seeded random number generator |
//!
//! [`dir`] returns the folder that contains the grammars. `spec/abnf/README.md` lists the
//! extensions to RFC 5234 that the files use.

#![forbid(unsafe_code)]
// This crate is used only in tests, so it may panic on errors. Its grammars are checked when they
// are loaded.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::indexing_slicing, clippy::string_slice)]
#![allow(clippy::cast_possible_truncation)] // counts and indices of small grammars

mod compile;
mod generate;
mod grammar;
mod items;
mod mutate;
mod node;
mod random;
mod read;
mod recognise;
mod steer;
mod ways;

use std::path::PathBuf;

pub use generate::{Generator, Row};
pub use grammar::GrammarError;
pub use grammar::{Grammar, Rule};
pub use mutate::Mutator;
pub use node::{Name, Node};
pub use random::Random;
pub use recognise::difference;
pub use recognise::{Judgement, Recogniser};
pub use ways::Breakage;

/// Returns the folder that contains the grammars.
#[must_use]
pub fn dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../spec/abnf")
}

/// Returns the names of all grammars, sorted.
///
/// # Panics
///
/// Panics if the folder cannot be read.
#[must_use]
pub fn names() -> Vec<String> {
    let files = std::fs::read_dir(dir()).unwrap_or_else(|error| panic!("spec/abnf: {error}"));
    let mut names: Vec<String> = files
        .filter_map(|file| {
            let name = file.ok()?.file_name().into_string().ok()?;
            Some(name.strip_suffix(".abnf")?.to_owned())
        })
        .collect();
    names.sort();
    names
}
