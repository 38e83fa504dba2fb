//! Readings by a successor's text against that text's own grammar in `spec/abnf/`.

use urikit::Standard;
use urikit::scheme::{self, Edition, ReadError};
use urikit_testkit::abnf::{self, Generator, Grammar, Mutator, Recogniser};

/// How many texts are made from the rules.
const GENERATED: usize = 20_000;

/// How many are made by changing one of those.
const CHANGED: usize = 3;

/// Holds the readings under RFC 3986 of a scheme's URLs, without fragment, against the grammar of a file: the same
/// verdict on texts made from its rules and on changed ones.
///
/// A text that RFC 3986 itself refuses is no URL, whatever the scheme's text says.
pub(super) fn assert_agreement(file: &str, edition: Edition) {
    let grammar = Grammar::load(&abnf::dir(), file).unwrap_or_else(|error| panic!("{error}"));
    let mut oracle = Recogniser::new(&grammar, grammar.start());
    let mut generator = Generator::new(&grammar, 20_261_121);
    let mut mutator = Mutator::new(20_261_121);
    let mut before = String::new();
    let (mut valid, mut judged) = (0, 0);
    let mut shortest: Option<(String, String)> = None;
    for _ in 0..GENERATED {
        let text = generator.generate(grammar.start());
        let changed: [String; CHANGED] = std::array::from_fn(|_| mutator.mutate(&text, &before));
        let name = text.split(':').next().unwrap_or_default();
        for text in changed.iter().chain([&text]) {
            let Ok(reference) = Standard::Rfc3986.parse(text) else {
                continue;
            };
            let Some(scheme) = reference.scheme().and_then(scheme::find) else {
                continue;
            };
            // A change may make another scheme's URL, of which the grammar says nothing.
            if reference.fragment().is_some()
                || reference
                    .scheme()
                    .is_none_or(|scheme| !scheme.eq_ignore_ascii_case(name))
            {
                continue;
            }
            let verdict = scheme.check(reference, edition);
            if verdict == Err(ReadError::OtherScheme) {
                continue;
            }
            judged += 1;
            let expected = oracle.judge(text);
            valid += usize::from(expected.valid);
            let is_shorter = |(shortest, _): &(String, String)| text.len() < shortest.len();
            if verdict.is_ok() != expected.valid && shortest.as_ref().is_none_or(is_shorter) {
                shortest = Some((text.clone(), format!("{verdict:?}; oracle: {expected:?}")));
            }
        }
        before = text;
    }
    println!("{file}: {judged} texts agree with their scheme's grammar, {valid} of them valid");
    if let Some((text, how)) = shortest {
        panic!("{file}, shortest of all: {text:?}: {how}");
    }
    assert!(valid >= GENERATED / 2, "{file}: {valid}");
    assert!(judged - valid >= GENERATED / 20, "{file}: {judged}");
}
