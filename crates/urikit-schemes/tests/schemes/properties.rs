//! Properties of every scheme, on URLs generated from the rules of RFC 1630 and RFC 1738 and on
//! mutations.

use urikit::{AnyRef, Standard};
use urikit_schemes::{Edition, ReadError};
use urikit_testkit::abnf::{self, Generator, Grammar, Mutator};

/// The number of strings for each of the two standards.
const GENERATED: usize = 40_000;

/// Generates strings from the rules, each with a mutation.
fn for_each_text(name: &str, mut judge: impl FnMut(&str)) {
    let grammar = Grammar::load(&abnf::dir(), name).unwrap();
    let mut generator = Generator::new(&grammar, 20_261_121);
    let mut mutator = Mutator::new(20_261_121);
    let mut before = String::new();
    for _ in 0..GENERATED {
        let text = generator.generate(grammar.start());
        judge(&text);
        judge(&mutator.mutate(&text, &before));
        before = text;
    }
}

/// Returns the verdict of the scheme's check, with which its details must agree.
fn check(reference: AnyRef<'_>, edition: Edition) -> Option<Result<(), ReadError>> {
    let scheme = reference.scheme().and_then(urikit_schemes::find)?;
    let verdict = scheme.check(reference, edition);
    let details = scheme.details(reference, edition);
    assert_eq!(details.map(drop), verdict, "{reference}");
    if let Err(ReadError::Mismatch(mismatch)) = verdict {
        assert!(mismatch.offset() <= reference.as_str().len(), "{reference}");
    }
    Some(verdict)
}

#[test]
fn urls_of_a_schemes_production_have_a_reading() {
    for (standard, rfc) in [
        (Standard::Rfc1630, "RFC 1630"),
        (Standard::Rfc1738, "RFC 1738"),
    ] {
        // URLs whose scheme has no production are judged by the generic production.
        let has_production = |reference: AnyRef<'_>| {
            let scheme = reference.scheme().and_then(urikit_schemes::find);
            scheme.is_some_and(|scheme| {
                let mut texts = scheme.facts().specifications.iter();
                texts.any(|text| text.starts_with(rfc))
            })
        };
        let mut read = 0;
        for_each_text(standard.name(), |text| {
            if let Ok(reference) = standard.parse(text)
                && let Some(verdict) = check(reference, Edition::Original)
                && !matches!(verdict, Err(ReadError::OtherScheme | ReadError::NoSyntax))
                && has_production(reference)
            {
                assert_eq!(verdict, Ok(()), "{standard}: {text}");
                read += 1;
            }
            if let Ok(generic) = standard.parse_generic(text) {
                // A scheme without its own production follows the generic one.
                let _ = check(generic, Edition::Original);
            }
        });
        assert!(read > 1_000, "{standard}: {read}");
    }
}

#[test]
fn every_standard_and_edition_gives_a_verdict() {
    for name in ["rfc1630", "rfc1738"] {
        for_each_text(name, |text| {
            for standard in Standard::ALL {
                if let Ok(reference) = standard.parse(text) {
                    for edition in [Edition::Original, Edition::Successor] {
                        let _ = check(reference, edition);
                    }
                }
            }
        });
    }
}

#[test]
fn default_ports_are_those_that_normal_forms_remove() {
    let names = [
        "file", "ftp", "http", "https", "rlogin", "telnet", "tn3270", "ws", "wss",
    ];
    for name in names {
        let facts = urikit_schemes::find(name).unwrap().facts();
        assert_eq!(facts.port, urikit::op::default_port(name), "{name}");
        assert!(
            !facts.title.is_empty() && !facts.specifications.is_empty(),
            "{name}"
        );
    }
}
