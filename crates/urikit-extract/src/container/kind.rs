//! The containers, and how they are recognized.

use core::fmt;
use core::str::FromStr;

/// A format of files that have other files in them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Container {
    /// A file compressed by gzip (RFC 1952), with any number of members.
    Gzip,
    /// A file compressed by Zstandard (RFC 8878), with any number of frames.
    Zstd,
    /// A tape archive: ustar, pax and GNU.
    Tar,
    /// A zip archive: also EPUB, Office Open XML (`.docx`) and OpenDocument (`.odt`).
    Zip,
    /// A web archive, WARC (ISO 28500).
    Warc,
    /// PDF: the links of its pages, and their text.
    Pdf,
}

impl Container {
    /// All containers.
    pub const ALL: [Self; 6] = [
        Self::Gzip,
        Self::Zstd,
        Self::Tar,
        Self::Zip,
        Self::Warc,
        Self::Pdf,
    ];

    /// The name in lower case: `gzip`, `zstd`, `tar`, `zip`, `warc` or `pdf`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Tar => "tar",
            Self::Zip => "zip",
            Self::Warc => "warc",
            Self::Pdf => "pdf",
        }
    }

    /// The container that a file with this name and beginning is, of which
    /// [`GUESS_LENGTH`](crate::document::Format::GUESS_LENGTH) bytes are enough. The content
    /// decides, by the number that each of these formats begins with. Only the oldest archives of
    /// `tar` are known by their name.
    ///
    /// ```
    /// use urikit_extract::container::Container;
    /// assert_eq!(Container::guess("x", b"%PDF-1.7\n"), Some(Container::Pdf));
    /// assert_eq!(Container::guess("a.zip", b"no archive"), None);
    /// ```
    pub fn guess(name: &str, content: &[u8]) -> Option<Self> {
        let magic: [(&[u8], Self); 7] = [
            (b"\x1F\x8B\x08", Self::Gzip),
            (b"\x28\xB5\x2F\xFD", Self::Zstd),
            (b"PK\x03\x04", Self::Zip),
            (b"PK\x05\x06", Self::Zip),
            (b"WARC/0.", Self::Warc),
            (b"WARC/1.", Self::Warc),
            (b"%PDF-", Self::Pdf),
        ];
        let mut magic = magic.iter();
        if let Some((_, container)) = magic.find(|(number, _)| content.starts_with(number)) {
            return Some(*container);
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

    /// Whether this version of the crate reads it: its cargo feature is enabled.
    pub const fn is_supported(self) -> bool {
        match self {
            Self::Gzip => cfg!(feature = "gzip"),
            Self::Zstd => cfg!(feature = "zstd"),
            Self::Tar => cfg!(feature = "tar"),
            Self::Zip => cfg!(feature = "zip"),
            Self::Warc => true,
            Self::Pdf => cfg!(feature = "pdf"),
        }
    }
}

impl fmt::Display for Container {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The name of a [`Container`] was expected, and something else found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownContainer;

impl fmt::Display for UnknownContainer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected one of gzip, zstd, tar, zip, warc, pdf")
    }
}

impl core::error::Error for UnknownContainer {}

impl FromStr for Container {
    type Err = UnknownContainer;

    fn from_str(name: &str) -> Result<Self, UnknownContainer> {
        Self::ALL
            .into_iter()
            .find(|container| container.as_str() == name)
            .ok_or(UnknownContainer)
    }
}
