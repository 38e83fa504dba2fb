//! Tests of `prospero`: the builder.

use super::oracle::assert_agreement;
use urikit::Standard;
use urikit::op::Level;
use urikit_schemes::{BuildError, Edition, Prospero};
use urikit_testkit::Random;

#[test]
fn rfc4157_agrees() {
    assert_agreement("rfc4157", Edition::Successor);
}

fn octets(random: &mut Random) -> Vec<u8> {
    let octet = |random: &mut Random| match random.below(2) {
        0 => *b"/;?:@&=%.+".get(random.below(10)).unwrap(),
        _ => u8::try_from(random.below(256)).unwrap(),
    };
    (0..random.below(6)).map(|_| octet(random)).collect()
}

#[test]
fn built_urls_read_back_unchanged_under_every_standard() {
    let mut random = Random::new(1525);
    for _ in 0..2_000 {
        let hsoname = octets(&mut random);
        let fields: Vec<(Vec<u8>, Vec<u8>)> = (0..random.below(4))
            .map(|_| (octets(&mut random), octets(&mut random)))
            .collect();
        let mut builder = Prospero::builder("host.dom").hsoname(&hsoname);
        for (name, value) in &fields {
            builder = builder.field(name, value);
        }
        let text = builder.clone().build().unwrap().into_string();
        let old = builder.clone().build_any(Standard::Rfc1738).unwrap();
        assert_eq!(old.as_str(), text);
        let old = builder.clone().build_any(Standard::Rfc2396).unwrap();
        assert_eq!(old.as_str(), text);
        assert_eq!(
            builder.build_any(Standard::Rfc1630).is_ok(),
            fields.is_empty()
        );
        for standard in Standard::ALL.into_iter().skip(1) {
            let url = standard.parse(&text).unwrap();
            let read = Prospero::read(url).unwrap();
            assert_eq!(*read.hsoname().to_bytes(), *hsoname);
            let found = read.fields().map(|field| {
                (
                    field.name.to_bytes().into_owned(),
                    field.value.to_bytes().into_owned(),
                )
            });
            assert!(found.eq(fields.iter().cloned()), "{text}");
            assert_eq!(read.version(), None);
        }
    }
}

#[test]
fn the_version_is_a_field_or_follows_a_null() {
    let mut random = Random::new(1630);
    for _ in 0..1_000 {
        let hsoname = octets(&mut random);
        let version = random.below(100).to_string();
        let builder = Prospero::builder("h").hsoname(&hsoname).version(&version);
        let old = builder.clone().build_any(Standard::Rfc1630).unwrap();
        let read = Prospero::read(old.as_any_ref()).unwrap();
        assert_eq!(
            (
                &*read.hsoname().to_bytes(),
                read.version().unwrap().as_str()
            ),
            (&*hsoname, &*version)
        );
        let new = builder.build().unwrap();
        let read = Prospero::read(new.as_uri()).unwrap();
        assert_eq!(
            (
                &*read.hsoname().to_bytes(),
                read.version().unwrap().as_str()
            ),
            (&*hsoname, &*version)
        );
    }
}

#[test]
fn invalid_parts_are_not_built() {
    let misread = |part| Err(BuildError::Misread { part });
    let object = |hsoname| Prospero::builder("h").hsoname(hsoname);
    assert_eq!(
        object("a\x001").build_any(Standard::Rfc1630).map(drop),
        misread("object name")
    );
    assert_eq!(
        object("a")
            .version("1b")
            .build_any(Standard::Rfc1630)
            .map(drop),
        misread("version")
    );
    assert_eq!(
        object("a")
            .version("b")
            .build_any(Standard::Rfc1630)
            .map(drop),
        misread("object name")
    );
    assert_eq!(
        object("a").version("b").build().unwrap().as_str(),
        "prospero://h/a;OBJECT-VERSION=b"
    );
    assert!(matches!(
        object("a").field("b", "c").build_any(Standard::Rfc1630),
        Err(BuildError::Syntax(_))
    ));
    let url = object("a").field("OBJECT-VERSION", "1").build().unwrap();
    assert_eq!(url.as_str(), "prospero://h/a;OBJECT-VERSION=1");
    assert_eq!(Prospero::builder("h/x").build().map(drop), misread("host"));
    assert!(matches!(
        Prospero::builder("").build(),
        Err(BuildError::Scheme(_))
    ));
}

/// The slashes of an object name have no meaning (RFC 1738, 3.11), so resolving must not change the
/// name.
#[test]
fn resolvers_leave_object_names_alone() {
    for (hsoname, path) in [
        ("/./a", "%2F./a"),
        ("./a", ".%2Fa"),
        ("../a/..", "..%2Fa%2F.."),
        ("a/.b", "a/.b"),
    ] {
        let url = Prospero::builder("h").hsoname(hsoname).build().unwrap();
        assert_eq!(url.as_str(), format!("prospero://h/{path}"));
        let normal = url.normalize_to(Level::Path);
        assert_eq!(normal, url.as_str());
        let read = Prospero::read(url.as_uri()).unwrap();
        assert_eq!(*read.hsoname().to_bytes(), *hsoname.as_bytes());
    }
}
