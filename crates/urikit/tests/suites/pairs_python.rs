//! The pairs of form queries: `parse_qs` and `parse_qsl` of Python.
//!
//! This file reproduces how Python processes the pairs: it drops empty pairs, drops pairs without a
//! value unless told to keep them, and `parse_qs` groups values by name.

use crate::judged::Judged;
use crate::row::Row;
use serde_json::{Map, Value as Json, json};
use urikit::Standard;
use urikit::component::Encoded;

pub(crate) fn judge(row: &Row) -> Option<Judged> {
    match row.op.as_str() {
        "py:parse_qs" | "py:parse_qsl" => Some(python(row)),
        _ => None,
    }
}

fn python(row: &Row) -> Judged {
    let args = row.field("args");
    let Some(text) = args["qs"].as_str() else {
        return Judged::NotThisKind("called with an argument that is not a string");
    };
    if args["encoding"] != "utf-8" {
        return Judged::NotThisKind(
            "escapes decoded with another charset, and the rest as characters",
        );
    }
    if row.expect("raises") == true && args["max_num_fields"].is_number() {
        return Judged::NotThisKind(
            "a limit on the number of pairs, which the caller has to count",
        );
    }
    let separator = args["separator"].as_str().unwrap_or_default();
    let mut separators = separator.chars();
    let (Some(separator @ ('&' | ';')), None) = (separators.next(), separators.next()) else {
        return Judged::NotThisKind("called with a separator that Python rejects");
    };
    if text.contains(|c| matches!(c, '\u{80}'..='\u{9F}')) {
        return Judged::NotThisKind("called with bytes that are not UTF-8");
    }
    let standard = if text.is_ascii() {
        Standard::Rfc3986
    } else {
        Standard::Rfc3987
    };
    let reference = format!("?{text}");
    let query = match standard.parse(&reference) {
        Ok(reference) => reference.query().expect("a query"),
        Err(error) => panic!("{}: unexpected error: {error}", row.id),
    };
    // Bytes give bytes: dictionary keys as Python prints them, other values as characters.
    let expected = row.expect("result");
    let printed = |name: &[u8]| format!("b'{}'", name.escape_ascii());
    let is_of_bytes = match expected {
        Json::Object(by_name) => by_name.keys().any(|name| name.starts_with("b'")),
        list => *list == gathered(row, query, separator, latin1, latin1),
    };
    let actual = match expected {
        _ if !is_of_bytes => gathered(row, query, separator, utf8, utf8),
        Json::Object(_) => gathered(row, query, separator, printed, latin1),
        _ => return Judged::Same,
    };
    Judged::json(expected, &actual)
}

/// The pairs as a list or, for `parse_qs`, the values by name.
fn gathered(
    row: &Row,
    query: Encoded<'_>,
    separator: char,
    name: impl Fn(&[u8]) -> String,
    value: impl Fn(&[u8]) -> String,
) -> Json {
    let octets = |part: Encoded<'_>| part.decode().form().to_bytes().into_owned();
    let keeps_blank = row.field("args")["keep_blank_values"] == true;
    let pairs = query
        .pairs(separator)
        .filter(|pair| !pair.is_empty())
        .map(|pair| (octets(pair.name()), pair.value().map_or(vec![], octets)))
        .filter(|(_, value)| keeps_blank || !value.is_empty())
        .map(|(n, v)| (name(&n), value(&v)));
    if row.op == "py:parse_qsl" {
        return pairs.map(|(name, value)| json!([name, value])).collect();
    }
    let mut by_name = Map::new();
    for (name, value) in pairs {
        let values = by_name.entry(name).or_insert_with(|| json!([]));
        values.as_array_mut().expect("a list").push(value.into());
    }
    by_name.into()
}

/// UTF-8, with U+FFFD for invalid sequences.
fn utf8(octets: &[u8]) -> String {
    String::from_utf8_lossy(octets).into_owned()
}

/// Each octet as a character, as the rows store bytes.
fn latin1(octets: &[u8]) -> String {
    octets.iter().copied().map(char::from).collect()
}
