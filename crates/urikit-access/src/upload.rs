//! Sending: what goes where (RFC 1738, 1: "update, replace").

use crate::error::{Error, ErrorKind, Result};
use crate::event::Event;
use crate::net::Deadline;
use crate::output::{Metadata, Rate};
use crate::policy::{Policy, Refusal};
use crate::request::Request;
use std::io;
use std::io::Read;
use std::time::Instant;

/// Something to send to a URL, and how.
///
/// What a scheme does with it:
///
/// | scheme | result |
/// |---|---|
/// | `ftp`, `ftps` | the file is stored (`STOR`), or appended to (`APPE`) |
/// | `file` | the same on this machine |
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
    /// The reference, and the login. Its parts for receiving are not used.
    pub request: Request<'a>,
    /// What happens to what is there.
    pub mode: Mode,
    /// Whether an earlier transfer is resumed: what is there already is not sent again.
    pub resumes: bool,
    /// Whether a file gets its name only when it is complete: until then, `.part` follows it.
    pub via_temporary: bool,
    /// The size of the body in bytes, if known.
    pub size: Option<u64>,
    /// The media type of the body, if known.
    pub media_type: Option<&'a str>,
    /// The name of the file that is sent, for an attachment.
    pub name: Option<&'a str>,
}

/// What happens to what is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Mode {
    /// It is replaced.
    Replace,
    /// The body is appended to it.
    Append,
    /// The body is handed to what the URL names, which decides (`POST` of HTTP).
    Post,
}

/// The result of a successful [`upload`](crate::Client::upload).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Uploaded {
    /// The reference, as written.
    pub uri: String,
    /// The scheme, in lower case.
    pub scheme: String,
    /// How many bytes of the body were there before: not 0 after a resumed transfer.
    pub offset: u64,
    /// How many bytes of the body were sent, those before the offset not included.
    pub sent: u64,
    /// What the server said of its reply, if that has a body.
    pub metadata: Metadata,
    /// What happened, in order.
    pub events: Vec<Event>,
}

impl<'a> Upload<'a> {
    /// Replaces what a reference names.
    pub fn new(reference: impl Into<urikit::AnyRef<'a>>) -> Self {
        Self::of(Request::new(reference))
    }

    /// Replaces what the reference of a request names, with its login.
    pub const fn of(request: Request<'a>) -> Self {
        Self {
            request,
            mode: Mode::Replace,
            resumes: false,
            via_temporary: false,
            size: None,
            media_type: None,
            name: None,
        }
    }

    /// Sets what happens to what is there.
    #[must_use]
    pub const fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// Whether an earlier transfer is resumed. What is there is taken for the beginning of the body,
    /// which nothing can show.
    #[must_use]
    pub const fn resume(mut self, resumes: bool) -> Self {
        self.resumes = resumes;
        self
    }

    /// Whether a file gets its name only when it is complete: until then, `.part` follows it.
    #[must_use]
    pub const fn via_temporary(mut self, temporary: bool) -> Self {
        self.via_temporary = temporary;
        self
    }

    /// Sets the size of the body in bytes, if known. A body of another size is an error.
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

/// How many bytes are read at once.
const PIECE: usize = 128 << 10;

/// Where a protocol reads what it sends: in pieces, within the policy's limits.
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
        deadline: Deadline,
    ) -> Self {
        Self {
            source,
            buffer: vec![0; PIECE].into_boxed_slice(),
            size,
            max: policy.max_bytes,
            deadline,
            offset: 0,
            sent: 0,
            rate: Rate::of_sent(policy),
            has_begun: false,
        }
    }

    /// The size in bytes, if known beforehand.
    pub const fn size(&self) -> Option<u64> {
        self.size
    }

    /// How many bytes were skipped, because they are there already.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// How many bytes were read, those skipped not included.
    pub const fn sent(&self) -> u64 {
        self.sent
    }

    /// The next bytes; empty at the end.
    ///
    /// # Errors
    ///
    /// If it cannot be read, if it is longer than allowed, if its size is not the announced one, if
    /// the server has received what was read before too slowly, and if the deadline has passed.
    pub fn read(&mut self) -> Result<&[u8]> {
        if !self.has_begun {
            self.rate.begin();
            self.has_begun = true;
        }
        let since = Instant::now();
        let count = self.fill()?;
        self.rate.pause(since);
        self.rate.add(as_u64(count), Instant::now())?;
        self.rate.slow_down(self.deadline)?;
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

    /// Skips bytes that are there already.
    ///
    /// # Errors
    ///
    /// If there are fewer, and as [`read`](Self::read).
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

    /// All of it, for bodies that are sent as messages.
    ///
    /// # Errors
    ///
    /// If it has more than `max` bytes, and as [`read`](Self::read).
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
    Error::new(ErrorKind::LongerThere { there, here }).at("resuming the transfer")
}

fn local(error: io::Error) -> Error {
    Error::new(ErrorKind::Local(error)).at("reading what is sent")
}

fn as_u64(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}
