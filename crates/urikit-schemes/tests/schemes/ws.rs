//! Tests of `ws` and `wss`: builder, and comparison with RFC 6455's grammar.

use crate::oracle::assert_agreement_on_any_uri;
use urikit::Standard;
use urikit_schemes::{BuildError, Edition, WebSocket};
use urikit_testkit::Random;

#[test]
fn readings_agree_with_the_grammar_of_rfc6455() {
    assert_agreement_on_any_uri("rfc6455", Edition::Successor);
    assert_agreement_on_any_uri("rfc6455", Edition::Original);
}

#[test]
fn built_urls_read_back_unchanged_under_every_standard() {
    let mut random = Random::new(6455);
    for _ in 0..2_000 {
        let segment: Vec<u8> = (0..random.below(6)).map(|_| octet(&mut random)).collect();
        let query: Vec<u8> = (0..random.below(6)).map(|_| octet(&mut random)).collect();
        let builder = WebSocket::builder("host.dom")
            .segment(&segment)
            .query(&query);
        let text = builder.clone().build().unwrap().into_string();
        assert_eq!(builder.build_any(Standard::Rfc1738).unwrap().as_str(), text);
        for standard in Standard::ALL.into_iter().skip(1) {
            let read = WebSocket::read(standard.parse(&text).unwrap()).unwrap();
            let path = read.path().split_once('/').unwrap().1;
            assert_eq!(*path.to_bytes(), *segment, "{text}");
            assert_eq!(*read.query().unwrap().to_bytes(), *query, "{text}");
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
    let build = |host| WebSocket::builder(host).secure().build().map(drop);
    assert!(matches!(build("a b"), Err(BuildError::Syntax(_))));
    for host in ["", "u@h", "h#x"] {
        assert!(matches!(build(host), Err(BuildError::Scheme(_))), "{host}");
    }
    assert_eq!(build("h:80"), Err(BuildError::Misread { part: "host" }));
    assert_eq!(build("[::1]"), Ok(()));
}
