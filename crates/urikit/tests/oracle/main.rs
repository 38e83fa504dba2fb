//! The parser against the oracle.
//!
//! The oracle (`urikit-oracle`) is built at run time from `spec/abnf/`, which was transcribed from
//! the RFCs apart from the parser and shares nothing with it. Both must give the same verdict and
//! the same offset for every text here, and every constant of the grammar must equal its rule.
//!
//! | module | what it holds against the files |
//! |---|---|
//! | `classes` | every constant set, for all 256 bytes; every production's name and section |
//! | `agreement` | verdict and offset: generated, mutated and all short texts |
//! | `absolute` | the same for `Uri` and `Iri`, which need a scheme |
//! | `components`, `claims` | what the components and kinds of a valid reference match |
//! | `breakage` | that a broken rule is noticed by the others |

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test fails by panicking

mod absolute;
mod agreement;
mod breakage;
mod claims;
mod classes;
mod components;

use std::sync::LazyLock;
use urikit::Standard;
use urikit_testkit::abnf::Grammar;
use urikit_testkit::data::{self, project_root};

/// The grammar of a standard as its file has it.
fn grammar(name: &str) -> Grammar {
    let folder = project_root().join("spec/abnf");
    Grammar::load(&folder, name).unwrap_or_else(|error| panic!("{error}"))
}

/// The references of `testdata/parse/`.
fn references() -> &'static [String] {
    static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| {
        let rows = data::references().into_iter();
        rows.map(|(_, row)| row.input).collect()
    });
    &TEXTS
}

/// What `testdata/reject/` has, which some standard rejects.
fn rejects() -> &'static [String] {
    static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| {
        let rows = data::rejects().into_iter();
        rows.map(|(_, row)| row.input).collect()
    });
    &TEXTS
}

/// The seed of everything random here; the standard is added, so that no two take the same way.
fn seed(standard: Standard) -> u64 {
    20_261_121 + standard as u64
}
