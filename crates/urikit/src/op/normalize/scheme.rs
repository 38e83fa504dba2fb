//! Applies the rules of schemes (RFC 3986, 6.2.3), from the tables of [`scheme`](crate::scheme), to
//! a reference.
//!
//! All rules come from specifications. A scheme without an entry has no rules.

use super::piece::Caseless;
use crate::Standard::{Rfc1630, Rfc1738, Rfc2396, Rfc3986};
use crate::component::Encoded;
use crate::op::origin::default_port;
use crate::parse::{rfc822, rfc6068};
use crate::reference::{Known, Standards};
use crate::scheme::{Equivalence, equivalence};

/// Returns the rules of the reference's scheme. A reference that was parsed with the generic
/// production of RFC 1630 or RFC 1738 has no rules.
fn rules<S: Standards>(reference: Known<'_, S>) -> Option<&'static Equivalence> {
    let scheme = reference.scheme().filter(|_| !reference.is_generic())?;
    let rules = equivalence(|name| is(reference, scheme, name))?;
    (reference.standard() >= rules.since).then_some(rules)
}

/// Returns true if `scheme` has this name. RFC 1630 is case-sensitive.
fn is<S: Standards>(reference: Known<'_, S>, scheme: &str, name: &str) -> bool {
    if reference.standard() == Rfc1630 {
        scheme == name
    } else {
        scheme.eq_ignore_ascii_case(name)
    }
}

fn has_scheme<S: Standards>(reference: Known<'_, S>, name: &str) -> bool {
    let is_it = |scheme| is(reference, scheme, name);
    !reference.is_generic() && reference.scheme().is_some_and(is_it)
}

/// Returns true if the segments `.` and `..` are data. The segments of an ftp URL are arguments of
/// `CWD` (RFC 1738, 3.2.2). The server defines the meaning of the segments in gopher, wais and
/// prospero URLs (3.4.1, 3.9, 3.11). Resolving a reference against a URL of such a scheme still
/// follows RFC 3986.
pub(super) fn has_dots_as_data<S: Standards>(reference: Known<'_, S>) -> bool {
    ["ftp", "gopher", "wais", "prospero"]
        .iter()
        .any(|name| has_scheme(reference, name))
}

/// Returns true if the normal form omits the port and its colon: the port is empty or the default
/// of the scheme.
///
/// Under RFC 3986, 3.2.3, an empty port is omitted for every scheme. Under RFC 2396 an empty port
/// means the default, so the scheme must have a default port.
pub(super) fn is_idle_port<S: Standards>(reference: Known<'_, S>) -> bool {
    let Some((authority, port)) = reference.authority().and_then(|a| Some((a, a.port()?))) else {
        return false;
    };
    let default = || rules(reference).and_then(|_| default_port(reference.scheme()?));
    if port.is_empty() {
        reference.standard() >= Rfc3986 || default().is_some()
    } else {
        authority.port_number().is_some() && authority.port_number() == default()
    }
}

/// Returns true if the path is empty and equivalent to `/`.
pub(super) fn is_slash_omitted<S: Standards>(reference: Known<'_, S>) -> bool {
    // Without a host, no server defines the meaning of the path.
    let has_host = |reference: Known<'_, S>| {
        reference
            .host()
            .is_some_and(|host| !host.as_str().is_empty())
    };
    reference.path().is_empty()
        && has_host(reference)
        && rules(reference)
            .and_then(|rules| rules.slash_since)
            .is_some_and(|since| reference.standard() >= since)
}

/// Returns true if the host is `localhost` and can be omitted. Only `file` has this default (RFC
/// 1630, file; RFC 1738, 3.10; RFC 8089, 2).
pub(super) fn is_local_host<S: Standards>(reference: Known<'_, S>) -> bool {
    reference.authority().is_some_and(|authority| {
        let text = authority.as_str();
        let is_local = if reference.standard() == Rfc1630 {
            text == "localhost"
        } else {
            text.eq_ignore_ascii_case("localhost")
        };
        is_local && has_scheme(reference, "file")
    })
}

