//! Listings: directories, menus, news groups and search results, all of one shape.

use jiff::Timestamp;
use std::fmt;

/// One thing in a listing.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Entry {
    /// Its name, for people: of a file, the title of an item, the subject of an article. Octets that are no UTF-8 are
    /// U+FFFD here, and exact in the reference.
    pub name: String,
    /// What it is.
    pub kind: EntryKind,
    /// The URL that leads to it; `None` where nothing does, as with a line of text in a menu.
    pub reference: Option<String>,
    /// How many bytes it has.
    pub size: Option<u64>,
    /// When it was changed, or written.
    pub modified: Option<Timestamp>,
    /// What else the protocol says of it, such as an article's author.
    pub details: Vec<(&'static str, String)>,
}

/// What an entry is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum EntryKind {
    /// A file, or another object that a client fetches.
    File,
    /// A directory, or a menu.
    Directory,
    /// A link of a file system.
    Link,
    /// Something that takes words and finds.
    Search,
    /// A form to be filled in.
    Form,
    /// A session with a host.
    Session,
    /// A news group.
    Group,
    /// An article, or another message.
    Article,
    /// A line of text that leads nowhere.
    Text,
    /// A line that says what went wrong.
    Error,
    /// Something else.
    Other,
}

impl EntryKind {
    /// Its name.
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
    /// An entry of which no more is known.
    pub fn new(kind: EntryKind, name: &[u8]) -> Self {
        Self {
            name: String::from_utf8_lossy(name).into_owned(),
            kind,
            reference: None,
            size: None,
            modified: None,
            details: Vec::new(),
        }
    }

    /// The same, and this URL leads to it.
    #[must_use]
    pub fn reference(mut self, reference: impl Into<String>) -> Self {
        self.reference = Some(reference.into());
        self
    }

    /// The same, with its size in bytes, where it is known.
    #[must_use]
    pub fn size(mut self, size: impl Into<Option<u64>>) -> Self {
        self.size = size.into();
        self
    }

    /// The same, with its date, where it is known.
    #[must_use]
    pub fn modified(mut self, modified: impl Into<Option<Timestamp>>) -> Self {
        self.modified = modified.into();
        self
    }

    /// The same, with something else that is said of it.
    #[must_use]
    pub fn detail(mut self, name: &'static str, value: &[u8]) -> Self {
        let value = String::from_utf8_lossy(value).into_owned();
        self.details.push((name, value));
        self
    }
}
