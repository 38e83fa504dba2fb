//! `parse_qsl`: the pairs of a form.

use super::quote::decoded;
use pyo3::prelude::*;
use std::borrow::Cow;

/// A name and a value.
type Pair<'a> = (Cow<'a, str>, Cow<'a, str>);

/// The pairs, decoded as UTF-8; a `+` is a space. `Err` has the first field without `=` if
/// `strict`.
#[pyfunction(name = "parse_qsl")]
pub(crate) fn pairs<'a>(
    query: &'a str,
    keep_blank_values: bool,
    strict: bool,
    separator: &str,
) -> (Vec<Pair<'a>>, Option<&'a str>) {
    let mut pairs = Vec::new();
    for field in query.split(separator) {
        if field.is_empty() && !strict {
            continue;
        }
        let (name, value) = match field.split_once('=') {
            Some(pair) => pair,
            None if strict => return (pairs, Some(field)),
            None if keep_blank_values => (field, ""),
            None => continue,
        };
        if !value.is_empty() || keep_blank_values {
            pairs.push((text(name), text(value)));
        }
    }
    (pairs, None)
}

fn text(part: &str) -> Cow<'_, str> {
    if part.contains('+') {
        let spaced = part.replace('+', " ");
        Cow::Owned(decoded(&spaced).into_owned())
    } else {
        decoded(part)
    }
}
