//! Rows about host names: WHATWG's tables of ToASCII (UTS 46) and of the lengths of names.
//!
//! We apply ToASCII with the flags of RFC 3987, 3.1, which differ from those of WHATWG. If a row
//! expects a name that the DNS does not allow, we expect an error: a label that is too long or
//! empty, a hyphen at an end, a character other than a letter, digit or hyphen. A name in US-ASCII
//! stays as written, including Punycode, because RFC 3987, 3.1 only maps non-ASCII characters.

use crate::judged::Judged;
use crate::row::Row;
use urikit::component::Host;
use urikit::percent::{Place, encode};
use urikit::{HostKind, IriRef, Standard, UriRef};

pub(crate) fn judge(row: &Row) -> Option<Judged> {
    match row.op.as_str() {
        "wpt:to-ascii" => Some(to_ascii(row)),
        "wpt:dns-length" => {
            let fails = row.field("failure").as_bool()?;
            Some(Judged::verdict(
                !fails,
                Standard::Rfc3986.parse(row.input()),
                |url| url.host().is_some_and(|host| host.kind() == HostKind::Name),
            ))
        }
        _ => None,
    }
}

fn to_ascii(row: &Row) -> Judged {
    let name = row.input();
    let stated = row.field("output").as_str();
    // Escapes are decoded as UTF-8, so every text can be tried as a host.
    let escaped = encode(name, Place::Host, Standard::Rfc3986).expect("a host has escapes");
    let text = format!("//{escaped}/");
    let host = UriRef::parse(&text)
        .expect("a host")
        .host()
        .expect("a host");
    let actual = host.to_ascii().ok();
    if name.is_ascii() {
        // The case of the host is as written.
        let actual = actual.map(|name| name.to_ascii_lowercase());
        return compare(stated, actual.as_deref());
    }
    written_otherwise(name, actual.as_deref()).unwrap_or_else(|| {
        let expected = stated.filter(|name| is_of_the_dns(name));
        compare(expected, actual.as_deref())
    })
}

/// Compares with the literal name in an IRI that is mapped to a URI. Returns `None` if the results
/// agree, or if an IRI does not allow the name.
fn written_otherwise(name: &str, escaped: Option<&str>) -> Option<Judged> {
    let iri = format!("http://{name}/");
    let iri = IriRef::parse(&iri).ok()?;
    if iri.host()? != name {
        return None;
    }
    let uri = iri.to_uri_idna().ok();
    let host = uri.as_ref().and_then(|uri| uri.as_uri_ref().host());
    let written = host.map(Host::as_str);
    (written != escaped).then(|| compare(escaped, written))
}

fn compare(expected: Option<&str>, actual: Option<&str>) -> Judged {
    if expected == actual {
        return Judged::Same;
    }
    Judged::Differs {
        expected: format!("{expected:?}"),
        actual: format!("{actual:?}"),
    }
}

/// Returns true if a name has the form of RFC 1123, 2.1 and RFC 1034, 3.1: labels of at most 63
/// letters, digits and inner hyphens, at most 253 octets in total. A final dot is allowed.
fn is_of_the_dns(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    let is_inner = |c: char| c.is_ascii_alphanumeric() || c == '-';
    name.len() <= 253
        && name.split('.').all(|label| {
            (1..=63).contains(&label.len())
                && label.chars().all(is_inner)
                && !label.starts_with('-')
                && !label.ends_with('-')
        })
}
