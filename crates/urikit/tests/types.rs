//! The ten types: conversions that never parse again, comparison as text, parsing through traits,
//! serde.

#![allow(clippy::unwrap_used)] // a test fails by panicking
#![allow(clippy::nonminimal_bool)] // `==` is tested in both directions

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use urikit::op::{CowRef, Level};
use urikit::{
    AnyRef, AnyRefBuf, Iri, IriBuf, IriRef, IriRefBuf, Reference, Standard, Uri, UriBuf, UriRef,
    UriRefBuf,
};
use urikit_testkit::abnf::{Generator, Grammar, dir};

/// All components and properties of a reference of RFC 3986 or RFC 3987.
fn parts(reference: &impl Reference) -> String {
    let any = reference.as_any();
    format!(
        "{:?} {:?} {:?}",
        any.form(),
        any.host_kind(),
        (
            any.scheme(),
            any.authority(),
            any.path(),
            any.query(),
            any.fragment()
        )
    )
}

#[test]
fn conversions_are_what_parsing_would_give() {
    for (name, standard) in [
        ("rfc3986", Standard::Rfc3986),
        ("rfc3987", Standard::Rfc3987),
    ] {
        let grammar = Grammar::load(&dir(), name).unwrap();
        let mut generator = Generator::new(&grammar, 1301);
        for _ in 0..20_000 {
            let text = generator.generate(grammar.start());
            let any = standard.parse(&text).unwrap();
            convert(any, &text);
        }
    }
}

fn convert(any: AnyRef<'_>, text: &str) {
    let iri_ref = IriRef::try_from(any).unwrap();
    assert_eq!(parts(&iri_ref), parts(&IriRef::parse(text).unwrap()));
    assert_eq!(AnyRef::from(iri_ref).standard(), Standard::Rfc3987);
    let uri_ref = UriRef::try_from(iri_ref);
    assert_eq!(
        uri_ref.map(|r| parts(&r)),
        UriRef::parse(text).map(|r| parts(&r)),
        "{text:?}"
    );
    let iri = Iri::try_from(iri_ref);
    assert_eq!(
        iri.map(|r| parts(&r)),
        Iri::parse(text).map(|r| parts(&r)),
        "{text:?}"
    );
    let uri = Uri::try_from(iri_ref);
    assert_eq!(
        uri.map(|r| parts(&r)),
        Uri::parse(text).map(|r| parts(&r)),
        "{text:?}"
    );
    if let (Ok(uri), Ok(uri_ref)) = (uri, uri_ref) {
        assert_eq!(Iri::from(uri), text);
        assert_eq!(UriRef::from(uri), uri_ref);
        assert_eq!(parts(&IriRef::from(uri)), parts(&iri_ref));
    }
    // A failed conversion of an owned type returns its value.
    let owned = iri_ref.to_owned();
    match UriBuf::try_from(owned.clone()) {
        Ok(buf) => assert_eq!(parts(&buf), parts(&uri.unwrap())),
        Err(rejected) => {
            assert_eq!(rejected.error(), uri.unwrap_err());
            assert_eq!(rejected.into_value(), owned);
        }
    }
}

#[test]
fn from_another_standard_by_parsing() {
    let opaque = Standard::Rfc2396.parse("mailto:a@b?c").unwrap();
    assert_eq!(opaque.query(), None);
    assert_eq!(Uri::try_from(opaque).unwrap().query().unwrap(), "c");
    let tilde = AnyRefBuf::parse("http://h/~a", Standard::Rfc2396).unwrap();
    assert_eq!(UriRefBuf::try_from(tilde).unwrap(), "http://h/~a");
    let wide = AnyRefBuf::parse("http:xyz", Standard::Rfc1630).unwrap_err();
    assert_eq!(wide.offset(), 5);
    // The net_loc of RFC 1808 allows more than an authority.
    let rejected = UriBuf::try_from(AnyRefBuf::parse("http://a?b", Standard::Rfc1808).unwrap());
    assert_eq!(rejected.unwrap().query().unwrap(), "b");
}

