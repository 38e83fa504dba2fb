//! `java.net.URI`.

use super::{Outcome, Reader};
use crate::java::JavaUri;
use crate::reading::Reading;
use crate::rejection::Rejection;
use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr};

/// The reader `java-net-uri`: exactly what `java.net.URI` gives, as [`java`](crate::java)
/// describes it. Components are raw.
///
/// ```
/// use urikit_audit::{JavaNetUri, Reader as _};
/// let reading = JavaNetUri.read("http://a_b:80/")?;
/// assert!(reading.has_null_host);
/// # Ok::<(), urikit_audit::Rejection>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JavaNetUri;

impl Reader for JavaNetUri {
    fn name(&self) -> &'static str {
        "java-net-uri"
    }

    fn read<'a>(&self, input: &'a str) -> Outcome<'a> {
        let uri = JavaUri::parse(input).map_err(Rejection::Java)?;
        let opaque = || uri.raw_scheme_specific_part().split('?').next();
        let path = uri.raw_path().or_else(opaque).unwrap_or_default();
        Ok(Reading {
            scheme: uri.scheme().map(Cow::Borrowed),
            authority: uri.raw_authority().map(Cow::Borrowed),
            userinfo: uri.raw_user_info().map(Cow::Borrowed),
            host: uri.host().map(Cow::Borrowed),
            address: uri.host().and_then(address),
            port: uri.port_digits().map(Cow::Borrowed),
            path: Cow::Borrowed(path),
            query: uri.raw_query().map(Cow::Borrowed),
            fragment: uri.raw_fragment().map(Cow::Borrowed),
            has_null_host: uri.is_registry_based(),
        })
    }
}

/// The address that Java connects to. The numbers of an IPv4 address are decimal, whatever their
/// leading zeros; an address with a zone is left out.
fn address(host: &str) -> Option<IpAddr> {
    if let Some(inner) = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
    {
        return inner.parse().ok().map(IpAddr::V6);
    }
    if !host.ends_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let mut octets = [0; 4];
    let mut numbers = host.split('.');
    for octet in &mut octets {
        let digits = numbers.next()?.trim_start_matches('0');
        *octet = match digits {
            "" => 0,
            digits => digits.parse().ok()?,
        };
    }
    let is_end = numbers.next().is_none();
    is_end.then(|| IpAddr::V4(Ipv4Addr::from(octets)))
}
