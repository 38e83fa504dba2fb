//! References in compressed files, archives, e-books, office documents, web archives and PDF files.
//!
//! A [`Container`] has entries, each with a path such as `a.zip!/b.html`. An entry is read like a
//! file: its format is detected from its name and content, and an entry that is a container is
//! unpacked too. [`Extractor::unpack`] calls a closure with an [`Event`] for each reference, for
//! the end of each entry, and for each entry that cannot be read. Ranges and positions are relative
//! to the entry. [`Extractor::read`] reads mail and unpacks the containers attached to it.
//!
//! [`Limits`] bounds the cost of a hostile file: the number of unpacked bytes, in total and in
//! proportion to the file, the depth of nested containers, and the number of entries.
//!
//! ```
//! # #[cfg(feature = "tar")] {
//! use std::ops::ControlFlow;
//! use urikit_extract::container::{Container, Event, Input, Limits};
//! use urikit_extract::document::Extractor;
//!
//! let mut archive = tar::Builder::new(Vec::new());
//! let page = &br#"<a href="http://a.example/">"#[..];
//! let mut header = tar::Header::new_gnu();
//! header.set_size(page.len() as u64);
//! archive.append_data(&mut header, "b.html", page).unwrap();
//! let archive = archive.into_inner().unwrap();
//!
//! let container = Container::guess("a.tar", &archive).unwrap();
//! let mut found = Vec::new();
//! Extractor::new().unpack(
//!     container,
//!     "a.tar",
//!     Input::Stream(&mut &archive[..]),
//!     Limits::default(),
//!     &mut |path, event| {
//!         if let Event::Reference(reference) = event {
//!             found.push((path.to_owned(), reference.uri().to_owned()));
//!         }
//!         ControlFlow::Continue(())
//!     },
//! );
//! assert_eq!(found, [("a.tar!/b.html".to_owned(), "http://a.example/".to_owned())]);
//! # }
//! ```
//!
//! [`Extractor::unpack`]: crate::document::Extractor::unpack
//! [`Extractor::read`]: crate::document::Extractor::read

mod arc;
#[cfg(any(
    feature = "gzip",
    feature = "zstd",
    feature = "xz",
    feature = "bzip2",
    feature = "tar",
    feature = "zip"
))]
mod archives;
#[cfg(feature = "gzip")]
mod gzip;
// Unused unless a feature that unpacks compressed data is enabled.
#[cfg_attr(
    not(any(
        feature = "gzip",
        feature = "zstd",
        feature = "xz",
        feature = "bzip2",
        feature = "pdf"
    )),
    allow(dead_code)
)]
mod limits;
#[cfg(all(feature = "zip", feature = "xml"))]
mod package;
#[cfg(feature = "pdf")]
mod pages;
#[cfg(feature = "pdf")]
mod pdf;
mod walk;
mod warc;

use crate::document::{Found, Report, TooLong};
use core::fmt;
use core::str::FromStr;
use std::io;
use urikit::UnknownName;
use urikit_mime::header;

#[cfg(feature = "gzip")]
pub use gzip::GzipMembers;
pub use limits::{Limit, Limits};
pub use walk::{Input, ReadSeek};

/// A format for files that contain other files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Container {
    /// A file compressed with gzip (RFC 1952), with any number of members.
    Gzip,
    /// A file compressed with Zstandard (RFC 8878), with any number of frames.
    Zstd,
    /// A file compressed with xz, with any number of streams.
    Xz,
    /// A file compressed with bzip2, with any number of streams.
    Bzip2,
    /// A tape archive in the ustar, pax or GNU format.
    Tar,
    /// A zip archive. In e-books (EPUB) and office documents (`.docx`, `.xlsx`, `.pptx`, `.odt`,
    /// `.ods`, `.odp`), the crate finds only the references that a reader sees.
    Zip,
    /// A web archive, WARC (ISO 28500).
    Warc,
    /// A web archive in the Internet Archive's older format, ARC.
    Arc,
    /// A PDF file: the links and the text of its pages.
    Pdf,
}

impl Container {
    /// All containers.
    pub const ALL: [Self; 9] = [
        Self::Gzip,
        Self::Zstd,
        Self::Xz,
        Self::Bzip2,
        Self::Tar,
        Self::Zip,
        Self::Warc,
        Self::Arc,
        Self::Pdf,
    ];

