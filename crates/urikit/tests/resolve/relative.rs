//! Relativizing: the result resolves back to the target, and no shorter reference does. The second
//! test resolves all short references against each base. The relative reference found for the
//! target must not be longer than the short reference.

use std::collections::HashMap;
use urikit::Standard;
use urikit::op::{Options, RelativeOptions, RelativizeError};
use urikit_testkit::Random;
use urikit_testkit::abnf::{Generator, Grammar, dir};

pub(super) const STANDARDS: [Standard; 6] = [
    Standard::Rfc1630,
    Standard::Rfc1808,
    Standard::Rfc2396,
    Standard::Rfc2732,
    Standard::Rfc3986,
    Standard::Rfc3987,
];

/// Returns the reference after checking that it resolves back.
pub(super) fn relativize(
    standard: Standard,
    base: &str,
    target: &str,
) -> Result<String, RelativizeError> {
    let (base, target) = (
        standard.parse(base).unwrap(),
        standard.parse(target).unwrap(),
    );
    let mut reference = String::new();
    let outcome = target.relative_to_into(base, RelativeOptions::default(), &mut reference);
    let whole = target.relative_to(base);
    assert_eq!(outcome, whole.as_ref().map(drop).map_err(Clone::clone));
    assert_eq!(whole?.as_str(), reference);
    let mut resolved = String::new();
    standard
        .parse(&reference)
        .unwrap_or_else(|error| panic!("{standard}: {target} against {base}: {reference}: {error}"))
        .resolve_into(base, Options::default(), &mut resolved)
        .unwrap();
    assert_eq!(
        resolved,
        target.as_str(),
        "{standard}: {reference} against {base}"
    );
    Ok(reference)
}

#[test]
fn the_ways_of_the_examples_back() {
    let base = "http://a/b/c/d;p?q";
    for (target, reference) in [
        ("http://a/b/c/g", "g"),
        ("http://a/b/c/g/", "g/"),
        ("http://a/g", "/g"),
        ("http://g", "//g"),
        ("http://a/b/c/", "."),
        ("http://a/b/", ".."),
        ("http://a/b/g", "../g"),
        ("http://a/", "/"),
        ("http://a/b/c/d;p?y", "?y"),
        ("http://a/b/c/d;p?q", ""),
        ("http://a/b/c/d;p?q#s", "#s"),
        ("http://a/b/c/this:that", "./this:that"),
        ("http://a/b/c//x", ".//x"),
        ("http://a//x", "/.//x"),
        ("ftp://a/b", "ftp://a/b"),
    ] {
        assert_eq!(
            relativize(Standard::Rfc3986, base, target).unwrap(),
            reference,
            "{target}"
        );
    }
    // Resolving treats an empty path after an authority as `/` and removes dot segments.
    for standard in STANDARDS {
        for (base, target, reference) in [
            ("http://a", "http://a/x", "x"),
            ("magic://a", "magic://a/x", "x"),
            ("http://a/a/x/../b", "http://a/a/aa", "aa"),
            ("http://a/a/./b?q#f", "http://a/a/g", "g"),
        ] {
            assert_eq!(
                relativize(standard, base, target).unwrap(),
                reference,
                "{standard}: {target} against {base}"
            );
        }
    }
    // RFC 2396 resolves a query against the directory, and keeps an absolute path.
    assert_eq!(
        relativize(Standard::Rfc2396, base, "http://a/b/c/?y").unwrap(),
        "?y"
    );
    assert_eq!(
        relativize(Standard::Rfc2396, base, "http://a/../g").unwrap(),
        "/../g"
    );
    assert_eq!(
        relativize(Standard::Rfc1808, base, "http://a/b/c/d;x").unwrap(),
        ";x"
    );
    // RFC 1808, 4: an empty reference is the base with its fragment, and an empty query counts as
    // absent.
    assert_eq!(
        relativize(Standard::Rfc1808, "http://a/b?q#f", "http://a/b?q").unwrap(),
        "#"
    );
    // RFC 1630: nothing else begins with a slash here, and a partial form's slash is counted.
    assert_eq!(
        relativize(Standard::Rfc1630, "magic:b", "magic:/g").unwrap(),
        "./..//g"
    );
    let magic = "magic://a/b/c//d/e/f";
    assert_eq!(
        relativize(Standard::Rfc1630, magic, "magic://a/g").unwrap(),
        "/g"
    );
    assert_eq!(
        relativize(Standard::Rfc1630, magic, "magic://g").unwrap(),
        "//g"
    );
    let outcome = relativize(Standard::Rfc3986, base, "http://a/b/../c");
    assert_eq!(outcome, Err(RelativizeError::NoReference));
}

