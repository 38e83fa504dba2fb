//! Compares the parser with the oracle.
//!
//! The oracle (`urikit-oracle`) is built at run time from `spec/abnf/`, a transcription of the RFCs
//! that shares nothing with the parser. The parser and the oracle must return the same verdict and
//! the same offset for every string, and every constant of the grammar must equal its rule.
//!
//! | module | comparison |
//! |---|---|
//! | `classes` | every constant set, for all 256 bytes; every production's name and section |
//! | `agreement` | verdict and offset: generated, mutated and all short strings |
//! | `absolute` | the same for `Uri` and `Iri`, which need a scheme |
//! | `components`, `claims` | the rules that match the components and kinds of a valid reference |
//! | `breakage` | the other modules notice a broken rule |

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

/// Returns the grammar of a standard from its file.
fn grammar(name: &str) -> Grammar {
    let folder = project_root().join("spec/abnf");
    Grammar::load(&folder, name).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the references of `testdata/parse/`.
fn references() -> &'static [String] {
    static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| {
        let rows = data::references().into_iter();
        rows.map(|(_, row)| row.input).collect()
    });
    &TEXTS
}

/// Returns the rows of `testdata/reject/`, which at least one standard rejects.
fn rejects() -> &'static [String] {
    static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| {
        let rows = data::rejects().into_iter();
        rows.map(|(_, row)| row.input).collect()
    });
    &TEXTS
}

/// The seed of all random choices. The number of the standard is added, so each standard gets
/// different strings.
fn seed(standard: Standard) -> u64 {
    20_261_121 + standard as u64
}