#[test]
fn every_type_compares_as_text() {
    let text = "http://a/b";
    let (uri, buf) = (Uri::parse(text).unwrap(), UriBuf::parse(text).unwrap());
    let (uri_ref, ref_buf) = (
        UriRef::parse(text).unwrap(),
        UriRefBuf::parse(text).unwrap(),
    );
    let (iri, iri_buf) = (Iri::parse(text).unwrap(), IriBuf::parse(text).unwrap());
    let (iri_ref, iri_ref_buf) = (
        IriRef::parse(text).unwrap(),
        IriRefBuf::parse(text).unwrap(),
    );
    let string = text.to_owned();
    assert!(uri == buf && buf == uri);
    assert!(uri == text && text == uri && *text == uri && uri == *text);
    assert!(uri == string && string == uri);
    assert!(buf == string && string == buf && buf == text);
    assert!(iri == uri && uri == iri && iri_ref == uri_ref);
    assert!(
        uri_ref == ref_buf
            && ref_buf == uri_ref
            && uri_ref == uri
            && ref_buf == buf
            && uri_ref == buf
    );
    assert!(iri == iri_buf && iri_ref == iri_ref_buf && iri_ref == iri && iri_ref_buf == iri_buf);
    assert!(iri == text && iri_ref_buf == string && AnyRef::from(uri) == text);
    assert_eq!(uri.partial_cmp("http://a/c"), Some(Ordering::Less));
    assert_eq!(
        buf.partial_cmp(&Uri::parse("http://a/a").unwrap()),
        Some(Ordering::Greater)
    );

    // `Borrow<str>`: maps with references as keys can be searched by text.
    let by_hash = HashMap::from([(buf.clone(), 1)]);
    assert_eq!(by_hash.get(text), Some(&1));
    let by_order = BTreeMap::from([(ref_buf, 2)]);
    assert_eq!(by_order.get(text), Some(&2));
    let as_text: &str = Borrow::<str>::borrow(&uri);
    assert_eq!(as_text, text);
}

#[test]
fn the_traits_of_parsing() {
    let text = String::from("../a");
    assert_eq!(
        UriRef::try_from(text.as_str()).unwrap(),
        UriRef::try_from(&text).unwrap()
    );
    assert_eq!(
        UriRefBuf::try_from("../a").unwrap(),
        text.parse::<UriRefBuf>().unwrap()
    );
    let at = text.as_ptr();
    let owned = UriRefBuf::try_from(text).unwrap();
    let text = owned.into_string();
    assert_eq!(text.as_ptr(), at, "not copied");
    let rejected = IriBuf::try_from(String::from("http://u:secret@h /")).unwrap_err();
    assert!(!format!("{rejected:?} {rejected}").contains("secret"));
    assert_eq!(rejected.into_value(), "http://u:secret@h /");
    assert_eq!(UriRef::default(), "");
    assert_eq!(IriRefBuf::default(), IriRef::default());
    assert_eq!(
        UriRefBuf::parse("a b").unwrap_err(),
        "a b".parse::<UriRefBuf>().unwrap_err()
    );
}

#[test]
fn fragments_are_removed_without_parsing() {
    const HOME: Uri<'_> = Uri::from_static("http://a/b?c#d").without_fragment();
    assert_eq!(HOME, "http://a/b?c");
    assert_eq!(parts(&HOME), parts(&Uri::parse("http://a/b?c").unwrap()));
    let mut owned = UriRefBuf::parse("#a").unwrap();
    assert_eq!(owned.without_fragment(), "");
    owned.remove_fragment();
    owned.remove_fragment();
    assert_eq!(
        (owned.as_str(), owned.fragment(), owned.form()),
        ("", None, urikit::Form::Empty)
    );
}

