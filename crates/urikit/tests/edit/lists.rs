//! Compares segments and pairs with plain lists of strings, and tries every ASCII character in
//! every component under every standard.

use super::generated;
use super::random::{TEXTS, decoded};
use urikit::op::Component;
use urikit::{AnyRef, Change, EditError, Standard, UriBuf, UriBuilder, UriRef, Value};
use urikit_testkit::Random;

fn segments(reference: AnyRef<'_>) -> Vec<String> {
    let segments = reference.path().segments();
    segments
        .map(|segment| segment.as_str().to_owned())
        .collect()
}

fn pairs(reference: AnyRef<'_>) -> Vec<String> {
    let pairs = reference.query_pairs();
    pairs.map(|pair| pair.as_str().to_owned()).collect()
}

/// Some strings contain a delimiter of segments or pairs, which is data in both forms of input.
#[test]
fn segments_are_a_list() {
    let mut random = Random::new(11);
    let mut out = String::new();
    for standard in Standard::ALL {
        let mut done = 0;
        for text in generated(standard, 10_000) {
            let reference = standard.parse(&text).unwrap();
            let mut expected = segments(reference);
            let given = *random.pick(&TEXTS);
            let index = random.below(expected.len() + 2);
            let way = random.below(3);
            let is_data = random.chance(50);
            let value = || {
                if is_data {
                    Value::from(given)
                } else {
                    Value::lenient(given)
                }
            };
            let edit = reference.to_builder();
            let edit = match way {
                0 => edit.push_segment(value()),
                1 => edit.insert_segment(index, value()),
                _ => edit.remove_segment(index),
            };
            out.clear();
            let Ok(after) = edit.write_into(&mut out) else {
                continue;
            };
            done += 1;
            let mut found = segments(after);
            let case = format!("{text:?} {way} {index} {given:?} {is_data}: {found:?}");
            let is_given = |segment: &str| {
                if is_data {
                    decoded(segment) == given.as_bytes()
                } else {
                    decoded(segment) == decoded(given)
                }
            };
            // The string reads back unchanged, whatever was escaped.
            match way {
                0 => {
                    let last = found.pop().unwrap();
                    assert!(!last.contains('/') && is_given(&last), "{case}");
                    if expected.last().is_some_and(String::is_empty) {
                        expected.pop();
                    }
                }
                1 => {
                    let new = found.remove(index);
                    assert!(!new.contains('/') && is_given(&new), "{case}");
                }
                _ => drop(expected.remove(index)),
            }
            assert_eq!(found, expected, "{case}");
            assert_eq!(after.query(), reference.query(), "{case}");
        }
        assert!(done > 2_000, "{standard}: {done}");
    }
}

