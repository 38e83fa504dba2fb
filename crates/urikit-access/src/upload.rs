//! Uploads (RFC 1738, 1: "update, replace").

use crate::deadline::Deadline;
use crate::error::{Error, ErrorKind, Result};
use crate::event::Event;
use crate::mask::MaskedUrl;
use crate::output::{Metadata, Rate};
use crate::policy::{Policy, Refusal};
use crate::request::Request;
use std::io::Read;
use std::time::Instant;
use std::{fmt, io};

/// An upload to a URL, with options.
///
/// The effect of an upload depends on the scheme:
///
/// | scheme | result |
/// |---|---|
/// | `ftp`, `ftps` | the file is stored (`STOR`), or appended to (`APPE`) |
/// | `file` | the file is written or appended to on this machine |
/// | `http`, `https` | the body is stored (`PUT`), or handed over (`POST`) |
/// | `news`, `snews`, `nntp` | the article is posted to the group (`POST`) |
/// | `mailto` | the message of the link is sent, with the body as an attachment |
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::{Client, Policy, Upload};
/// let url = UriRef::parse("ftp://myname@host.dom/pub/a.gz")?;
/// let plan = Client::new(Policy::new()).plan_upload(&Upload::new(url).via_temporary(true))?;
/// let plan = plan.to_string();
/// assert!(plan.contains("send     \"STOR a.gz.part\"\n"), "{plan}");
/// assert!(plan.contains("send     \"RNTO a.gz\"\n"), "{plan}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Upload<'a> {
    /// The reference and the login. Settings of the request that concern only downloads are
    /// ignored.
    pub request: Request<'a>,
    /// What to do with an existing resource.
    pub mode: Mode,
    /// True to resume an earlier upload. The part that the server already has is not sent again.
    pub resumes: bool,
    /// True to write to a file with the `.part` suffix, which is renamed when it is complete.
    pub via_temporary: bool,
    /// The size of the body in bytes, if known.
    pub size: Option<u64>,
    /// The media type of the body, if known.
    pub media_type: Option<&'a str>,
    /// The file name, which is used for an attachment.
    pub name: Option<&'a str>,
    /// The identity of the file that is sent, if the body comes from a file. Uploading a file to
    /// itself fails.
    pub file: Option<FileId>,
}

/// The identity of a file on this machine, which consists of its device and its inode (POSIX,
/// `sys/stat.h`). All names of a file, including links, share the same identity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileId {
    device: u64,
    inode: u64,
}

impl FileId {
    /// Returns the identity of an open file, or of the file that a path refers to.
    ///
    /// ```
    /// use urikit_access::FileId;
    /// let by = |name| std::fs::metadata(name).map(|file| FileId::of(&file));
    /// assert_eq!(by("Cargo.toml")?, by("./src/../Cargo.toml")?);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[cfg(unix)]
    pub fn of(file: &std::fs::Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        let (device, inode) = (file.dev(), file.ino());
        Self { device, inode }
    }
}

/// What to do with an existing resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Mode {
    /// The body replaces the content of the resource.
    Replace,
    /// The body is appended to the resource.
    Append,
    /// The resource at the URL processes the body (HTTP `POST`).
    Post,
}

/// The result of a successful [`upload`](crate::Client::upload). `Debug` masks the password in the
/// URL.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Uploaded {
    /// The reference, as written.
    pub uri: String,
    /// The scheme, in lower case.
    pub scheme: String,
    /// The number of bytes that the server already had, or 0 if the upload was not resumed.
    pub offset: u64,
    /// The number of bytes that were sent, not counting the bytes before the offset.
    pub sent: u64,
    /// The metadata of the response, if it has a body.
    pub metadata: Metadata,
    /// The events of the upload, in order.
    pub events: Vec<Event>,
}

impl fmt::Debug for Uploaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Uploaded")
            .field("uri", &MaskedUrl(&self.uri))
            .field("scheme", &self.scheme)
            .field("offset", &self.offset)
            .field("sent", &self.sent)
            .field("metadata", &self.metadata)
            .field("events", &self.events)
            .finish()
    }
}

impl<'a> Upload<'a> {
    /// Replaces the resource at a reference.
    pub fn new(reference: impl Into<urikit::AnyRef<'a>>) -> Self {
        Self::of(Request::new(reference))
    }

    /// Replaces the resource that a request refers to, using the request's login.
    pub const fn of(request: Request<'a>) -> Self {
        Self {
            request,
            mode: Mode::Replace,
            resumes: false,
            via_temporary: false,
            size: None,
            media_type: None,
            name: None,
            file: None,
        }
    }

    /// Sets the file from which the body is read.
    #[must_use]
    pub const fn file(mut self, file: FileId) -> Self {
        self.file = Some(file);
        self
    }

    /// Sets what happens to an existing resource.
    #[must_use]
    pub const fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// Sets whether to resume an earlier upload. The client cannot check that the part on the
    /// server matches the beginning of the body.
    #[must_use]
    pub const fn resume(mut self, resumes: bool) -> Self {
        self.resumes = resumes;
        self
    }

    /// Sets whether to write to a file with the `.part` suffix, which is renamed when it is
    /// complete.
    #[must_use]
    pub const fn via_temporary(mut self, temporary: bool) -> Self {
        self.via_temporary = temporary;
        self
    }

