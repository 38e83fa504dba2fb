//! Tests of `mid` and `cid`: builders, and comparison with RFC 2392's grammar.

use crate::oracle;
use urikit::Standard;
use urikit_schemes::{BuildError, Cid, Edition, Mid};
use urikit_testkit::Random;

#[test]
fn rfc2392_grammar_gives_the_same_verdicts() {
    oracle::assert_agreement("rfc2392", Edition::Successor);
    // RFC 2111 has the same syntax.
    oracle::assert_agreement("rfc2392", Edition::Original);
}

/// Generates an identifier. Half of the identifiers contain a quoted string.
fn identifier(random: &mut Random) -> Vec<u8> {
    let atom = |random: &mut Random| -> Vec<u8> {
        let octet = |random: &mut Random| *random.pick(b"aZ9.!#$%&'*+-/=?^_`{|}~");
        let octets = (0..=random.below(5)).map(|_| octet(random));
        let octets: Vec<u8> = octets.collect();
        // Dots appear only between atoms.
        octets
            .into_iter()
            .flat_map(|o| {
                if o == b'.' {
                    vec![b'x', o, b'y']
                } else {
                    vec![o]
                }
            })
            .collect()
    };
    let mut identifier = atom(random);
    if random.chance(50) {
        let inner = |random: &mut Random| *random.pick(b"a,;:@<>()[] \t&%/?\x01\x7F");
        identifier = (0..random.below(6)).map(|_| inner(random)).collect();
        identifier.insert(0, b'"');
        identifier.push(b'"');
    }
    identifier.push(b'@');
    identifier.extend(atom(random));
    identifier
}

#[test]
fn built_urls_read_back_unchanged_under_every_standard() {
    let mut random = Random::new(2392);
    for _ in 0..3_000 {
        let [message, content] = [(); 2].map(|()| identifier(&mut random));
        let text = Mid::builder(&message)
            .part(&content)
            .build()
            .unwrap()
            .into_string();
        assert_eq!(
            Mid::builder(&message)
                .part(&content)
                .build_any(Standard::Rfc1738)
                .unwrap()
                .as_str(),
            text
        );
        for standard in Standard::ALL.into_iter().skip(1) {
            let mid = Mid::read(standard.parse(&text).unwrap()).unwrap();
            assert_eq!(*mid.message_id().to_bytes(), *message);
            assert_eq!(*mid.content_id().unwrap().to_bytes(), *content);
        }
        let text = Cid::builder(&content).build().unwrap().into_string();
        for standard in Standard::ALL {
            let cid = Cid::read(standard.parse(&text).unwrap()).unwrap();
            assert_eq!(*cid.content_id().to_bytes(), *content, "{standard}");
        }
        assert!(Mid::builder(&message).build_any(Standard::Rfc1630).is_ok());
    }
}

#[test]
fn invalid_identifiers_are_not_built() {
    for none in ["", "a", "<a@b>", "a b@c", "a@b@c", "a@b."] {
        assert!(
            matches!(Mid::builder(none).build(), Err(BuildError::Scheme(_))),
            "{none}"
        );
        assert!(
            matches!(Cid::builder(none).build(), Err(BuildError::Scheme(_))),
            "{none}"
        );
        assert!(
            matches!(
                Mid::builder("a@b").part(none).build(),
                Err(BuildError::Scheme(_))
            ),
            "{none}"
        );
    }
    // RFC 1630 allows only one identifier.
    let pair = Mid::builder("a@b").part("c@d").build_any(Standard::Rfc1630);
    assert!(matches!(pair, Err(BuildError::Syntax(_))));
}
