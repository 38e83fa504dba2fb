//! What has passed a gate.

use crate::agree::Agreement;
use std::fmt;
use std::net::IpAddr;
use urikit::{Uri, UriBuf};

/// A URL that has passed a [`Gate`](super::Gate), with the parts that were checked.
///
/// ```
/// use urikit_audit::{CheckedHost, Gate};
/// let checked = Gate::strict().check("HTTP://[2001:4860:4860:0::8888]:80/a?b")?;
/// assert_eq!(checked.scheme(), "http");
/// assert_eq!(*checked.host(), CheckedHost::Address("2001:4860:4860::8888".parse().unwrap()));
/// assert_eq!(checked.port(), Some(80));
/// assert_eq!(checked.uri().path(), "/a");
/// # Ok::<(), urikit_audit::Findings>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Checked {
    uri: UriBuf,
    scheme: String,
    host: CheckedHost,
    port: Option<u16>,
}

/// A host on which all readers agree.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum CheckedHost {
    /// A name in lower case. What address it leads to was not checked.
    Name(String),
    /// An address.
    Address(IpAddr),
}

impl Checked {
    pub(super) fn new(uri: Uri<'_>, host: CheckedHost, port: Option<u16>) -> Self {
        Self {
            uri: uri.to_owned(),
            scheme: uri.scheme().to_ascii_lowercase(),
            host,
            port,
        }
    }

    /// The URL as written.
    pub const fn uri(&self) -> Uri<'_> {
        self.uri.borrow()
    }

    /// The scheme in lower case.
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// The host.
    pub const fn host(&self) -> &CheckedHost {
        &self.host
    }

    /// The port, or the default port of the scheme; `None` if there is neither.
    pub const fn port(&self) -> Option<u16> {
        self.port
    }
}

impl fmt::Display for CheckedHost {
    /// The name, or the address without brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.pad(name),
            Self::Address(address) => address.fmt(f),
        }
    }
}

/// The host of the first reading that has one.
pub(super) fn host(agreement: &Agreement<'_>) -> Option<CheckedHost> {
    let mut readings = agreement.readings().map(|(_, reading)| reading);
    let reading = readings.find(|reading| !reading.has_null_host)?;
    if let Some(address) = reading.address {
        return Some(CheckedHost::Address(address));
    }
    let name = reading.host.as_deref().filter(|name| !name.is_empty())?;
    Some(CheckedHost::Name(name.to_lowercase()))
}
