//! Tests of `finger`, `gemini`, `nex` and `spartan`: builders, and comparison with the grammars.

use crate::oracle::assert_agreement_on_any_uri;
use urikit::Standard;
use urikit_schemes::{BuildError, Edition, Finger, Gemini, Nex, Spartan};
use urikit_testkit::Random;

#[test]
fn readings_agree_with_the_grammars() {
    for file in ["finger", "gemini", "nex", "spartan"] {
        assert_agreement_on_any_uri(file, Edition::Successor);
        assert_agreement_on_any_uri(file, Edition::Original);
    }
}

#[test]
fn built_urls_read_back_unchanged_under_every_standard() {
    let mut random = Random::new(1965);
    for _ in 0..2_000 {
        let mut octets =
            || -> Vec<u8> { (0..random.below(6)).map(|_| octet(&mut random)).collect() };
        let (first, second) = (octets(), octets());
        let gemini = Gemini::builder("h.dom").segment(&first).input(&second);
        let spartan = Spartan::builder("h.dom").segment(&first).data(&second);
        let gemini = gemini.build().unwrap().into_string();
        let spartan = spartan.build().unwrap().into_string();
        let nex = Nex::builder("h.dom")
            .path(&first)
            .build()
            .unwrap()
            .into_string();
        let finger = Finger::builder("h.dom")
            .request(&first)
            .build()
            .unwrap()
            .into_string();
        for standard in Standard::ALL.into_iter().skip(1) {
            let read = |text| standard.parse(text).unwrap();
            let url = Gemini::read(read(&gemini)).unwrap();
            assert_eq!(
                *url.path().split_once('/').unwrap().1.to_bytes(),
                *first,
                "{gemini}"
            );
            assert_eq!(*url.input().unwrap().to_bytes(), *second, "{gemini}");
            let url = Spartan::read(read(&spartan)).unwrap();
            assert_eq!(*url.data().unwrap().to_bytes(), *second, "{spartan}");
            assert_eq!(
                *Nex::read(read(&nex)).unwrap().path().to_bytes(),
                *first,
                "{nex}"
            );
            let url = Finger::read(read(&finger)).unwrap();
            assert_eq!(*url.request().to_bytes(), *first, "{finger}");
        }
    }
}

/// Generates an octet. Half of the octets are delimiters.
fn octet(random: &mut Random) -> u8 {
    match random.below(2) {
        0 => *b"/;?:@&=%.~+#".get(random.below(12)).unwrap(),
        _ => u8::try_from(random.below(256)).unwrap(),
    }
}

#[test]
fn invalid_parts_are_not_built() {
    for build in [
        |host| Gemini::builder(host).build().map(drop),
        |host| Spartan::builder(host).build().map(drop),
        |host| Nex::builder(host).build().map(drop),
        |host| Finger::builder(host).build().map(drop),
    ] {
        assert!(matches!(build("a b"), Err(BuildError::Syntax(_))));
        assert!(matches!(build(""), Err(BuildError::Scheme(_))));
        assert_eq!(build("h:80"), Err(BuildError::Misread { part: "host" }));
        assert_eq!(build("[::1]"), Ok(()));
    }
}

/// A client sends the URL without the default port, and with the port otherwise.
#[test]
fn a_gemini_request_is_a_url() {
    for (url, request) in [
        ("gemini://h.dom", "gemini://h.dom/"),
        ("gemini://h.dom:/", "gemini://h.dom/"),
        ("gemini://h.dom:01965/a", "gemini://h.dom/a"),
        ("gemini://H.dom:300/a?b", "gemini://H.dom:300/a?b"),
        ("gemini://[::1]:1965?", "gemini://[::1]/?"),
    ] {
        let url = Standard::Rfc3986.parse(url).unwrap();
        let url = Gemini::read(url).unwrap();
        assert_eq!(url.request(), request);
        assert!(request.starts_with(&url.request_without_input()));
        assert!(!url.request_without_input().contains('?'));
    }
}
