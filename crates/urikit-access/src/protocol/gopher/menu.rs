//! The lines of a menu, and their URLs.
//!
//! ```text
//! RFC 1436, Appendix
//! DirEntity   ::= Type User_Name Tab Selector Tab Host Tab Port CR-LF
//!                 {RedType User_Name Tab Selector Tab Host Tab Port CR-LF}
//! Gopher+, Appendix II
//! G+DirEntity ::= Type DisplayString Tab Selector Tab Host Tab Port Tab G+Field
//! ```

use crate::http1::text;
use crate::listing::{Entry, EntryKind};
use crate::protocol::parse::default_port;
use std::net::Ipv6Addr;
use urikit::{UriBuf, UriRef};
use urikit_schemes::{BuildError, Gopher, ItemType, Session};

/// The item type of a line that contains only text.
pub(super) const INFO: u8 = b'i';
/// The item type of HTML and of links to other URLs.
pub(super) const HTML: u8 = b'h';

/// The fields of a menu line. Missing fields are `None`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Item<'a> {
    /// The item type.
    pub(super) kind: u8,
    /// The text to display.
    pub(super) name: &'a [u8],
    pub(super) selector: Option<&'a [u8]>,
    pub(super) host: Option<&'a [u8]>,
    pub(super) port: Option<&'a [u8]>,
    /// The rest of the line: `+` or `?` with Gopher+, and extensions.
    pub(super) extra: Option<&'a [u8]>,
}

impl<'a> Item<'a> {
    /// Splits a line into its fields. Returns `None` if the line is empty.
    pub(super) fn parse(line: &'a [u8]) -> Option<Self> {
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

    /// Returns whether the line reports an error. Such a line has type 3 and all fields.
    pub(super) fn is_error(&self) -> bool {
        let is_number = |port: &[u8]| !port.is_empty() && port.iter().all(u8::is_ascii_digit);
        self.kind == ItemType::ERROR.octet()
            && self.port.map(<[u8]>::trim_ascii).is_some_and(is_number)
    }

    /// Returns the Gopher+ string of the item, which is `+`, or `?` if the item has a form (RFC
    /// 1738, 3.4.4 and 3.4.5).
    fn plus(&self) -> Option<&'static [u8]> {
        match self.extra?.first()? {
            b'+' => Some(b"+"),
            b'?' => Some(b"?"),
            _ => None,
        }
    }

    /// Returns the URL of the item, with the item type `kind`. The error says what is missing from
    /// the line.
    pub(super) fn reference(&self, kind: u8) -> Result<String, &'static str> {
        let selector = self.selector.ok_or("a selector")?;
        if kind == HTML
            && let Some(url) = link(selector)
        {
            return Ok(url.to_owned());
        }
        let host = self.host.and_then(|host| std::str::from_utf8(host).ok());
        let host = host.filter(|host| !host.is_empty()).ok_or("a host")?;
        // Menus contain IPv6 addresses without the brackets that a URL requires.
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
            // For sessions, port 0 means the default port.
            if port != 0 {
                session = session.port(port);
            }
            if !selector.is_empty() {
                session = session.user(selector);
            }
            return session.build().map(UriBuf::into_string).map_err(no_host);
        }
        let mut url = Gopher::builder(&host).item(kind, selector);
        if port != default_port("gopher") {
            url = url.port(port);
        }
        // If the URL of a search contained a Gopher+ string, the user could not append search
        // words to it.
        if let Some(plus) = self.plus()
            && kind != ItemType::SEARCH.octet()
        {
            url = url.plus(plus);
        }
        url.build().map(UriBuf::into_string).map_err(no_host)
    }
}

/// Returns the absolute URL in a selector of type `h`. By convention, `URL:` or `/URL:` precedes
/// the URL.
pub(super) fn link(selector: &[u8]) -> Option<&str> {
    let selector = selector.strip_prefix(b"/").unwrap_or(selector);
    let url = std::str::from_utf8(selector.strip_prefix(b"URL:")?).ok()?;
    UriRef::parse(url).ok()?.scheme().map(|_| url)
}

