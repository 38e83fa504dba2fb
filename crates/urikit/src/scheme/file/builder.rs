//! From parts to a file URL.

use super::super::build::{BuildError, Data, ServerParts, UNRESERVED, UrlText, data};
use super::File;
use crate::UriRefBuf;
use crate::component::Encoded;
use crate::grammar::ByteSet;
use crate::op::percent::Component;
use crate::standard::{Rfc3986, Spec};
use alloc::vec::Vec;

/// What stands for itself in a segment: RFC 1738's `fsegment` without `?`, which later standards take for a
/// query.
const SEGMENT: ByteSet = UNRESERVED.or(ByteSet::of(b":@&="));

/// Makes a file URL out of parts, which are octets. [`File::from_unix_path`] and [`File::from_windows_path`]
/// begin with a path.
///
/// ```
/// use urikit::scheme::File;
/// let url = File::on("vms.host.edu").segment("disk$user").segment("my").segment("note?.txt").build()?;
/// assert_eq!(url.as_str(), "file://vms.host.edu/disk$user/my/note%3F.txt");
/// # Ok::<(), urikit::scheme::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FileBuilder<'a> {
    server: ServerParts<'a>,
    segments: Vec<Data<'a>>,
}

impl File<'_> {
    /// Begins the URL of a file of whatever machine reads it.
    pub const fn here() -> FileBuilder<'static> {
        FileBuilder::new("")
    }

    /// Begins the URL of a file of another machine: a name or an address, as a URL has it. `localhost` is the
    /// machine that reads it, by name (RFC 8089, 2).
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

    /// One more segment of the path: a directory, or the name of the file, which may be empty. Without any, the
    /// path is `/`.
    #[must_use]
    pub fn segment<T: AsRef<[u8]> + ?Sized>(mut self, segment: &'a T) -> Self {
        self.segments.push(data(segment));
        self
    }

    /// The URL, as a reference of RFC 3986 that RFC 1738 takes too.
    ///
    /// # Errors
    ///
    /// Where the parts make no file URL: a host that is none, a first segment that is empty with
    /// others behind it.
    pub fn build(self) -> Result<UriRefBuf, BuildError> {
        self.build_as::<Rfc3986>()
    }

    /// The URL, as a reference of `S`.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn build_as<S: Spec>(self) -> Result<UriRefBuf<S>, BuildError> {
        let mut text = UrlText::<S>::new("file");
        text.server(&self.server);
        if self.segments.is_empty() {
            text.push("/");
        }
        for segment in &self.segments {
            text.push("/");
            text.escape(segment, Component::Path, &SEGMENT);
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
