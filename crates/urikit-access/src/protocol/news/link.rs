//! The URLs of the entries in a listing.

use super::overview::Record;
use crate::protocol::parse::default_port;
use urikit_schemes::{News, Nntp};

/// The scheme and server of the requested URL, without its userinfo.
pub(super) struct Link {
    scheme: Scheme,
    host: String,
    /// The port, unless it is the default of the scheme.
    port: Option<u16>,
    /// Whether the URL names the server.
    is_named: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scheme {
    News,
    Snews,
    Nntp,
}

impl Link {
    pub(super) fn news(host: &str, port: u16, is_named: bool) -> Self {
        Self::new(Scheme::News, host, (port, default_port("news")), is_named)
    }

    pub(super) fn snews(host: &str, port: u16, is_named: bool) -> Self {
        Self::new(Scheme::Snews, host, (port, default_port("snews")), is_named)
    }

    pub(super) fn nntp(host: &str, port: u16) -> Self {
        Self::new(Scheme::Nntp, host, (port, default_port("nntp")), true)
    }

    fn new(scheme: Scheme, host: &str, (port, own): (u16, u16), is_named: bool) -> Self {
        Self {
            scheme,
            host: host.to_owned(),
            port: (port != own).then_some(port),
            is_named,
        }
    }

    /// The URL of an article in a group. `None` if the scheme has no URL for it.
    pub(super) fn article(&self, group: &[u8], record: &Record) -> Option<String> {
        let by_id = || {
            let mut url = News::article(record.bare_id()?);
            if self.scheme == Scheme::Snews {
                url = url.snews();
            }
            if self.is_named {
                url = url.server(&self.host);
                url = self.port.map_or(url.clone(), |port| url.port(port));
            }
            url.build().ok()
        };
        let by_number = || {
            let url = Nntp::to(&self.host, group).article(record.number);
            let url = self.port.map_or(url.clone(), |port| url.port(port));
            url.build().ok()
        };
        let url = match self.scheme {
            Scheme::News => by_id().or_else(by_number),
            Scheme::Snews => by_id(),
            Scheme::Nntp => by_number(),
        };
        url.map(|url| url.as_str().to_owned())
    }

    /// The URL of a group.
    pub(super) fn group(&self, name: &[u8]) -> Option<String> {
        let mut url = News::group(name);
        if self.scheme == Scheme::Snews {
            url = url.snews();
        }
        if self.is_named {
            url = url.server(&self.host);
            url = self.port.map_or(url.clone(), |port| url.port(port));
        }
        url.build().ok().map(|url| url.as_str().to_owned())
    }
}