    /// Returns the name in lower case: `gzip`, `zstd`, `xz`, `bzip2`, `tar`, `zip`, `warc`,
    /// `arc` or `pdf`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Xz => "xz",
            Self::Bzip2 => "bzip2",
            Self::Tar => "tar",
            Self::Zip => "zip",
            Self::Warc => "warc",
            Self::Arc => "arc",
            Self::Pdf => "pdf",
        }
    }

    /// Guesses the container format of a file from its name and its first bytes;
    /// [`GUESS_LENGTH`](crate::document::Format::GUESS_LENGTH) bytes are enough. Returns `None` if
    /// the file is not a container.
    ///
    /// The guess is based on the content, because each of these formats begins with a magic number.
    /// The name matters only for tape archives older than POSIX, which have no magic number.
    ///
    /// ```
    /// use urikit_extract::container::Container;
    /// assert_eq!(Container::guess("x", b"%PDF-1.7\n"), Some(Container::Pdf));
    /// assert_eq!(Container::guess("x", b"\xEF\xBB\xBF\n%PDF-1.7\n"), Some(Container::Pdf));
    /// assert_eq!(Container::guess("a.zip", b"no archive"), None);
    /// ```
    pub fn guess(name: &str, content: &[u8]) -> Option<Self> {
        let magic: [(&[u8], Self); 7] = [
            (b"\x1F\x8B\x08", Self::Gzip),
            (b"\x28\xB5\x2F\xFD", Self::Zstd),
            (b"\xFD7zXZ\0", Self::Xz),
            (b"PK\x03\x04", Self::Zip),
            (b"PK\x05\x06", Self::Zip),
            (b"WARC/0.", Self::Warc),
            (b"WARC/1.", Self::Warc),
        ];
        let mut magic = magic.iter();
        if let Some((_, container)) = magic.find(|(number, _)| content.starts_with(number)) {
            return Some(*container);
        }
        if is_bzip2(content) {
            return Some(Self::Bzip2);
        }
        if is_pdf(content) {
            return Some(Self::Pdf);
        }
        if arc::is_arc(content) {
            return Some(Self::Arc);
        }
        let is_ustar = content.get(257..262) == Some(b"ustar");
        let is_old = || {
            let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
            let octal = |byte: &u8| matches!(byte, b'0'..=b'7' | b' ' | 0);
            let mode = content.get(100..108);
            extension.eq_ignore_ascii_case("tar") && mode.is_some_and(|mode| mode.iter().all(octal))
        };
        (is_ustar || is_old()).then_some(Self::Tar)
    }

    /// Returns true if the cargo feature for this container is enabled.
    pub const fn is_supported(self) -> bool {
        match self {
            Self::Gzip => cfg!(feature = "gzip"),
            Self::Zstd => cfg!(feature = "zstd"),
            Self::Xz => cfg!(feature = "xz"),
            Self::Bzip2 => cfg!(feature = "bzip2"),
            Self::Tar => cfg!(feature = "tar"),
            Self::Zip => cfg!(feature = "zip"),
            Self::Warc | Self::Arc => true,
            Self::Pdf => cfg!(feature = "pdf"),
        }
    }
}

impl fmt::Display for Container {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Returns true if a file begins with the header of a PDF, after a byte order mark and white space
/// that some programs write before it.
fn is_pdf(content: &[u8]) -> bool {
    // Readers search the first kilobyte for the header (PDF Reference 1.7, appendix H, note 13).
    let content = content.get(..1024).unwrap_or(content);
    let content = content.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(content);
    content.trim_ascii_start().starts_with(b"%PDF-")
}

/// Returns true if a file begins like a bzip2 file: with `BZh`, the size of its blocks, and then a
/// block or the end of the stream.
fn is_bzip2(content: &[u8]) -> bool {
    let first = content.get(4..10);
    content.starts_with(b"BZh")
        && matches!(content.get(3), Some(b'1'..=b'9'))
        && (first == Some(b"1AY&SY") || first == Some(b"\x17\x72\x45\x38\x50\x90"))
}

/// The names of all containers.
const NAMES: [&str; 9] = {
    let [a, b, c, d, e, f, g, h, i] = Container::ALL;
    [
        a.as_str(),
        b.as_str(),
        c.as_str(),
        d.as_str(),
        e.as_str(),
        f.as_str(),
        g.as_str(),
        h.as_str(),
        i.as_str(),
    ]
};

impl FromStr for Container {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::ALL
            .into_iter()
            .find(|container| container.as_str() == name)
            .ok_or(UnknownName::new("container", &NAMES))
    }
}

