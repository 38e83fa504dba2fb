//! Boost.URL: single rules of RFC 3986, each tested inside a reference, and complete references.

use crate::judged::{Judged, Part, component};
use crate::row::Row;
use crate::stated::{ipv4, ipv6, is_absolute};
use urikit::{AnyRef, Standard};

pub(crate) fn judge(row: &Row) -> Option<Judged> {
    let judged = match row.op.as_str() {
        "rule:uri_rule" => embedded(row, "", is_absolute),
        "rule:absolute_uri_rule" => embedded(row, "", |reference| {
            is_absolute(reference) && reference.fragment().is_none()
        }),
        // The text must be the complete authority.
        "rule:authority_rule" => embedded(row, "//", |reference| {
            component(reference, "authority").as_deref() == Some(row.input())
        }),
        // `origin-form = absolute-path [ "?" query ]` (RFC 7230, 5.3.1). The row's text is parsed
        // after a host, because otherwise a path that begins with `//` would be parsed as an
        // authority.
        "rule:origin_form_rule" => embedded(row, "//host", |reference| {
            component(reference, "authority").as_deref() == Some("host")
                && reference.path().is_absolute()
                && reference.fragment().is_none()
        }),
        "boost:url_view:ok" | "boost:url_view:bad" => embedded(row, "", |_| true),
        "boost:ipv4_address:good" | "boost:ipv4_address:bad" => ipv4(row),
        "boost:ipv6_address:good" | "boost:ipv6_address:bad" => ipv6(row),
        "boost:check3" => check3(row),
        _ => return None,
    };
    Some(judged)
}

/// A verdict on the text, placed after `before`.
fn embedded(row: &Row, before: &str, also: impl Fn(AnyRef<'_>) -> bool) -> Judged {
    let text = format!("{before}{}", row.input());
    Judged::verdict(row.valid(), Standard::Rfc3986.parse(&text), also)
}

/// Judges a row with three strings. The source of the tests (`url_view.cpp`) shows their meaning: a
/// reference, its fragment, and the decoded fragment.
fn check3(row: &Row) -> Judged {
    if row.field("src") != "test/unit/url_view.cpp" {
        return Judged::NotThisKind("sets a component and escapes what does not fit");
    }
    let args = row.field("args");
    let text = args[0].as_str().expect("a reference");
    Judged::components(Standard::Rfc3986.parse(text), |reference| {
        let decoded = reference
            .fragment()
            .map(|fragment| fragment.decode_utf8().expect("UTF-8"));
        vec![
            Part::new(
                "fragment",
                args[1].clone(),
                component(reference, "fragment"),
            ),
            Part::new("fragment decoded", args[2].clone(), decoded),
        ]
    })
}