#[test]
fn components_in_constants() {
    const URI: Uri<'_> = Uri::from_static("ldap://u@[2001:db8::7]:389/c=GB?one#x");
    const SCHEME: &str = URI.scheme();
    const PORT: Option<&str> = URI.port();
    const PATH: &str = URI.path().as_str();
    const QUERY: Option<urikit::component::Encoded<'_>> = URI.query();
    const HOST: Option<urikit::component::Host<'_>> = URI.host();
    const USERINFO: Option<urikit::component::Encoded<'_>> = URI.userinfo();
    assert_eq!((SCHEME, PORT, PATH), ("ldap", Some("389"), "/c=GB"));
    assert_eq!(
        (
            QUERY.unwrap().as_str(),
            HOST.unwrap().as_str(),
            USERINFO.unwrap().as_str()
        ),
        ("one", "[2001:db8::7]", "u")
    );
}

#[test]
#[should_panic(expected = "not a valid URI: byte 23")]
fn a_static_text_that_is_not_valid_names_the_byte() {
    let _ = Uri::from_static("http://www.ietf.org/rfc 2396.txt");
}

#[test]
#[should_panic(expected = "not a valid IRI reference: byte 0")]
fn the_first_byte_too() {
    let _ = IriRef::from_static(" ");
}

#[test]
fn normal_forms_keep_their_type() {
    let base = UriBuf::parse("HTTP://A/b/../c#d").unwrap();
    let normal = base.normalize();
    assert!(matches!(normal, CowRef::Owned(_)));
    assert_eq!(
        base.join("../g").unwrap(),
        UriRef::parse("../g")
            .unwrap()
            .resolve_against(&normal)
            .unwrap()
            .to_builder()
            .scheme("HTTP")
            .host("A")
            .build()
            .unwrap()
    );
    let owned: UriBuf = normal.into_owned();
    assert!(owned.normalize().is_borrowed() && owned.is_normal(Level::Scheme));
    assert_eq!(owned, "http://a/c#d");
    assert_eq!(
        owned.relative_to(Uri::from_static("http://a/x")).unwrap(),
        "c#d"
    );
}

/// Functions that return parts of a borrowed reference. These functions compile because the parts
/// borrow from the text and outlive the reference.
mod outlives_the_reference {
    use urikit::component::{FormPair, Pair};
    use urikit::op::iri::{DisplayIri, DisplayUri};
    use urikit::op::{CowRef, Level, Origin, Redacted};
    use urikit::{Iri, IriBuf, IriRef, IriRefBuf, Uri, UriBuf, UriBuilder, UriRef, UriRefBuf};

    macro_rules! functions {
        ($name:ident, $T:ident, $Buf:ident, $display:ident -> $Display:ident) => {
            pub(crate) mod $name {
                use super::*;

                pub(crate) fn origin(text: &str) -> Option<Origin<'_>> {
                    $T::parse(text)
                        .ok()
                        .and_then(|reference| reference.origin().ok())
                }
                pub(crate) fn redact(text: &str) -> Redacted<'_> {
                    $T::parse(text).unwrap().display_redacted()
                }
                pub(crate) fn normalize(text: &str) -> CowRef<$T<'_>, $Buf> {
                    $T::parse(text).unwrap().normalize()
                }
                pub(crate) fn normalize_to(text: &str, level: Level) -> CowRef<$T<'_>, $Buf> {
                    $T::parse(text).unwrap().normalize_to(level)
                }
                pub(crate) fn to_builder(text: &str) -> UriBuilder<'_> {
                    $T::parse(text).unwrap().to_builder()
                }
                pub(crate) fn display(text: &str) -> $Display<'_> {
                    $T::parse(text).unwrap().$display()
                }
                pub(crate) fn without_fragment(text: &str) -> $T<'_> {
                    $T::parse(text).unwrap().without_fragment()
                }
                pub(crate) fn pairs(text: &str) -> impl DoubleEndedIterator<Item = Pair<'_>> {
                    $T::parse(text).unwrap().query_get_all_raw("q")
                }
                pub(crate) fn form(text: &str) -> impl DoubleEndedIterator<Item = FormPair<'_>> {
                    $T::parse(text).unwrap().form_pairs_decoded()
                }
            }
        };
    }

    functions!(uri, Uri, UriBuf, display_iri -> DisplayIri);
    functions!(uri_ref, UriRef, UriRefBuf, display_iri -> DisplayIri);
    functions!(iri, Iri, IriBuf, display_uri -> DisplayUri);
    functions!(iri_ref, IriRef, IriRefBuf, display_uri -> DisplayUri);
}

