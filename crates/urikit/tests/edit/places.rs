//! Every ASCII character in every component, under every standard.

use urikit::{Standard, UriBuilder, Value};

type Setter = for<'a> fn(UriBuilder<'a>, Value<'a>) -> UriBuilder<'a>;

/// Each component after a text that makes the rest of it harmless.
const SETTERS: [(&str, Setter); 7] = [
    ("", |edit, value| edit.user(value)),
    ("", |edit, value| edit.password(value)),
    ("h", |edit, value| edit.host(value)),
    ("/x", |edit, value| edit.path(value)),
    ("x", |edit, value| edit.params(value)),
    ("x", |edit, value| edit.query(value)),
    ("x", |edit, value| edit.fragment(value)),
];

/// References with all the components that their standard has in their scheme.
const REFERENCES: [&str; 14] = [
    "http://u:p@h/a?q#f",
    "http://h/a?q#f",
    "ftp://u:p@h/a#f",
    "//u:p@h/a;b?q#f",
    "gopher://h/1a#f",
    "wais://h/d?q#f",
    "prospero://h/a#f",
    "telnet://u:p@h/#f",
    "telnet://u:p@h#f",
    "x://u:p@h/a?q#f",
    "file:///a#f",
    "/a?q#f",
    "x:/a?q#f",
    "mailto:a@b#f",
];

/// A character is escaped only where it cannot stand as itself, and then can.
#[test]
fn a_character_is_escaped_only_where_it_must_be() {
    let mut out = String::new();
    let mut escaped = 0;
    for standard in Standard::ALL {
        for text in REFERENCES {
            let Ok(reference) = standard.parse(text) else {
                continue;
            };
            for (nth, (before, set)) in SETTERS.into_iter().enumerate() {
                for c in (0..=127_u8).map(char::from) {
                    let given = format!("{before}{c}");
                    let case = format!("{standard} {text} {nth} {given:?}");
                    let mut result = |value: Value<'_>| {
                        out.clear();
                        let edited = set(reference.to_builder(), value).write_into(&mut out);
                        edited.map(|reference| reference.as_str().to_owned())
                    };
                    let as_itself = result(Value::encoded(&given));
                    let as_needed = result(Value::lenient(&given));
                    // A text without more is data in a leaf, and else must be valid as it is.
                    let without_more = result(Value::from(&given));
                    let is_leaf = nth < 2;
                    if is_leaf {
                        assert_eq!(without_more, result(Value::data(&given)), "{case}");
                    } else {
                        assert_eq!(without_more, as_itself, "{case}");
                    }
                    match (&as_itself, &as_needed) {
                        (Ok(a), Ok(b)) => assert_eq!(a, b, "{case}"),
                        (Ok(a), Err(_)) => assert!(nth == 2, "{case}: {a} is refused"),
                        (Err(_), Ok(b)) => {
                            assert!(b.contains(&format!("%{:02X}", c as u8)), "{case}: {b}");
                            escaped += 1;
                        }
                        (Err(_), Err(_)) => {}
                    }
                }
            }
        }
    }
    assert!(escaped > 10_000, "{escaped}");
}

