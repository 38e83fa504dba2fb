//! Targets from the fast path equal those of the full algorithm.

use urikit::op::{AboveRoot, Options, SameScheme};
use urikit::{AnyRef, Standard};
use urikit_testkit::Random;

const BASES: [&str; 8] = [
    "http://a",
    "https://www.example.com",
    "x:",
    "file://",
    "http://a.example:80",
    "//h",
    "http://u@h",
    "urn",
];
const SEGMENTS: [&str; 14] = [
    "/a",
    "/b",
    "/a-longer-name",
    "/.",
    "/..",
    "/.hidden",
    "/a.b",
    "/",
    "/%2E",
    "/c;p=1",
    "/index.html",
    "/x..",
    "/...",
    "/0123456789012345678901234567890123456789",
];
const BEGINNINGS: [&str; 10] = [
    "",
    "",
    "./",
    "../",
    "../../",
    "../../../",
    "/",
    "//other",
    "..",
    ".",
];
const ENDS: [&str; 8] = ["", "", "?q", "?q/../r", "#f", "#f/./g", "?", "?q#f"];

fn path(random: &mut Random, most: usize) -> String {
    (0..random.below(most))
        .map(|_| *random.pick(&SEGMENTS))
        .collect()
}

fn target(reference: AnyRef<'_>, base: AnyRef<'_>, options: Options) -> Option<(String, bool)> {
    let mut out = "before".to_owned();
    let resolved = reference.resolve_into(base, options, &mut out);
    assert!(resolved.is_ok() || out == "before");
    let whole = reference.resolve_with(base, options).ok();
    if let Some(whole) = &whole {
        assert_eq!(out, format!("before{}", whole.target));
        assert_eq!(resolved, Ok(whole.same_document));
    }
    let same_document = resolved.ok()?;
    assert!(whole.is_some(), "{out}");
    Some((out, same_document))
}

#[test]
fn both_ways_give_one_target() {
    let mut random = Random::new(522);
    let mut different = 0;
    for _ in 0..200_000 {
        let most = *random.pick(&[3, 6, 12]);
        let (beginning, end) = (*random.pick(&BASES), *random.pick(&ENDS));
        let base = format!("{beginning}{}{end}", path(&mut random, most));
        let (beginning, end) = (*random.pick(&BEGINNINGS), *random.pick(&ENDS));
        let mut rest = path(&mut random, 4);
        if beginning.is_empty() || beginning.ends_with('/') {
            rest = rest.trim_start_matches('/').to_owned();
        }
        let text = format!("{beginning}{rest}{end}");
        for standard in [Standard::Rfc3986, Standard::Rfc3987] {
            let (Ok(base), Ok(reference)) = (standard.parse(&base), standard.parse(&text)) else {
                continue;
            };
            for above_root in [None, Some(AboveRoot::Keep), Some(AboveRoot::Refuse)] {
                // The reference has no scheme, so this option only selects the path of the code.
                let options = |same_scheme| Options {
                    above_root,
                    same_scheme,
                    ..Options::default()
                };
                let plain = target(reference, base, options(SameScheme::Strict));
                let worked_out = target(reference, base, options(SameScheme::Inherit));
                assert_eq!(
                    plain, worked_out,
                    "{text} against {base} with {above_root:?}"
                );
                different += usize::from(plain.is_some());
            }
        }
    }
    assert!(different > 200_000, "{different}");
}

/// The text before the path may be longer than a block of the scanner.
#[test]
fn what_stands_before_the_path_is_of_any_length() {
    for standard in [Standard::Rfc3986, Standard::Rfc3987] {
        for length in 1..140 {
            let scheme = "a".repeat(length);
            for rest in [
                "://",
                "://h",
                "://h/",
                "://u@h:8/a/b",
                ":///a/../b",
                "://?q",
                "://h#f",
            ] {
                let base = format!("{scheme}{rest}");
                let base = standard.parse(&base).unwrap();
                for text in [
                    "g", "../g", "./g", "../../g", "/g", "?y", "#s", "", "../", "..",
                ] {
                    let reference = standard.parse(text).unwrap();
                    let options = |same_scheme| Options {
                        same_scheme,
                        ..Options::default()
                    };
                    // The reference has no scheme, so this option only selects the path of the
                    // code.
                    let found = target(reference, base, options(SameScheme::Strict));
                    let worked_out = target(reference, base, options(SameScheme::Inherit));
                    assert_eq!(found, worked_out, "{text} against {base}");
                }
            }
        }
    }
}
