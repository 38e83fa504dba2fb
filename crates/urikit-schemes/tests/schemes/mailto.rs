//! Tests of `mailto`: builder, header fields, and comparison with RFC 6068's grammar.

use crate::oracle;
use urikit::Standard;
use urikit_schemes::{BuildError, Caution, Edition, HeaderField, Mailto, ReadError};
use urikit_testkit::Random;
use urikit_testkit::abnf::{self, Generator, Grammar, Mutator};

#[test]
fn rfc6068_grammar_gives_the_same_verdicts() {
    oracle::assert_agreement("rfc6068", Edition::Successor);
}

/// Characters of addresses, including all delimiters.
fn address(random: &mut Random) -> Vec<u8> {
    let atom = |random: &mut Random| -> Vec<u8> {
        let octet = |random: &mut Random| *random.pick(b"abYZ09!#$%&'*+-/=?^_`{|}~");
        (0..=random.below(4)).map(|_| octet(random)).collect()
    };
    let mut address = atom(random);
    if random.chance(50) {
        address.push(b'.');
        address.extend(atom(random));
    }
    if random.chance(30) {
        let inner = |random: &mut Random| *random.pick(b"a,;:@<>()[]?&=%/");
        address = (0..random.below(6)).map(|_| inner(random)).collect();
        address.insert(0, b'"');
        address.extend(b"\\ \\\"\"");
    }
    address.push(b'@');
    match random.below(3) {
        0 => address.extend(b"[IPv6:2001:db8::7]"),
        1 => address.extend("納豆.example".bytes()),
        _ => address.extend(b"Example.org"),
    }
    address
}

#[test]
fn built_urls_read_back_unchanged() {
    let mut random = Random::new(6068);
    let any = |random: &mut Random| u8::try_from(random.below(256)).unwrap();
    for _ in 0..4_000 {
        let to: Vec<_> = (0..random.below(4)).map(|_| address(&mut random)).collect();
        let value: Vec<u8> = (0..random.below(8)).map(|_| any(&mut random)).collect();
        let value: Vec<u8> = value
            .into_iter()
            .filter(|o| !o.is_ascii_control())
            .collect();
        let body: Vec<u8> = (0..random.below(8))
            .map(|_| *random.pick(b"\r\n\na+ "))
            .collect();
        let mut builder = Mailto::unaddressed();
        for address in &to {
            builder = builder.and_to(address);
        }
        builder = builder.header("x-any", &value).subject(&value).body(&body);
        let url = builder.build().unwrap();
        let read = Mailto::read(url.as_uri()).unwrap();
        assert!(
            read.addresses()
                .map(|address| address.encoded().to_bytes().into_owned())
                .eq(to)
        );
        assert_eq!(*read.subject().unwrap().to_bytes(), *value);
        assert_eq!(*read.header("X-Any").unwrap().to_bytes(), *value);
        let lines = String::from_utf8(body).unwrap();
        let lines = lines.replace("\r\n", "\n").replace('\r', "\n");
        assert_eq!(
            *read.body().unwrap().to_bytes(),
            *lines.replace('\n', "\r\n").as_bytes()
        );
        // Under RFC 2396 the same text is an opaque part.
        let opaque = Standard::Rfc2396.parse(url.as_str()).unwrap();
        let read = Mailto::read_as(opaque, Edition::Successor).unwrap();
        assert_eq!(read.headers().count(), 3);
    }
}

#[test]
fn one_address_gives_the_same_url_in_rfc_1738() {
    for (address, text) in [
        (
            "gorby%kremvax@example.com",
            "mailto:gorby%25kremvax@example.com",
        ),
        (
            "\"not@me\"@example.org",
            "mailto:%22not%40me%22@example.org",
        ),
        ("bill+ietf@example.org", "mailto:bill+ietf@example.org"),
        ("a@[10.0.0.1]", "mailto:a@%5B10.0.0.1%5D"),
    ] {
        assert_eq!(Mailto::builder(address).build().unwrap().as_str(), text);
        let url = Mailto::builder(address)
            .build_any(Standard::Rfc1738)
            .unwrap();
        assert_eq!(url.as_str(), text);
        let read = Mailto::read(url.as_any_ref()).unwrap();
        assert_eq!(read.specification(), "RFC 1738, 3.5");
    }
}

#[test]
fn invalid_parts_are_not_built() {
    for no_address in [
        "joe",
        "joe@",
        "@example.com",
        "a b@c",
        "a@b@c",
        "",
        "a,b@c",
        "a..b@c",
    ] {
        let error = Mailto::builder(no_address).build().unwrap_err();
        assert!(
            matches!(error, BuildError::Scheme(_)) || no_address.is_empty(),
            "{no_address}: {error}"
        );
    }
    let header = Mailto::builder("a@b").header("subject", "x\r\nbcc: c@d");
    let part = "header field";
    assert_eq!(header.build().map(drop), Err(BuildError::Control { part }));
    // RFC 1738 does not allow a list.
    let two = || Mailto::builder("a@b").and_to("c@d");
    assert!(matches!(
        two().build_any(Standard::Rfc1738),
        Err(BuildError::Syntax(_))
    ));
    assert!(two().build_any(Standard::Rfc2396).is_ok());
    // RFC 1738 does not allow non-ASCII characters either.
    assert!(Mailto::builder("dürst@example.org").build().is_ok());
    let error = Mailto::builder("dürst@example.org").build_any(Standard::Rfc2396);
    assert!(matches!(error, Err(BuildError::Scheme(_))));
}

