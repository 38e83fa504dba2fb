//! Where what is fetched goes.

use crate::listing::Entry;
use jiff::Timestamp;
use std::io;

/// What is known of something before its bytes: its attributes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Known {
    /// What it is (RFC 2045), as the server says it; by its first bytes, where the server says nothing.
    pub media_type: Option<String>,
    /// How many bytes it has in all.
    pub size: Option<u64>,
    /// When it was changed.
    pub modified: Option<Timestamp>,
    /// The byte that comes first: not 0 where a transfer is resumed.
    pub offset: u64,
    /// Whether it is a listing: entries come, and no bytes.
    pub is_listing: bool,
    /// What else was said of it, by the names that its protocol has for it, in order: header fields, blocks.
    pub attributes: Vec<(String, String)>,
}

impl Known {
    /// Of a listing that nothing else is known of.
    pub(crate) const fn listing() -> Self {
        Self {
            media_type: None,
            size: None,
            modified: None,
            offset: 0,
            is_listing: true,
            attributes: Vec::new(),
        }
    }
}

/// Takes what is fetched: first what is known of it, then bytes or entries.
///
/// When an error follows, what came so far is not the whole.
pub trait Sink {
    /// Something comes, of which so much is known. It is called once, and alone where only attributes were asked for.
    ///
    /// # Errors
    ///
    /// When it cannot be taken.
    fn begin(&mut self, known: &Known) -> io::Result<()>;

    /// The next bytes.
    ///
    /// # Errors
    ///
    /// When they cannot be taken.
    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// The next entry of a listing.
    ///
    /// # Errors
    ///
    /// When it cannot be taken.
    fn entry(&mut self, entry: &Entry) -> io::Result<()>;
}

/// Keeps all in memory: for what is known to be small, and for tests.
#[derive(Clone, Default, Debug)]
pub struct Held {
    /// What is known.
    pub known: Known,
    /// All bytes.
    pub bytes: Vec<u8>,
    /// All entries.
    pub entries: Vec<Entry>,
}

impl Sink for Held {
    fn begin(&mut self, known: &Known) -> io::Result<()> {
        self.known = known.clone();
        Ok(())
    }

    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn entry(&mut self, entry: &Entry) -> io::Result<()> {
        self.entries.push(entry.clone());
        Ok(())
    }
}