#[test]
fn pairs_are_a_list() {
    const PIECES: [&str; 9] = ["a=1", "b=2", "a", "a=", "", "=x", "%61=3", "A=4", "c=%26"];
    let mut random = Random::new(12);
    let mut out = String::new();
    for _ in 0..20_000 {
        let count = random.below(6);
        let old: Vec<&str> = (0..count).map(|_| *random.pick(&PIECES)).collect();
        let text = format!("http://h/?{}#f?a=1", old.join("&"));
        let reference = UriRef::parse(&text).unwrap();
        let is_a = |pair: &&str| matches!(pair.split('=').next(), Some("a" | "%61"));
        out.clear();
        let (edit, expected) = match random.below(5) {
            0 => (
                reference.to_builder().query_append("x&y=z", "p&q=r"),
                [old.clone(), vec!["x%26y%3Dz=p%26q%3Dr"]].concat(),
            ),
            1 => {
                let mut pairs = old.clone();
                let first = old.iter().position(&is_a);
                let mut at = 0;
                pairs.retain(|pair| {
                    at += 1;
                    !is_a(pair) || Some(at - 1) == first
                });
                let name = first.map(|at| old.get(at).unwrap().split('=').next().unwrap());
                match first {
                    Some(at) if name == Some("a") => *pairs.get_mut(at).unwrap() = "a=n",
                    Some(at) => *pairs.get_mut(at).unwrap() = "%61=n",
                    None => pairs.push("a=n"),
                }
                (reference.to_builder().query_set("a", "n"), pairs)
            }
            2 => {
                let mut pairs = old.clone();
                pairs.retain(|pair| !is_a(pair));
                (
                    reference.to_builder().query_remove(Value::lenient("%61")),
                    pairs,
                )
            }
            // `%61` as data is not the name `a`.
            3 => (reference.to_builder().query_remove("%61"), old.clone()),
            _ => {
                let mut pairs = old.clone();
                pairs.sort_by_key(|pair| {
                    let name = pair.split('=').next().unwrap();
                    (pair.is_empty(), name.replace("%61", "a").to_lowercase())
                });
                (reference.to_builder().sort_query(), pairs)
            }
        };
        let after = edit.write_into(&mut out).unwrap();
        let mut found = pairs(after);
        let mut expected: Vec<String> = expected.into_iter().map(str::to_owned).collect();
        // Appending fills an empty pair at the end. A single empty pair does not count.
        let is_only_empty = |list: &Vec<String>| list.iter().all(String::is_empty);
        if is_only_empty(&found) && is_only_empty(&expected) {
            found.clear();
            expected.clear();
        }
        if let [.., before, _] = expected.as_slice()
            && before.is_empty()
            && found.len() < expected.len()
        {
            expected.remove(expected.len() - 2);
        }
        assert_eq!(found, expected, "{text}");
        assert_eq!(after.fragment().unwrap(), "f?a=1");
    }
}

#[test]
fn the_errors_say_what_is_wrong() {
    let mut out = String::new();
    let url = UriRef::parse("http://h/a/b").unwrap();
    let mut error = |edit: UriBuilder<'_>| edit.write_into(&mut out).unwrap_err();
    let segments = 2;
    assert_eq!(
        error(url.to_builder().remove_segment(2)),
        EditError::NoSuchSegment { index: 2, segments }
    );
    assert_eq!(
        error(url.to_builder().insert_segment(3, "x")),
        EditError::NoSuchSegment { index: 3, segments }
    );
    for dots in [".", "..", "%2e", ".%2E", "%2e%2e"] {
        for value in [Value::lenient(dots), Value::encoded(dots)] {
            let pushed = error(url.to_builder().push_segment(value.clone()));
            assert_eq!(pushed, EditError::DotSegment, "{dots}");
            let inserted = error(url.to_builder().insert_segment(0, value));
            assert_eq!(inserted, EditError::DotSegment, "{dots}");
        }
        let pushed = url.to_builder().push_segment(dots).build_ref();
        if dots.contains('%') {
            let escaped = dots.replace('%', "%25");
            assert_eq!(pushed.unwrap().as_str(), format!("http://h/a/b/{escaped}"));
        } else {
            assert_eq!(pushed, Err(EditError::DotSegment), "{dots}");
        }
    }
    assert_eq!(error(url.to_builder().password("x")), EditError::NeedsUser);
    for path in ["a", "a/b", ":80", "?"] {
        let joined = error(url.to_builder().path(path));
        assert_eq!(joined, EditError::NeedsSlash, "{path}");
    }
    let text = error(url.to_builder().port(80).path("a")).to_string();
    assert_eq!(text, "a path after a host must begin with `/`");
    let opaque = Standard::Rfc2396.parse("mailto:a@b").unwrap();
    let component = Component::Path;
    let segments = EditError::Opaque { component };
    assert_eq!(error(opaque.to_builder().push_segment("x")), segments);
    let text = error(opaque.to_builder().host(Change::Remove).user("u")).to_string();
    assert_eq!(text, "a userinfo needs a host");
    let text = error(url.to_builder().params("x")).to_string();
    assert_eq!(text, "RFC 3986 has no params");
    // A plain string must already be escaped.
    let (path, query) = (Component::Path, Component::Query);
    for (edit, component, found, offset) in [
        (url.to_builder().path("/a?b"), path, '?', 2),
        (url.to_builder().path("/%C3#b"), path, '#', 4),
        (url.to_builder().query("a#b"), query, '#', 1),
    ] {
        let expected = EditError::Delimiter {
            component,
            found,
            offset,
        };
        assert_eq!(error(edit), expected);
    }
    assert_eq!(
        error(url.to_builder().path("/ ")),
        error(url.to_builder().path(Value::encoded("/ ")))
    );
    let error = error(url.to_builder().path(Value::encoded("/ ")));
    assert_eq!(
        error.to_string(),
        "the path is not valid: expected a path character, `/`, `?`, `#` or the end, but found a \
         space at byte 1 (segment, RFC 3986, 3.3)"
    );
}

