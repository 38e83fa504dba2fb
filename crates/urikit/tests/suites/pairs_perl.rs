//! Perl's `query_form` and `query_param`, which read and set the pairs of form queries.

use crate::judged::Judged;
use crate::row::Row;
use serde_json::{Map, Value as Json, json};
use urikit::component::{AMPERSAND, Encoded};
use urikit::{AnyRef, Change, UriBuilder, Value};

pub(crate) fn judge(row: &Row) -> Option<Judged> {
    match row.op.as_str() {
        "perl:query_form"
        | "perl:query_form_hash"
        | "perl:query_param"
        | "perl:query_param_append"
        | "perl:query_param_delete" => Some(perl(row)),
        _ => None,
    }
}

fn perl(row: &Row) -> Judged {
    let args = row.field("args").as_array().expect("arguments");
    let holds_object = |arg: &Json| arg.as_str().is_some_and(|text| text.contains("=ARRAY("));
    if args.iter().any(holds_object) {
        return Judged::NotThisKind("set from an object that the row does not contain");
    }
    if args
        .iter()
        .any(|arg| arg.as_object().is_some_and(|hash| hash.len() > 1))
    {
        return Judged::NotThisKind("set from a hash, which is unordered");
    }
    Judged::by_each(&row.standards(row.input()), |standard| {
        let reference = match standard.parse(row.input()) {
            Ok(reference) => reference,
            Err(error) => {
                return Judged::Differs {
                    expected: "a reference".to_owned(),
                    actual: error.to_string(),
                };
            }
        };
        match row.op.as_str() {
            "perl:query_form" if args.is_empty() => form(row, reference),
            "perl:query_form" => set_form(row, reference, args),
            "perl:query_form_hash" => Judged::json(row.expect("result"), &json!([hash(reference)])),
            _ => param(row, reference, args),
        }
    })
}

/// Each octet as a character, as in Perl's strings.
fn octets(part: Encoded<'_>) -> String {
    part.decode().form().to_latin1().into_owned()
}

/// Names and values in one list.
fn form(row: &Row, reference: AnyRef<'_>) -> Judged {
    if row.expect("result").is_string() {
        return Judged::NotThisKind("called in scalar context, which returns a count");
    }
    let pairs = reference.query_pairs();
    let list = pairs.flat_map(|pair| [json!(octets(pair.name())), json!(pair.value().map(octets))]);
    Judged::json(row.expect("result"), &list.collect())
}

/// The values by name. A single value is not in a list.
fn hash(reference: AnyRef<'_>) -> Json {
    let mut by_name = Map::new();
    for pair in reference.query_pairs() {
        let name = octets(pair.name());
        let values = values_of(reference, &name);
        let value = match &values[..] {
            [one] => json!(one),
            several => json!(several),
        };
        by_name.insert(name, value);
    }
    by_name.into()
}

fn values_of(reference: AnyRef<'_>, name: &str) -> Vec<String> {
    let pairs = reference.query_pairs();
    let named = pairs.filter(|pair| octets(pair.name()) == name);
    named
        .map(|pair| pair.value().map_or(String::new(), octets))
        .collect()
}

/// Sets all pairs: names and values in turn, or in a list or a hash, optionally followed by a
/// separator.
fn set_form(row: &Row, reference: AnyRef<'_>, args: &[Json]) -> Judged {
    let (pairs, separator): (Vec<Json>, _) = match args {
        [Json::Array(list), rest @ ..] => (list.clone(), rest.first()),
        [Json::Object(hash), rest @ ..] => {
            let pairs = hash
                .iter()
                .flat_map(|(name, value)| [json!(name), value.clone()]);
            (pairs.collect(), rest.first())
        }
        list if list.len() % 2 == 1 => (list[..list.len() - 1].to_vec(), list.last()),
        list => (list.to_vec(), None),
    };
    let separator = separator.and_then(Json::as_str).unwrap_or_default();
    let mut edit = reference
        .to_builder()
        .remove_query()
        .separator(separator.chars().next().unwrap_or(AMPERSAND));
    for pair in pairs.chunks(2) {
        let name = pair[0].as_str().expect("a name");
        match &pair[1] {
            Json::Null => edit = edit.query_append(Value::data(name), Change::Remove),
            Json::Array(values) => edit = append(edit, name, values),
            Json::Object(_) => {
                return Judged::NotThisKind("set to the memory address of an object");
            }
            value => edit = append(edit, name, std::slice::from_ref(value)),
        }
    }
    after(row, edit)
}

fn append<'a>(mut edit: UriBuilder<'a>, name: &'a str, values: &'a [Json]) -> UriBuilder<'a> {
    for value in values {
        edit = edit.query_append(Value::data(name), value_of(value));
    }
    edit
}

fn value_of(value: &Json) -> Change<'_> {
    Change::Set(Value::data(value.as_str().expect("a value")))
}

/// The text after a change. If a row has no expectation, the text must not have changed.
fn after(row: &Row, edit: UriBuilder<'_>) -> Judged {
    let stated = row.expect("after");
    let expected = if stated.is_null() {
        row.field("input")
    } else {
        stated
    };
    let mut text = String::new();
    match edit.write_into(&mut text) {
        Ok(_) => Judged::json(expected, &json!(text)),
        Err(error) => Judged::json(expected, &json!(error.to_string())),
    }
}

/// Reads the names, reads the values of one name, or sets them.
fn param(row: &Row, reference: AnyRef<'_>, args: &[Json]) -> Judged {
    let stated = row.expect("result");
    let Some(name) = args.first() else {
        let mut names: Vec<String> = Vec::new();
        for pair in reference.query_pairs() {
            let name = octets(pair.name());
            if !names.contains(&name) {
                names.push(name);
            }
        }
        return Judged::json(stated, &json!(names));
    };
    let name = name.as_str().expect("a name");
    let values = values_of(reference, name);
    let result = match stated {
        Json::Array(_) => Judged::json(stated, &json!(values)),
        // If the row asks for nothing else, it expects no value.
        _ if stated.is_string() || args.len() == 1 && row.op == "perl:query_param" => {
            Judged::json(stated, &json!(values.first()))
        }
        _ => Judged::Same,
    };
    if !matches!(result, Judged::Same) {
        return result;
    }
    let edit = reference.to_builder();
    let edit = match (row.op.as_str(), &args[1..]) {
        ("perl:query_param_append", values) => append(edit, name, values),
        ("perl:query_param_delete", []) => edit.query_remove(Value::data(name)),
        (_, []) => return result,
        (_, [Json::Array(none)]) if none.is_empty() => edit.query_remove(Value::data(name)),
        (_, [value]) => edit.query_set(Value::data(name), value_of(value)),
        _ => return Judged::NotThisKind("sets several values in place of the old ones"),
    };
    after(row, edit)
}