#[test]
fn results_live_as_long_as_the_text() {
    macro_rules! checked {
        ($($module:ident)*) => {$(
            use outlives_the_reference::$module as given;
            let text = String::from("http://u:p@h/a?q=1+2#f");
            assert_eq!(given::origin(&text).unwrap().to_string(), "http://h");
            assert_eq!(given::redact(&text).to_string(), "http://u:***@h/a?q=1+2#f");
            assert!(given::normalize(&text).is_borrowed());
            assert!(given::normalize_to(&text, Level::Case).is_borrowed());
            assert_eq!(given::to_builder(&text).host("i").build_any().unwrap(), "http://u:p@i/a?q=1+2#f");
            assert_eq!(given::display(&text).to_string(), text);
            assert_eq!(given::without_fragment(&text), "http://u:p@h/a?q=1+2");
            assert_eq!(given::pairs(&text).count(), 1);
            assert_eq!(given::form(&text).next().unwrap().unwrap().1, "1 2");
        )*};
    }
    {
        checked!(uri);
    }
    {
        checked!(uri_ref);
    }
    {
        checked!(iri);
    }
    {
        checked!(iri_ref);
    }
}

#[cfg(feature = "serde")]
#[test]
fn serde_checks_the_scheme() {
    assert_eq!(
        serde_json::from_str::<UriBuf>("\"/v1/\"")
            .unwrap_err()
            .to_string(),
        "a scheme is required, but this is a relative reference: expected a letter, but found `/` \
         at byte 0 (scheme, RFC 3986, 3.1)",
    );
    let read = serde_json::from_str::<Uri<'_>>("\"http://a/b\"").unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), "\"http://a/b\"");
    assert!(serde_json::from_str::<UriBuf>("\"example.com/a\"").is_err());
    assert_eq!(
        serde_json::from_str::<UriRefBuf>("\"example.com/a\"").unwrap(),
        "example.com/a"
    );
    assert_eq!(
        serde_json::from_str::<IriRefBuf>("\"ros\\u00e9\"").unwrap(),
        "rosé"
    );
    assert!(serde_json::from_str::<IriBuf>("\"ros\\u00e9\"").is_err());
}

/// RFC 9112, 3.2: the forms of a request target.
#[cfg(feature = "http")]
#[test]
fn request_targets_keep_their_components() {
    let base = Uri::parse("http://10.0.0.7:8080/").unwrap();
    for (target, reference, resolved) in [
        ("/a?q", "/a?q", "http://10.0.0.7:8080/a?q"),
        (
            "//evil.example/x",
            "/.//evil.example/x",
            "http://10.0.0.7:8080//evil.example/x",
        ),
        (
            "//u:p@evil.example?q",
            "/.//u:p@evil.example?q",
            "http://10.0.0.7:8080//u:p@evil.example?q",
        ),
        ("///x", "/.///x", "http://10.0.0.7:8080///x"),
        ("*", "*", "http://10.0.0.7:8080/*"),
        (
            "example.com:443",
            "//example.com:443",
            "http://example.com:443",
        ),
        ("localhost", "//localhost", "http://localhost"),
        (
            "http://a.example//b",
            "http://a.example//b",
            "http://a.example//b",
        ),
        ("http://a.example", "http://a.example/", "http://a.example/"),
        (
            "http://a.example?q",
            "http://a.example/?q",
            "http://a.example/?q",
        ),
    ] {
        let target: http::Uri = target.parse().unwrap();
        let converted = UriRefBuf::try_from(&target).unwrap();
        assert_eq!(converted, reference);
        assert_eq!(
            converted.resolve_against(base).unwrap(),
            resolved,
            "{target}"
        );
        let absolute = UriBuf::try_from(&target).ok();
        assert_eq!(absolute.is_some(), target.scheme().is_some(), "{target}");
    }
}

