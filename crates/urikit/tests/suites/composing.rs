//! Composing references from components: Python's `urlunsplit` and `urlunparse`, and `serialize` of
//! fast-uri.
//!
//! These functions correspond to our builder, which rejects components that would be parsed
//! differently. These libraries write something else instead: an authority, a slash, an escape.

use crate::judged::Judged;
use crate::row::Row;
use serde_json::Value as Json;
use std::net::Ipv6Addr;
use urikit::{Change, Standard, UriBuilder, Value};

pub(crate) fn judge(row: &Row) -> Option<Judged> {
    match row.op.as_str() {
        "py:urlunsplit" | "py:urlunparse" => Some(python(row)),
        "fast-uri:serialize" => Some(fast_uri(row)),
        _ => None,
    }
}

fn compare(expected: &str, built: Result<String, String>) -> Judged {
    match built {
        Ok(text) if text == expected => Judged::Same,
        Ok(actual) | Err(actual) => Judged::Differs {
            expected: expected.to_owned(),
            actual,
        },
    }
}

fn build(builder: UriBuilder<'_>) -> Result<String, String> {
    let built = builder.build_ref().map_err(|error| error.to_string())?;
    Ok(built.into_string())
}

/// An absent component is empty, and nothing is escaped.
fn python(row: &Row) -> Judged {
    if row.expect("raises") == true {
        return Judged::NotThisKind("called with both a string and bytes, which Python rejects");
    }
    let expected = row.expect("result");
    let expected = expected["bytes"].as_str().or(expected.as_str());
    let expected = expected.expect("a text");
    let components = &row.field("args")["components"];
    let stated = |name: &str| {
        let part = &components[name];
        let text = part["bytes"].as_str().or(part.as_str());
        text.filter(|text| !text.is_empty())
    };
    let mut builder = UriBuilder::new();
    if let Some(scheme) = stated("scheme") {
        builder = builder.scheme(Value::encoded(scheme));
    }
    let netloc = format!("//{}", stated("netloc").unwrap_or_default());
    if stated("netloc").is_some() {
        let read = match Standard::Rfc3986.parse(&netloc) {
            Ok(read) => read,
            Err(error) => return compare(expected, Err(error.to_string())),
        };
        if let Some(userinfo) = read.userinfo() {
            builder = builder.userinfo(Value::encoded(userinfo.as_str()));
        }
        if let Some(host) = read.host() {
            builder = builder.host(Value::encoded(host.as_str()));
        }
        if let Some(port) = read.port() {
            builder = builder.port(Value::encoded(port));
        }
    }
    let params = stated("params").map_or(String::new(), |params| format!(";{params}"));
    builder = builder.path(Value::encoded(
        stated("path").unwrap_or_default().to_owned() + &params,
    ));
    if let Some(query) = stated("query") {
        builder = builder.query(Value::encoded(query));
    }
    if let Some(fragment) = stated("fragment") {
        builder = builder.fragment(Value::encoded(fragment));
    }
    compare(expected, build(builder))
}

/// Absent components are omitted, and an empty scheme counts as absent. The host has no brackets,
/// the port is a number or a string, and characters that are not allowed are escaped.
fn fast_uri(row: &Row) -> Judged {
    let components = row.field("input");
    if components["scheme"] == "mailto" {
        return Judged::NotThisKind("composed from the fields of a scheme-specific handler");
    }
    let stated = |name: &str| match &components[name] {
        Json::Number(port) => Some(port.to_string()),
        text => text.as_str().map(str::to_owned),
    };
    let host = stated("host").map(|host| match host.parse::<Ipv6Addr>() {
        Ok(_) => format!("[{host}]"),
        Err(_) => host,
    });
    let change = |part: Option<String>| Change::from(part.map(Value::lenient));
    let builder = UriBuilder::new()
        .scheme(change(stated("scheme").filter(|scheme| !scheme.is_empty())))
        .userinfo(change(stated("userinfo")))
        .host(change(host))
        .port(change(stated("port")))
        .path(Value::lenient(stated("path").unwrap_or_default()))
        .query(change(stated("query")))
        .fragment(change(stated("fragment")));
    compare(
        row.field("expect").as_str().expect("a text"),
        build(builder),
    )
}
