//! The fast code equals the literal algorithms, and what it gives parses to what was meant.

use super::literal;
use super::pairs::Pairs;
use urikit::component::{Authority, Encoded, Path};
use urikit::op::{AboveRoot, Options, ResolveError, SameScheme, SlashRule};
use urikit::{AnyRef, Standard};
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
                assert_eq!(outcome.ok().map(|_| found.clone()), expected, "{}", place());
                compared += 1;
                if expected.is_some() {
                    targets += 1;
                    parses_to_what_was_meant(standard, base, reference, &found);
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

/// A target parses, has a scheme, and has the authority that it was given; since RFC 2396 also the end of the path, the
/// query and the fragment, which 5.2 and RFC 3986, 5.2.2, hand on as they are.
fn parses_to_what_was_meant(
    standard: Standard,
    base: AnyRef<'_>,
    reference: AnyRef<'_>,
    target: &str,
) {
    let place = || format!("{standard}: {reference} against {base} gives {target}");
    let parsed = standard
        .parse(target)
        .unwrap_or_else(|error| panic!("{}: {error}", place()));
    assert!(parsed.scheme().is_some(), "{}", place());
    // RFC 1630 counts slashes, whatever they stand for.
    if standard == Standard::Rfc1630 && reference.path().is_absolute() {
        return;
    }
    let own = reference
        .authority()
        .filter(|a| standard != Standard::Rfc1808 || !a.as_str().is_empty());
    let inherits = reference.scheme().is_none();
    let expected = match own {
        Some(authority) => Some(authority),
        None if inherits => base.authority(),
        None => None,
    };
    let expected = expected
        .map(Authority::as_str)
        .filter(|a| standard != Standard::Rfc1808 || !a.is_empty());
    let is_same_scheme = reference.scheme().is_some();
    if !is_same_scheme {
        let found = parsed.authority().map(Authority::as_str);
        let found = found.filter(|a| standard != Standard::Rfc1808 || !a.is_empty());
        assert_eq!(found, expected, "{}", place());
    }
    if !inherits || matches!(standard, Standard::Rfc1630 | Standard::Rfc1808) {
        return;
    }
    let path = reference.path();
    let is_bare = own.is_none() && path.is_empty() && reference.query().is_none();
    let query = if is_bare { base } else { reference }.query();
    let text = |part: Option<Encoded<'_>>| part.map(|part| part.as_str().to_owned());
    assert_eq!(text(parsed.query()), text(query), "{}", place());
    let fragment = reference.fragment();
    assert_eq!(text(parsed.fragment()), text(fragment), "{}", place());
    let last = |path: Path<'_>| {
        let name = path.segments().last();
        name.map_or("", |name| name.as_str()).to_owned()
    };
    let is_rfc3986 = matches!(standard, Standard::Rfc3986 | Standard::Rfc3987);
    let name = if !path.is_empty() || own.is_some() {
        last(path)
    } else if is_bare || is_rfc3986 {
        last(base.path())
    } else {
        // RFC 2396: `?y` is one of the base's folder.
        String::new()
    };
    if !matches!(name.as_str(), "." | "..") {
        assert_eq!(last(parsed.path()), name, "{}", place());
    }
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
        for (base, before, repeated, behind) in [
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
                    "../".repeat(times * behind)
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
