//! The normal form in which two references are compared.

use crate::support::uri;
use serde_json::{Value, json};

/// The components of a reference in normal form; `None` if it is invalid.
///
/// This form differs from that of `uri normalize` in two ways. Ports are compared as written,
/// because some rows test whether one is kept or omitted. An empty path after an authority is `/`
/// under every scheme, as RFC 3986, 6.2.3, says "in general", and as curl writes it.
pub(crate) fn normal(text: &str, standard: &str) -> Option<Value> {
    let normalized = uri(["normalize", "--standard", standard, "--", text]);
    let components =
        |text: &str| uri(["parse", "--json", "--standard", standard, "--", text]).json();
    let [written] = &components(text)[..] else {
        return None;
    };
    if normalized.status != 0 {
        return None;
    }
    let normal = components(normalized.out.trim_end_matches('\n')).pop()?;
    let path = path(&normal);
    let [scheme, userinfo, host] = ["scheme", "userinfo", "host"].map(|key| &normal[key]);
    let [query, fragment] = ["query", "fragment"].map(|key| &normal[key]);
    Some(json!([
        scheme,
        userinfo,
        host,
        written["port"],
        path,
        query,
        fragment
    ]))
}

/// The path, which is `/` if it is empty after a host.
pub(crate) fn path(components: &Value) -> &str {
    match components["path"].as_str() {
        Some("") if components["host"].is_string() => "/",
        path => path.unwrap_or_default(),
    }
}
