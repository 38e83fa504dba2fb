//! Atom feeds (RFC 4287) of groups, folders and gemlogs.

use super::Page;
use super::address::Links;
use super::listing::detail;
use askama::Template;
use std::borrow::Cow;
use urikit_access::listing::{Entry, EntryKind};

/// The maximum number of entries in a feed, which contains the newest ones.
const MOST: usize = 100;

/// The maximum size of the texts of the entries in a feed, in bytes. A server can send lines of 64
/// KiB, and a feed is not written before all entries have arrived.
const MOST_BYTES: usize = 256 << 10;

/// A feed.
pub(super) struct FeedPage {
    links: Links,
    /// The scheme and the host with which absolute addresses begin.
    origin: String,
    url: String,
    title: String,
    /// The newest entries, at most twice as many as the feed will contain.
    entries: Vec<Item>,
    /// The size of their texts in bytes.
    size: usize,
}

/// An entry of a feed.
struct Item {
    id: String,
    address: Option<String>,
    title: String,
    author: String,
    updated: String,
}

impl Item {
    /// Returns the size of the texts in bytes.
    fn size(&self) -> usize {
        let address = self.address.as_ref().map_or(0, String::len);
        let texts = [&self.id, &self.title, &self.author, &self.updated];
        address + texts.iter().map(|text| text.len()).sum::<usize>()
    }
}

#[derive(Template)]
#[template(path = "gateway/feed.xml")]
struct Feed<'a> {
    url: &'a str,
    own: String,
    title: &'a str,
    updated: &'a str,
    entries: &'a [Item],
    failed: Option<&'a str>,
}

/// The date for entries whose date is unknown: RFC 4287 requires one.
const UNDATED: &str = "1970-01-01T00:00:00Z";

impl FeedPage {
    pub(super) fn new(links: Links, origin: String, url: String, title: String) -> Self {
        Self {
            links,
            origin,
            url,
            title,
            entries: Vec::new(),
            size: 0,
        }
    }

    pub(super) fn set_title(&mut self, title: &str) {
        title.clone_into(&mut self.title);
    }

    /// Adds an entry without an author.
    pub(super) fn add(&mut self, url: &str, title: &str, updated: String) {
        self.push(url, title, "", updated);
    }

    fn push(&mut self, url: &str, title: &str, author: &str, updated: String) {
        let address = self.links.address(url).map(|address| {
            if address.starts_with('/') {
                format!("{}{address}", self.origin)
            } else {
                address
            }
        });
        let item = Item {
            id: super::without_password(url),
            address,
            title: title.to_owned(),
            author: author.to_owned(),
            updated,
        };
        self.size = self.size.saturating_add(item.size());
        self.entries.push(item);
        if self.entries.len() >= 2 * MOST || self.size > 2 * MOST_BYTES {
            self.trim();
        }
    }

    /// Drops all entries but the newest, within the limits.
    fn trim(&mut self) {
        self.entries.sort_by(|a, b| b.updated.cmp(&a.updated));
        self.entries.truncate(MOST);
        self.size = 0;
        let is_too_much = |item: &Item| {
            self.size = self.size.saturating_add(item.size());
            self.size > MOST_BYTES
        };
        if let Some(end) = self.entries.iter().position(is_too_much) {
            self.entries.truncate(end);
            self.size = self.entries.iter().map(Item::size).sum();
        }
    }
}

/// Replaces the characters that XML forbids even as references (XML 1.0, 2.2). Names in menus may
/// contain them.
fn allowed(text: &str) -> Cow<'_, str> {
    let is_forbidden = |c: char| {
        let is_control = c < ' ' && !"\t\n\r".contains(c);
        is_control || ['\u{fffe}', '\u{ffff}'].contains(&c)
    };
    if text.contains(is_forbidden) {
        text.replace(is_forbidden, "\u{fffd}").into()
    } else {
        text.into()
    }
}

impl Page for FeedPage {
    fn entry(&mut self, entry: &Entry, _: &mut Vec<u8>) {
        let Some(reference) = &entry.reference else {
            return;
        };
        if matches!(entry.kind, EntryKind::Text | EntryKind::Error) {
            return;
        }
        let updated = entry.modified.as_ref();
        let updated = updated.map_or_else(
            || UNDATED.to_owned(),
            |date| date.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        );
        let author = detail(entry, "from").unwrap_or_default();
        self.push(reference, &entry.name, author, updated);
    }

    fn end(&mut self, failed: Option<&str>, out: &mut Vec<u8>) -> bool {
        self.trim();
        let newest = self.entries.first();
        let feed = Feed {
            url: &self.url,
            own: format!("{}/feed/{}", self.origin, self.url),
            title: &self.title,
            updated: newest.map_or(UNDATED, |entry| &entry.updated),
            entries: &self.entries,
            failed,
        };
        out.extend_from_slice(allowed(&feed.render().unwrap_or_default()).as_bytes());
        failed.is_none()
    }
}
