//! Relativizing: what it gives resolves back to the target.

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

/// The reference, after checking that it resolves back.
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
    // The base as resolving takes it: an empty path after an authority is `/`, dot segments go.
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
    // RFC 2396 resolves a query against the directory, and does not touch an absolute path.
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
    // RFC 1808, 4: an empty reference is the base, fragment and all; an empty query is none.
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
