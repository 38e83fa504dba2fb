//! Python: `urllib.parse` of CPython, and rfc3986 of python-hyper. `urlsplit` and `from_string` of
//! rfc3986 split without validating: each invalid string that they split is a known difference.

use crate::judged::{Judged, Part, component, recompose};
use crate::row::Row;
use serde_json::Value;
use urikit::{AnyRef, Standard};

pub(crate) fn judge(row: &Row) -> Option<Judged> {
    let judged = match row.op.as_str() {
        "py:urlsplit" | "py:urlparse" => url_split(row),
        "py:urldefrag" => url_defrag(row),
        "rfc3986py:from_string" => from_string(row),
        "rfc3986py:is_valid" => is_valid(row),
        "rfc3986py:is_absolute" => is_absolute(row),
        _ => return None,
    };
    Some(judged)
}

/// `urlsplit` returns the five components, with the scheme in lower case and absent components as
/// empty strings. `urlparse` also splits off the text after the semicolon of the last segment.
fn url_split(row: &Row) -> Judged {
    let args = row.field("args");
    if args["scheme"] != "" {
        return Judged::NotThisKind("called with a scheme to add if the string has none");
    }
    if args["allow_fragments"] != true {
        return Judged::NotThisKind("called with `#` as an ordinary character");
    }
    let text = args["url"].as_str().expect("a text");
    if row.expect("raises") == true && !text.is_ascii() {
        // RFC 3986 rejects all non-ASCII characters, but `urlsplit` rejects only a few of them, so
        // agreement on these few means nothing.
        return Judged::NotThisKind("rejected because of the host's NFKC form (IDNA)");
    }
    let read = Standard::Rfc3986.parse(text);
    if row.expect("raises") == true {
        return Judged::verdict(false, read, |_| true);
    }
    let expected = |name: &str| row.expect("result")[name].as_str().unwrap_or_default();
    Judged::components(read, |reference| {
        let actual = |name: &str| component(reference, name).unwrap_or_default();
        let path = match expected("params") {
            "" => expected("path").to_owned(),
            params => format!("{};{params}", expected("path")),
        };
        vec![
            Part::new(
                "scheme",
                expected("scheme"),
                actual("scheme").to_ascii_lowercase(),
            ),
            Part::new("netloc", expected("netloc"), actual("authority")),
            Part::new("path", path, actual("path")),
            Part::new("query", expected("query"), actual("query")),
            Part::new("fragment", expected("fragment"), actual("fragment")),
        ]
    })
}

/// The text before the fragment, and the fragment.
fn url_defrag(row: &Row) -> Judged {
    let text = row.field("args")["url"].as_str().expect("a text");
    Judged::components(Standard::Rfc3986.parse(text), |reference| {
        let url = recompose(|name| component(reference, name).filter(|_| name != "fragment"));
        let fragment = component(reference, "fragment").unwrap_or_default();
        let expected = row.expect("result");
        vec![
            Part::new("url", expected["url"].clone(), url),
            Part::new("fragment", expected["fragment"].clone(), fragment),
        ]
    })
}

/// The components, with an empty path as `None`. Scheme and host are in lower case unless
/// `lazy_normalize`. A call that raises has validated the authority.
fn from_string(row: &Row) -> Judged {
    let args = row.field("args");
    let bytes = bytes_of(&args["uri_string"]).expect("a text");
    let read = Standard::Rfc3986.parse_bytes(&bytes);
    if row.expect("raises") == true {
        return Judged::verdict(false, read, |_| true);
    }
    let result = row.expect("result").as_object().expect("components");
    let lower = args["lazy_normalize"] == false;
    Judged::components(read, |reference| {
        let part = |name: &'static str| {
            let actual = component(reference, name).map(|text| match name {
                "scheme" | "host" if lower => text.to_ascii_lowercase(),
                _ => text,
            });
            let expected = match &result[name] {
                Value::Number(port) => Some(port.to_string()),
                Value::Null if name == "path" => Some(String::new()),
                text => bytes_of(text).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
            };
            Part::new(name, expected, actual)
        };
        let names = COMPONENTS.into_iter().chain(["userinfo", "host", "port"]);
        names
            .filter(|name| result.contains_key(*name))
            .map(part)
            .collect()
    })
}

/// Checks whether a reference with exactly these components exists, and whether it has the required
/// components.
fn is_valid(row: &Row) -> Judged {
    let expected = row.expect("result") == true;
    let required = row.field("args")["**kw"]
        .as_object()
        .expect("keyword arguments");
    let name = |keyword: &str| keyword.strip_prefix("require_").map(str::to_owned);
    let required: Vec<String> = required
        .keys()
        .map(|keyword| name(keyword).expect("a requirement"))
        .collect();
    let text = recompose(|name| stated(row, name));
    Judged::verdict(expected, Standard::Rfc3986.parse(&text), |reference| {
        is_as_stated(row, reference)
            && required
                .iter()
                .all(|name| component(reference, name).is_some_and(|text| !text.is_empty()))
    })
}

/// Checks whether the components form an `absolute-URI` (RFC 3986, 4.3).
fn is_absolute(row: &Row) -> Judged {
    let expected = row.expect("result") == true;
    let text = recompose(|name| stated(row, name));
    Judged::verdict(expected, Standard::Rfc3986.parse(&text), |reference| {
        is_as_stated(row, reference)
            && reference.scheme().is_some()
            && reference.fragment().is_none()
    })
}

/// The five components of a reference.
const COMPONENTS: [&str; 5] = ["scheme", "authority", "path", "query", "fragment"];

/// A component of the object on which the method is called.
fn stated(row: &Row, name: &str) -> Option<String> {
    row.field("args")["self"][name].as_str().map(str::to_owned)
}

/// Returns true if the components of a reference are those of the object. Without this check, a
/// query that contains a `#` would pass as a query and a fragment.
fn is_as_stated(row: &Row, reference: AnyRef<'_>) -> bool {
    COMPONENTS.into_iter().all(|name| match stated(row, name) {
        None if name == "path" => reference.path().is_empty(),
        text => component(reference, name) == text,
    })
}

/// Returns a string as UTF-8, or bytes, which the rows store as one character each.
fn bytes_of(value: &Value) -> Option<Vec<u8>> {
    match value["bytes"].as_str() {
        Some(bytes) => bytes.chars().map(|byte| u8::try_from(byte).ok()).collect(),
        None => value.as_str().map(|text| text.as_bytes().to_owned()),
    }
}
