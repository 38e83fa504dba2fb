//! Text that is already escaped is one piece, or it is rejected.

use urikit::op::Component;
use urikit::{EditError, Standard, UriBuilder, Value};

fn builder(text: &'static str) -> UriBuilder<'static> {
    Standard::Rfc3986.parse(text).unwrap().to_builder()
}

/// A slash in a segment would make two of it, or another path.
#[test]
fn a_segment_has_no_slash() {
    for standard in Standard::ALL {
        for text in [
            "",
            "a",
            "a/",
            "/",
            "/a",
            "http:",
            "http://h",
            "http://h/",
            "http://h/a?q",
        ] {
            let Ok(reference) = standard.parse(text) else {
                continue;
            };
            for (given, offset) in [("/etc", 0), ("/", 0), ("a/b", 1), ("a/", 1), ("//", 0)] {
                let edits: [&dyn Fn(UriBuilder<'static>) -> UriBuilder<'static>; 4] = [
                    &|edit| edit.push_segment(Value::encoded(given)),
                    &|edit| edit.insert_segment(0, Value::encoded(given)),
                    &|edit| edit.push_segment("b").push_segment(Value::encoded(given)),
                    &|edit| edit.insert_segment(1, Value::encoded(given)),
                ];
                for (nth, edit) in edits.into_iter().enumerate() {
                    let case = format!("{standard} {text:?} {given:?} {nth}");
                    let error = edit(reference.to_builder()).build_any().expect_err(&case);
                    let found = EditError::Delimiter {
                        component: Component::Path,
                        found: '/',
                        offset,
                    };
                    let is_other = matches!(
                        error,
                        EditError::NoSuchSegment { .. } | EditError::Opaque { .. }
                    );
                    assert!(error == found || is_other, "{case}: {error}");
                }
            }
        }
    }
    // As data, and where escapes are kept, it is escaped.
    let path = builder("");
    let path = path
        .push_segment("/etc")
        .push_segment(Value::lenient("a/b"));
    assert_eq!(path.build_ref().unwrap(), "%2Fetc/a%2Fb");
}

/// A host that cannot be decoded has no name in the DNS, and not that of what precedes a `%`.
#[cfg(feature = "idna")]
#[test]
fn a_percent_sign_that_begins_no_escape_is_not_in_a_name() {
    for host in ["RÉsum%ple.ORG", "é%", "é%4", "é.example%zz", "%é.example"] {
        for value in [Value::lenient(host), Value::data(host), Value::from(host)] {
            let edit = builder("http://h/").host(value).build_ref();
            assert_eq!(edit, Err(EditError::NotADomainName), "{host}");
        }
    }
}

/// Where readers see no separator, two pairs would become one.
#[test]
fn a_separator_separates() {
    let one = || builder("http://h/?x=1");
    for separator in ['a', 'F', '7', '%', '=', 'é', '\u{3000}'] {
        let error = EditError::NotASeparator { found: separator };
        let edits = [
            one().separator(separator).query_append("y", "2"),
            one().separator(separator).query_append("y", None::<&str>),
            one().separator(separator).query_set("y", "2"),
            one()
                .separator(separator)
                .query_extend([("y", "2"), ("z", "3")]),
        ];
        for (nth, edit) in edits.into_iter().enumerate() {
            assert_eq!(edit.build_ref(), Err(error.clone()), "{separator} {nth}");
        }
        let none = builder("http://h/");
        let both = none
            .separator(separator)
            .query_extend([("x", "1"), ("y", "2")]);
        assert_eq!(both.build_ref(), Err(error.clone()), "{separator}");
        assert!(!error.to_string().contains('\n'));
    }
    let replaced = one().separator('=').query_replace("x", "2");
    let error = EditError::NotASeparator { found: '=' };
    assert_eq!(replaced.build_ref(), Err(error));
    for separator in ['&', ';', '+', 'g', '|'] {
        let edit = one().separator(separator).query_append("y", "2");
        match edit.build_ref() {
            Ok(found) => assert_eq!(found, format!("http://h/?x=1{separator}y=2").as_str()),
            Err(error) => assert_eq!(separator, '|', "not in a query of RFC 3986: {error}"),
        }
    }
}

/// With any of these, a query is one pair, and it can be taken out and changed.
#[test]
fn a_query_without_a_separator_is_one_pair() {
    for separator in ['a', '7', '%', 'é'] {
        let one = || builder("http://h/?x=1&y");
        let set = one().separator(separator).query_set("x", "2");
        assert_eq!(set.build_ref().unwrap(), "http://h/?x=2");
        let removed = one().separator(separator).query_remove("x");
        assert_eq!(removed.build_ref().unwrap(), "http://h/");
        let none = builder("http://h/");
        let first = none.separator(separator).query_append("z", None::<&str>);
        assert_eq!(first.build_ref().unwrap(), "http://h/?z");
    }
}

/// Schemes are not escaped, and RFC 1630 would read these as escapes.
#[test]
fn a_scheme_as_data_has_no_percent_sign() {
    for standard in Standard::ALL {
        let reference = standard
            .parse("http:a")
            .or(standard.parse("http://h/a"))
            .unwrap();
        for scheme in ["r%E0", "%41", "a%"] {
            let edit = reference.to_builder().scheme(Value::data(scheme));
            assert!(edit.build_any().is_err(), "{standard} {scheme}");
        }
        let edit = reference.to_builder().scheme(Value::data("ftp"));
        assert!(
            edit.build_any().is_ok() || standard == Standard::Rfc1738,
            "{standard}"
        );
    }
    // As written, it is an escape.
    let reference = Standard::Rfc1630.parse("rfc").unwrap();
    let edit = reference.to_builder().scheme(Value::encoded("r%E0"));
    assert_eq!(edit.build_any().unwrap().as_str(), "r%E0:rfc");
    let edit = reference.to_builder().scheme(Value::data("r%E0"));
    let component = Component::Scheme;
    assert_eq!(
        edit.build_any().unwrap_err(),
        EditError::Misread { component }
    );
}
