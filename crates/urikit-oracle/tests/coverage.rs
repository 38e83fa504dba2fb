//! The generator takes every alternative, and the recogniser accepts every generated string.
//!
//! The tests of the `urikit` crate, which contains the parser, check how often each alternative is
//! taken, and that every broken rule is noticed.

#![allow(clippy::panic)] // a test fails by panicking

use urikit_oracle::{Generator, Grammar, Recogniser, dir, names};

#[test]
fn every_alternative_is_taken() {
    for name in names() {
        let grammar = Grammar::load(&dir(), &name).unwrap_or_else(|error| panic!("{error}"));
        let mut generator = Generator::new(&grammar, 3986);
        let mut recogniser = Recogniser::new(&grammar, grammar.start());
        for _ in 0..5000 {
            let made = generator.generate(grammar.start());
            assert!(recogniser.judge(&made).valid, "{name}: {made:?}");
        }
        let coverage = generator.coverage();
        for rule in grammar.reachable(grammar.start()) {
            let has_row = coverage.iter().any(|row| row.rule == rule);
            assert!(has_row, "{name}: no row for {rule}");
        }
        let rarest = coverage.iter().min_by_key(|row| row.count);
        assert!(
            rarest.is_some_and(|row| row.count >= 3),
            "{name}: {rarest:?}"
        );
    }
}
