//! Building and editing.
//!
//! | module | what it holds |
//! |---|---|
//! | `rows` | `testdata/edit/`: what each standard says about an edit |
//! | `random` | random edits of generated references: only what is meant changes, or nothing |
//! | `places` | every ASCII character in every component: escaped only where it must be |
//! | `lists` | segments and pairs against plain lists |
//! | `below` | joining below a base, and all that could leave it |
//! | `exact` | escaped text that would be two pieces, and separators that do not separate |
//! | `time` | a thousand pairs, a query of megabytes |

#![cfg(feature = "alloc")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test fails by panicking

mod below;
mod exact;
mod lists;
mod places;
mod random;
mod rows;
mod time;

use urikit::{AnyRef, Standard};
use urikit_testkit::abnf::{Generator, Grammar};
use urikit_testkit::data::project_root;

/// The components by name, as written.
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

/// References of a standard, made from its grammar, which is loaded from `spec/abnf/`.
fn generated(standard: Standard, count: usize) -> Vec<String> {
    let grammar = Grammar::load(&project_root().join("spec/abnf"), standard.name())
        .unwrap_or_else(|error| panic!("{error}"));
    let mut generator = Generator::new(&grammar, 6_000 + standard as u64);
    (0..count)
        .map(|_| generator.generate(grammar.start()))
        .collect()
}
