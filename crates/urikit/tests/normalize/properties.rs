//! Properties of every reference. Checking that a link is in normal form takes less than twice as
//! long as parsing it, and a few instructions for each byte.

use crate::data;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::hint::black_box;
use urikit::component::Authority;
use urikit::op::{CowRef, Equivalence, Level, NormalKey};
use urikit::{AnyRef, ParseError, Standard, UriRef};
use urikit_testkit::instructions::{count, size_of_work};

/// Parses a string with the same production as `like`.
fn parse_like<'t>(like: AnyRef<'_>, text: &'t str) -> Result<AnyRef<'t>, ParseError> {
    if like.is_generic() {
        like.standard().parse_generic(text)
    } else {
        like.standard().parse(text)
    }
}

#[test]
fn a_normal_form_is_a_reference_in_normal_form() {
    let mut total = 0;
    for standard in Standard::ALL {
        total += data::each(standard, |reference, _| {
            for level in Level::ALL {
                let normal = reference.normalize_to(level);
                let text = reference.as_str();
                let place = format_args!("{standard} {level}: {text:?} to {normal:?}");
                // The result is borrowed exactly if it is unchanged, and the other methods agree.
                let borrowed = matches!(normal, CowRef::Borrowed(_));
                assert_eq!(borrowed, normal == text, "{place}");
                assert_eq!(borrowed, reference.is_normal(level), "{place}");
                let mut out = "before".to_owned();
                assert_eq!(
                    reference.normalize_into(level, &mut out),
                    !borrowed,
                    "{place}"
                );
                assert_eq!(out.strip_prefix("before"), Some(normal.as_str()), "{place}");
                // The normal form parses, and is in normal form.
                let again = parse_like(reference, normal.as_str());
                let again = again.unwrap_or_else(|e| panic!("{place}: {e}"));
                assert_eq!(normal.as_any_ref(), again, "{place}");
                assert_eq!(
                    components(normal.as_any_ref()),
                    components(again),
                    "{place}"
                );
                assert!(
                    again.is_normal(level),
                    "{place}, then {}",
                    again.normalize_to(level)
                );
                // Each level includes the previous ones.
                for higher in Level::ALL.into_iter().filter(|higher| *higher > level) {
                    let at_once = reference.normalize_to(higher);
                    assert_eq!(
                        again.normalize_to(higher),
                        at_once,
                        "{place}, then {higher}"
                    );
                }
                same_structure(reference, again, level, place);
                assert!(
                    reference
                        .compare(again)
                        .is_some_and(|rung| rung <= Equivalence::from(level)),
                    "{place}"
                );
            }
        });
    }
    println!("{total} references");
    assert!(total >= 100_000);
}

/// No delimiter of a component is added or removed, except by the levels path and scheme.
fn same_structure(a: AnyRef<'_>, b: AnyRef<'_>, level: Level, place: std::fmt::Arguments<'_>) {
    let parts = |r: AnyRef<'_>| {
        (
            r.scheme().is_some(),
            r.userinfo().is_some(),
            r.userinfo().map(|u| u.split(':').count()),
            r.params().is_some(),
            r.query().is_some(),
            r.fragment().is_some(),
            r.authority().is_some_and(Authority::is_registry_based),
            r.is_opaque(),
        )
    };
    assert_eq!(parts(a), parts(b), "{place}");
    if level < Level::Scheme {
        assert_eq!(
            (a.port(), a.host().is_some()),
            (b.port(), b.host().is_some()),
            "{place}"
        );
        assert_eq!(a.form(), b.form(), "{place}");
    }
    let old = a.standard() < Standard::Rfc3986;
    if old && level < Level::Scheme || level < Level::Path {
        let count = |r: AnyRef<'_>| r.path().segments().count();
        assert_eq!(count(a), count(b), "{place}");
    }
    if level < Level::Path {
        // Under every standard, the characters that these escapes represent affect parsing if they
        // are not escaped.
        for kept in ["%2F", "%23", "%25", "%20", "%5B"] {
            let count = |r: AnyRef<'_>| r.as_str().to_uppercase().matches(kept).count();
            assert_eq!(count(a), count(b), "{place}: {kept}");
        }
        if a.standard() >= Standard::Rfc2396 {
            for kept in [
                "%3A", "%3B", "%3D", "%3F", "%40", "%26", "%2B", "%24", "%2C", "%5D",
            ] {
                // RFC 2396 does not allow brackets, so it cannot keep any, and the reserved set of
                // RFC 3986 is larger.
                let count = |r: AnyRef<'_>| r.as_str().to_uppercase().matches(kept).count();
                assert_eq!(count(a), count(b), "{place}: {kept}");
            }
        }
        if old {
            // The number of literal dot segments does not change.
            let dots = |r: AnyRef<'_>| {
                r.path()
                    .segments()
                    .filter(|s| matches!(s.as_str(), "." | ".."))
                    .count()
            };
            assert!(
                a.standard() == Standard::Rfc1738 || a.is_opaque() || dots(a) == dots(b),
                "{place}"
            );
        }
    }
}

