//! The fast code equals the literal algorithms, and what it gives parses to what was meant.

use super::literal;
use super::pairs::Pairs;
use urikit::op::{AboveRoot, Options, ResolveError, SameScheme, SlashRule};
use urikit::{AnyRef, Form, Standard};
use urikit_testkit::abnf::{Generator, Grammar, dir};
use urikit_testkit::assert_linear;

const PAIRS: usize = 120_000;

const STANDARDS: [Standard; 5] = [
    Standard::Rfc1808,
    Standard::Rfc2396,
    Standard::Rfc2732,
    Standard::Rfc3986,
    Standard::Rfc3987,
];

#[test]
fn the_fast_code_equals_the_literal_algorithms() {
    let (mut pairs, mut compared) = (0, 0);
    for standard in STANDARDS.into_iter().chain([Standard::Rfc1630]) {
        let grammar = Grammar::load(&dir(), standard.name()).unwrap();
        let mut texts = Pairs::new(standard, &grammar);
        let mut targets = 0;
        let begin = pairs;
        while pairs < begin + PAIRS {
            let (base, reference) = texts.next();
            let (Ok(base), Ok(reference)) = (standard.parse(&base), standard.parse(&reference))
            else {
                continue;
            };
            if base.scheme().is_none() {
                continue;
            }
            pairs += 1;
            for options in choices(standard) {
                let expected = literal::resolve(base, reference, options);
                let mut found = String::new();
                let outcome = reference.resolve_into(base, options, &mut found);
                let place = || format!("{standard}: {reference} against {base}, {options:?}");
                let target = outcome.ok().map(|_| found.as_str());
                let text = expected.as_ref().map(|(text, _)| text.as_str());
                assert_eq!(target, text, "{}", place());
                compared += 1;
                if let Some((_, meant)) = expected {
                    targets += 1;
                    parses_to_what_was_meant(base, reference, &found, meant);
                }
            }
        }
        let refused = (pairs - begin) * choices(standard).len() - targets;
        println!("{standard}: {targets} targets, {refused} refused");
        assert!(targets > PAIRS && refused > PAIRS / 100, "{standard}");
    }
    println!("{compared} outcomes of {pairs} pairs equal");
    assert!(pairs >= 500_000);
}

/// The choices that each text leaves.
fn choices(standard: Standard) -> Vec<Options> {
    let above_root = |choice| Options {
        above_root: Some(choice),
        ..Options::default()
    };
    let inherit = Options {
        same_scheme: SameScheme::Inherit,
        ..Options::default()
    };
    let text = Options {
        slash_rule: SlashRule::Text,
        ..Options::default()
    };
    let mut choices = vec![Options::default()];
    match standard {
        Standard::Rfc1630 => choices.push(text),
        Standard::Rfc1808 | Standard::Rfc2396 | Standard::Rfc2732 => {
            choices.extend([
                inherit,
                above_root(AboveRoot::Drop),
                above_root(AboveRoot::Refuse),
            ]);
        }
        _ => choices.push(inherit),
    }
    choices
}

/// A target parses to the components that were meant; under RFC 1630, which has no components but
/// the ends, to the search part and fragment that were.
fn parses_to_what_was_meant(
    base: AnyRef<'_>,
    reference: AnyRef<'_>,
    target: &str,
    meant: Option<literal::Components>,
) {
    let standard = base.standard();
    let place = || format!("{standard}: {reference} against {base} gives {target}");
    let parsed = standard
        .parse(target)
        .unwrap_or_else(|error| panic!("{}: {error}", place()));
    let Some(meant) = meant else {
        let is_document = matches!(reference.form(), Form::Empty | Form::FragmentOnly);
        let with_search = if is_document { base } else { reference };
        assert!(parsed.scheme().is_some(), "{}", place());
        // Where the scheme's production has no search part, its path can end with the same characters.
        match (parsed.query(), with_search.query()) {
            (None, Some(search)) => {
                let end = format!("?{search}");
                assert!(parsed.path().as_str().ends_with(&end), "{}", place());
            }
            (found, meant) => assert_eq!(found, meant, "{}", place()),
        }
        assert_eq!(parsed.fragment(), reference.fragment(), "{}", place());
        return;
    };
    assert!(parsed.scheme().is_some(), "{}", place());
    assert_eq!(literal::components(parsed), meant, "{}", place());
}

#[test]
fn more_levels_than_there_are_may_be_refused_everywhere() {
    for standard in STANDARDS {
        let base = standard.parse("http://a/b/c").unwrap();
        let reference = standard.parse("../../../g").unwrap();
        let refuse = Options {
            above_root: Some(AboveRoot::Refuse),
            ..Options::default()
        };
        let outcome = reference.resolve_into(base, refuse, &mut String::new());
        assert_eq!(outcome, Err(ResolveError::AboveRoot));
    }
}

#[test]
fn partial_forms_parse_again() {
    let standard = Standard::Rfc1630;
    let grammar = Grammar::load(&dir(), standard.name()).unwrap();
    let mut generator = Generator::new(&grammar, 53);
    let mut targets = 0;
    for _ in 0..PAIRS {
        let base = generator.generate("url");
        let reference = generator.generate("partial");
        let (base, reference) = (
            standard.parse(&base).unwrap(),
            standard.parse(&reference).unwrap(),
        );
        let mut target = String::new();
        if reference
            .resolve_into(base, Options::default(), &mut target)
            .is_ok()
        {
            assert!(standard.parse(&target).is_ok(), "{target}");
            targets += 1;
        }
    }
    assert!(targets > PAIRS / 10, "{targets} targets");
}

#[test]
fn time_is_linear() {
    for standard in STANDARDS.into_iter().chain([Standard::Rfc1630]) {
        for (base, before, repeated, after) in [
            ("http://a/b", "", "../", 0),
            ("http://a/b", "", "a/", 1),
            ("http://a/b", "a", "/.", 0),
            ("http://a/b", "a", "/..", 0),
            ("http://a/b", "a", "//", 0),
        ] {
            let text = |times: usize| {
                format!(
                    "{before}{}{}",
                    repeated.repeat(times),
                    "../".repeat(times * after)
                )
            };
            assert_linear(&format!("{standard}: {repeated}…"), 30_000, |size| {
                let text = text(size);
                move || {
                    let base = standard.parse(base).unwrap();
                    let reference = standard.parse(&text).unwrap();
                    let mut target = String::new();
                    let _ = reference.resolve_into(base, Options::default(), &mut target);
                }
            });
        }
    }
}
