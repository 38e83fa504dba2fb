//! Tests of `urn`: equivalence, builder, and comparison with the grammars of both RFCs.

use super::oracle::assert_agreement;
use urikit::Standard;
use urikit_schemes::{BuildError, Edition, Urn};
use urikit_testkit::Random;

#[test]
fn readings_agree_with_the_grammars() {
    assert_agreement("rfc2141", Edition::Original);
    assert_agreement("rfc8141", Edition::Successor);
}

/// Each row is a class. The URNs in a row are equivalent to each other, but not to those in other
/// rows.
fn assert_classes(classes: &[&[&str]], standard: Standard) {
    for (a_class, a) in classes.iter().enumerate() {
        for (b_class, b) in classes.iter().enumerate() {
            for (a, b) in a.iter().flat_map(|a| b.iter().map(move |b| (a, b))) {
                let [a_read, b_read] =
                    [a, b].map(|urn| Urn::read(standard.parse(urn).unwrap()).unwrap());
                let is_equivalent = a_read.is_equivalent(&b_read);
                assert_eq!(is_equivalent, a_class == b_class, "{a} {b}");
            }
        }
    }
}

#[test]
fn rfc2141_lexical_equivalence() {
    // RFC 2141, 6
    let classes: [&[&str]; 3] = [
        &["URN:foo:a123,456", "urn:foo:a123,456", "urn:FOO:a123,456"],
        &["urn:foo:A123,456"],
        &["urn:foo:a123%2C456", "URN:FOO:a123%2c456"],
    ];
    for standard in Standard::ALL.into_iter().skip(1) {
        assert_classes(&classes, standard);
    }
}

#[test]
fn rfc8141_equivalence() {
    // RFC 8141, 3.2
    let classes: [&[&str]; 8] = [
        &[
            "urn:example:a123,z456",
            "URN:example:a123,z456",
            "urn:EXAMPLE:a123,z456",
            "urn:example:a123,z456?+abc",
            "urn:example:a123,z456?=xyz",
            "urn:example:a123,z456#789",
        ],
        &["urn:example:a123,z456/foo"],
        &["urn:example:a123,z456/bar"],
        &["urn:example:a123,z456/baz"],
        &["urn:example:a123%2Cz456", "URN:EXAMPLE:a123%2cz456"],
        &["urn:example:A123,z456"],
        &["urn:example:a123,Z456"],
        &["urn:example:%D0%B0123,z456"],
    ];
    assert_classes(&classes, Standard::Rfc3986);
    assert_classes(&classes, Standard::Rfc3987);
}

/// The core's equivalences of RFC 3986 also cover the NIDs of URNs. Only `Urn::is_equivalent`
/// ignores the components after the name.
#[test]
fn the_equivalences_of_rfc_3986_know_the_nid_but_not_the_components() {
    let compare_as = |standard: Standard, a, b| {
        let parse = |urn| standard.parse(urn).unwrap();
        parse(a)
            .compare(parse(b))
            .map(urikit::op::Equivalence::name)
    };
    let compare = |a, b| compare_as(Standard::Rfc3986, a, b);
    let a = "urn:example:a123,z456";
    assert_eq!(compare(a, "urn:EXAMPLE:a123,z456"), Some("scheme"));
    assert_eq!(compare("urn:a:%2c", "urn:a:%2C"), Some("case"));
    assert_eq!(compare(a, "urn:example:a123%2Cz456"), None);
    assert_eq!(compare(a, "urn:example:a123,z456?+abc"), None);
    assert_eq!(compare(a, "urn:example:a123,z456#789"), None);
    // RFC 3986, 6.2.2.2, and RFC 1738, 2.2, treat these as equivalent. The RFCs on URNs do not.
    assert_eq!(compare("urn:ab:%41", "urn:ab:A"), Some("escapes"));
    let by_rfc1738 = compare_as(Standard::Rfc1738, "urn:ab:%2C", "urn:ab:,");
    assert_eq!(by_rfc1738, Some("escapes"));
    let by_rfc2396 = compare_as(Standard::Rfc2396, "urn:ab:%2C", "urn:ab:,");
    assert_eq!(by_rfc2396, None);
}

#[test]
fn built_urls_read_back_unchanged() {
    let mut random = Random::new(8141);
    for _ in 0..2_000 {
        let mut name = octets(&mut random);
        name.push(b'x');
        let built = Urn::builder("example", &name).build();
        let has_zero = name.contains(&0);
        assert_eq!(built.is_err(), has_zero);
        let [part, r, q, f] = [(); 4].map(|()| [b"p".to_vec(), octets(&mut random)].concat());
        if has_zero {
            continue;
        }
        let text = built.unwrap().into_string();
        let same = |url: String| assert_eq!(url, text);
        same(
            Urn::builder("example", &name)
                .build_any(Standard::Rfc1738)
                .unwrap()
                .into_string(),
        );
        same(
            Urn::builder("example", &name)
                .build_any(Standard::Rfc2396)
                .unwrap()
                .into_string(),
        );
        let long = Urn::builder("example", &name).below(&part);
        let url = long
            .r_component(&r)
            .q_component(&q)
            .f_component(&f)
            .build()
            .unwrap();
        let read = Urn::read(url.as_uri()).unwrap();
        assert_eq!(*read.r_component().unwrap().to_bytes(), *r);
        assert_eq!(*read.q_component().unwrap().to_bytes(), *q);
        assert_eq!(*read.f_component().unwrap().to_bytes(), *f);
        assert_eq!(
            *read.nss().split('/').next_back().unwrap().to_bytes(),
            *part
        );
    }
}

/// Generates up to five octets, half of them delimiters.
fn octets(random: &mut Random) -> Vec<u8> {
    let octet = |random: &mut Random| match random.below(2) {
        0 => *b"/;?:@&=%+#".get(random.below(10)).unwrap(),
        _ => u8::try_from(random.below(256)).unwrap(),
    };
    (0..random.below(6)).map(|_| octet(random)).collect()
}

#[test]
fn invalid_parts_are_not_built() {
    for nid in ["", "-a", "a_b", "urn", "a:b", "a-"] {
        assert!(
            matches!(
                Urn::builder(nid, "x").build(),
                Err(BuildError::Scheme(_) | BuildError::Misread { .. })
            ),
            "{nid}"
        );
    }
    assert!(matches!(
        Urn::builder("foo", "").build(),
        Err(BuildError::Scheme(_))
    ));
    // RFC 2141 allows a NID of one letter, but its successor does not.
    assert!(Urn::builder("a", "x").build_any(Standard::Rfc1738).is_ok());
    assert!(Urn::builder("a", "x").build().is_err());
    // A URI of RFC 1630 has only one unescaped colon.
    assert!(
        Urn::builder("foo", "x")
            .build_any(Standard::Rfc1630)
            .is_err()
    );
    let slash = Urn::builder("foo", "a/b").build().unwrap();
    assert_eq!(slash.as_str(), "urn:foo:a%2Fb");
}
