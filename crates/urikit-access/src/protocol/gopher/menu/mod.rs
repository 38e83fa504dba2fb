//! The lines of a menu, and their URLs.
//!
//! ```text
//! RFC 1436, Appendix
//! DirEntity   ::= Type User_Name Tab Selector Tab Host Tab Port CR-LF
//!                 {RedType User_Name Tab Selector Tab Host Tab Port CR-LF}
//! Gopher+, Appendix II
//! G+DirEntity ::= Type DisplayString Tab Selector Tab Host Tab Port Tab G+Field
//! ```

use crate::listing::{Entry, EntryKind};
use std::net::Ipv6Addr;
use urikit::{UriBuf, UriRef};
use urikit_schemes::{BuildError, Gopher, ItemType, Session};

/// The item type of a line of text.
pub(super) const INFO: u8 = b'i';
/// The item type of HTML, and of links to other URLs.
pub(super) const HTML: u8 = b'h';

/// The fields of a menu line. Missing ones are `None`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Item<'a> {
    /// The item type.
    pub(super) kind: u8,
    /// The text to display.
    pub(super) name: &'a [u8],
    pub(super) selector: Option<&'a [u8]>,
    pub(super) host: Option<&'a [u8]>,
    pub(super) port: Option<&'a [u8]>,
    /// Everything after the port: `+` or `?` with Gopher+, and extensions.
    pub(super) extra: Option<&'a [u8]>,
}

impl<'a> Item<'a> {
    /// Splits a line; `None` if it is empty.
    pub(super) fn read(line: &'a [u8]) -> Option<Self> {
        let (kind, rest) = line.split_first()?;
        let mut fields = rest.splitn(5, |octet| *octet == b'\t');
        Some(Self {
            kind: *kind,
            name: fields.next().unwrap_or_default(),
            selector: fields.next(),
            host: fields.next(),
            port: fields.next(),
            extra: fields.next(),
        })
    }

    /// Whether the line is an error that replaces the reply: type 3, with all fields.
    pub(super) fn is_error(&self) -> bool {
        let is_number = |port: &[u8]| !port.is_empty() && port.iter().all(u8::is_ascii_digit);
        self.kind == ItemType::ERROR.octet()
            && self.port.map(<[u8]>::trim_ascii).is_some_and(is_number)
    }

    /// The Gopher+ string of the item: `+`, or `?` if it has a form (RFC 1738, 3.4.4 and 3.4.5).
    fn plus(&self) -> Option<&'static [u8]> {
        match self.extra?.first()? {
            b'+' => Some(b"+"),
            b'?' => Some(b"?"),
            _ => None,
        }
    }

    /// The URL of the item, for the item type `kind`.
    ///
    /// # Errors
    ///
    /// What is missing in the line.
    pub(super) fn reference(&self, kind: u8) -> Result<String, &'static str> {
        let selector = self.selector.ok_or("a selector")?;
        if kind == HTML
            && let Some(url) = link(selector)
        {
            return Ok(url.to_owned());
        }
        let host = self.host.and_then(|host| std::str::from_utf8(host).ok());
        let host = host.filter(|host| !host.is_empty()).ok_or("a host")?;
        // In a URL, IPv6 addresses are in brackets.
        let host = match host.parse::<Ipv6Addr>() {
            Ok(_) => format!("[{host}]"),
            Err(_) => host.to_owned(),
        };
        let port = self.port.and_then(|port| std::str::from_utf8(port).ok());
        let port = port.map(str::trim_ascii);
        let port = port.filter(|port| port.bytes().all(|octet| octet.is_ascii_digit()));
        let port = port.and_then(|port| port.parse::<u16>().ok());
        let port = port.ok_or("a port from 0 to 65535")?;
        let session = match ItemType::from(kind) {
            ItemType::TELNET => Some(Session::telnet(&host)),
            ItemType::TN3270 => Some(Session::tn3270(&host)),
            _ => None,
        };
        let no_host = |_: BuildError| "a valid host";
        if let Some(mut session) = session {
            // 0 means the default port.
            if port != 0 {
                session = session.port(port);
            }
            if !selector.is_empty() {
                session = session.user(selector);
            }
            return session.build().map(UriBuf::into_string).map_err(no_host);
        }
        let mut url = Gopher::builder(&host).item(kind, selector);
        if port != 70 {
            url = url.port(port);
        }
        // After a Gopher+ string there would be no place for search words.
        if let Some(plus) = self.plus()
            && kind != ItemType::SEARCH.octet()
        {
            url = url.plus(plus);
        }
        url.build().map(UriBuf::into_string).map_err(no_host)
    }
}

