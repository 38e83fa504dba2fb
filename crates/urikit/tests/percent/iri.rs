//! Tests the mapping between IRIs and URIs.

use crate::octets;
use urikit::grammar::rfc3986::UNRESERVED;
use urikit::{Iri, IriRef, Standard, Uri, UriRef, UriRefBuf};
use urikit_testkit::Random;
use urikit_testkit::abnf::{Generator, Grammar};
use urikit_testkit::data::project_root;
use urikit_testkit::rows::iri;

#[test]
fn iris_map_to_uris() {
    for row in iri().map {
        let read = IriRef::parse(&row.iri).unwrap();
        assert_eq!(read.to_uri().as_str(), row.uri, "{row:?}");
        assert_eq!(read.display_uri().to_string(), row.uri, "{row:?}");
        if let Ok(iri) = Iri::parse(&row.iri) {
            assert_eq!(iri.to_uri().as_str(), row.uri, "{row:?}");
        }
        #[cfg(feature = "idna")]
        {
            let expected = row.idna.as_ref().unwrap_or(&row.uri);
            assert_eq!(read.to_uri_idna().unwrap().as_str(), expected, "{row:?}");
        }
    }
}

#[test]
fn uris_show_iris() {
    for row in iri().show {
        let read = UriRef::parse(&row.uri).unwrap();
        assert_eq!(read.to_iri().as_str(), row.iri, "{row:?}");
        assert_eq!(read.display_iri().to_string(), row.iri, "{row:?}");
        if let Ok(uri) = Uri::parse(&row.uri) {
            assert_eq!(uri.to_iri().as_str(), row.iri, "{row:?}");
        }
    }
}

/// Removes the differences that RFC 3987, 3.2 lists: escapes of unreserved characters, and the case
/// of hexadecimal digits.
fn normal(uri: &str) -> String {
    let mut out = String::new();
    let mut rest = uri;
    while let Some((plain, escapes)) = rest.split_once('%') {
        out.push_str(plain);
        let (digits, after) = escapes.split_at(2);
        let octet = u8::from_str_radix(digits, 16).unwrap();
        if UNRESERVED.set().contains(octet) {
            out.push(char::from(octet));
        } else {
            out.push('%');
            out.push_str(&digits.to_uppercase());
        }
        rest = after;
    }
    out + rest
}

fn generated(standard: Standard, count: usize) -> impl Iterator<Item = String> {
    let folder = project_root().join("spec/abnf");
    let grammar = Grammar::load(&folder, standard.name()).unwrap();
    let mut generator = Generator::new(&grammar, 3987);
    let texts: Vec<String> = (0..count)
        .map(|_| generator.generate(grammar.start()))
        .collect();
    texts.into_iter()
}

#[test]
fn every_iri_maps_to_a_uri_once() {
    for text in generated(Standard::Rfc3987, 20_000) {
        let iri = IriRef::parse(&text).unwrap();
        let uri: UriRefBuf = iri.to_uri();
        // The URI is valid, and has the components that parsing finds.
        assert_eq!(
            UriRef::parse(uri.as_str()).unwrap(),
            uri.as_uri_ref(),
            "{text}"
        );
        // Mapping is idempotent, and changes no URI.
        let again = IriRef::from(uri.as_uri_ref());
        assert_eq!(again.to_uri(), uri, "{text}");
        assert_eq!(iri.display_uri().to_string(), uri.as_str());
        if let Ok(iri) = Iri::try_from(iri) {
            assert_eq!(iri.to_uri(), uri, "{text}");
        }
        let mut out = "held ".to_owned();
        iri.to_uri_into(&mut out);
        assert_eq!(out, format!("held {uri}"));
        // The components are the same.
        let view = uri.as_uri_ref();
        assert_eq!(view.form(), iri.form(), "{text}");
        assert_eq!(view.port(), iri.port(), "{text}");
        assert!(
            view.path().segments().count() == iri.path().segments().count(),
            "{text}"
        );
        // The IRI maps back to the same URI.
        let back = uri.to_iri();
        let mapped = back.to_uri();
        assert_eq!(normal(mapped.as_str()), normal(uri.as_str()), "{text}");
        // A URI without escapes or hidden characters is left unchanged.
        let is_shown = |c: char| c.is_ascii() || urikit_shows(c);
        if !text.contains('%') && text.chars().all(is_shown) {
            assert_eq!(back.as_str(), text);
        }
    }
}

/// Returns true if an IRI shows a character literally.
fn urikit_shows(c: char) -> bool {
    let bidi = "\u{200E}\u{200F}\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}\u{61C}\u{2066}\u{2067}\u{2068}\u{2069}";
    !bidi.contains(c) && !c.is_whitespace()
}

