//! A fast path: URLs of which RFC 3986 and `java.net.URI` make the same.

use super::JavaUri;
use super::authority::{Authority, Server};
use urikit::{HostKind, Standard};

/// The components, if the text is a URI of RFC 3986 with a host that Java accepts too: a name or
/// an IPv4 address, with a port that is a number up to 65535 or absent. What RFC 3986 allows
/// elsewhere in such a URI, Java allows there.
pub(super) fn uri(text: &str) -> Option<JavaUri<'_>> {
    let reference = Standard::Rfc3986.parse(text).ok()?;
    let scheme = reference.scheme()?;
    let authority = reference.authority()?;
    let host = authority.host();
    if !matches!(host.kind(), HostKind::Name | HostKind::Ipv4) {
        return None;
    }
    let port_digits = authority.port();
    let port = match port_digits {
        None => None,
        Some(_) => Some(u32::from(authority.port_number()?)),
    };
    let fragment = reference.fragment().map(|text| text.as_str());
    let end = text.len() - fragment.map_or(0, |text| text.len() + 1);
    Some(JavaUri {
        scheme: Some(scheme),
        scheme_specific_part: text.get(scheme.len() + 1..end)?,
        authority: Some(Authority {
            text: authority.as_str(),
            server: Some(Server {
                user_info: authority.userinfo().map(|text| text.as_str()),
                host: host.as_str(),
                port,
                port_digits,
            }),
        }),
        path: Some(reference.path().as_str()),
        query: reference.query().map(|text| text.as_str()),
        fragment,
    })
}