/// The URL in a selector of type `h`: `URL:`, by convention after an optional slash, and an
/// absolute URL.
pub(super) fn link(selector: &[u8]) -> Option<&str> {
    let selector = selector.strip_prefix(b"/").unwrap_or(selector);
    let url = std::str::from_utf8(selector.strip_prefix(b"URL:")?).ok()?;
    UriRef::parse(url).ok()?.scheme().map(|_| url)
}

/// The kind of entry for an item type.
pub(super) fn kind_of(item_type: u8) -> EntryKind {
    match ItemType::from(item_type) {
        ItemType::DIRECTORY => EntryKind::Directory,
        ItemType::SEARCH | ItemType::CSO => EntryKind::Search,
        ItemType::TELNET | ItemType::TN3270 => EntryKind::Session,
        ItemType::ERROR => EntryKind::Error,
        item_type if item_type.title().is_some() => EntryKind::File,
        _ => match item_type {
            INFO => EntryKind::Text,
            // By convention: HTML, sounds, documents, calendars, mail, PDF, and other images.
            HTML | b's' | b'd' | b'c' | b'M' | b'P' | b'p' => EntryKind::File,
            _ => EntryKind::Other,
        },
    }
}

/// Reads a menu line by line.
#[derive(Default)]
pub(super) struct Menu {
    /// The type of the last item, which the redundant servers after it share.
    primary: Option<u8>,
    /// The first error, if no item precedes it.
    error: Option<Vec<u8>>,
    leads_anywhere: bool,
}

impl Menu {
    /// Returns the entry for the next line. Every line has one.
    pub(super) fn entry(&mut self, line: &[u8]) -> Entry {
        let Some(item) = Item::read(line) else {
            return Entry::new(EntryKind::Text, b"");
        };
        // A line without a TAB is not an item.
        if item.selector.is_none() {
            return Entry::new(EntryKind::Text, line);
        }
        let is_redundant = item.kind == ItemType::REDUNDANT.octet();
        let kind = if is_redundant {
            self.primary.unwrap_or(item.kind)
        } else {
            item.kind
        };
        let mut entry = Entry::new(kind_of(kind), item.name);
        match entry.kind {
            EntryKind::Text => return entry,
            EntryKind::Error => {
                if !self.leads_anywhere {
                    self.error.get_or_insert_with(|| item.name.to_vec());
                }
                return entry;
            }
            _ => {}
        }
        if !is_redundant {
            self.primary = Some(kind);
        }
        match item.reference(kind) {
            Ok(reference) => {
                self.leads_anywhere = true;
                entry = entry.reference(reference);
                if item.plus() == Some(b"?") {
                    entry.kind = EntryKind::Form;
                }
            }
            Err(lacks) => {
                entry.kind = EntryKind::Error;
                entry = entry.detail("lacks", lacks.as_bytes());
            }
        }
        entry = entry.detail("type", &[item.kind]);
        let fields = [
            ("selector", item.selector),
            ("host", item.host),
            ("port", item.port),
            ("extra", item.extra),
        ];
        for (name, value) in fields {
            if let Some(value) = value {
                entry = entry.detail(name, value);
            }
        }
        entry
    }

    /// The error that the menu consists of, if no line has a URL.
    pub(super) fn denial(self) -> Option<Vec<u8>> {
        self.error.filter(|_| !self.leads_anywhere)
    }
}

#[cfg(test)]
mod tests;
