//! Compares the verdicts under a successor with the grammar of its RFC in `spec/abnf/`.

use urikit::Standard;
use urikit_schemes::{Edition, ReadError};
use urikit_testkit::abnf::{self, Generator, Grammar, Mutator, Recogniser};

/// The number of strings generated from the rules.
const GENERATED: usize = 20_000;

/// The number of mutations of each generated string.
const CHANGED: usize = 3;

/// Compares the verdicts on a scheme's URLs under RFC 3986 with the grammar in a file, on generated
/// and mutated strings without fragments. The verdicts must be equal.
///
/// A string that RFC 3986 does not allow is not a URL, even if the scheme's grammar allows it.
pub(super) fn assert_agreement(file: &str, edition: Edition) {
    agree(file, false, |text| verdict(text, edition));
}

/// Compares as [`assert_agreement`] does, and also with URIs generated from RFC 3986. Use this for
/// schemes that allow nearly all URIs.
pub(super) fn assert_agreement_on_any_uri(file: &str, edition: Edition) {
    agree(file, true, |text| verdict(text, edition));
}

/// Compares as [`assert_agreement`] does, but only strings for which `is_judged` is true. Use this
/// for RFCs whose prose adds rules to the grammar.
pub(super) fn assert_agreement_where(
    file: &str,
    edition: Edition,
    is_judged: impl Fn(&str) -> bool,
) {
    agree(file, false, |text| {
        verdict(text, edition).filter(|_| is_judged(text))
    });
}

/// Returns the scheme's verdict. `None` unless the string is a URI of a known scheme without a
/// fragment.
fn verdict(text: &str, edition: Edition) -> Option<Result<(), ReadError>> {
    let reference = Standard::Rfc3986.parse(text).ok()?;
    let scheme = reference.scheme().and_then(urikit_schemes::find)?;
    if reference.fragment().is_some() {
        return None;
    }
    let verdict = scheme.check(reference, edition);
    (verdict != Err(ReadError::OtherScheme)).then_some(verdict)
}

/// Compares the verdicts of `judge` with the grammar in a file.
pub(super) fn agree(
    file: &str,
    has_any_uri: bool,
    judge: impl Fn(&str) -> Option<Result<(), ReadError>>,
) {
    let grammar = Grammar::load(&abnf::dir(), file).unwrap_or_else(|error| panic!("{error}"));
    let generic = Grammar::load(&abnf::dir(), "rfc3986").unwrap();
    let mut oracle = Recogniser::new(&grammar, grammar.start());
    let mut generator = Generator::new(&grammar, 20_261_121);
    let mut generic = Generator::new(&generic, 20_261_121);
    let mut mutator = Mutator::new(20_261_121);
    let mut before = String::new();
    let (mut valid, mut judged) = (0, 0);
    let mut shortest: Option<(String, String)> = None;
    for _ in 0..GENERATED {
        let text = generator.generate(grammar.start());
        let name = text.split(':').next().unwrap_or_default().to_owned();
        let mut texts: Vec<String> = (0..CHANGED)
            .map(|_| mutator.mutate(&text, &before))
            .collect();
        if has_any_uri {
            texts.push(format!("{name}:{}", generic.generate("hier-part")));
        }
        before.clone_from(&text);
        texts.push(text);
        for text in texts {
            // A mutation may have a different scheme, which the grammar does not cover.
            let scheme = text.split(':').next().unwrap_or_default();
            if !scheme.eq_ignore_ascii_case(&name) {
                continue;
            }
            let Some(verdict) = judge(&text) else {
                continue;
            };
            judged += 1;
            let expected = oracle.judge(&text);
            valid += usize::from(expected.valid);
            let is_shorter = |(shortest, _): &(String, String)| text.len() < shortest.len();
            if verdict.is_ok() != expected.valid && shortest.as_ref().is_none_or(is_shorter) {
                shortest = Some((text, format!("{verdict:?}; oracle: {expected:?}")));
            }
        }
    }
    println!("{file}: {judged} strings agree with their scheme's grammar, {valid} of them valid");
    if let Some((text, how)) = shortest {
        panic!("{file}, shortest of all: {text:?}: {how}");
    }
    assert!(valid >= GENERATED / 2, "{file}: {valid}");
    assert!(judged - valid >= GENERATED / 20, "{file}: {judged}");
}