#[test]
fn what_it_gives_resolves_back() {
    const SEGMENTS: [&str; 7] = ["", "a", "b", "c:d", "a;p", "..", "."];
    for standard in STANDARDS {
        let grammar = Grammar::load(&dir(), standard.name()).unwrap();
        let mut generator = Generator::new(&grammar, 54);
        let mut random = Random::new(standard as u64);
        let mut found = 0;
        for _ in 0..40_000 {
            let mut uri = || {
                if random.chance(20) {
                    return generator.generate(grammar.start());
                }
                let segments: Vec<&str> = (0..random.below(5))
                    .map(|_| *random.pick(&SEGMENTS))
                    .collect();
                let host =
                    *random.pick(&["x://h", "x://h/", "x:/", "x:", "http://u@h/", "http://h/"]);
                let end = *random.pick(&["", "?q", "#f", "?q#f", "?", "#"]);
                format!("{host}{}{end}", segments.join("/"))
            };
            let (base, target) = (uri(), uri());
            let is_absolute = |text: &str| standard.parse(text).is_ok_and(|r| r.scheme().is_some());
            if is_absolute(&base) && is_absolute(&target) {
                found += usize::from(relativize(standard, &base, &target).is_ok());
            }
        }
        assert!(found > 5_000, "{standard}: {found}");
    }
}

/// One character of each kind that decides the form of a reference.
const ALPHABET: [char; 6] = ['a', '.', '/', '?', '#', ':'];

/// Dot segments, no path, an empty authority, with and without query and fragment. Of the schemes,
/// one can occur in the references, one has its own productions, and one makes complete targets
/// long.
const BASES: [&str; 53] = [
    "a:",
    "a:#a",
    "a:?a",
    "a:a",
    "a:a/a",
    "a:a/a/a?a#a",
    "a:a/../a",
    "a:./a",
    "a:../a",
    "a:/",
    "a:/a?a",
    "a:/a/a",
    "a:/a/a/a#a",
    "a:/a/../a",
    "a:/a/./a",
    "a:/../a",
    "a:/.//a",
    "a:/a//a",
    "a:/a/..//a/a",
    "a://",
    "a:///",
    "a:///a/a?a",
    "a:////a",
    "a:///../a",
    "a://a",
    "a://a?a",
    "a://a#a",
    "a://a/",
    "a://a/?a#",
    "a://a//",
    "a://a//a/a",
    "a://a/a",
    "a://a/a/",
    "a://a/a/?",
    "a://a/a/a?a#a",
    "a://a/a/a/../a",
    "a://a/a/./a?a",
    "a://a/a/..//a/a",
    "a://a/..//a/a",
    "a://a/../../a/a",
    "a://a/a/../../../a#a",
    "a://a/a/.",
    "a://a/a/..",
    "a://a:80/a/a",
    "a://a@a/a/a",
    "http://a",
    "http://a?a",
    "http://a/a/a/../a",
    "http://a/a/a?a#a",
    "magic:a",
    "magic:a/a",
    "magic://a/a//a/a",
    "magic:/a//a/a///a/a",
];

/// Only RFC 1808 has params.
const BASES_WITH_PARAMS: [&str; 6] = [
    "a:a;a",
    "a:/a/a;a?a",
    "a://a/a;a",
    "a://a/a/;a?a#a",
    "a://a/a/./a;",
    "http://a/a/../a;?#",
];

/// Returns all strings of up to `length` characters of an alphabet, shortest first.
fn all_texts(alphabet: &[char], length: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut begin = 0;
    for _ in 0..length {
        let end = all.len();
        for index in begin..end {
            for c in alphabet {
                let longer = format!("{}{c}", all.get(index).unwrap());
                all.push(longer);
            }
        }
        begin = end;
    }
    all
}

/// Tries `references`, shortest first, against each of `bases`. Returns the number of targets that
/// they reach.
fn try_all(standard: Standard, bases: &[&str], references: &[String]) -> usize {
    let references: Vec<_> = references
        .iter()
        .filter_map(|text| standard.parse(text).ok())
        .collect();
    let mut reached = 0;
    for base in bases {
        let Ok(parsed) = standard.parse(base) else {
            continue;
        };
        let mut shortest = HashMap::new();
        for reference in &references {
            let mut target = String::new();
            let outcome = reference.resolve_into(parsed, Options::default(), &mut target);
            if outcome.is_ok() {
                shortest.entry(target).or_insert(reference.as_str());
            }
        }
        reached += shortest.len();
        for (target, shortest) in &shortest {
            let found = relativize(standard, base, target)
                .unwrap_or_else(|error| panic!("{standard}: {target} against {base}: {error}"));
            assert!(
                found.len() <= shortest.len(),
                "{standard}: {target} against {base} is {found:?}, not {shortest:?}"
            );
        }
    }
    reached
}

#[test]
fn nothing_shorter_resolves_to_the_target() {
    let references = all_texts(&ALPHABET, 5);
    let long_paths = all_texts(&['a', '.', '/'], 7);
    let mut reached = 0;
    for standard in STANDARDS {
        let found = try_all(standard, &BASES, &references);
        assert!(found > 30_000, "{standard}: {found}");
        reached += found + try_all(standard, &BASES, &long_paths);
    }
    let references = all_texts(&['a', '.', '/', '?', '#', ';'], 4);
    reached += try_all(Standard::Rfc1808, &BASES_WITH_PARAMS, &references);
    println!("{reached} targets have no shorter reference");
}
