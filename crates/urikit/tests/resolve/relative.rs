//! Relativizing: what it gives resolves back to the target, and nothing shorter does.

use urikit::Standard;
use urikit::op::{Options, RelativizeError};
use urikit_testkit::Random;
use urikit_testkit::abnf::{Generator, Grammar, dir};

const STANDARDS: [Standard; 6] = [
    Standard::Rfc1630,
    Standard::Rfc1808,
    Standard::Rfc2396,
    Standard::Rfc2732,
    Standard::Rfc3986,
    Standard::Rfc3987,
];

/// The reference, after checking that it resolves back.
fn relativize(standard: Standard, base: &str, target: &str) -> Result<String, RelativizeError> {
    let (base, target) = (
        standard.parse(base).unwrap(),
        standard.parse(target).unwrap(),
    );
    let mut reference = String::new();
    target.relativize_into(base, &mut reference)?;
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

/// All texts of up to `length` characters over an alphabet, shortest first.
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

#[test]
fn nothing_shorter_resolves_to_the_target() {
    let references = all_texts(&['a', 'b', '/', '.', '?', '#', ';', ':'], 4);
    let paths = all_texts(&['a', 'b', '/'], 3);
    for standard in STANDARDS {
        let references: Vec<_> = references
            .iter()
            .filter_map(|text| standard.parse(text).ok())
            .collect();
        let mut random = Random::new(56);
        for _ in 0..150 {
            let mut uri = || {
                let end = *random.pick(&["", "", "?b", "#a", "?b#a"]);
                let path = random.pick(&paths);
                let path = path.strip_prefix('/').unwrap_or(path);
                format!("a://b/{path}{end}")
            };
            let (base, target) = (uri(), uri());
            let (Ok(parsed), Ok(_)) = (standard.parse(&base), standard.parse(&target)) else {
                continue;
            };
            let found = relativize(standard, &base, &target);
            let mut resolved = String::new();
            let shortest = references.iter().find(|reference| {
                resolved.clear();
                let outcome = reference.resolve_into(parsed, Options::default(), &mut resolved);
                outcome.is_ok() && resolved == target
            });
            if let Some(shortest) = shortest {
                let found =
                    found.unwrap_or_else(|error| panic!("{standard}: {base}, {target}: {error}"));
                let shortest = shortest.as_str();
                assert!(
                    found.len() <= shortest.len(),
                    "{standard}: {target} against {base} is {found:?}, not {shortest:?}"
                );
            }
        }
    }
}
