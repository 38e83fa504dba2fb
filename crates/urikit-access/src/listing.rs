//! Listings of directories, menus, news groups and search results.

use crate::mask::MaskedUrl;
use jiff::Timestamp;
use std::fmt;

/// An entry of a listing.
///
/// ```
/// use urikit_access::listing::{Entry, EntryKind};
/// let entry = Entry::new(EntryKind::File, b"motd")
///     .reference("ftp://host.dom/etc/motd")
///     .size(512)
///     .detail("permissions", b"r");
/// assert_eq!((entry.kind.as_str(), entry.size), ("file", Some(512)));
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// The name to display: a file name, the title of a menu item, or the subject of an article.
    /// Octets that are not valid UTF-8 are replaced with U+FFFD, but the reference is exact.
    pub name: String,
    /// The kind of the entry.
    pub kind: EntryKind,
    /// The URL of the entry. A line of text in a menu has no URL.
    pub reference: Option<String>,
    /// The size in bytes.
    pub size: Option<u64>,
    /// The time at which the resource was last modified or the article was posted.
    pub modified: Option<Timestamp>,
    /// Any other details that the protocol reports, such as the author of an article.
    pub details: Vec<(&'static str, String)>,
}

impl fmt::Debug for Entry {
    /// Masks the password in the URL.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry")
            .field("name", &self.name)
            .field("kind", &self.kind)
            .field("reference", &self.reference.as_deref().map(MaskedUrl))
            .field("size", &self.size)
            .field("modified", &self.modified)
            .field("details", &self.details)
            .finish()
    }
}

/// The kind of an entry.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum EntryKind {
    /// A file, or another object that can be fetched.
    File,
    /// A directory, or a menu.
    Directory,
    /// A symbolic link.
    Link,
    /// A search, which accepts words and returns a listing.
    Search,
    /// A form to fill in.
    Form,
    /// An interactive session with a host.
    Session,
    /// A news group.
    Group,
    /// An article or a message.
    Article,
    /// A line of text without a link.
    Text,
    /// An error message.
    Error,
    /// Something else.
    Other,
}

impl EntryKind {
    /// Returns the name of the kind, in lower case.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Directory => "directory",
            Self::Link => "link",
            Self::Search => "search",
            Self::Form => "form",
            Self::Session => "session",
            Self::Group => "group",
            Self::Article => "article",
            Self::Text => "text",
            Self::Error => "error",
            Self::Other => "other",
        }
    }
}

impl fmt::Display for EntryKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Entry {
    /// Creates an entry with a kind and a name. Octets that are not valid UTF-8 are replaced with
    /// U+FFFD.
    pub fn new(kind: EntryKind, name: &[u8]) -> Self {
        Self {
            name: text(name),
            kind,
            reference: None,
            size: None,
            modified: None,
            details: Vec::new(),
        }
    }

    /// Sets the URL.
    #[must_use]
    pub fn reference(mut self, reference: impl Into<String>) -> Self {
        self.reference = Some(reference.into());
        self
    }

    /// Sets the size in bytes, if known.
    #[must_use]
    pub fn size(mut self, size: impl Into<Option<u64>>) -> Self {
        self.size = size.into();
        self
    }

    /// Sets the date, if known.
    #[must_use]
    pub fn modified(mut self, modified: impl Into<Option<Timestamp>>) -> Self {
        self.modified = modified.into();
        self
    }

    /// Adds a detail. Octets that are not valid UTF-8 are replaced with U+FFFD.
    #[must_use]
    pub fn detail(mut self, name: &'static str, value: &[u8]) -> Self {
        self.details.push((name, text(value)));
        self
    }

    /// Replaces the details, reusing their memory. Otherwise, allocations would take up most of the
    /// time for a listing of a hundred thousand names.
    pub(crate) fn set_details<'v>(
        &mut self,
        details: impl IntoIterator<Item = (&'static str, &'v [u8])>,
    ) {
        let mut count = 0;
        for (name, value) in details {
            if let Some((old, text)) = self.details.get_mut(count) {
                *old = name;
                set_text(text, value);
            } else {
                self.details.push((name, text(value)));
            }
            count += 1;
        }
        self.details.truncate(count);
    }
}

/// Converts octets to text. Octets that are not valid UTF-8 are replaced with U+FFFD.
pub(crate) fn text(octets: &[u8]) -> String {
    let mut text = String::new();
    set_text(&mut text, octets);
    text
}

/// Converts octets to text, and replaces the content of `text` with it. Nearly all names are valid
/// UTF-8, and checking for that takes only a fifth of the time of a lossy conversion.
pub(crate) fn set_text(text: &mut String, octets: &[u8]) {
    text.clear();
    match std::str::from_utf8(octets) {
        Ok(octets) => text.push_str(octets),
        Err(_) => text.push_str(&String::from_utf8_lossy(octets)),
    }
}