/// Data in a leaf is written as `encode` writes it for that place.
#[test]
fn data_in_a_leaf_is_what_encode_gives() {
    use urikit::percent::{Place, encode};
    let characters = (0..=127_u8).map(char::from);
    let texts = characters.flat_map(|c| [format!("x{c}y"), format!("{c}{c}x")]);
    let more = [
        "a;b",
        "a=b",
        "a=b;c",
        "é",
        "x\u{200E}y",
        "x\u{2003}y",
        "x\u{E000}",
        "%41+%",
    ];
    let texts: Vec<String> = texts.chain(more.map(String::from)).collect();
    for standard in [
        Standard::Rfc2396,
        Standard::Rfc2732,
        Standard::Rfc3986,
        Standard::Rfc3987,
    ] {
        for text in &texts {
            let encoded = |place| encode(text, place, standard).unwrap().to_string();
            let url = standard.parse("http://h/").unwrap().to_builder();
            let built = url
                .user(text)
                .password(text)
                .push_segment(text)
                .query_append(text, text)
                .build_any()
                .unwrap();
            let pair = built.query_pairs().next().unwrap();
            let last = built.segments().next_back().unwrap();
            let case = format!("{standard} {text:?}");
            assert_eq!(built.user().unwrap(), *encoded(Place::User), "{case}");
            assert_eq!(
                built.password().unwrap(),
                *encoded(Place::Password),
                "{case}"
            );
            assert_eq!(last, *encoded(Place::Segment), "{case}");
            assert_eq!(pair.name(), *encoded(Place::QueryName), "{case}");
            assert_eq!(pair.value().unwrap(), *encoded(Place::QueryValue), "{case}");
            // It reads back unchanged.
            assert_eq!(last.to_utf8().unwrap(), *text, "{case}");
            assert_eq!(pair.value().unwrap().to_utf8().unwrap(), *text, "{case}");
        }
    }
}

/// A host is never made by escaping a delimiter, unless the text is said to be data.
#[test]
fn delimiters_in_a_host_are_refused() {
    use urikit::op::Component;
    use urikit::{EditError, UriRef};
    let url = UriRef::parse("http://h/").unwrap();
    let set = |value: Value<'_>| url.to_builder().host(value).build_ref();
    for (host, offset) in [
        ("a:80", 1),
        ("a/b", 1),
        ("u@a", 1),
        ("a#", 1),
        ("a?", 1),
        ("a\\b", 1),
        ("::1", 0),
    ] {
        let found = host.chars().nth(offset).unwrap();
        assert!(set(Value::encoded(host)).is_err(), "{host}");
        for value in [Value::from(host), Value::lenient(host)] {
            let error = set(value).unwrap_err();
            let component = Component::Host;
            let expected = EditError::Delimiter {
                component,
                found,
                offset,
            };
            assert_eq!(error, expected, "{host}");
        }
    }
    assert_eq!(set(Value::data("a:80")).unwrap().as_str(), "http://a%3A80/");
    assert_eq!(set("[::1]".into()).unwrap().as_str(), "http://[::1]/");
    assert!(set("[::1]x".into()).is_err());
}

/// A name beyond US-ASCII becomes the one that the DNS has, and never escapes that it has not.
#[test]
fn a_name_beyond_ascii_is_one_of_the_dns() {
    use urikit::EditError;
    let mut out = String::new();
    for standard in Standard::ALL {
        let url = standard.parse("http://h/").unwrap();
        for of in [Value::from, Value::lenient, Value::data] {
            let mut set = |host: &'static str| {
                out.clear();
                let edited = url.to_builder().host(of(host)).write_into(&mut out);
                edited.map(|reference| reference.as_str().to_owned())
            };
            let expected = if standard == Standard::Rfc3987 {
                Ok("http://é/".to_owned())
            } else if cfg!(feature = "idna") {
                Ok("http://xn--9ca/".to_owned())
            } else {
                Err(EditError::NotADomainName)
            };
            assert_eq!(set("é"), expected, "{standard}");
            for host in ["é_a", "\u{378}", "-é"] {
                if standard != Standard::Rfc3987 {
                    assert_eq!(
                        set(host),
                        Err(EditError::NotADomainName),
                        "{standard} {host}"
                    );
                }
            }
        }
    }
}

/// In data, `%41` is three characters, which no domain name has.
#[cfg(feature = "idna")]
#[test]
fn what_looks_like_an_escape_in_a_host_that_is_data_is_data() {
    use urikit::EditError;
    for (host, outcome) in [
        ("a%41", Ok("http://a%2541")),
        ("a%41é", Err(EditError::NotADomainName)),
        ("%C3%A9é", Err(EditError::NotADomainName)),
    ] {
        let built = UriBuilder::new().scheme("http").host(Value::data(host));
        let built = built.build();
        assert_eq!(
            built.as_ref().map(urikit::UriBuf::as_str),
            outcome.as_ref().copied(),
            "{host}"
        );
    }
}