/// Returns the kind of listing entry for an item type.
pub(super) fn kind_of(item_type: u8) -> EntryKind {
    match ItemType::from(item_type) {
        ItemType::DIRECTORY => EntryKind::Directory,
        ItemType::SEARCH | ItemType::CSO => EntryKind::Search,
        ItemType::TELNET | ItemType::TN3270 => EntryKind::Session,
        ItemType::ERROR => EntryKind::Error,
        item_type if item_type.title().is_some() => EntryKind::File,
        _ => match item_type {
            INFO => EntryKind::Text,
            // RFC 1436 does not define these types, but servers use them for HTML, sounds,
            // documents, calendars, mail, PDF and images.
            HTML | b's' | b'd' | b'c' | b'M' | b'P' | b'p' => EntryKind::File,
            _ => EntryKind::Other,
        },
    }
}

/// Converts the lines of a menu to listing entries.
#[derive(Default)]
pub(super) struct Menu {
    /// The type of the last item. The lines after it that name redundant servers (`+`) have the
    /// same type.
    primary: Option<u8>,
    /// The first error line, if no item with a URL precedes it.
    error: Option<Vec<u8>>,
    /// True if any line has a URL.
    has_urls: bool,
}

impl Menu {
    /// Returns the entry for the next line. Every line becomes an entry.
    pub(super) fn entry(&mut self, line: &[u8]) -> Entry {
        let Some(item) = Item::parse(line) else {
            return Entry::new(EntryKind::Text, b"");
        };
        // A line without a TAB is text, rather than an item.
        if item.selector.is_none() {
            return Entry::new(EntryKind::Text, text(line).as_bytes());
        }
        let is_redundant = item.kind == ItemType::REDUNDANT.octet();
        let kind = if is_redundant {
            self.primary.unwrap_or(item.kind)
        } else {
            item.kind
        };
        // Menus are older than UTF-8, and RFC 1436, 2.1 specifies ISO Latin-1.
        let mut entry = Entry::new(kind_of(kind), text(item.name).as_bytes());
        match entry.kind {
            EntryKind::Text => return entry,
            EntryKind::Error => {
                if !self.has_urls {
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
                self.has_urls = true;
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

    /// Returns the error for a menu that has an error line but no line with a URL.
    pub(super) fn denial(self) -> Option<Vec<u8>> {
        self.error.filter(|_| !self.has_urls)
    }
}

#[cfg(test)]
mod tests {
    use super::{Menu, link};
    use crate::listing::{Entry, EntryKind};
    use urikit::UriRef;

    fn entry(line: &[u8]) -> Entry {
        Menu::default().entry(line)
    }

    fn reference(line: &[u8]) -> Option<String> {
        entry(line).reference
    }

    #[test]
    fn urls_of_all_types() {
        for (line, expected) in [
            // RFC 1436, 2
            (
                "0About internet Gopher\tStuff:About us\trawBits.micro.umn.edu\t70",
                "gopher://rawBits.micro.umn.edu/0Stuff:About%20us",
            ),
            (
                "1Courses, Schedules, Calendars\t\tevents.ais.umn.edu\t9120",
                "gopher://events.ais.umn.edu:9120/1",
            ),
            // Gopher+, 2.2 and 2.8; RFC 1738, 3.4.4 and 3.4.5
            (
                "1Some new directory\tbar selector\thost1\t71\t+",
                "gopher://host1:71/1bar%20selector%09%09+",
            ),
            (
                "0A file\tfile selector\thost\t70\t?",
                "gopher://host/0file%20selector%09%09%3F",
            ),
            ("7Find\t/find\th\t70\t+", "gopher://h/7/find"),
            ("8Library\tuser:x\th\t23", "telnet://user%3Ax@h:23"),
            ("8Library\t\th\t0", "telnet://h"),
            ("THost\tlogin\th\t2323", "tn3270://login@h:2323"),
            ("2Phones\t\th\t105", "gopher://h:105/2"),
            (
                "hWeb\tURL:http://example.org/?a#b\th\t70",
                "http://example.org/?a#b",
            ),
            ("hWeb\t/URL:mailto:a@b\th\t70", "mailto:a@b"),
            (
                "hNo URL\tURL:no scheme\th\t70",
                "gopher://h/hURL:no%20scheme",
            ),
            ("ga picture\t/p.gif\t::1\t70", "gopher://[::1]/g/p.gif"),
            (
                "9dots\t../a?b%\t10.0.0.1\t70 ",
                "gopher://10.0.0.1/9../a%3Fb%25",
            ),
        ] {
            let found = reference(line.as_bytes());
            assert_eq!(found.as_deref(), Some(expected), "{line:?}");
            assert!(UriRef::parse(expected).is_ok(), "{expected}");
        }
        // Octets that are not UTF-8 are kept exactly.
        let found = reference(b"0a\t\xff\th\t70");
        assert_eq!(found.as_deref(), Some("gopher://h/0%FF"));
    }

    #[test]
    fn every_line_becomes_an_entry() {
        for (line, kind, name) in [
            (&b""[..], EntryKind::Text, ""),
            (b"Welcome to here", EntryKind::Text, "Welcome to here"),
            (b"is it?", EntryKind::Text, "is it?"),
            (b"iWelcome\tfake\t(NULL)\t0", EntryKind::Text, "Welcome"),
            (b"i\t\t\t", EntryKind::Text, ""),
            (
                b"3It failed\t\terror.host\t1",
                EntryKind::Error,
                "It failed",
            ),
            (b"0a\tsel", EntryKind::Error, "a"),
            (b"0a\tsel\t\t70", EntryKind::Error, "a"),
            (b"0a\tsel\th", EntryKind::Error, "a"),
            (b"0a\tsel\th\t", EntryKind::Error, "a"),
            (b"0a\tsel\th\t+70", EntryKind::Error, "a"),
            (b"0a\tsel\th\t65536", EntryKind::Error, "a"),
            (b"0a\tsel\th\xff\t70", EntryKind::Error, "a"),
            (b"0a\tsel\th/x\t70", EntryKind::Error, "a"),
            (b"0a\tsel\tu@h\t70", EntryKind::Error, "a"),
            (b"0a\tsel\th:1\t70", EntryKind::Error, "a"),
            (b"\t\t\t\t\t\t\t", EntryKind::Error, ""),
        ] {
            let found = entry(line);
            assert_eq!((found.kind, found.name.as_str()), (kind, name), "{found:?}");
            assert_eq!(found.reference, None, "{found:?}");
        }
        let found = entry(b"0a\tsel\th\t70\t+\tmore\t\t");
        let extra = ("extra", "+\tmore\t\t".to_owned());
        assert!(found.details.contains(&extra), "{found:?}");
        let found = entry(b"\xffa\xff\tsel\th\t70");
        assert_eq!(
            (found.kind, found.name.as_str()),
            (EntryKind::Other, "a\u{ff}")
        );
        assert_eq!(found.reference.as_deref(), Some("gopher://h/%FFsel"));
    }

    #[test]
    fn a_redundant_server_has_the_type_of_its_primary() {
        let mut menu = Menu::default();
        menu.entry(b"7Find\t/f\th\t70");
        menu.entry(b"itext\t\t\t");
        for host in ["i", "j"] {
            let entry = menu.entry(format!("+Find\t/g\t{host}\t70").as_bytes());
            assert_eq!(entry.reference, Some(format!("gopher://{host}/7/g")));
            assert_eq!(entry.kind, EntryKind::Search);
            assert_eq!(entry.details[0], ("type", "+".to_owned()));
        }
    }

    #[test]
    fn links() {
        assert_eq!(link(b"URL:http://h/"), Some("http://h/"));
        assert_eq!(link(b"/URL:file:///etc/passwd"), Some("file:///etc/passwd"));
        for selector in [
            &b"URL:"[..],
            b"URL:a",
            b"URL:http://a b/",
            b"URL:http://\xff/",
            b"url:http://h/",
            b"//URL:http://h/",
        ] {
            assert_eq!(link(selector), None);
        }
    }
}
