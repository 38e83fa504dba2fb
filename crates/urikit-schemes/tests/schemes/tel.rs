//! Tests of `tel`: equivalence, builder, and comparison with the grammar.

use super::oracle::assert_agreement_where;
use urikit::Standard;
use urikit_schemes::{Edition, Tel};
use urikit_testkit::Random;

#[test]
fn readings_agree_with_the_grammar() {
    // RFC 3966, 3, does not allow a parameter twice. The grammar cannot express this.
    let has_each_once = |url: &str| {
        let name = |parameter: &str| {
            let name = parameter.split('=').next().unwrap_or_default();
            name.to_ascii_lowercase().replace("isub", "ext")
        };
        let mut names: Vec<String> = url.split(';').skip(1).map(name).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        names.len() == count
    };
    assert_agreement_where("rfc3966", Edition::Original, has_each_once);
    assert_agreement_where("rfc3966", Edition::Successor, has_each_once);
}

fn is_equivalent(a: &str, b: &str) -> bool {
    let [a, b] = [a, b].map(|url| Tel::read(Standard::Rfc3986.parse(url).unwrap()).unwrap());
    assert_eq!(a.is_equivalent(&b), b.is_equivalent(&a));
    a.is_equivalent(&b)
}

#[test]
fn numbers_are_compared_by_section_4() {
    for (a, b) in [
        ("tel:+1-201-555-0123", "TEL:+1(201)555.0123"),
        (
            "tel:7042;phone-context=example.com",
            "tel:70-42;phone-context=EXAMPLE.com",
        ),
        ("tel:aF;phone-context=+1-914", "tel:Af;phone-context=+19-14"),
        ("tel:+1;a;b=c", "tel:+1;B=C;A"),
        ("tel:+1;ext=1-2", "tel:+1;ext=12"),
        ("tel:+1;isub=%41%3b", "tel:+1;isub=a%3B"),
        ("tel:1;b=%63;phone-context=a", "tel:1;phone-context=a;b=C"),
    ] {
        assert!(is_equivalent(a, b), "{a} {b}");
    }
    for (a, b) in [
        ("tel:+1", "tel:1;phone-context=a"),
        ("tel:+1", "tel:+2"),
        ("tel:1;phone-context=a", "tel:1;phone-context=b"),
        ("tel:1;phone-context=a", "tel:1;phone-context=+1"),
        ("tel:+1;a", "tel:+1"),
        ("tel:+1;a", "tel:+1;b"),
        ("tel:+1;a", "tel:+1;a=b"),
        ("tel:+1;a=%2B", "tel:+1;a=+"),
        ("tel:+1;ext=1", "tel:+1;isub=1"),
        ("tel:%23;phone-context=a", "tel:*;phone-context=a"),
    ] {
        assert!(!is_equivalent(a, b), "{a} {b}");
    }
}

#[test]
fn many_parameters_must_be_sorted() {
    let url = |names: &mut dyn Iterator<Item = u32>| {
        names.fold(String::from("tel:+1"), |url, name| {
            format!("{url};p{name:06}")
        })
    };
    let read = |url: &str| {
        Tel::read(Standard::Rfc3986.parse(url).unwrap()).map(|tel| tel.parameters().count())
    };
    assert_eq!(read(&url(&mut (0..50_000))), Ok(50_000));
    assert_eq!(read(&url(&mut (0..100).rev())), Ok(100));
    assert!(read(&url(&mut (0..50_000).rev())).is_err());
    assert!(read(&url(&mut (0..101).chain([0]))).is_err());
}

#[test]
fn built_urls_read_back_unchanged() {
    let mut random = Random::new(3966);
    for _ in 0..2_000 {
        let mut value: Vec<u8> = (0..random.below(5))
            .map(|_| u8::try_from(random.below(256)).unwrap())
            .collect();
        value.push(b';');
        let text = Tel::local("*1-2#", "example.com")
            .parameter("z", &value)
            .flag("a")
            .isub(&value);
        let built = text.clone().build().unwrap().into_string();
        assert_eq!(
            text.clone().build_any(Standard::Rfc1738).unwrap().as_str(),
            built
        );
        assert_eq!(text.build_any(Standard::Rfc2396).unwrap().as_str(), built);
        for standard in Standard::ALL.into_iter().skip(1) {
            let read = Tel::read(standard.parse(&built).unwrap()).unwrap();
            assert_eq!(read.number(), "*1-2%23");
            assert_eq!(*read.isub().unwrap().to_bytes(), *value);
            let (name, read) = read.parameters().nth(1).unwrap();
            assert_eq!((name, &*read.unwrap().to_bytes()), ("z", &*value));
        }
    }
    let plain = Tel::global("+1").build_any(Standard::Rfc1630).unwrap();
    assert_eq!(plain.as_str(), "tel:+1");
}

#[test]
fn invalid_parts_are_not_built() {
    assert!(Tel::global("1").build().is_err());
    assert!(Tel::global("+").build().is_err());
    assert!(Tel::global("+1;a").build().is_err());
    assert!(Tel::local("+1", "a").build().is_err());
    assert!(Tel::local("1", "").build().is_err());
    assert!(Tel::local("1", "a;b").build().is_err());
    assert!(Tel::global("+1").ext("").build().is_err());
    assert!(Tel::global("+1").ext("1").isub("2").build().is_err());
    assert!(Tel::global("+1").flag("a").flag("A").build().is_err());
    assert!(Tel::global("+1").flag("a=b").build().is_err());
    assert!(Tel::global("+1").parameter("a", "").build().is_err());
    assert!(
        Tel::global("+1")
            .flag("a")
            .build_any(Standard::Rfc1630)
            .is_err()
    );
}
