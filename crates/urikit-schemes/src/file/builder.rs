//! Building file URLs from parts.

use super::super::build::{BuildError, Data, ServerParts, UNRESERVED, UrlText, data, uri};
use super::File;
use alloc::vec::Vec;
use urikit::component::Encoded;
use urikit::grammar::ByteSet;
use urikit::percent::Place;
use urikit::{AnyRefBuf, Standard, UriBuf};

/// What is not escaped in a segment: RFC 1738's `fsegment` without `?`, where a query begins under
/// later standards.
const SEGMENT: ByteSet = UNRESERVED.or(ByteSet::of(b":@&="));

/// Builds a file URL from parts, which are octets. [`File::from_unix_path`] and
/// [`File::from_windows_path`] begin with a path.
///
/// ```
/// use urikit_schemes::File;
/// let url = File::on("vms.host.edu").segment("disk$user").segment("my").segment("note?.txt").build()?;
/// assert_eq!(url.as_str(), "file://vms.host.edu/disk$user/my/note%3F.txt");
/// # Ok::<(), urikit_schemes::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FileBuilder<'a> {
    server: ServerParts<'a>,
    segments: Vec<Data<'a>>,
}

impl File<'_> {
    /// Starts the URL of a file on the machine on which the URL is read.
    pub const fn here() -> FileBuilder<'static> {
        FileBuilder::new("")
    }

    /// Starts the URL of a file on another machine: a name or an address, written as in a URL.
    /// `localhost` is the machine on which the URL is read (RFC 8089, 2).
    pub const fn on(host: &str) -> FileBuilder<'_> {
        FileBuilder::new(host)
    }
}

impl<'a> FileBuilder<'a> {
    pub(super) const fn new(host: &'a str) -> Self {
        Self {
            server: ServerParts::new(host),
            segments: Vec::new(),
        }
    }

    pub(super) fn segments(mut self, segments: impl Iterator<Item = &'a [u8]>) -> Self {
        self.segments.extend(segments.map(data));
        self
    }

    /// Adds a segment to the path: a directory, or the name of the file, which may be empty.
    /// Without segments, the path is `/`.
    #[must_use]
    pub fn segment<T: AsRef<[u8]> + ?Sized>(mut self, segment: &'a T) -> Self {
        self.segments.push(data(segment));
        self
    }

    /// Builds the URL as a URI of RFC 3986 that is also valid under RFC 1738.
    ///
    /// # Errors
    ///
    /// If the parts do not make a file URL, for example if the host is not valid, or the first
    /// segment is empty and others follow.
    pub fn build(self) -> Result<UriBuf, BuildError> {
        self.build_any(Standard::Rfc3986).and_then(uri)
    }

    /// Builds the URL as a reference of `standard`.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn build_any(self, standard: Standard) -> Result<AnyRefBuf, BuildError> {
        let mut text = UrlText::new("file", standard);
        text.server(&self.server);
        if self.segments.is_empty() {
            text.push("/");
        }
        for segment in &self.segments {
            text.push("/");
            text.escape(segment, Place::Path, &SEGMENT);
        }
        text.finish(|url| {
            let read = File::read(url).map_err(BuildError::Scheme)?;
            let host = read
                .authority
                .map_or("", |authority| authority.host().as_str());
            let segments = read.segments().map(Encoded::to_bytes);
            if host != self.server.host {
                Err(BuildError::Misread { part: "host" })
            } else if !self.segments.is_empty() && !segments.eq(self.segments.iter().cloned()) {
                Err(BuildError::Misread { part: "path" })
            } else {
                Ok(())
            }
        })
    }
}
