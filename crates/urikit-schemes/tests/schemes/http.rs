//! Tests of `http` and `https`: builder, and comparison with RFC 9110's grammar.

use crate::oracle::assert_agreement_on_any_uri;
use urikit::Standard;
use urikit_schemes::{BuildError, Edition, Http};
use urikit_testkit::Random;

#[test]
fn readings_agree_with_the_grammar_of_rfc9110() {
    assert_agreement_on_any_uri("rfc9110", Edition::Successor);
}

#[test]
fn built_urls_read_back_unchanged_under_every_standard() {
    let mut random = Random::new(9110);
    for _ in 0..2_000 {
        let segments: Vec<Vec<u8>> = (0..random.below(4)).map(|_| octets(&mut random)).collect();
        let query = (random.below(2) == 0).then(|| octets(&mut random));
        let mut builder = Http::builder("host.dom");
        for segment in &segments {
            builder = builder.segment(segment);
        }
        if let Some(query) = &query {
            builder = builder.query(query);
        }
        let is_secure = random.below(2) == 0;
        if is_secure {
            builder = builder.secure();
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
        // RFC 1630 does not define https, and does not allow an empty search part.
        let is_rfc1630 = !is_secure && query.as_ref().is_none_or(|query| !query.is_empty());
        assert_eq!(
            builder.build_any(Standard::Rfc1630).is_ok(),
            is_rfc1630,
            "{text}"
        );
        for standard in Standard::ALL.into_iter().skip(1) {
            let read = Http::read(standard.parse(&text).unwrap()).unwrap();
            assert_eq!(read.is_secure(), is_secure);
            let path: Vec<Vec<u8>> = read
                .path()
                .split('/')
                .skip(1)
                .map(|segment| segment.to_bytes().into_owned())
                .collect();
            let expected = if segments.is_empty() {
                vec![Vec::new()]
            } else {
                segments.clone()
            };
            assert_eq!(path, expected, "{text}");
            assert_eq!(read.query().map(|q| q.to_bytes().into_owned()), query);
        }
    }
}

#[test]
fn words_of_rfc1630_read_back_unchanged() {
    let mut random = Random::new(1630);
    for _ in 0..2_000 {
        let words: Vec<Vec<u8>> = (0..=random.below(3))
            .map(|_| octets(&mut random))
            .filter(|word| !word.is_empty())
            .collect();
        let mut builder = Http::builder("host.dom").segment("index");
        for word in &words {
            builder = builder.word(word);
        }
        let url = builder.clone().build_any(Standard::Rfc1630).unwrap();
        let read = Http::read(url.as_any_ref()).unwrap();
        assert!(
            read.words()
                .map(|word| word.to_bytes().into_owned())
                .eq(words.clone()),
            "{}",
            url.as_str()
        );
        assert_eq!(builder.build().is_ok(), words.len() < 2);
    }
}

/// Generates up to five octets, half of them delimiters.
fn octets(random: &mut Random) -> Vec<u8> {
    let octet = |random: &mut Random| match random.below(2) {
        0 => *b"/;?:@&=%.~+#".get(random.below(12)).unwrap(),
        _ => u8::try_from(random.below(256)).unwrap(),
    };
    (0..random.below(6)).map(|_| octet(random)).collect()
}

#[test]
fn invalid_parts_are_not_built() {
    assert!(matches!(
        Http::builder("a b").build(),
        Err(BuildError::Syntax(_))
    ));
    assert!(matches!(
        Http::builder("").build(),
        Err(BuildError::Scheme(_))
    ));
    let misread = |part| Err(BuildError::Misread { part });
    assert_eq!(Http::builder("u@h").build().map(drop), misread("user"));
    assert_eq!(Http::builder("h:80").build().map(drop), misread("host"));
    assert_eq!(Http::builder("h/x").build().map(drop), misread("host"));
    assert_eq!(Http::builder("h?x").build().map(drop), misread("host"));
    assert_eq!(Http::builder("h#x").build().map(drop), misread("host"));
    assert!(Http::builder("[::1]").build_any(Standard::Rfc1738).is_err());
    assert_eq!(
        Http::builder("[::1]").port(8080).build().unwrap().as_str(),
        "http://[::1]:8080/"
    );
}

#[test]
fn the_host_field_has_escapes_and_no_userinfo() {
    for (standard, url, field) in [
        (Standard::Rfc3986, "https://user:secret@h/a?b#fragment", "h"),
        (Standard::Rfc3986, "http://[::1]:8080/", "[::1]:8080"),
        // The host in the example of RFC 3987, 3.1.
        (
            Standard::Rfc3987,
            "http://résumé.example.org/",
            "r%C3%A9sum%C3%A9.example.org",
        ),
    ] {
        let url = standard.parse(url).unwrap();
        assert_eq!(Http::read(url).unwrap().host_field(), field);
    }
}
