//! Every ASCII character in every component, under every standard.

use urikit::{Edit, Standard, Value};

type Setter = for<'a> fn(Edit<'a>, Value<'a>) -> Edit<'a>;

/// Each component behind a text that makes the rest of it harmless.
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
                        let edited = set(reference.edit(), value).write_into(&mut out);
                        edited.map(|reference| reference.as_str().to_owned())
                    };
                    let as_itself = result(Value::exact(&given));
                    let as_needed = result(Value::from(&given));
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

/// A host is never made by escaping a delimiter, unless the text is said to be raw.
#[test]
fn delimiters_in_a_host_are_refused() {
    use urikit::{EditError, UriRef};
    let url = UriRef::parse("http://h/").unwrap();
    let set = |value: Value<'_>| url.to_builder().host(value).build();
    for host in ["a:80", "a/b", "u@a", "a#", "a?", "a\\b", "::1"] {
        let error = set(host.into()).unwrap_err();
        assert!(matches!(error, EditError::DelimiterInHost { .. }), "{host}");
    }
    assert_eq!(set(Value::raw("a:80")).unwrap().as_str(), "http://a%3A80/");
    assert_eq!(set("é".into()).unwrap().as_str(), "http://%C3%A9/");
    assert_eq!(set("[::1]".into()).unwrap().as_str(), "http://[::1]/");
    assert!(set("[::1]x".into()).is_err());
}