#[cfg(feature = "http")]
#[test]
fn a_reference_becomes_a_request_target_only_with_the_same_components() {
    for text in [
        "",
        "a",
        "a/b",
        "a.example:80",
        "?q",
        "#f",
        "//",
        "//a.example/",
        "//a.example?q",
        "mailto:jo@example.com",
        "http:a",
        "http:/a",
        "http:///a",
        "urn:a:b",
        "x://",
        "file:///etc/motd",
    ] {
        let reference = UriRefBuf::parse(text).unwrap();
        let target = http::Uri::try_from(&reference);
        assert!(
            target.is_err(),
            "{text}: {:?}",
            target.map(http::Uri::into_parts)
        );
        if let Ok(uri) = UriBuf::parse(text) {
            assert!(http::Uri::try_from(&uri).is_err(), "{text}");
        }
    }
    for (text, target) in [
        ("/", "/"),
        ("/a?b#c", "/a?b"),
        ("*", "*"),
        ("/.//a", "/.//a"),
        ("//a.example:443", "a.example:443"),
        ("//a.example#f", "a.example"),
        ("HTTP://u@A.example:80?q", "HTTP://u@A.example:80/?q"),
        ("x://a.example//b?", "x://a.example//b?"),
    ] {
        let converted = http::Uri::try_from(UriRefBuf::parse(text).unwrap()).unwrap();
        assert_eq!(converted, target.parse::<http::Uri>().unwrap(), "{text}");
        assert_eq!(
            converted.query(),
            UriRef::parse(text).unwrap().query().map(|q| q.as_str())
        );
        if let Ok(uri) = UriBuf::parse(text) {
            assert_eq!(http::Uri::try_from(uri).unwrap(), converted);
        }
    }
}

#[cfg(feature = "url")]
#[test]
fn a_url_takes_its_host_only_from_the_authority() {
    for text in [
        "http:a.example/b",
        "http:/a.example/b",
        "https:///a.example",
        "ws:////a.example",
    ] {
        let uri = UriBuf::parse(text).unwrap();
        assert_eq!(
            url::Url::try_from(&uri),
            Err(url::ParseError::EmptyHost),
            "{text}"
        );
    }
    for text in [
        "http://a.example/b",
        "file:///b",
        "mailto:jo@a.example",
        "x:/.//b",
        "x:///b",
    ] {
        let uri = UriBuf::parse(text).unwrap();
        let url = url::Url::try_from(&uri).unwrap();
        assert_eq!(url.as_str(), text);
        assert_eq!(UriBuf::try_from(&url).unwrap(), uri);
        assert_eq!(url::Url::try_from(uri), Ok(url));
    }
}

#[test]
fn pairs_are_what_splitting_by_hand_gives_from_both_ends() {
    let mut random = urikit_testkit::Random::new(17);
    for _ in 0..20_000 {
        let query: String = (0..random.below(12))
            .map(|_| *random.pick(&['a', '=', '&', ';', 'é', '&', '=']))
            .collect();
        let text = format!("http://h/?{query}");
        let iri = Iri::parse(&text).unwrap();
        for separator in ['&', ';', '=', 'é', 'a'] {
            let pairs = iri.query().unwrap().pairs(separator);
            let splits = separator.is_ascii() && separator != 'a'; // `a` may be in an escape
            let by_hand: Vec<&str> = match query.as_str() {
                "" => Vec::new(),
                query if splits => query.split(separator).collect(),
                query => vec![query],
            };
            assert!(
                pairs
                    .clone()
                    .map(|pair| pair.as_str())
                    .eq(by_hand.iter().copied())
            );
            let backwards = pairs.clone().rev().map(|pair| pair.as_str());
            assert!(
                backwards.eq(by_hand.iter().rev().copied()),
                "{query:?} {separator:?}"
            );
            for (pair, again) in pairs
                .clone()
                .zip(pairs.rev().collect::<Vec<_>>().iter().rev())
            {
                let split = pair.as_str().split_once('=');
                let name = split.map_or(pair.as_str(), |(name, _)| name);
                assert_eq!((pair.name().as_str(), pair), (name, *again));
                assert_eq!(
                    pair.value().map(|value| value.as_str()),
                    split.map(|(_, value)| value)
                );
            }
        }
    }
}
