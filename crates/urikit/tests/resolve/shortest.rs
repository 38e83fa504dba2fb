//! Relativizing: nothing shorter than what it gives resolves to the target. All short references are
//! resolved against each base, and for each target that one of them reaches, the answer is no longer
//! than that one.

use super::relative::{STANDARDS, relativize};
use std::collections::HashMap;
use urikit::Standard;
use urikit::op::Options;

/// What has characters of all kinds that a form depends on.
const ALPHABET: [char; 6] = ['a', '.', '/', '?', '#', ':'];

/// Dot segments, no path, an empty authority, with and without query and fragment; of the schemes, one
/// can stand in the references, one has productions of its own, and one makes whole targets long.
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

/// RFC 1808 alone has params.
const BASES_WITH_PARAMS: [&str; 6] = [
    "a:a;a",
    "a:/a/a;a?a",
    "a://a/a;a",
    "a://a/a/;a?a#a",
    "a://a/a/./a;",
    "http://a/a/../a;?#",
];

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

/// Tries `references`, shortest first, against each of `bases`; gives how many targets they reach.
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