/// All components, including the parts of the authority.
fn components(reference: AnyRef<'_>) -> String {
    let (scheme, authority) = (reference.scheme(), reference.authority());
    let (path, params) = (reference.path(), reference.params());
    let (query, fragment) = (reference.query(), reference.fragment());
    format!("{scheme:?} {authority:?} {path:?} {params:?} {query:?} {fragment:?}")
}

fn hash(reference: AnyRef<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    NormalKey(reference).hash(&mut hasher);
    hasher.finish()
}

/// Comparing two references gives the same result as comparing their normal forms as text.
fn pair(a: AnyRef<'_>, b: AnyRef<'_>) -> Option<Equivalence> {
    let place = || format!("{}: {:?} and {:?}", a.standard(), a.as_str(), b.as_str());
    let comparable = a.is_generic() == b.is_generic();
    let same = |level: &Level| comparable && a.normalize_to(*level) == b.normalize_to(*level);
    let expected = if comparable && a.as_str() == b.as_str() {
        Some(Equivalence::Identical)
    } else {
        Level::ALL.into_iter().find(same).map(Equivalence::from)
    };
    assert_eq!(a.compare(b), expected, "{}", place());
    assert_eq!(b.compare(a), expected, "{}", place());
    for level in Level::ALL {
        assert_eq!(
            a.is_equivalent(b, level),
            same(&level),
            "{} {level}",
            place()
        );
    }
    assert_eq!(
        NormalKey(a) == NormalKey(b),
        expected.is_some(),
        "{}",
        place()
    );
    if expected.is_some() {
        assert_eq!(hash(a), hash(b), "{}", place());
    }
    let order = NormalKey(a).cmp(&NormalKey(b));
    assert_eq!(order.is_eq(), expected.is_some(), "{}", place());
    assert_eq!(
        NormalKey(b).cmp(&NormalKey(a)),
        order.reverse(),
        "{}",
        place()
    );
    let normal = [a, b].map(|reference| NormalKey(reference.normalize()));
    assert_eq!(normal[0].cmp(&normal[1]), order, "{}", place());
    expected
}

#[test]
fn equal_keys_have_equal_hashes_at_every_length() {
    let hash = |text: &str| hash(Standard::Rfc3986.parse(text).unwrap());
    let mut hashes = std::collections::BTreeSet::new();
    for length in 0..600 {
        let tail: String = "ab/c-d/e".chars().cycle().take(length).collect();
        let escaped = tail.replace('a', "%61");
        for normal in [
            format!("http://a.example/{tail}"),
            format!("http://a.example/?{tail}"),
        ] {
            let expected = hash(&normal);
            assert!(hashes.insert(expected) || length == 0, "{normal}");
            for alias in [
                normal.replace("http://a", "HTTP://A"),
                normal.replace(".example/", ".example:80/x/../"),
                normal.replace(".example/?", ".example?"),
                normal.replace(&tail, &escaped),
            ] {
                assert_eq!(hash(&alias), expected, "{alias}");
            }
        }
    }
}

#[test]
fn comparing_is_comparing_normal_forms() {
    for standard in Standard::ALL {
        let mut rungs = std::collections::BTreeMap::<_, usize>::new();
        let mut before = String::new();
        data::each(standard, |a, random| {
            for text in [data::alias(a.as_str(), random), before.clone()] {
                if let Ok(b) = parse_like(a, &text) {
                    *rungs.entry(pair(a, b)).or_default() += 1;
                }
            }
            before = a.as_str().to_owned();
        });
        println!("{standard}: {rungs:?}");
        for rung in [
            Equivalence::Identical,
            Equivalence::Case,
            Equivalence::Escapes,
            Equivalence::Scheme,
        ] {
            assert!(rungs.contains_key(&Some(rung)), "{standard}: {rung}");
        }
        let dots = standard >= Standard::Rfc3986;
        assert_eq!(
            rungs.contains_key(&Some(Equivalence::Path)),
            dots,
            "{standard}"
        );
    }
}

/// After sorting, every reference is in order with all references after it, not only with the next
/// one.
#[test]
fn the_order_is_total() {
    for standard in Standard::ALL {
        let mut texts = Vec::new();
        data::each(standard, |a, random| {
            // Takes a few of the references, each with a different spelling.
            if random.chance(3) {
                texts.push((a.as_str().to_owned(), a.is_generic()));
                let alias = data::alias(a.as_str(), random);
                if parse_like(a, &alias).is_ok() {
                    texts.push((alias, a.is_generic()));
                }
            }
        });
        let parse = |(text, is_generic): &(String, bool)| {
            let parsed = if *is_generic {
                standard.parse_generic(text)
            } else {
                standard.parse(text)
            };
            NormalKey(parsed.unwrap().to_owned())
        };
        let mut references: Vec<_> = texts.iter().map(parse).collect();
        references.sort();
        references.truncate(500);
        assert!(references.len() > 100, "{standard}: {}", references.len());
        for (at, a) in references.iter().enumerate() {
            for b in references.iter().skip(at) {
                assert!(a <= b, "{standard}: {:?} and {:?}", a.0, b.0);
            }
        }
    }
}