#[test]
fn every_uri_shows_an_iri_that_maps_back() {
    let mut random = Random::new(3986);
    let escapes = (0..20_000).map(|_| {
        let mut escaped = |length| -> String {
            let octets: Vec<u8> = (0..length).flat_map(|_| octets(&mut random)).collect();
            octets
                .iter()
                .fold(String::new(), |text, octet| text + &format!("%{octet:02x}"))
        };
        format!(
            "http://{}@{}/{}?{}#{}",
            escaped(1),
            escaped(1),
            escaped(2),
            escaped(1),
            escaped(1)
        )
    });
    for text in generated(Standard::Rfc3986, 20_000).chain(escapes) {
        let uri = UriRef::parse(&text).unwrap();
        let iri = uri.to_iri();
        let view: IriRef<'_> = iri.as_iri_ref();
        assert_eq!(IriRef::parse(iri.as_str()), Ok(view), "{text}");
        assert_eq!(uri.display_iri().to_string(), iri.as_str());
        assert_eq!(normal(view.to_uri().as_str()), normal(&text), "{iri}");
        if let Ok(uri) = Uri::try_from(uri) {
            assert_eq!(uri.to_iri(), iri, "{text}");
        }
        assert!(
            iri.as_str()
                .chars()
                .all(|c| c.is_ascii() || urikit_shows(c)),
            "{iri}"
        );
        assert!(iri.as_str().len() <= text.len());
        assert_eq!(view.form(), uri.form(), "{text}");
        // The IRI contains no escape of a character that it could show literally.
        let mut out = String::new();
        if let Ok(again) = UriRef::parse(iri.as_str()) {
            again.to_iri_into(&mut out);
            assert_eq!(out, iri.as_str());
        }
    }
}

#[cfg(feature = "idna")]
#[test]
fn hosts_by_idna() {
    use urikit::op::iri::ToUriError;
    let by_idna = |text| IriRef::parse(text).unwrap().to_uri_idna();
    for (iri, uri) in [
        ("http://faß.de/", "http://xn--fa-hia.de/"),
        ("http://BÜCHER.example./", "http://xn--bcher-kva.example./"),
        ("http://bücher。example/", "http://xn--bcher-kva.example/"),
        ("http://A_b/%C3%BC", "http://A_b/%C3%BC"),
        ("http://[::1]/ü", "http://[::1]/%C3%BC"),
        (
            "http+unix://%2Ftmp%2Fa.sock/ü",
            "http+unix://%2Ftmp%2Fa.sock/%C3%BC",
        ),
        ("mailto:ü@ü", "mailto:%C3%BC@%C3%BC"),
    ] {
        assert_eq!(by_idna(iri).unwrap().as_str(), uri, "{iri}");
    }
    for iri in [
        "http://u@ü_b/",
        "http://u@-ü/",
        "http://u@%FC/",
        "http://u@ü%2Fa/",
        "http://u@\u{378}/",
    ] {
        assert_eq!(
            by_idna(iri).unwrap_err(),
            ToUriError::Host { offset: 9 },
            "{iri}"
        );
    }
    let long = format!("http://{}ü/", "a".repeat(63));
    assert!(by_idna(&long).is_err());
}

#[cfg(feature = "idna")]
#[test]
fn names_for_the_dns_and_for_people() {
    use urikit::op::iri::NotADomainName;
    let host = |text| {
        let iri: IriRef<'_> = IriRef::parse(text).unwrap();
        let host = iri.host().unwrap();
        (host.to_ascii(), host.to_unicode())
    };
    for (iri, ascii, unicode) in [
        ("//faß.de", "xn--fa-hia.de", "faß.de"),
        ("//xn--fa-hia.DE", "xn--fa-hia.DE", "faß.de"),
        (
            "//XN--BCHER-KVA.example.",
            "XN--BCHER-KVA.example.",
            "bücher.example.",
        ),
        (
            "//B%C3%9Ccher.example",
            "xn--bcher-kva.example",
            "bücher.example",
        ),
        ("//%78n--bcher-kva", "%78n--bcher-kva", "bücher"),
        // Nothing needs to be converted, so the host stays as written, even if it is not a name.
        ("//A_b.%41", "A_b.%41", "A_b.%41"),
        ("//a%2Eb", "a%2Eb", "a%2Eb"),
        ("//[::1]", "[::1]", "[::1]"),
        ("//127.0.0.1", "127.0.0.1", "127.0.0.1"),
        ("//", "", ""),
    ] {
        assert_eq!(host(iri), (Ok(ascii.into()), Ok(unicode.into())), "{iri}");
    }
    for iri in ["//ü_b", "//-ü", "//%FC", "//ü%2Fa", "//\u{378}"] {
        assert_eq!(
            host(iri),
            (Err(NotADomainName), Err(NotADomainName)),
            "{iri}"
        );
    }
    // These hosts are invalid Punycode, or Punycode of characters that UTS 46 maps.
    for iri in ["//xn-----", "//xn--a", "//a.xn--fa-hia_", "//xn--bcher-2pa"] {
        assert_eq!(host(iri).1, Err(NotADomainName), "{iri}");
    }
}