/// Returns true if the authority is absent and equivalent to an empty one, as in `file:/etc/motd`
/// (RFC 8089, 2 and Appendix B).
pub(super) fn is_authority_omitted<S: Standards>(reference: Known<'_, S>) -> bool {
    reference.standard() >= Rfc3986
        && reference.authority().is_none()
        && reference.path().is_absolute()
        && has_scheme(reference, "file")
}

/// Returns the case-insensitive part of the path.
pub(super) fn caseless<S: Standards>(reference: Known<'_, S>) -> Caseless {
    let path = reference.path().as_str();
    // The namespace identifier (RFC 2141, 5; RFC 8141, 3.1). URNs build on the syntax of RFC 2396.
    if reference.standard() >= Rfc2396 && !path.starts_with('/') && has_scheme(reference, "urn") {
        return match path.find(':') {
            Some(end) if end > 0 => Caseless::Range(0, end),
            _ => Caseless::Nowhere,
        };
    }
    if has_scheme(reference, "mailto") {
        return caseless_mailto(reference);
    }
    Caseless::Nowhere
}

/// Returns the case-insensitive parts of the query: the names of the header fields of a mailto URL
/// (RFC 6068, 2).
pub(super) fn caseless_query<S: Standards>(reference: Known<'_, S>) -> Caseless {
    if has_scheme(reference, "mailto") {
        caseless_mailto_query(reference)
    } else {
        Caseless::Nowhere
    }
}

/// Returns the case-insensitive parts of the path in a mailto URL: the domains of the addresses
/// (RFC 822, 3.4.7; RFC 6068, 2). Nothing is case-insensitive under RFC 1630, or in an invalid URL,
/// which has no addresses.
fn caseless_mailto<S: Standards>(reference: Known<'_, S>) -> Caseless {
    if reference.standard() >= Rfc3986 {
        if is_valid(reference) {
            return Caseless::Domains;
        }
    } else if reference.standard() >= Rfc1738 {
        return only_domain(reference);
    }
    Caseless::Nowhere
}

/// Returns the case-insensitive parts of the query in a mailto URL.
fn caseless_mailto_query<S: Standards>(reference: Known<'_, S>) -> Caseless {
    if reference.standard() >= Rfc3986 && is_valid(reference) {
        Caseless::Names
    } else {
        Caseless::Nowhere
    }
}

/// Returns true if the reference is a `mailtoURI` of RFC 6068.
fn is_valid<S: Standards>(reference: Known<'_, S>) -> bool {
    let to = reference.path().as_str();
    let mut fields = reference.query().into_iter().flat_map(|q| q.split('&'));
    reference.authority().is_none()
        && (to.is_empty() || to.split(',').all(|part| rfc6068::addr_spec(part).is_ok()))
        && fields.all(|field| rfc6068::hfield(field.as_str()).is_ok())
}

/// Returns the domain of the single address that RFC 1738 allows, if it is a name (RFC 822,
/// 3.4.7). RFC 2368 would find a different domain if the address contained a `?`.
fn only_domain<S: Standards>(reference: Known<'_, S>) -> Caseless {
    let is_name = |octet: u8| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'_' | b'.');
    // A parser for RFC 1808 can find params within a quoted string.
    let has_more = reference.authority().is_some()
        || reference.params().is_some()
        || reference.query().is_some();
    let path = reference.path().as_str();
    match rfc822::addr_spec(path) {
        Ok((_, domain)) if !has_more => {
            let end = path.len();
            let text = path.get(domain..).unwrap_or_default();
            if Encoded::new(text).decode().octets().all(is_name) {
                return Caseless::Range(domain, end);
            }
            Caseless::Nowhere
        }
        _ => Caseless::Nowhere,
    }
}

/// Returns the offset of the next domain that is a name. `rest` is a list of addresses, or the part
/// of such a list after a domain.
pub(super) fn next_domain(rest: &str) -> Option<usize> {
    let list = rest.strip_prefix(',').unwrap_or(rest);
    let mut start = rest.len() - list.len();
    for part in list.split(',') {
        if let Ok((_, domain)) = rfc6068::addr_spec(part) {
            let text = part.get(domain..).unwrap_or_default();
            if Encoded::new(text).decode().octets().next() != Some(b'[') {
                return Some(start + domain);
            }
        }
        start += part.len() + 1;
    }
    None
}
