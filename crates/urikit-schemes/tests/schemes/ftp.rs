//! Tests of `ftp`: the builder.

use urikit::Standard;
use urikit_schemes::{BuildError, Ftp, Typecode};
use urikit_testkit::Random;

#[test]
fn built_urls_read_back_unchanged_under_every_standard() {
    let mut random = Random::new(959);
    for _ in 0..2_000 {
        let parts: Vec<Vec<u8>> = (0..random.below(4)).map(|_| octets(&mut random)).collect();
        let name = octets(&mut random);
        let mut builder = Ftp::builder("host.dom").file(&name);
        for part in &parts {
            builder = builder.cwd(part);
        }
        if random.below(2) == 0 {
            builder = builder.typecode(Typecode::Image);
        }
        let text = builder.clone().build().unwrap().into_string();
        assert_eq!(
            builder
                .clone()
                .build_any(Standard::Rfc1738)
                .unwrap()
                .as_str(),
            text
        );
        assert_eq!(
            builder
                .clone()
                .build_any(Standard::Rfc2396)
                .unwrap()
                .as_str(),
            text
        );
        builder.build_any(Standard::Rfc1630).unwrap();
        for standard in Standard::ALL.into_iter().skip(1) {
            let url = standard.parse(&text).unwrap();
            let read = Ftp::read(url).unwrap();
            assert!(
                read.cwd()
                    .map(|cwd| cwd.to_bytes().into_owned())
                    .eq(parts.clone())
            );
            assert_eq!(*read.name().to_bytes(), *name);
        }
    }
}

/// Generates up to five octets, half of them delimiters.
fn octets(random: &mut Random) -> Vec<u8> {
    let octet = |random: &mut Random| match random.below(2) {
        0 => *b"/;?:@&=%.~".get(random.below(10)).unwrap(),
        _ => u8::try_from(random.below(256)).unwrap(),
    };
    (0..random.below(6)).map(|_| octet(random)).collect()
}

#[test]
fn invalid_parts_are_not_built() {
    assert!(matches!(
        Ftp::builder("a b").build(),
        Err(BuildError::Syntax(_))
    ));
    assert!(matches!(
        Ftp::builder("").build(),
        Err(BuildError::Scheme(_))
    ));
    let misread = |part| Err(BuildError::Misread { part });
    assert_eq!(Ftp::builder("u@h").build().map(drop), misread("user"));
    assert_eq!(Ftp::builder("h:80").build().map(drop), misread("host"));
    assert_eq!(Ftp::builder("h/x").build().map(drop), misread("host"));
    assert_eq!(
        Ftp::builder("h").password("p").build().map(drop),
        misread("user")
    );
    let build = |typecode| Ftp::builder("h").file("f").typecode(typecode);
    assert!(build(Typecode::Local("8")).build().is_err());
    let url = build(Typecode::Local("8"))
        .build_any(Standard::Rfc1630)
        .unwrap();
    assert_eq!(url.as_str(), "ftp://h/f;type=L8");
    assert!(
        build(Typecode::Directory)
            .build_any(Standard::Rfc1630)
            .is_err()
    );
    assert!(Ftp::builder("[::1]").build_any(Standard::Rfc1738).is_err());
    assert!(Ftp::builder("[::1]").build_any(Standard::Rfc3986).is_ok());
}
