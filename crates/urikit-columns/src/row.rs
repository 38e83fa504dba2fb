//! Reads one row with any reader.

use crate::Reader;
use crate::cells::{Cells as _, Text};
use crate::error::Reason;
use std::net::IpAddr;
use urikit::{AnyRef, HostKind};
use urikit_audit::java::JavaUri;
use urikit_audit::{Lenient, Reader as _, Reading, Rejection, Urllib, Whatwg};

/// A row, parsed by a reader.
pub(crate) enum Row<'a> {
    /// A reference, parsed under a standard.
    Reference(AnyRef<'a>),
    /// The result of Java's parser.
    Java(JavaUri<'a>),
    /// The result of another parser.
    Reading(Reading<'a>),
}

impl<'a> Row<'a> {
    #[inline]
    pub(crate) fn read(text: &'a str, reader: Reader) -> Result<Self, Reason> {
        Ok(match reader {
            Reader::Standard(standard) => Self::Reference(standard.parse(text)?),
            _ => Self::parse(text, reader)?,
        })
    }

    /// Reads a row with any reader.
    fn parse(text: &'a str, reader: Reader) -> Result<Self, Rejection> {
        Ok(match reader {
            Reader::Standard(standard) => {
                Self::Reference(standard.parse(text).map_err(Rejection::Rfc)?)
            }
            Reader::Whatwg => match Whatwg.unchanged(text) {
                Some(url) => Self::Reference(AnyRef::from(url)),
                None => Self::Reading(Whatwg.read(text)?),
            },
            Reader::JavaNetUri => Self::Java(JavaUri::parse(text).map_err(Rejection::Java)?),
            Reader::Urllib => Self::Reading(Urllib.read(text)?),
            Reader::Lenient => Self::Reading(Lenient.read(text)?),
        })
    }

    pub(crate) fn scheme(&self) -> Option<&str> {
        match self {
            Self::Reference(reference) => reference.scheme(),
            Self::Java(uri) => uri.scheme(),
            Self::Reading(reading) => reading.scheme.as_deref(),
        }
    }

    pub(crate) fn authority(&self) -> Option<&str> {
        match self {
            Self::Reference(reference) => reference.authority().map(|it| it.as_str()),
            Self::Java(uri) => uri.raw_authority(),
            Self::Reading(reading) => reading.authority.as_deref(),
        }
    }

    pub(crate) fn userinfo(&self) -> Option<&str> {
        match self {
            Self::Reference(reference) => reference.userinfo().map(|it| it.as_str()),
            Self::Java(uri) => uri.raw_user_info(),
            Self::Reading(reading) => reading.userinfo.as_deref(),
        }
    }

    #[inline]
    pub(crate) fn host(&self) -> Option<&str> {
        match self {
            Self::Reference(reference) => reference.host().map(|it| it.as_str()),
            Self::Java(uri) => uri.host(),
            Self::Reading(reading) => reading.host.as_deref(),
        }
    }

    /// Returns the kind of the host: derived from the address if the reader parsed one, and
    /// otherwise from the syntax.
    pub(crate) fn host_kind(&self) -> Option<HostKind> {
        let (host, address) = match self {
            Self::Reference(reference) => return reference.host_kind(),
            Self::Java(uri) => (uri.host()?, None),
            Self::Reading(reading) => (reading.host.as_deref()?, reading.address),
        };
        Some(match address {
            Some(IpAddr::V4(_)) => HostKind::Ipv4,
            Some(IpAddr::V6(_)) => HostKind::Ipv6,
            None if host.is_empty() => HostKind::Empty,
            None if host.starts_with('[') => HostKind::Ipv6,
            None if is_ipv4(host) => HostKind::Ipv4,
            None if is_host_name(host) => HostKind::Name,
            None => HostKind::RegName,
        })
    }

    /// Appends the port: the digits as written for a standard, and otherwise the number that the
    /// reader returns.
    pub(crate) fn push_port(&self, cells: &mut Text) {
        match self {
            Self::Reference(reference) => cells.push_some(reference.port()),
            Self::Java(uri) => match uri.port() {
                Some(port) => cells.push_display(&port),
                None => cells.null(),
            },
            Self::Reading(reading) => cells.push_some(reading.port.as_deref()),
        }
    }

    /// Returns the port as a number, up to 65535, or up to 2147483647 in Java.
    pub(crate) fn port_number(&self) -> Option<i32> {
        match self {
            Self::Reference(reference) => reference.port_number().map(i32::from),
            Self::Java(uri) => i32::try_from(uri.port()?).ok(),
            Self::Reading(reading) => {
                let digits = reading.port.as_deref()?;
                let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
                let number = is_number.then(|| digits.parse::<u16>().ok())?;
                number.map(i32::from)
            }
        }
    }

    /// Returns the path, or `None` for a URI that is opaque to Java.
    pub(crate) fn path(&self) -> Option<&str> {
        match self {
            Self::Reference(reference) => Some(reference.path().as_str()),
            Self::Java(uri) => uri.raw_path(),
            Self::Reading(reading) => Some(&reading.path),
        }
    }

    pub(crate) fn query(&self) -> Option<&str> {
        match self {
            Self::Reference(reference) => reference.query().map(|it| it.as_str()),
            Self::Java(uri) => uri.raw_query(),
            Self::Reading(reading) => reading.query.as_deref(),
        }
    }

    pub(crate) fn fragment(&self) -> Option<&str> {
        match self {
            Self::Reference(reference) => reference.fragment().map(|it| it.as_str()),
            Self::Java(uri) => uri.raw_fragment(),
            Self::Reading(reading) => reading.fragment.as_deref(),
        }
    }
}

/// Returns whether a host is four decimal numbers up to 255. Leading zeros are allowed, because
/// Java ignores them.
fn is_ipv4(host: &str) -> bool {
    let mut numbers = 0;
    host.split('.').all(|digits| {
        numbers += 1;
        let number = digits.trim_start_matches('0');
        !digits.is_empty() && (number.is_empty() || number.parse::<u8>().is_ok())
    }) && numbers == 4
}

/// Returns whether a host is a [`HostKind::Name`]: a name according to RFC 1034 and RFC 1123.
///
/// The core determines the kind of a host while it parses a reference. Hosts returned by other
/// parsers may be decoded or converted, so the core never parses them.
fn is_host_name(host: &str) -> bool {
    let name = host.strip_suffix('.').unwrap_or(host);
    let mut last = "";
    let has_labels = name.split('.').all(|label| {
        last = label;
        is_label(label)
    });
    has_labels && name.len() <= 255 && last.starts_with(|c: char| c.is_ascii_alphabetic())
}

fn is_label(label: &str) -> bool {
    let bytes = label.as_bytes();
    let is_inner = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    let is_end = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    is_end(bytes.first()) && is_end(bytes.last()) && bytes.len() <= 63 && bytes.iter().all(is_inner)
}

#[cfg(test)]
mod tests {
    use super::is_host_name;
    use urikit::{HostKind, Standard};

    #[test]
    fn the_core_agrees_on_names() {
        let long = "a".repeat(63);
        let longer = "a".repeat(64);
        let longest = [long.as_str(); 4].join(".");
        let names = [
            "a",
            "a.",
            "a..",
            ".",
            "a-b.c",
            "-a",
            "a-",
            "a.1",
            "1.a",
            "a_b",
            "a.b2",
            "2",
            "1.2.3.4",
            &long,
            &longer,
            &longest,
            longest.get(1..).unwrap(),
            "x.-.y",
            "ab.c-d.e",
        ];
        for name in names {
            let text = format!("//{name}");
            let host = Standard::Rfc3986.parse(&text).unwrap().host().unwrap();
            assert_eq!(is_host_name(name), host.kind() == HostKind::Name, "{name}");
        }
    }
}
