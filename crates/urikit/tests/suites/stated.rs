//! Rows that state a verdict, the components or a round trip of a reference: fluent-uri, Guzzle,
//! Haskell's network-uri, `Net_URL2`, the JSON Schema test suite, oxiri.

use crate::judged::{Judged, Part, component, round_trip};
use crate::row::Row;
use urikit::{AnyRef, Form, HostKind, Standard};

pub(crate) fn judge(row: &Row) -> Option<Judged> {
    let judged = match row.op.as_str() {
        "parse" | "parse-reference" => reference(row),
        "roundtrip" => {
            let expected = row.expect("result").as_str()?;
            round_trip(&row.standards(row.input()), row.input(), expected)
        }
        "valid:uri" => verdict(row, Standard::Rfc3986, is_absolute),
        "valid:uri-reference" => verdict(row, Standard::Rfc3986, |_| true),
        "valid:iri" | "oxiri:test_parsing" => verdict(row, Standard::Rfc3987, is_absolute),
        "valid:iri-reference"
        | "oxiri:test_relative_parsing"
        | "oxiri:test_wrong_relative_parsing" => verdict(row, Standard::Rfc3987, |_| true),
        "valid:ipv4" => ipv4(row),
        "valid:ipv6" => ipv6(row),
        _ => return None,
    };
    Some(judged)
}

/// A `URI` or `IRI` in the narrow sense of the RFCs, with a scheme.
pub(crate) fn is_absolute(reference: AnyRef<'_>) -> bool {
    reference.form() == Form::Absolute
}

fn verdict(row: &Row, standard: Standard, also: impl Fn(AnyRef<'_>) -> bool) -> Judged {
    Judged::verdict(row.valid(), standard.parse(row.input()), also)
}

/// A verdict on a reference. The components and the form of a valid reference are also compared
/// with those that the row states.
fn reference(row: &Row) -> Judged {
    Judged::by_each(&row.standards(row.input()), |standard| {
        let read = standard.parse(row.input());
        if !row.valid() {
            return Judged::verdict(false, read, |_| true);
        }
        Judged::components(read, |reference| {
            let stated = [
                "scheme",
                "authority",
                "userinfo",
                "host",
                "port",
                "path",
                "query",
                "fragment",
            ]
            .into_iter()
            .filter(|name| row.field("expect").get(name).is_some());
            let mut parts: Vec<Part> = stated
                .map(|name| Part::new(name, row.expect(name).clone(), component(reference, name)))
                .collect();
            if let Some(expected) = row.expect("kind").as_str() {
                parts.push(Part::new("kind", expected, kind(reference)));
            }
            parts
        })
    })
}

/// The forms of references in Haskell's network-uri.
fn kind(reference: AnyRef<'_>) -> &'static str {
    match (reference.form(), reference.fragment()) {
        (Form::Absolute, Some(_)) => "URI with fragment",
        (Form::Absolute, None) => "absolute URI without fragment",
        _ => "relative reference",
    }
}

/// An IPv4 address, as the complete host of a network-path reference.
pub(crate) fn ipv4(row: &Row) -> Judged {
    host(row, row.input(), HostKind::Ipv4)
}

/// An IPv6 address, in brackets as the complete host of a network-path reference.
pub(crate) fn ipv6(row: &Row) -> Judged {
    host(row, &format!("[{}]", row.input()), HostKind::Ipv6)
}

/// A string that must be the complete authority.
fn host(row: &Row, host: &str, kind: HostKind) -> Judged {
    Judged::verdict(
        row.valid(),
        Standard::Rfc3986.parse(&format!("//{host}")),
        |reference| {
            reference.host_kind() == Some(kind)
                && reference.host().is_some_and(|found| found == *host)
                && reference.as_str().len() == host.len() + 2
        },
    )
}
