//! Tests of `wais`: builder, and fields of document-ids.

use super::oracle::assert_agreement;
use urikit::Standard;
use urikit_schemes::{BuildError, Edition, Wais, WaisTarget};
use urikit_testkit::Random;

#[test]
fn rfc4156_agrees() {
    assert_agreement("rfc4156", Edition::Successor);
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
    let mut random = Random::new(1625);
    for round in 0..3_000 {
        let (database, wtype, rest) = (
            octets(&mut random),
            octets(&mut random),
            octets(&mut random),
        );
        let builder = Wais::builder("host.dom").port(2100).database(&database);
        let builder = match round % 3 {
            0 => builder,
            1 => builder.search(&rest),
            _ => builder.document(&wtype, &rest),
        };
        let text = builder.clone().build().unwrap().into_string();
        let old = builder.clone().build_any(Standard::Rfc1738).unwrap();
        assert_eq!(old.as_str(), text);
        let old = builder.clone().build_any(Standard::Rfc2396).unwrap();
        assert_eq!(old.as_str(), text);
        // RFC 1630 does not allow empty parts, and its document-ids consist of fields.
        let is_rfc1630 = match round % 3 {
            0 => !database.is_empty(),
            1 => !database.is_empty() && !rest.is_empty(),
            _ => false,
        };
        assert_eq!(
            builder.build_any(Standard::Rfc1630).is_ok(),
            is_rfc1630,
            "{text}"
        );
        for standard in Standard::ALL.into_iter().skip(1) {
            let url = standard.parse(&text).unwrap();
            let read = Wais::read(url).unwrap();
            assert_eq!(*read.database().to_bytes(), *database);
            match read.target() {
                WaisTarget::Database => assert_eq!(round % 3, 0),
                WaisTarget::Search(words) => {
                    assert_eq!((round % 3, &*words.to_bytes()), (1, &*rest));
                    assert!(read.words().unwrap().eq(rest.iter().copied()));
                }
                WaisTarget::Document(document) => {
                    assert_eq!((round % 3, &*document.wpath().to_bytes()), (2, &*rest));
                    assert_eq!(*document.wtype().to_bytes(), *wtype);
                }
            }
        }
    }
}

#[test]
fn fields_read_back_if_they_are_unambiguous() {
    let mut random = Random::new(1988);
    let mut refused = 0;
    for _ in 0..2_000 {
        let fields: Vec<(u32, Vec<u8>)> = (0..=random.below(4))
            .map(|_| {
                (
                    u32::try_from(random.below(1000)).unwrap(),
                    octets(&mut random),
                )
            })
            .collect();
        let builder = Wais::builder("h")
            .database("db")
            .document_fields("TEXT", &fields);
        let check = |target: WaisTarget<'_>| {
            let WaisTarget::Document(document) = target else {
                panic!("{target:?}")
            };
            let read = document.fields().unwrap();
            let read = read.map(|field| {
                (
                    field.number().unwrap(),
                    field.value().to_bytes().into_owned(),
                )
            });
            assert!(read.eq(fields.iter().cloned()));
        };
        let old = builder.clone().build_any(Standard::Rfc1630).unwrap();
        check(Wais::read(old.as_any_ref()).unwrap().target());
        // Under later standards, delimiters may also be written literally.
        let url = Standard::Rfc3986.parse(old.as_str()).unwrap();
        check(Wais::read(url).unwrap().target());
        // An escaped delimiter looks like an escaped `;` in a value.
        let has_end = fields.iter().any(|(_, value)| value.contains(&b';'));
        match builder.build() {
            Ok(url) => {
                assert!(!has_end, "{url}");
                check(Wais::read(url.as_uri()).unwrap().target());
            }
            Err(error) => {
                assert_eq!(error, BuildError::Misread { part: "document" });
                assert!(has_end, "{old}");
                refused += 1;
            }
        }
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn other_document_ids_have_no_fields() {
    let document = |text: &'static str| {
        let url = Standard::Rfc3986.parse(text).unwrap();
        let WaisTarget::Document(document) = Wais::read(url).unwrap().target() else {
            panic!("{text}")
        };
        document
    };
    for wpath in [
        "", "1", "1=", "1=a", "1=a;2", "1=a;x=b;", "=a;", "12/", "12/x", "1=a;%32", "x/1=a;",
    ] {
        let text = format!("wais://h/d/t/{wpath}").leak();
        assert!(document(text).fields().is_none(), "{text}");
        assert_eq!(document(text).length(), None, "{text}");
    }
    // libwww writes the length before the fields.
    let read = document("wais://h/d/t/1234/1=a%3Bb;7=%00;");
    assert_eq!(
        (read.length(), read.fields().unwrap().count()),
        (Some(1234), 2)
    );
    let read = document("wais://h/d/t/99999999999999999999/99999999999=;");
    assert_eq!(
        (
            read.length(),
            read.fields().unwrap().next().unwrap().number()
        ),
        (None, None)
    );
}

#[test]
fn invalid_parts_are_not_built() {
    let misread = |part| Err(BuildError::Misread { part });
    assert!(Wais::builder("h?").database("x").build().is_err());
    assert_eq!(
        Wais::builder("h:80").database("x").build().map(drop),
        misread("host")
    );
    let no_fields: [(u32, &str); 0] = [];
    let url = Wais::builder("h")
        .database("d")
        .document_fields("t", &no_fields);
    assert!(matches!(
        url.clone().build_any(Standard::Rfc1630),
        Err(BuildError::Syntax(_))
    ));
    assert!(matches!(
        Wais::builder("").build(),
        Err(BuildError::Scheme(_))
    ));
    // A slash in a part is escaped, so resolving does not remove the dots beside it.
    let url = Wais::builder("h")
        .database("a/../b")
        .document("t", "/./c")
        .build();
    assert_eq!(url.unwrap().as_str(), "wais://h/a%2F..%2Fb/t/%2F.%2Fc");
}
