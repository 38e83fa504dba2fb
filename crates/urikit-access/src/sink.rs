//! Where the body goes.

use crate::listing::Entry;
use jiff::Timestamp;
use std::io;

/// What is known about a resource apart from its body.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Metadata {
    /// The media type (RFC 2045) as the server gives it. If it gives none, one derived from the
    /// first bytes.
    pub media_type: Option<String>,
    /// The size of the complete body in bytes.
    pub size: Option<u64>,
    /// When it was last modified.
    pub modified: Option<Timestamp>,
    /// The position of the first byte that is delivered: not 0 in a resumed transfer.
    pub offset: u64,
    /// What identifies this version of the body; for a later [`Request::resume_version`]. `None` if
    /// the server says nothing by which two versions certainly differ.
    ///
    /// HTTP: a strong `ETag`, or else a strong `Last-Modified` (RFC 9110, 8.8). FTP: size and date.
    ///
    /// [`Request::resume_version`]: crate::Request::resume_version
    pub validator: Option<String>,
    /// Whether it is a listing: entries are delivered, and no bytes.
    pub is_listing: bool,
    /// Everything else, under the names that the protocol uses, in order: header fields, Gopher+
    /// blocks and so on.
    pub attributes: Vec<(String, String)>,
}

impl Metadata {
    /// A listing of which nothing else is known.
    pub const fn listing() -> Self {
        Self {
            media_type: None,
            size: None,
            modified: None,
            offset: 0,
            validator: None,
            is_listing: true,
            attributes: Vec::new(),
        }
    }
}

/// Receives what is fetched: first the metadata, then either bytes or entries.
///
/// If the access fails, what was received up to then is incomplete.
///
/// ```
/// use std::io;
/// use urikit_access::{Metadata, Sink, listing::Entry};
///
/// /// Counts bytes, and stores none.
/// struct Counter(usize);
///
/// impl Sink for Counter {
///     fn begin(&mut self, _: &Metadata) -> io::Result<()> {
///         Ok(())
///     }
///     fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
///         self.0 += bytes.len();
///         Ok(())
///     }
///     fn entry(&mut self, _: &Entry) -> io::Result<()> {
///         Err(io::Error::other("a listing has no bytes"))
///     }
/// }
///
/// use urikit::UriRef;
/// use urikit_access::{Client, NoPrompt, Policy, Request};
/// let url = UriRef::parse("data:,A%20brief%20note")?; // RFC 2397, 4
/// let mut counter = Counter(0);
/// Client::new(Policy::permissive()).fetch(&Request::new(url), &mut NoPrompt, &mut counter)?;
/// assert_eq!(counter.0, 12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Sink {
    /// Called once, before any bytes or entries. If only metadata was requested, nothing follows.
    ///
    /// # Errors
    ///
    /// Any error ends the access.
    fn begin(&mut self, metadata: &Metadata) -> io::Result<()>;

    /// The next bytes of the body.
    ///
    /// # Errors
    ///
    /// Any error ends the access.
    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// The next entry of a listing.
    ///
    /// # Errors
    ///
    /// Any error ends the access.
    fn entry(&mut self, entry: &Entry) -> io::Result<()>;
}

/// A sink in memory: for small bodies, and for tests. It appends: take a new one for each access.
#[derive(Clone, Default, Debug)]
pub struct Buffer {
    /// The metadata.
    pub metadata: Metadata,
    /// The body.
    pub bytes: Vec<u8>,
    /// The entries of a listing.
    pub entries: Vec<Entry>,
}

impl Sink for Buffer {
    fn begin(&mut self, metadata: &Metadata) -> io::Result<()> {
        self.metadata = metadata.clone();
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
