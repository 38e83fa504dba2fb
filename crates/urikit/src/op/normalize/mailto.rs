//! Which parts of a mailto URL are case-insensitive: the domains of its addresses (RFC 822, 3.4.7;
//! RFC 6068, 2) and the names of its header fields (RFC 6068, 2). Only in a valid one.

use super::caseless::Caseless;
use crate::AnyRef;
use crate::Standard::{Rfc1738, Rfc3986};
use crate::component::Encoded;
use crate::parse::{rfc822, rfc6068};

/// Where the path is case-insensitive. RFC 1630 is case-sensitive.
pub(super) fn caseless(reference: AnyRef<'_>) -> Caseless {
    if reference.standard() >= Rfc3986 {
        if is_valid(reference) {
            return Caseless::Domains;
        }
    } else if reference.standard() >= Rfc1738 {
        return only_domain(reference);
    }
    Caseless::Nowhere
}

/// Where the query is case-insensitive.
pub(super) fn caseless_query(reference: AnyRef<'_>) -> Caseless {
    if reference.standard() >= Rfc3986 && is_valid(reference) {
        Caseless::Names
    } else {
        Caseless::Nowhere
    }
}

/// Whether it is a `mailtoURI` of RFC 6068.
fn is_valid(reference: AnyRef<'_>) -> bool {
    let to = reference.path().as_str();
    let mut fields = reference.query().into_iter().flat_map(|q| q.split('&'));
    reference.authority().is_none()
        && (to.is_empty() || to.split(',').all(|part| rfc6068::addr_spec(part).is_ok()))
        && fields.all(|field| rfc6068::hfield(field.as_str()).is_ok())
}

/// The domain of RFC 1738's single address, if it is a name (RFC 822, 3.4.7). (RFC 2368 would have
/// another one if it contains a `?`.)
fn only_domain(reference: AnyRef<'_>) -> Caseless {
    let is_name = |octet: u8| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'_' | b'.');
    // RFC 1808 can find params in a quoted string.
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

/// Where the next domain that is a name begins, in a list of addresses or the rest of one after a
/// domain.
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
