//! JavaScript: fast-uri (with the tests of uri-js) and URI.js. Both repair their input. Each
//! repaired string is a known difference.

use crate::judged::{Judged, Part, component, without_brackets};
use crate::row::Row;
use crate::stated::is_absolute;
use serde_json::Value;
use std::net::Ipv6Addr;
use urikit::component::Encoded;
use urikit::{AnyRef, HostKind, Standard};

pub(crate) fn judge(row: &Row) -> Option<Judged> {
    match row.op.as_str() {
        "fast-uri:parse" => Some(fast_uri(row)),
        "urijs:parse" => Some(uri_js(row)),
        _ => None,
    }
}

/// The schemes for which a handler of fast-uri replaces path and query with fields of the scheme.
const HANDLED: [&str; 4] = ["mailto", "urn", "ws", "wss"];

/// The components, without the absent ones. The host has no brackets, an IPv6 address is canonical,
/// and the port is a number. The `reference` field contains the form. A row with `error` must be
/// rejected.
fn fast_uri(row: &Row) -> Judged {
    let read = Standard::Rfc3986.parse(row.input());
    if row.expect("error").is_string() {
        return Judged::verdict(false, read, |_| true);
    }
    Judged::components(read, |reference| {
        let stated = |name: &str| match row.expect(name) {
            Value::Number(port) => port.to_string().into(),
            text => text.clone(),
        };
        let mut names = vec!["scheme", "userinfo", "port", "fragment"];
        if !reference
            .scheme()
            .is_some_and(|scheme| HANDLED.contains(&scheme))
        {
            names.extend(["path", "query"]);
        }
        let part = |name| Part::new(name, stated(name), component(reference, name));
        let mut parts: Vec<Part> = names.into_iter().map(part).collect();
        let host = reference.host().map(|host| without_brackets(host.as_str()));
        parts.push(Part::new(
            "host",
            same_address(stated("host"), reference),
            host,
        ));
        parts.push(Part::new("reference", stated("reference"), kind(reference)));
        parts
    })
}

/// The stated host, spelled as in the reference if both are the same IPv6 address.
fn same_address(stated: Value, reference: AnyRef<'_>) -> Value {
    let address = stated
        .as_str()
        .and_then(|text| text.parse::<Ipv6Addr>().ok());
    match reference.host() {
        Some(host) if host.kind() == HostKind::Ipv6 && host.to_ipv6() == address => {
            without_brackets(host.as_str()).into()
        }
        _ => stated,
    }
}

/// The forms of references in fast-uri.
fn kind(reference: AnyRef<'_>) -> &'static str {
    let alone = reference.path().is_empty()
        && reference.authority().is_none()
        && reference.query().is_none();
    match (is_absolute(reference), reference.fragment()) {
        (true, None) => "absolute",
        (true, Some(_)) => "uri",
        (false, Some(_)) if alone => "same-document",
        (false, _) => "relative",
    }
}

/// The components, with absent ones as empty strings, user and password decoded, the host without
/// brackets, and `/` for an empty path after a host.
fn uri_js(row: &Row) -> Judged {
    Judged::components(Standard::Rfc3986.parse(row.input()), |reference| {
        let stated = |name: &str| row.expect("parts")[name].clone();
        let present = |text: Option<String>| text.filter(|text| !text.is_empty());
        let host = component(reference, "host");
        let path = match (&host, reference.path().as_str()) {
            (Some(host), "") if !host.is_empty() => "/",
            (_, path) => path,
        };
        let decoded = |part: Option<Encoded<'_>>| {
            present(part.map(|part| part.decode_utf8().expect("UTF-8").into_owned()))
        };
        vec![
            Part::new(
                "protocol",
                stated("protocol"),
                component(reference, "scheme"),
            ),
            Part::new("username", stated("username"), decoded(reference.user())),
            Part::new(
                "password",
                stated("password"),
                decoded(reference.password()),
            ),
            Part::new(
                "hostname",
                stated("hostname"),
                present(host.map(|host| without_brackets(&host).to_owned())),
            ),
            Part::new(
                "port",
                stated("port"),
                present(component(reference, "port")),
            ),
            Part::new("path", stated("path"), path),
            Part::new(
                "query",
                stated("query"),
                present(component(reference, "query")),
            ),
            Part::new(
                "fragment",
                stated("fragment"),
                present(component(reference, "fragment")),
            ),
        ]
    })
}
