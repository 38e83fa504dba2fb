//! What must hold for every reference.

use crate::sample;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use urikit::component::Authority;
use urikit::op::{CowRef, Equivalence, Level, Normal};
use urikit::{AnyRef, ParseError, Standard};

/// Reads a text as `like` was read.
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
        total += sample::each(standard, |reference, _| {
            for level in Level::ALL {
                let normal = reference.normalize_to(level);
                let text = reference.as_str();
                let place = format!("{standard} {level}: {text:?} to {normal:?}");
                // Borrowed exactly when unchanged, and the other forms say the same.
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
                // It parses, and is normal.
                let again = parse_like(reference, normal.as_str());
                let again = again.unwrap_or_else(|e| panic!("{place}: {e}"));
                assert_eq!(normal.borrow(), again, "{place}");
                assert_eq!(format!("{:?}", normal.borrow()), format!("{again:?}"));
                assert!(
                    again.is_normal(level),
                    "{place}, then {}",
                    again.normalize_to(level)
                );
                // Each level includes the ones before.
                for higher in Level::ALL.into_iter().filter(|higher| *higher > level) {
                    let at_once = reference.normalize_to(higher);
                    assert_eq!(
                        again.normalize_to(higher),
                        at_once,
                        "{place}, then {higher}"
                    );
                }
                same_structure(reference, again, level, &place);
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

/// No delimiter of a component comes or goes, but as the levels path and scheme say.
fn same_structure(a: AnyRef<'_>, b: AnyRef<'_>, level: Level, place: &str) {
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
        // Whatever the standard, these are no data when they are not escaped.
        for kept in ["%2F", "%23", "%25", "%20", "%5B"] {
            let count = |r: AnyRef<'_>| r.as_str().to_uppercase().matches(kept).count();
            assert_eq!(count(a), count(b), "{place}: {kept}");
        }
        if a.standard() >= Standard::Rfc2396 {
            for kept in [
                "%3A", "%3B", "%3D", "%3F", "%40", "%26", "%2B", "%24", "%2C", "%5D",
            ] {
                // RFC 2396 has no escaped brackets to keep, and RFC 3986's reserved set is larger.
                let count = |r: AnyRef<'_>| r.as_str().to_uppercase().matches(kept).count();
                assert_eq!(count(a), count(b), "{place}: {kept}");
            }
        }
        if old {
            // Literal dot segments are as many as before.
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

fn hash(reference: AnyRef<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    Normal(reference).hash(&mut hasher);
    hasher.finish()
}

/// Comparing is what normalising both and comparing that would be.
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
    assert_eq!(Normal(a) == Normal(b), expected.is_some(), "{}", place());
    if expected.is_some() {
        assert_eq!(hash(a), hash(b), "{}", place());
    }
    expected
}

#[test]
fn comparing_is_comparing_normal_forms() {
    for standard in Standard::ALL {
        let mut rungs = std::collections::BTreeMap::<_, usize>::new();
        let mut before = String::new();
        sample::each(standard, |a, random| {
            for text in [sample::alias(a.as_str(), random), before.clone()] {
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

#[test]
fn references_of_two_standards_are_never_equivalent() {
    for a in Standard::ALL {
        for b in Standard::ALL.into_iter().filter(|b| a != *b) {
            let [a, b] = [a, b].map(|standard| standard.parse("http://a/b").unwrap());
            assert_eq!(a.compare(b), None);
            assert_ne!(Normal(a), Normal(b));
        }
    }
    let own = Standard::Rfc1738.parse("http://a/b").unwrap();
    let generic = Standard::Rfc1738.parse_generic("http://a/b").unwrap();
    assert_eq!(own.compare(generic), None);
}
