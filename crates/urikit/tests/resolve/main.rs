//! Resolving references: the rows of `testdata/resolve/`, and the algorithms of the RFCs written
//! out literally, whose results the library must match.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test fails by panicking

mod fast;
mod literal;
mod properties;
mod relative;

use urikit::op::Options;
use urikit::{AnyRef, Standard};
use urikit_testkit::rows::{ResolveGroup, resolve_groups};

/// The options of a group.
fn options(group: &ResolveGroup) -> Options {
    Options {
        above_root: group.above_root.as_ref().map(|word| word.parse().unwrap()),
        same_scheme: group
            .same_scheme
            .as_ref()
            .map_or_else(Default::default, |w| w.parse().unwrap()),
        slash_rule: group
            .slash_rule
            .as_ref()
            .map_or_else(Default::default, |w| w.parse().unwrap()),
    }
}

/// Returns the target, and whether it is a same-document reference.
fn resolve(base: AnyRef<'_>, reference: &str, options: Options) -> Result<(String, bool), String> {
    let reference = base
        .standard()
        .parse(reference)
        .map_err(|error| error.to_string())?;
    let mut target = String::from("before ");
    match reference.resolve_into(base, options, &mut target) {
        Ok(same_document) => {
            let target = target.strip_prefix("before ").unwrap().to_owned();
            let whole = reference.resolve_with(base, options).unwrap();
            assert_eq!(
                (whole.target.as_str(), whole.same_document),
                (&*target, same_document)
            );
            Ok((target, same_document))
        }
        Err(error) => {
            assert_eq!(target, "before ", "existing text is kept");
            assert_eq!(reference.resolve_with(base, options), Err(error));
            Err(error.to_string())
        }
    }
}

#[test]
fn every_example_of_the_texts() {
    let mut rows = 0;
    for group in resolve_groups() {
        for standard in &group.standards {
            let standard: Standard = standard.parse().unwrap();
            let base = standard.parse(&group.base).unwrap();
            for (reference, target) in &group.targets {
                let found = resolve(base, reference, options(&group));
                let expected = Ok((target.clone(), group.same_document));
                assert_eq!(
                    found, expected,
                    "{standard}: {reference:?} ({})",
                    group.source
                );
                rows += 1;
            }
            for reference in &group.fails {
                let found = resolve(base, reference, options(&group));
                assert!(found.is_err(), "{standard}: {reference:?} gives {found:?}");
                rows += 1;
            }
        }
    }
    println!("{rows} rows");
}

#[test]
fn a_message_counts_slashes() {
    let message = |base, reference| {
        let base = Standard::Rfc1630.parse(base).unwrap();
        resolve(base, reference, Options::default()).unwrap_err()
    };
    let one = message("http://a", "/g");
    assert!(one.contains("no run of exactly 1 slash ("), "{one}");
    let three = message("http://a/b", "///g");
    assert!(three.contains("exactly 3 slashes ("), "{three}");
}

#[test]
fn a_base_must_be_absolute_and_of_the_same_standard() {
    let base = Standard::Rfc3986.parse("/a").unwrap();
    assert!(resolve(base, "b", Options::default()).is_err());
    let base = Standard::Rfc2396.parse("http://a/").unwrap();
    let reference = Standard::Rfc3986.parse("b").unwrap();
    let outcome = reference.resolve_into(base, Options::default(), &mut String::new());
    assert!(outcome.unwrap_err().to_string().contains("rfc2396"));
}
