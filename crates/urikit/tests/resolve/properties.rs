//! Properties of resolving: the library's results equal those of the literal algorithms, they parse
//! to the intended components, each option affects the standards that it names, and time is linear.
//!
//! Bases and references come from the grammar, or are made of a few kinds of segments, so that
//! dots, slashes and schemes often meet.

use super::literal;
use crate::resolve;
use urikit::op::{AboveRoot, Options, RelativeOptions, ResolveError, SameScheme, SlashRule};
use urikit::{AnyRef, Form, Standard};
use urikit_testkit::abnf::{Generator, Grammar, dir};
use urikit_testkit::instructions::{assert_linear_in_instructions, size_of_work};
use urikit_testkit::{Random, assert_linear};

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

/// All combinations of the options that a standard leaves open.
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

/// Checks that a target parses to the intended components. RFC 1630 defines no components except
/// the search part and the fragment, so only these two are checked.
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
        // If the scheme's production has no search part, its path can end with the same characters.
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

/// Returns true if an option makes a difference under `standard`.
fn differs(standard: Standard, base: &str, reference: &str, choices: &[Options]) -> bool {
    let base = standard.parse(base).unwrap();
    let mut targets = choices
        .iter()
        .map(|choice| resolve(base, reference, *choice));
    let first = targets.next().unwrap();
    targets.any(|target| target != first)
}

#[test]
fn only_the_standards_that_a_choice_names_respect_it() {
    let above_root =
        [AboveRoot::Keep, AboveRoot::Drop, AboveRoot::Refuse].map(|above_root| Options {
            above_root: Some(above_root),
            ..Options::default()
        });
    let same_scheme = [SameScheme::Strict, SameScheme::Inherit].map(|same_scheme| Options {
        same_scheme,
        ..Options::default()
    });
    let slash_rule = [SlashRule::Examples, SlashRule::Text].map(|slash_rule| Options {
        slash_rule,
        ..Options::default()
    });
    for standard in Standard::ALL {
        let respecting = [
            differs(standard, "http://a/b", "../../g", &above_root),
            differs(standard, "http://a/b", "http:g", &same_scheme),
            differs(standard, "magic://a/b/c//d/e/f", "/g", &slash_rule),
        ];
        let named = [
            AboveRoot::STANDARDS.contains(&standard),
            SameScheme::STANDARDS.contains(&standard),
            SlashRule::STANDARDS.contains(&standard),
        ];
        assert_eq!(respecting, named, "{standard}");
    }
}

/// The parts from which the pairs of a standard are built.
struct Words {
    bases: &'static [&'static str],
    references: &'static [&'static str],
    segments: &'static [&'static str],
    /// The text between two segments.
    slashes: &'static [&'static str],
    ends: &'static [&'static str],
}

const HIERARCHICAL: Words = Words {
    bases: &[
        "x:",
        "x:/",
        "x://h",
        "x://h/",
        "http://u:p@h:1/",
        "http:",
        "http:/",
    ],
    references: &[
        "", "/", "//g", "//g/", "x:", "http:", "HTTP:/", "http:x:", "?",
    ],
    segments: &["", ".", "..", "..", "a", "b", ".h", "...", "a;x"],
    slashes: &["/"],
    ends: &["", "?q", "#f", "?q#f", "?", "#"],
};

/// RFC 1630: hosts in schemes with and without a production, and runs of slashes.
const PARTIAL: Words = Words {
    bases: &[
        "x:",
        "x:/",
        "x:///",
        "x:////",
        "x://h",
        "x://h/",
        "http://h",
        "http://h:80/",
        "ftp://u:p@h/",
        "file:///",
        "gopher://h/1",
        "news:",
        "telnet://h",
        "mid:",
    ],
    references: &["", "", "", "/", "//", "///", "////", "x:", "http://g/"],
    segments: &["", ".", "..", "..", "a", "b", ".h", "...", "a@b"],
    slashes: &["/", "/", "/", "//", "///"],
    ends: &["", "?q", "#f", "?q+r#f", "#"],
};