    /// Sets the size of the body in bytes, if known. The upload fails if the actual size differs.
    #[must_use]
    pub const fn size(mut self, size: Option<u64>) -> Self {
        self.size = size;
        self
    }

    /// Sets the media type of the body.
    #[must_use]
    pub const fn media_type(mut self, media_type: &'a str) -> Self {
        self.media_type = Some(media_type);
        self
    }

    /// Sets the name of the file that is sent.
    #[must_use]
    pub const fn name(mut self, name: &'a str) -> Self {
        self.name = Some(name);
        self
    }
}

/// The number of bytes that are read at a time.
const PIECE: usize = 128 << 10;

/// The body of an upload, which a protocol reads in pieces, within the policy's limits.
pub struct Body<'a> {
    source: &'a mut dyn Read,
    buffer: Box<[u8]>,
    size: Option<u64>,
    max: u64,
    deadline: Deadline,
    offset: u64,
    sent: u64,
    rate: Rate,
    has_begun: bool,
}

impl<'a> Body<'a> {
    pub(crate) fn new(
        source: &'a mut dyn Read,
        size: Option<u64>,
        policy: &Policy,
        deadline: &Deadline,
    ) -> Self {
        Self {
            source,
            buffer: vec![0; PIECE].into_boxed_slice(),
            size,
            max: policy.max_bytes,
            deadline: deadline.clone(),
            offset: 0,
            sent: 0,
            rate: Rate::of_sent(policy),
            has_begun: false,
        }
    }

    /// Returns the size of the body in bytes, if it is known beforehand.
    pub const fn size(&self) -> Option<u64> {
        self.size
    }

    /// Returns the number of bytes that were not sent because the server already has them.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the number of bytes that have been read, not counting skipped bytes.
    pub const fn sent(&self) -> u64 {
        self.sent
    }

    /// Reads the next bytes of the body. The result is empty at the end of the body.
    ///
    /// # Errors
    ///
    /// Fails if the source cannot be read, if the body is longer than allowed, if its size differs
    /// from the announced size, if the server receives it too slowly, or if the deadline has
    /// passed.
    pub fn read(&mut self) -> Result<&[u8]> {
        if !self.has_begun {
            self.rate.begin();
            self.has_begun = true;
        }
        let since = Instant::now();
        let count = self.fill()?;
        self.rate.pause(since);
        self.rate.add(as_u64(count), Instant::now())?;
        self.rate.slow_down(&self.deadline)?;
        self.sent = self.sent.saturating_add(as_u64(count));
        let total = self.offset.saturating_add(self.sent);
        if let Some(expected) = self.size
            && (total > expected || count == 0 && total < expected)
        {
            let what = format!("expected {expected} bytes, found {total}: the file has changed");
            return Err(local(io::Error::other(what)));
        }
        Ok(self.buffer.get(..count).unwrap_or_default())
    }

    /// Skips bytes that the server already has.
    ///
    /// # Errors
    ///
    /// Fails if the body has fewer than `count` bytes, or for the same reasons as
    /// [`read`](Self::read).
    pub fn skip(&mut self, count: u64) -> Result<()> {
        if let Some(size) = self.size.filter(|size| *size < count) {
            return Err(longer(count, size));
        }
        self.check(count)?;
        let mut part = Read::take(&mut *self.source, count);
        let skipped = io::copy(&mut part, &mut io::sink()).map_err(local)?;
        self.deadline.check()?;
        if skipped < count {
            return Err(longer(count, skipped));
        }
        self.offset = count;
        Ok(())
    }

    /// Reads the complete body, for protocols that send it as one message.
    ///
    /// # Errors
    ///
    /// Fails if the body is longer than `max` bytes, or for the same reasons as
    /// [`read`](Self::read).
    pub fn read_all(&mut self, max: usize) -> Result<Vec<u8>> {
        let mut all = Vec::new();
        loop {
            let piece = self.read()?;
            if piece.is_empty() {
                return Ok(all);
            }
            if all.len() + piece.len() > max {
                let max = as_u64(max);
                return Err(Refusal::Bytes { max }.into());
            }
            all.extend_from_slice(piece);
        }
    }

    fn fill(&mut self) -> Result<usize> {
        self.deadline.check()?;
        let count = loop {
            match self.source.read(&mut self.buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                    return Err(Error::new(ErrorKind::Timeout(
                        "the source sent nothing in time",
                    )));
                }
                read => break read.map_err(local)?,
            }
        };
        self.check(
            self.offset
                .saturating_add(self.sent)
                .saturating_add(as_u64(count)),
        )?;
        Ok(count)
    }

    fn check(&self, count: u64) -> Result<()> {
        if count > self.max {
            let max = self.max;
            return Err(Refusal::Bytes { max }.into());
        }
        Ok(())
    }
}

fn longer(there: u64, here: u64) -> Error {
    Error::new(ErrorKind::LongerThere { there, here }).with_step("resuming the transfer")
}

fn local(error: io::Error) -> Error {
    Error::new(ErrorKind::Local(error)).with_step("reading the data to send")
}

fn as_u64(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}
