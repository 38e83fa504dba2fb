//! Rows about resolving a reference against a base.
//!
//! Targets are compared byte for byte, without normalizing. If a row expects a same-document
//! reference, we must report one as well. If a row expects an error, any error agrees.
//!
//! Rows that name both RFC 2396 and RFC 3986 come from Ruby. Where the RFCs differ (only a query,
//! dot segments after a first slash, `..` above the root), Ruby follows RFC 3986, so these rows
//! apply to RFC 3986. Perl's `URI` follows RFC 2396, except when it resolves only a query, which is
//! a known difference.

use crate::judged::{Judged, recompose, round_trip};
use crate::row::Row;
use serde_json::Value;
use urikit::op::{Options, SameScheme};
use urikit::{AnyRef, Standard};

pub(crate) fn judge(row: &Row) -> Option<Judged> {
    let args = row.field("args");
    let stated = row.expect("result");
    let judged = match row.op.as_str() {
        "resolve" if stated.is_null() && row.expect("error").is_null() => {
            Judged::NotThisKind("called with both a string and bytes, which Python rejects")
        }
        "resolve" => resolve(row, row.field("base"), row.input(), stated),
        // Ruby's table works in both directions: a row whose result has no scheme is about
        // relativizing.
        "resolve/route" if has_scheme(stated) => {
            resolve(row, row.field("base"), row.input(), stated)
        }
        "perl:abs" => resolve(row, &args[0], row.input(), stated),
        "perl:new_abs" => resolve(row, &args[1], &text_of(&args[0]), stated),
        "rfc3986py:resolve_with" => {
            let reference = text_of(&args["self"]);
            resolve(row, &args["base_uri"], &reference, stated)
        }
        _ => return None,
    };
    Some(judged)
}

/// The standards that apply to a row with these strings.
pub(crate) fn standards(row: &Row, texts: &[&str]) -> Vec<Standard> {
    match row.op.as_str() {
        "resolve/route" => vec![Standard::Rfc3986],
        _ => row.standards(&texts.concat()),
    }
}

/// The target of a reference and whether it is a same-document reference, or the error.
pub(crate) fn target(
    standard: Standard,
    base: &str,
    reference: &str,
    options: Options,
) -> Result<(String, bool), String> {
    let base = parse(standard, "base", base)?;
    let reference = parse(standard, "reference", reference)?;
    let mut target = String::new();
    let same_document = reference
        .resolve_into(base, options, &mut target)
        .map_err(|error| error.to_string())?;
    Ok((target, same_document))
}

/// Parses a string. On failure, the error begins with `what`, the name of the string.
pub(crate) fn parse<'t>(
    standard: Standard,
    what: &str,
    text: &'t str,
) -> Result<AnyRef<'t>, String> {
    standard
        .parse(text)
        .map_err(|error| format!("{standard}: {what} not valid: {error}"))
}

fn resolve(row: &Row, base: &Value, reference: &str, stated: &Value) -> Judged {
    if base.is_null() {
        // Java's `new URL(null, text)`.
        let stated = text_of(stated);
        return round_trip(&row.standards(reference), reference, &stated);
    }
    let options = Options {
        same_scheme: same_scheme(row),
        ..Options::default()
    };
    let base = text_of(base);
    let fails = stated.is_null() || row.expect("raises") == true;
    Judged::by_each(
        &standards(row, &[&base, reference]),
        |standard| match target(standard, &base, reference, options) {
            Err(_) if fails => Judged::Same,
            Ok((target, _)) if fails => Judged::Differs {
                expected: format!("an error: {}", row.field("expect")),
                actual: format!("{standard}: {target}"),
            },
            Ok((target, same_document)) if target == text_of(stated) => {
                if row.expect("same_document") == true && !same_document {
                    return Judged::Differs {
                        expected: "a reference to the same document".to_owned(),
                        actual: format!("{standard}: a reference to another document"),
                    };
                }
                Judged::Same
            }
            answer => Judged::Differs {
                expected: text_of(stated),
                actual: match answer {
                    Ok((target, _)) => format!("{standard}: {target}"),
                    Err(error) => error,
                },
            },
        },
    )
}

/// The parser of RFC 3986, 5.2.2 that produced a row. The rows of Python's rfc3986 say whether the
/// parser is strict. CPython's `urljoin` is never strict.
fn same_scheme(row: &Row) -> SameScheme {
    if row.field("args")["strict"] == false || row.file == "rfc3986/cpython_313_urlparse.jsonl" {
        SameScheme::Inherit
    } else {
        SameScheme::Strict
    }
}

/// Returns a string, or the string that the components form.
fn text_of(value: &Value) -> String {
    match value {
        Value::Object(components) => recompose(|name| {
            let text = components.get(name).and_then(Value::as_str);
            text.map(str::to_owned)
        }),
        text => text.as_str().unwrap_or_default().to_owned(),
    }
}

fn has_scheme(text: &Value) -> bool {
    let read = Standard::Rfc3986.parse(text.as_str().unwrap_or_default());
    read.is_ok_and(|reference| reference.scheme().is_some())
}