#[test]
fn the_order_is_by_components() {
    let sorted = [
        "a",
        "a/b",
        "a-b",
        "file:/etc",
        "file:///etc/x",
        "http:",
        "http://[1:0::2]/",
        "http://[1::3]/",
        "http://a",
        "http://a/#",
        "http://a/?",
        "http://a/%62/",
        "http://a/b/../b/c",
        "http://a/b-c",
        "http://A:81/",
        "http://u@a:81/",
        "http://a.b/",
    ];
    let mut found: Vec<_> = sorted
        .map(|text| NormalKey(UriRef::parse(text).unwrap()))
        .into();
    found.reverse();
    found.sort();
    let found: Vec<_> = found.iter().map(|reference| reference.0.as_str()).collect();
    assert_eq!(found, sorted);
}

#[test]
fn references_of_two_standards_are_never_equivalent() {
    for a in Standard::ALL {
        for b in Standard::ALL.into_iter().filter(|b| a != *b) {
            let [a, b] = [a, b].map(|standard| standard.parse("http://a/b").unwrap());
            assert_eq!(a.compare(b), None);
            assert_ne!(NormalKey(a), NormalKey(b));
        }
    }
    let own = Standard::Rfc1738.parse("http://a/b").unwrap();
    let generic = Standard::Rfc1738.parse_generic("http://a/b").unwrap();
    assert_eq!(own.compare(generic), None);
}

/// Typical links, with long paths, long queries and escapes.
const LINKS: [&str; 6] = [
    "https://static.example.com/assets/2024/11/fonts/sans/regular-v12-latin.woff2",
    "https://www.example.org/w/index.php?title=Uniform_Resource_Identifier&action=history#top",
    "https://ads.example.net/pixel?u=%2F%2Fwww.example.org%2Fa%20b&r=&s=1920x1080",
    "http://cdn.example.com/.well-known/js/jquery.min.js?v=3.7.1",
    "http://www.ietf.org/rfc/rfc2396.txt", // RFC 3986, 1.1.2
    "http://example.com/",
];

/// The number of times that each link is read.
const ROUNDS: usize = 500;

/// Parses each valid link `size / 2` times. If `size` is odd, each link is also normalized.
fn work(standard: Standard, size: usize) {
    for _ in 0..size / 2 {
        for text in LINKS {
            let Ok(reference) = standard.parse(black_box(text)) else {
                continue;
            };
            if black_box(size) % 2 == 1 {
                let normal = black_box(reference).normalize_to(Level::Scheme);
                assert!(matches!(black_box(normal), CowRef::Borrowed(_)));
            }
        }
    }
}

/// Compares the instructions with and without normalizing.
fn assert_cheap(standard: Standard, name: &str) {
    let Some(nothing) = count(name, 0) else {
        return println!("SKIPPED {name}: valgrind is not installed; ./test --install installs it");
    };
    let parsed = count(name, 2 * ROUNDS).unwrap();
    let normalised = count(name, 2 * ROUNDS + 1).unwrap();
    let (parsing, normalising) = (parsed - nothing, normalised - parsed);
    let valid = LINKS
        .into_iter()
        .filter(|text| standard.parse(text).is_ok());
    let bytes: usize = valid.map(str::len).sum();
    let bytes = u64::try_from(bytes * ROUNDS).unwrap();
    println!("{name}: {bytes} bytes, {parsing} instructions parse, {normalising} normalise");
    assert!(bytes > 0 && normalising > 0);
    assert!(normalising < 2 * parsing, "twice the parsing");
    // The check reads the text once, not once for each component and rule.
    assert!(normalising < 16 * bytes, "sixteen for each byte");
}

/// Defines one test for each standard.
macro_rules! cheap {
    ($($name:ident = $standard:ident,)*) => {$(
        #[test]
        fn $name() {
            match size_of_work() {
                Some(size) => work(Standard::$standard, size),
                None => assert_cheap(Standard::$standard, concat!("properties::", stringify!($name))),
            }
        }
    )*};
}

cheap! {
    rfc1630 = Rfc1630,
    rfc1738 = Rfc1738,
    rfc1808 = Rfc1808,
    rfc2396 = Rfc2396,
    rfc2732 = Rfc2732,
    rfc3986 = Rfc3986,
    rfc3987 = Rfc3987,
}
