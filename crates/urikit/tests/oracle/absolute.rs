//! Compares `Uri` and `Iri` with the rules `URI` and `IRI`: the verdict, and the offset of an
//! error, which is the end of the longest prefix of any URI. A missing scheme precedes all other
//! errors.

use super::{grammar, seed};
use urikit::{Iri, ParseError, Standard, Uri};
use urikit_testkit::abnf::{Generator, Mutator, Recogniser};

/// The number of strings generated from the rule for references.
const TEXTS: usize = 60_000;

fn check(name: &str, rule: &str, standard: Standard, parse: fn(&str) -> Result<(), ParseError>) {
    let grammar = grammar(name);
    let mut oracle = Recogniser::new(&grammar, rule);
    let mut generator = Generator::new(&grammar, seed(standard));
    let mut mutator = Mutator::new(seed(standard));
    let (mut before, mut valid) = (String::new(), 0);
    let mut judge = |text: &str| {
        let judgement = oracle.judge(text);
        match parse(text) {
            Ok(()) => assert!(judgement.valid, "{text:?}"),
            Err(error) => {
                assert!(!judgement.valid, "{text:?}: {error}");
                assert_eq!(error.offset(), judgement.viable, "{text:?}: {error}");
            }
        }
        valid += usize::from(judgement.valid);
    };
    for text in [
        "",
        ":",
        "1",
        "a",
        "a:",
        "a/:",
        "//",
        "a b:",
        "1a b",
        "a%zz",
        "é:",
        "a\u{FFFE}",
    ] {
        judge(text);
    }
    for _ in 0..TEXTS {
        let text = generator.generate(grammar.start());
        judge(&text);
        judge(&mutator.mutate(&text, &before));
        before = text;
    }
    assert!(
        valid > TEXTS / 10 && valid < 2 * TEXTS,
        "{valid} of {TEXTS} valid"
    );
}

#[test]
fn uri() {
    check("rfc3986", "URI", Standard::Rfc3986, |text| {
        Uri::parse(text).map(drop)
    });
}

#[test]
fn iri() {
    check("rfc3987", "IRI", Standard::Rfc3987, |text| {
        Iri::parse(text).map(drop)
    });
}