/// An event that occurs while a container is being read. The closure of
/// [`Extractor::unpack`](crate::document::Extractor::unpack) receives each event with the path of
/// the entry.
///
/// All events of an entry arrive before those of the next entry. An exception is an attachment: its
/// events arrive among those of its message, and its path begins with the message's path and `!/`.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'e> {
    /// A record in a web archive begins. All other events for the record follow, with the same
    /// path.
    Record(&'e Record<'e>),
    /// The next bytes of the entry. References that end within these bytes are reported afterwards.
    Bytes(&'e [u8]),
    /// A reference in the entry.
    Reference(&'e Found<'e>),
    /// The entry ends.
    End(Report),
    /// The entry has a binary format, and was skipped.
    Binary,
    /// The entry was not read, or was only partially read.
    Failed(&'e Problem),
}

/// A record in a web archive.
///
/// ```
/// use std::ops::ControlFlow;
/// use urikit_extract::container::{Container, Event, Input, Limits};
/// use urikit_extract::document::Extractor;
///
/// let archive = b"http://a.example/ 127.0.0.1 19961104142103 text/html 50\n\
///     HTTP/1.0 302 Found\nLocation: b\nContent-Length: 0\n\n";
/// let mut found = Vec::new();
/// let each = &mut |_: &str, event: Event<'_>| {
///     if let Event::Record(record) = event {
///         let location = record.field("Location").unwrap_or_default().to_vec();
///         found.push((record.url.to_owned(), record.status(), location));
///     }
///     ControlFlow::Continue(())
/// };
/// let input = Input::Stream(&mut &archive[..]);
/// Extractor::new().unpack(Container::Arc, "a.arc", input, Limits::default(), each);
/// assert_eq!(found, [("http://a.example/".to_owned(), Some(302), b"b".to_vec())]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Record<'e> {
    /// The type in lower case: `response`, `resource`, `conversion` or `metadata`. In ARC, records
    /// with the header of an HTTP response have the type `response`, and all others `resource`.
    pub kind: &'e str,
    /// The URL, or an empty string if the record has no URL.
    pub url: &'e str,
    /// The media type that the archive declares. For a `response`, this is the value of the
    /// `Content-Type` header field. The string is empty if no media type is declared.
    pub media_type: &'e str,
    /// The header of an HTTP response with its status line. Other records have an empty header.
    pub header: &'e [u8],
}

impl Record<'_> {
    /// Returns the status code of an HTTP response (RFC 9112, 4).
    pub fn status(&self) -> Option<u16> {
        let line = self.header.split(|byte| *byte == b'\n').next()?;
        let mut words = line.split(u8::is_ascii_whitespace);
        words.next().filter(|word| word.starts_with(b"HTTP/"))?;
        core::str::from_utf8(words.next()?).ok()?.parse().ok()
    }

    /// Returns the value of a header field of an HTTP response, without the white space around it.
    pub fn field(&self, name: &str) -> Option<&[u8]> {
        header::value(self.header, name)
    }
}

/// The reason why an entry or the rest of a container was not read.
#[derive(Debug)]
#[non_exhaustive]
pub enum Problem {
    /// Reading failed, or the data is damaged.
    Io(io::Error),
    /// The file must be buffered in memory, and is longer than the limit.
    TooLong(TooLong),
    /// A limit was exceeded.
    Limit(Limit),
    /// The file is encrypted, uses an unknown compression method, or needs a cargo feature that is
    /// not enabled.
    Unsupported(String),
    /// The entry was read, but its fonts do not determine all of its text, so links in the text may
    /// be missing or truncated.
    Incomplete(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::TooLong(error) => error.fmt(f),
            Self::Limit(limit) => limit.fmt(f),
            Self::Unsupported(what) | Self::Incomplete(what) => f.write_str(what),
        }
    }
}

impl core::error::Error for Problem {}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Limit> for Problem {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}
