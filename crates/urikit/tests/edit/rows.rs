//! The rows of `testdata/edit/`, and text that is already escaped, which either remains a single
//! part or is rejected.

use urikit::op::Component;
use urikit::{Change, EditError, Standard, UriBuilder, Value};
use urikit_testkit::rows::{Edit, edits};

/// Parses a name with or without a value. Escapes in both are kept.
fn pair(text: &str) -> (Value<'_>, Change<'_>) {
    match text.split_once('=') {
        Some((name, value)) => (Value::lenient(name), Value::lenient(value).into()),
        None => (Value::lenient(text), Change::Remove),
    }
}

/// Applies one step, which is written like the command's options.
fn step<'a>(edit: UriBuilder<'a>, step: &'a str) -> UriBuilder<'a> {
    let (way, rest) = step.split_once(' ').unwrap_or((step, ""));
    let (name, value) = rest.split_once('=').unwrap_or((rest, ""));
    match way {
        "--set" => {
            let (name, change) = match name.strip_suffix(':') {
                Some(name) => (name, Value::encoded(value).into()),
                None if value.is_empty() => (name, Change::Remove),
                None => (name, Value::lenient(value).into()),
            };
            match (name, change) {
                ("scheme", change) => edit.scheme(change),
                ("userinfo", change) => edit.userinfo(change),
                ("user", change) => edit.user(change),
                ("password", change) => edit.password(change),
                ("host", change) => edit.host(change),
                ("port", change) => edit.port(change),
                ("params", change) => edit.params(change),
                ("query", change) => edit.query(change),
                ("fragment", change) => edit.fragment(change),
                ("path", Change::Set(value)) => edit.path(value),
                ("path", Change::Remove) => edit.path(""),
                _ => panic!("{step}"),
            }
        }
        "--append" if name == "path" => edit.push_segment(Value::lenient(value)),
        "--append" if name == "query" => {
            let (name, value) = pair(value);
            edit.query_append(name, value)
        }
        "--replace" => {
            let (name, value) = pair(rest);
            edit.query_replace(name, value)
        }
        "--trim" => match value.strip_suffix('*') {
            Some(prefix) => edit.query_retain(|pair| !pair.name().as_str().starts_with(prefix)),
            None => edit.query_remove(Value::lenient(value)),
        },
        "--sort-query" => edit.sort_query(),
        "--form" => edit.form(),
        // Only the library supports this step.
        "insert" => {
            let (index, segment) = rest.split_once(' ').unwrap();
            edit.insert_segment(index.parse().unwrap(), Value::lenient(segment))
        }
        "remove" => edit.remove_segment(rest.parse().unwrap()),
        _ => panic!("{step}"),
    }
}

/// Applies the edits of a row. Returns the result or the error.
fn apply(row: &Edit, standard: Standard) -> Result<String, String> {
    let place = format!("{standard}: {:?}", row.input);
    let reference = standard.parse(&row.input);
    let reference = reference.unwrap_or_else(|error| panic!("{place}: {error}"));
    let mut out = String::new();
    let edit = row
        .edits
        .iter()
        .fold(reference.to_builder(), |edit, text| step(edit, text));
    match edit.write_into(&mut out) {
        Ok(result) => Ok(result.as_str().to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn every_row() {
    for (file, row) in edits() {
        for name in row.standards() {
            let standard: Standard = name.parse().unwrap();
            let outcome = apply(&row, standard);
            let place = format!("{file}: {name}: {:?} {:?}", row.input, row.edits);
            match (&row.result, &row.error) {
                (Some(result), None) => assert_eq!(outcome.as_ref(), Ok(result), "{place}"),
                (None, Some(part)) => {
                    let error = outcome.expect_err(&place);
                    assert!(error.contains(part), "{place}: {error}");
                }
                _ => panic!("{place}: expected a result or an error"),
            }
        }
    }
}

fn builder(text: &'static str) -> UriBuilder<'static> {
    Standard::Rfc3986.parse(text).unwrap().to_builder()
}

/// A slash in a segment would split the segment or change the path.
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
    // A slash in data, or in text that keeps its escapes, is escaped.
    let path = builder("");
    let path = path
        .push_segment("/etc")
        .push_segment(Value::lenient("a/b"));
    assert_eq!(path.build_ref().unwrap(), "%2Fetc/a%2Fb");
}

/// A host that cannot be decoded has no DNS name. In particular, the name is not the text before a
/// `%`.
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

/// If readers do not split at the separator, two pairs would become one.
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

/// With any of these separators, a query is one pair, which can be removed and changed.
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

/// A scheme cannot contain escapes, but RFC 1630 would parse a `%` in a scheme as the start of one.
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
    // If the value is written unchanged, `%E0` is an escape.
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
