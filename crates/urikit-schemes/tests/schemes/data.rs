//! Tests of `data`: builder, base64, and comparison with the grammar.

use super::oracle::assert_agreement;
use urikit::Standard;
use urikit_schemes::{Data, Edition};
use urikit_testkit::Random;

#[test]
fn readings_agree_with_the_grammar() {
    assert_agreement("rfc2397", Edition::Original);
    assert_agreement("rfc2397", Edition::Successor);
}

fn octets(random: &mut Random, most: usize) -> Vec<u8> {
    let octet = |random: &mut Random| match random.below(2) {
        0 => *b"/;?:@&=%+,#".get(random.below(11)).unwrap(),
        _ => u8::try_from(random.below(256)).unwrap(),
    };
    (0..random.below(most)).map(|_| octet(random)).collect()
}

#[test]
fn built_urls_read_back_unchanged() {
    let mut random = Random::new(2397);
    for _ in 0..2_000 {
        let data = octets(&mut random, 9);
        let value = octets(&mut random, 6);
        let value: String = value.iter().map(|octet| char::from(octet & 0x7F)).collect();
        let value = format!("v{value}");
        let mut builder = Data::builder(&data)
            .media_type("text/x-a")
            .parameter("title", &value);
        if random.below(2) == 0 {
            builder = builder.base64();
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
        assert_eq!(builder.build_any(Standard::Rfc2396).unwrap().as_str(), text);
        for standard in Standard::ALL.into_iter().skip(1) {
            let read = Data::read(standard.parse(&text).unwrap()).unwrap();
            assert!(read.octets().unwrap().eq(data.iter().copied()), "{text}");
            let (name, read) = read.parameters().next().unwrap();
            assert_eq!(
                (name.as_str(), &*read.decode_utf8().unwrap()),
                ("title", value.as_str())
            );
        }
        let short = Data::builder(&data).build_any(Standard::Rfc1630).unwrap();
        let read = Data::read(short.as_any_ref()).unwrap();
        assert!(read.octets().unwrap().eq(data.iter().copied()));
    }
}

#[test]
fn invalid_parts_are_not_built() {
    for media_type in ["text", "text/", "/plain", "a/b/c", "te xt/plain", "é/x"] {
        assert!(
            Data::builder("x").media_type(media_type).build().is_err(),
            "{media_type}"
        );
    }
    assert!(Data::builder("x").parameter("", "a").build().is_err());
    assert!(Data::builder("x").parameter("a", "").build().is_err());
    assert!(Data::builder("x").parameter("a", "é").build().is_err());
    assert!(
        Data::builder("x")
            .base64()
            .build_any(Standard::Rfc1630)
            .is_err()
    );
}

/// Decodes base64, or returns the offset of the error.
fn decode(base64: &str) -> Result<Vec<u8>, usize> {
    let url = format!("data:;base64,{base64}#fragment");
    let url = Standard::Rfc3986.parse(&url).unwrap();
    let octets = Data::read(url).unwrap().octets();
    octets
        .map(Iterator::collect)
        .map_err(|error| error.offset() - 13)
}

#[test]
fn base64_follows_rfc4648() {
    // RFC 4648, 10
    for (octets, base64) in [
        ("", ""),
        ("f", "Zg=="),
        ("fo", "Zm8="),
        ("foo", "Zm9v"),
        ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ] {
        assert_eq!(decode(base64).unwrap(), octets.as_bytes());
        let escape = |text: String, byte: u8| format!("{text}%{byte:02x}");
        let escaped = base64.bytes().fold(String::new(), escape);
        assert_eq!(decode(&escaped).unwrap(), octets.as_bytes());
    }
    // RFC 4648, 3 to 5
    for (base64, at) in [
        ("Z", 1),
        ("Zg", 2),
        ("Zg=", 3),
        ("Zm8", 3),
        ("Z===", 1),
        ("====", 0),
        ("Zg==Zg==", 4),
        ("Zg===", 4),
        ("Zg=v", 3),
        ("Zh==", 1),
        ("Zm9=", 2),
        ("Zm-_", 2),
        ("Zm9v%20", 4),
        ("%0D%0AZm9v", 0),
    ] {
        assert_eq!(decode(base64), Err(at), "{base64}");
    }
}
