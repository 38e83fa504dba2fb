//! Building and editing.
//!
//! | module | subject |
//! |---|---|
//! | `rows` | `testdata/edit/`: required results, and escaped text that must be one piece |
//! | `random` | random edits of generated references, and linear time |
//! | `lists` | segments and pairs compared with plain lists, every ASCII character in a component |
//! | `below` | joining below a base, and paths that could leave it |

#![cfg(feature = "alloc")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test fails by panicking

mod below;
mod lists;
mod random;
mod rows;

use urikit::{AnyRef, Standard};
use urikit_testkit::abnf::{Generator, Grammar};
use urikit_testkit::data::project_root;

/// The components as written, by name.
fn components(reference: AnyRef<'_>) -> [(&'static str, Option<String>); 9] {
    let owned = |text: &str| text.to_owned();
    [
        ("scheme", reference.scheme().map(owned)),
        ("user", reference.user().map(|text| owned(text.as_str()))),
        (
            "password",
            reference.password().map(|text| owned(text.as_str())),
        ),
        ("host", reference.host().map(|host| owned(host.as_str()))),
        ("port", reference.port().map(owned)),
        ("path", Some(owned(reference.path().as_str()))),
        (
            "params",
            reference.params().map(|text| owned(text.as_str())),
        ),
        ("query", reference.query().map(|text| owned(text.as_str()))),
        (
            "fragment",
            reference.fragment().map(|text| owned(text.as_str())),
        ),
    ]
}

/// Generates references of a standard from its grammar in `spec/abnf/`.
fn generated(standard: Standard, count: usize) -> Vec<String> {
    let grammar = Grammar::load(&project_root().join("spec/abnf"), standard.name())
        .unwrap_or_else(|error| panic!("{error}"));
    let mut generator = Generator::new(&grammar, 6_000 + standard as u64);
    (0..count)
        .map(|_| generator.generate(grammar.start()))
        .collect()
}
