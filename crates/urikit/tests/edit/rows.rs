//! The rows of `testdata/edit/`.

use urikit::{Change, Standard, UriBuilder, Value};
use urikit_testkit::rows_edit::{Row, rows};

/// A name and its value, or a name alone; escapes in them are escapes.
fn pair(text: &str) -> (Value<'_>, Change<'_>) {
    match text.split_once('=') {
        Some((name, value)) => (Value::lenient(name), Value::lenient(value).into()),
        None => (Value::lenient(text), Change::Remove),
    }
}

/// `edit` after one step, which is written as the command's options are.
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
        // The library only.
        "insert" => {
            let (index, segment) = rest.split_once(' ').unwrap();
            edit.insert_segment(index.parse().unwrap(), Value::lenient(segment))
        }
        "remove" => edit.remove_segment(rest.parse().unwrap()),
        _ => panic!("{step}"),
    }
}

/// The result of a row's edits, or the error.
fn apply(row: &Row, standard: Standard) -> Result<String, String> {
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
    for (file, row) in rows() {
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
                _ => panic!("{place}: a result or an error"),
            }
        }
    }
}