/// Generates the pairs of one standard.
pub(super) struct Pairs<'g> {
    words: &'static Words,
    random: Random,
    generator: Generator<'g>,
    start: &'g str,
}

impl<'g> Pairs<'g> {
    pub(super) fn new(standard: Standard, grammar: &'g Grammar) -> Self {
        Self {
            words: match standard {
                Standard::Rfc1630 => &PARTIAL,
                _ => &HIERARCHICAL,
            },
            random: Random::new(standard as u64),
            generator: Generator::new(grammar, 52),
            start: grammar.start(),
        }
    }

    /// Returns a base and a reference. Either may be invalid under the standard.
    pub(super) fn next(&mut self) -> (String, String) {
        (
            self.text(self.words.bases),
            self.text(self.words.references),
        )
    }

    fn text(&mut self, beginnings: &[&str]) -> String {
        if self.random.chance(30) {
            return self.generator.generate(self.start);
        }
        let mut text = (*self.random.pick(beginnings)).to_owned();
        for number in 0..self.random.below(7) {
            if number > 0 {
                text += *self.random.pick::<&str>(self.words.slashes);
            }
            text += *self.random.pick::<&str>(self.words.segments);
        }
        text + *self.random.pick::<&str>(self.words.ends)
    }
}

/// Resolves references for which a careless algorithm would read the same bytes again and again.
fn work(standard: Standard, size: usize) {
    let base = standard.parse("http://a/b").unwrap();
    let up = "../".repeat(size);
    let texts = [
        up.clone(),
        format!("{}{up}", "a/".repeat(size)),
        format!("a{}", "/.".repeat(size)),
        format!("a{}", "/..".repeat(size)),
        format!("a{}", "//".repeat(size)),
    ];
    for text in &texts {
        let reference = standard.parse(text).unwrap();
        let mut target = String::new();
        let _ = std::hint::black_box(reference.resolve_into(base, Options::default(), &mut target));
        let mut relative = String::new();
        if let Ok(target) = standard.parse(&target) {
            let _ = std::hint::black_box(target.relative_to_into(
                base,
                RelativeOptions::default(),
                &mut relative,
            ));
        }
    }
    // Runs of slashes, which RFC 1630 counts, and long paths with and without `..`.
    let runs = runs_of_slashes(8 * size);
    let down = format!("{runs}{}", "b/".repeat(size));
    for (base, target) in [(&runs, &down), (&down, &runs)] {
        if let (Ok(base), Ok(target)) = (standard.parse(base), standard.parse(target)) {
            let mut relative = String::new();
            let _ = std::hint::black_box(target.relative_to_into(
                base,
                RelativeOptions::default(),
                &mut relative,
            ));
        }
    }
}

/// A path with runs of slashes of as many different lengths as fit into `size` bytes.
fn runs_of_slashes(size: usize) -> String {
    let mut text = String::from("x:");
    for length in 1.. {
        if text.len() + length > size {
            break;
        }
        text += &"/".repeat(length);
        text.push('a');
    }
    text
}

/// Defines one test for each standard, to detect quadratic time in each of them.
macro_rules! linear {
    ($($name:ident = $standard:ident,)*) => {$(
        #[test]
        fn $name() {
            if let Some(size) = size_of_work() {
                return work(Standard::$standard, size);
            }
            let name = concat!("properties::", stringify!($name));
            match assert_linear_in_instructions(name, 2_000) {
                Some(ratio) => println!("{name}: {ratio:.3} times the instructions for 4 n"),
                None => println!(
                    "SKIPPED {name}: valgrind is not installed; \
                     ./test --install installs it"
                ),
            }
        }
    )*};
}

linear! {
    rfc1630 = Rfc1630,
    rfc1808 = Rfc1808,
    rfc2396 = Rfc2396,
    rfc2732 = Rfc2732,
    rfc3986 = Rfc3986,
    rfc3987 = Rfc3987,
}
