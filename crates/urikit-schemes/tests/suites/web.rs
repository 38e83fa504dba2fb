//! Rows that state whether a library accepts a string as a URL: Dovecot's rows for `http`, and
//! those of Apache Commons Validator for `http`, `https`, `ftp` and `file`.
//!
//! We accept a reference of RFC 3986 (of RFC 3987 if it is not ASCII) that its scheme's newest RFC
//! also allows.

use crate::judged::Judged;
use crate::row::Row;
use urikit::{AnyRef, Standard, Uri, UriRef};
use urikit_schemes::{Edition, File, Ftp, Http};

pub(crate) fn judge(row: &Row) -> Option<Judged> {
    let text = row.input();
    let read = match row.op.as_str() {
        "commons:isValid" => url(text, &["http", "https", "ftp", "file"]),
        // Dovecot's rows do not state the base of their references. We use RFC 3986's (5.4).
        "parse" if row.valid() && !text.contains(':') => target(text),
        "parse" => url(text, &["http"]),
        _ => return None,
    };
    Some(match (row.valid(), read) {
        (true, Ok(())) | (false, Err(_)) => Judged::Same,
        (true, Err(why)) => Judged::Differs {
            expected: "valid".to_owned(),
            actual: why,
        },
        (false, Ok(())) => Judged::Differs {
            expected: "not valid".to_owned(),
            actual: "valid".to_owned(),
        },
    })
}

/// Checks that a string is a URL of one of these schemes.
fn url(text: &str, schemes: &[&str]) -> Result<(), String> {
    let standard = if text.is_ascii() {
        Standard::Rfc3986
    } else {
        Standard::Rfc3987
    };
    let reference = standard.parse(text).map_err(|error| error.to_string())?;
    read(reference, schemes)
}

fn read(reference: AnyRef<'_>, schemes: &[&str]) -> Result<(), String> {
    let scheme = reference.scheme().unwrap_or_default().to_lowercase();
    if !schemes.contains(&scheme.as_str()) {
        return Err(format!("unexpected scheme `{scheme}`"));
    }
    let edition = Edition::Successor;
    let outcome = match scheme.as_str() {
        "ftp" => Ftp::read_as(reference, edition).map(drop),
        "file" => File::read_as(reference, edition).map(drop),
        _ => Http::read_as(reference, edition).map(drop),
    };
    outcome.map_err(|error| error.to_string())
}

/// Checks that a reference has an `http` URL as its target.
fn target(text: &str) -> Result<(), String> {
    let base = Uri::from_static("http://a/b/c/d;p?q");
    let reference = UriRef::parse(text).map_err(|error| error.to_string())?;
    let target = reference.resolve_against(base);
    let target = target.map_err(|error| error.to_string())?;
    read(AnyRef::from(&target), &["http"])
}