#[test]
fn many_pairs_are_appended_as_one_by_one() {
    for text in ["http://h/", "http://h/?", "http://h/?a=1", "http://h/?a&#s"] {
        let pairs = [("x&y", "50% +"), ("", ""), ("é", "a=b")];
        let (mut each, mut all) = (UriBuf::parse(text).unwrap(), UriBuf::parse(text).unwrap());
        for (name, value) in pairs {
            each.query_append(name, value).unwrap();
        }
        all.query_extend(pairs).unwrap();
        assert_eq!(all, each);
        // Names and values may be owned strings, and a value may be absent.
        all.query_extend(vec![(String::from("z"), None::<String>)])
            .unwrap();
        each.query_append("z", None::<String>).unwrap();
        assert_eq!(all, each);
        all.query_extend(std::iter::empty::<(&str, &str)>())
            .unwrap();
        assert_eq!(all, each);
        // Either all pairs are appended, or none.
        let bad = [("b", Value::from("1")), ("c", Value::encoded("a b"))];
        assert!(all.query_extend(bad).is_err());
        assert_eq!(all, each);
    }
}

type Setter = for<'a> fn(UriBuilder<'a>, Value<'a>) -> UriBuilder<'a>;

/// The setter of each component, and a prefix that makes any rest of the value unambiguous.
const SETTERS: [(&str, Setter); 7] = [
    ("", |edit, value| edit.user(value)),
    ("", |edit, value| edit.password(value)),
    ("h", |edit, value| edit.host(value)),
    ("/x", |edit, value| edit.path(value)),
    ("x", |edit, value| edit.params(value)),
    ("x", |edit, value| edit.query(value)),
    ("x", |edit, value| edit.fragment(value)),
];

/// References with every component that their standard and scheme allow.
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

/// A character is escaped only if it is not allowed literally, and every character is allowed when
/// escaped.
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
                    // A plain string is data in a leaf. In a complete component, the string must be
                    // valid without further escaping.
                    let without_more = result(Value::from(&given));
                    let is_leaf = nth < 2;
                    if is_leaf {
                        assert_eq!(without_more, result(Value::data(&given)), "{case}");
                    } else {
                        assert_eq!(without_more, as_itself, "{case}");
                    }
                    match (&as_itself, &as_needed) {
                        (Ok(a), Ok(b)) => assert_eq!(a, b, "{case}"),
                        (Ok(a), Err(_)) => assert!(nth == 2, "{case}: {a} is rejected"),
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

/// A leaf escapes data as `encode` does for its place.
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
            // The text reads back unchanged.
            assert_eq!(last.decode_utf8().unwrap(), *text, "{case}");
            assert_eq!(
                pair.value().unwrap().decode_utf8().unwrap(),
                *text,
                "{case}"
            );
        }
    }
}

/// A host never results from escaping a delimiter, unless the text is marked as data.
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

/// A non-ASCII name is converted to its DNS name and is never percent-encoded.
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

/// In data, `%41` is three characters. Domain names do not contain `%`.
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
