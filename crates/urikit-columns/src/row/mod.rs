//! One row, as a reader reads it.

mod host_name;

use crate::Reader;
use crate::cells::{Cells as _, Text};
use crate::error::Reason;
use host_name::is_host_name;
use std::net::IpAddr;
use urikit::{AnyRef, HostKind};
use urikit_audit::java::JavaUri;
use urikit_audit::{Lenient, Reader as _, Reading, Rejection, Urllib, Whatwg};

/// What a reader makes of a row.
pub(crate) enum Row<'a> {
    /// A reference of a standard.
    Reference(AnyRef<'a>),
    /// What Java reads.
    Java(JavaUri<'a>),
    /// What another parser reads.
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

    /// What a parser that is no standard reads.
    fn parse(text: &'a str, reader: Reader) -> Result<Self, Rejection> {
        Ok(match reader {
            Reader::Standard(standard) => {
                Self::Reference(standard.parse(text).map_err(Rejection::Rfc)?)
            }
            Reader::Whatwg => Self::Reading(Whatwg.read(text)?),
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

    /// What kind of host it is, by the address that it is to the reader, or else by its syntax.
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

    /// Appends the port in digits, as written or as the reader gives it.
    pub(crate) fn push_port(&self, cells: &mut Text) {
        match self {
            Self::Reference(reference) => cells.push_some(reference.port()),
            Self::Java(uri) => match uri.port() {
                Some(port) => cells.push_shown(&port),
                None => cells.null(),
            },
            Self::Reading(reading) => cells.push_some(reading.port.as_deref()),
        }
    }

    /// The port as a number up to 65535, or up to 2147483647 in Java.
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

    /// The path; `None` for what is opaque to Java.
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

/// Whether a host is an IPv4 address in its usual form, up to leading zeros, which Java ignores.
fn is_ipv4(host: &str) -> bool {
    let mut numbers = 0;
    host.split('.').all(|digits| {
        numbers += 1;
        let number = digits.trim_start_matches('0');
        !digits.is_empty() && (number.is_empty() || number.parse::<u8>().is_ok())
    }) && numbers == 4
}