#[test]
fn only_the_body_has_line_ends() {
    let build = |name: &str, value: &str| Mailto::unaddressed().header(name, value).build();
    for name in ["body", "Body", "BODY"] {
        let url = build(name, "a\nb\rc\r\n\td").unwrap();
        let body = "a%0D%0Ab%0D%0Ac%0D%0A%09d";
        assert_eq!(url.as_str(), format!("mailto:?{name}={body}"));
        assert!(Mailto::read(url.as_uri()).is_ok());
    }
    let control = |part| Err(BuildError::Control { part });
    for octet in (0..=0x1F).chain([0x7F]) {
        let text = format!("a{}b", char::from(octet));
        assert_eq!(build("subject", &text).map(drop), control("header field"));
        let name = build(&text, "a").map(drop);
        assert_eq!(name, control("header field's name"));
        let body = Mailto::unaddressed().body(&text).build().map(drop);
        assert_eq!(body, build("Body", &text).map(drop));
        match octet {
            b'\t' | b'\r' | b'\n' => assert_eq!(body, Ok(())),
            _ => assert_eq!(body, control("body")),
        }
    }
}

#[test]
fn names_of_header_fields_are_field_names() {
    let part = "header field's name";
    for name in ["from:x", ":", "", "a b", "für"] {
        let built = Mailto::unaddressed().header(name, "x").build();
        assert_eq!(built.map(drop), Err(BuildError::Misread { part }), "{name}");
    }
    // RFC 5322, 3.6.8: all printable characters except the colon.
    let name: String = ('!'..='~').filter(|c| *c != ':').collect();
    let url = Mailto::unaddressed().header(&name, "x").build().unwrap();
    let read = Mailto::read(url.as_uri()).unwrap();
    assert_eq!(read.header(&name).unwrap(), "x");
}

#[test]
fn errors_of_builders_name_the_part() {
    let part = "address";
    assert_eq!(
        BuildError::Misread { part }.to_string(),
        "the address would parse back as a different value"
    );
    assert_eq!(
        BuildError::Control { part }.to_string(),
        "the address contains a control character"
    );
}

#[test]
fn names_of_header_fields_have_no_case_and_no_disguise() {
    let url = "mailto:?%46rom=a&BCC=b&Resent-X=c&fro%0Am=d&subject%20=e&Body=f&keyWords=g&resent=h";
    let url = Standard::Rfc3986.parse(url).unwrap();
    let mailto = Mailto::read(url).unwrap();
    let cautions = mailto.headers().map(HeaderField::caution);
    assert!(cautions.eq([
        Caution::Ignored,
        Caution::Suspect,
        Caution::Ignored,
        Caution::Ignored,
        Caution::Ignored,
        Caution::Safe,
        Caution::Safe,
        Caution::Suspect,
    ]));
    assert_eq!(mailto.body().unwrap(), "f");
    assert_eq!(mailto.to_fields().count(), 0);
}

#[test]
fn other_schemes_and_generic_readings_are_refused() {
    let url = Standard::Rfc3986.parse("mailtoo:a@b").unwrap();
    assert_eq!(Mailto::read(url).map(drop), Err(ReadError::OtherScheme));
    let url = Standard::Rfc1738.parse_generic("mailto:a").unwrap();
    assert_eq!(Mailto::read(url).map(drop), Err(ReadError::Generic));
}

/// To compute normal forms, the core searches a valid URL for domains itself. This search must find
/// the same domains as `Mailto`.
#[test]
fn normal_forms_have_the_domains_of_the_reading_in_lower_case() {
    let grammar = Grammar::load(&abnf::dir(), "rfc6068").unwrap();
    let mut generator = Generator::new(&grammar, 6068);
    let mut mutator = Mutator::new(6068);
    let mut before = String::new();
    let (mut lowered, mut refused) = (0, 0);
    for _ in 0..10_000 {
        let text = generator.generate(grammar.start());
        let changed = mutator.mutate(&text, &before);
        before.clone_from(&text);
        // Dot segments would be removed.
        for text in [text, changed].iter().filter(|text| !text.contains('/')) {
            for standard in [Standard::Rfc1738, Standard::Rfc2396, Standard::Rfc3986] {
                let Ok(reference) = standard.parse(text) else {
                    continue;
                };
                let normal = reference.normalize();
                let decoded = |text: &str| {
                    urikit::component::Encoded::assume_valid(text)
                        .to_bytes()
                        .into_owned()
                };
                let Ok(read) = Mailto::read(reference) else {
                    let (_, part) = text.split_once(':').unwrap_or_default();
                    let (_, written) = normal.as_str().split_once(':').unwrap_or_default();
                    assert_eq!(decoded(part), decoded(written), "{standard} {text}");
                    refused += 1;
                    continue;
                };
                let normal = Mailto::read(normal.as_any_ref()).unwrap();
                for (old, new) in read.addresses().zip(normal.addresses()) {
                    assert!(old.local_part().eq_decoded(new.local_part()), "{text}");
                    let (old, new) = (old.domain().to_bytes(), new.domain().to_bytes());
                    let is_name =
                        |octet: &u8| octet.is_ascii_alphanumeric() || b"-_.".contains(octet);
                    if old.iter().all(is_name) {
                        assert_eq!(old.to_ascii_lowercase(), *new, "{standard} {text}");
                        lowered += usize::from(old != new);
                    }
                }
            }
        }
    }
    assert!(lowered > 500 && refused > 5_000, "{lowered} {refused}");
}
