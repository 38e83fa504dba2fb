//! The path from a protocol to the caller: [`Output`] enforces limits and detects incomplete
//! bodies, and the caller's [`Sink`] receives the data.

use crate::deadline::Deadline;
use crate::error::{Error, ErrorKind, Result};
use crate::hop::Hop;
use crate::listing::Entry;
use crate::policy::{Policy, Refusal};
use crate::request::Request;
use jiff::Timestamp;
use std::io;
use std::time::{Duration, Instant};

/// The output of a protocol, which calls [`begin`](Self::begin) once, and then
/// [`bytes`](Self::bytes) or [`entry`](Self::entry).
///
/// The output enforces the policy's limits, detects the media type from the first bytes if the
/// server does not send one, and compares the number of bytes with the announced size.
pub struct Output<'a> {
    sink: &'a mut dyn Sink,
    max_bytes: u64,
    max_items: u64,
    /// The requested offset. `None` if only metadata was requested.
    begin_at: Option<u64>,
    /// True if the body may begin at offset 0 instead, because the file may have changed.
    may_start_over: bool,
    metadata: Metadata,
    /// True if the metadata is held back until the first bytes arrive, to detect the media type.
    is_waiting: bool,
    has_begun: bool,
    received: u64,
    items: u64,
    /// The time at which the current entries were received.
    entries_since: Option<Instant>,
    deadline: Deadline,
    rate: Rate,
}

impl<'a> Output<'a> {
    pub(crate) fn new(sink: &'a mut dyn Sink, policy: &Policy, request: &Request<'_>) -> Self {
        Self {
            sink,
            max_bytes: policy.max_bytes,
            max_items: policy.max_items,
            begin_at: request.wants_body().then_some(request.resume),
            may_start_over: request.validator.is_some(),
            metadata: Metadata::default(),
            is_waiting: false,
            has_begun: false,
            received: 0,
            items: 0,
            entries_since: None,
            deadline: request.deadline.clone(),
            rate: Rate::of_received(policy),
        }
    }

    /// Passes the head of a response to the sink.
    pub(crate) fn head(&mut self, response: &Hop) -> Result<()> {
        self.sink.head(response).map_err(local)
    }

    /// Passes the metadata to the sink.
    ///
    /// # Errors
    ///
    /// Fails if the body is larger than allowed, if it does not begin at the requested offset, or
    /// if the deadline has passed.
    pub fn begin(&mut self, metadata: Metadata) -> Result<()> {
        self.deadline.check()?;
        self.pass_on(metadata)
    }

    fn pass_on(&mut self, metadata: Metadata) -> Result<()> {
        if let Some(begin_at) = self.begin_at {
            if metadata.size.is_some_and(|size| size > self.max_bytes) {
                let max = self.max_bytes;
                return Err(Refusal::Bytes { max }.into());
            }
            let starts_over = self.may_start_over && metadata.offset == 0;
            if metadata.offset != begin_at && !starts_over {
                return Err(Error::new(ErrorKind::CannotResume));
            }
        }
        self.has_begun = true;
        self.rate.begin();
        self.received = metadata.offset;
        self.is_waiting = metadata.media_type.is_none() && !metadata.is_listing;
        self.metadata = metadata;
        if self.is_waiting {
            return Ok(());
        }
        self.sink.begin(&self.metadata).map_err(local)
    }

    /// Passes the next bytes of the body to the sink.
    ///
    /// # Errors
    ///
    /// Fails if the body is larger than announced or allowed, if the deadline has passed, or if the
    /// sink fails.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        let since = self.check(bytes)?;
        self.sink.bytes(bytes).map_err(local)?;
        self.limit_rate(since)
    }

    /// Passes the next bytes of the body to the sink, which may replace the buffer.
    ///
    /// # Errors
    ///
    /// Fails for the same reasons as [`bytes`](Self::bytes).
    pub(crate) fn buffer(&mut self, buffer: &mut Vec<u8>) -> Result<()> {
        let since = self.check(buffer)?;
        self.sink.buffer(buffer).map_err(local)?;
        self.limit_rate(since)
    }

    /// Checks that the body may contain these bytes, and counts them. Returns the current time.
    fn check(&mut self, bytes: &[u8]) -> Result<Instant> {
        self.deadline.check()?;
        if !self.has_begun {
            self.begin(Metadata::default())?;
        }
        self.flush_metadata(bytes)?;
        let count = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.received = self.received.saturating_add(count);
        if let Some(expected) = self.metadata.size
            && self.received > expected
        {
            return Err(Error::new(ErrorKind::TooManyBytes { expected }));
        }
        if self.received > self.max_bytes {
            let max = self.max_bytes;
            return Err(Refusal::Bytes { max }.into());
        }
        let since = Instant::now();
        self.rate.add(count, since)?;
        Ok(since)
    }

    /// Limits the rate, after the sink has received bytes that arrived at this time.
    fn limit_rate(&mut self, since: Instant) -> Result<()> {
        self.rate.pause(since);
        self.rate.slow_down(&self.deadline)
    }

    /// Passes the next entry of a listing to the sink.
    ///
    /// # Errors
    ///
    /// Fails if the listing is longer than allowed, if the deadline has passed, or if the sink
    /// fails.
    pub fn entry(&mut self, entry: &Entry) -> Result<()> {
        self.entry_of_several(entry)?;
        self.will_wait();
        Ok(())
    }

    /// Passes to the sink one of several entries that were received together. Reads the clock only
    /// once between calls to [`will_wait`](Self::will_wait), because reading it for each entry
    /// would slow down long listings.
    pub(crate) fn entry_of_several(&mut self, entry: &Entry) -> Result<()> {
        self.deadline.check()?;
        if !self.has_begun {
            self.begin(Metadata::listing())?;
        }
        self.items += 1;
        if self.items > self.max_items {
            let max = self.max_items;
            return Err(Refusal::Items { max }.into());
        }
        let since = *self.entries_since.get_or_insert_with(Instant::now);
        self.rate.add(length(entry), since)?;
        self.sink.entry(entry).map_err(local)
    }

    /// Resumes measuring the server's transfer rate, because the protocol is about to wait for the
    /// server.
    pub(crate) fn will_wait(&mut self) {
        if let Some(since) = self.entries_since.take() {
            self.rate.pause(since);
        }
    }

    /// Returns true if the body was requested, rather than only the metadata.
    pub(crate) const fn wants_body(&self) -> bool {
        self.begin_at.is_some()
    }

    /// Returns true if the protocol has provided the metadata.
    pub const fn has_begun(&self) -> bool {
        self.has_begun
    }

    /// Returns the number of bytes in the body so far, including the bytes before the offset at
    /// which a resumed transfer began.
    pub const fn received(&self) -> u64 {
        self.received
    }

    /// Ends the body.
    ///
    /// # Errors
    ///
    /// Fails if the body is shorter than announced.
    pub(crate) fn end(&mut self) -> Result<Metadata> {
        if !self.has_begun {
            // The deadline is not checked, because an interactive session may last as long as the
            // user likes.
            self.pass_on(Metadata::default())?;
        }
        self.flush_metadata(&[])?;
        if let Some(expected) = self.metadata.size
            && self.begin_at.is_some()
            && !self.metadata.is_listing
            && self.received < expected
        {
            let (expected, received) = (Some(expected), self.received);
            return Err(Error::new(ErrorKind::EndedEarly { expected, received }));
        }
        Ok(std::mem::take(&mut self.metadata))
    }

    /// Passes to the sink the metadata that was held back until the first bytes arrived.
    fn flush_metadata(&mut self, first: &[u8]) -> Result<()> {
        if !std::mem::take(&mut self.is_waiting) {
            return Ok(());
        }
        // FTP and Gopher have no media types, and HTTP servers may omit them.
        if self.metadata.offset == 0 {
            let kind = infer::get(first);
            self.metadata.media_type = kind.map(|kind| kind.mime_type().to_owned());
        }
        self.sink.begin(&self.metadata).map_err(local)
    }
}

/// Estimates how many bytes the server sent for an entry, as the length of its known values plus a
/// line ending.
fn length(entry: &Entry) -> u64 {
    let details = entry.details.iter().map(|(_, value)| value.len());
    let reference = entry.reference.as_ref().map_or(0, String::len);
    let length = entry.name.len() + reference + details.sum::<usize>() + 2;
    u64::try_from(length).unwrap_or(u64::MAX)
}

fn local(error: std::io::Error) -> Error {
    Error::new(ErrorKind::Local(error)).with_step("writing the output")
}

/// The metadata of a resource.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Metadata {
    /// The media type (RFC 2045) that the server sent, or that was detected from the first bytes.
    pub media_type: Option<String>,
    /// The size of the complete body in bytes.
    pub size: Option<u64>,
    /// The time of the last modification.
    pub modified: Option<Timestamp>,
    /// The offset in the body at which the following bytes begin, which is greater than 0 if the
    /// transfer was resumed.
    pub offset: u64,
    /// An identifier of this version of the body, for a later [`Request::resume_version`]. `None`
    /// if the server sends no identifier that is guaranteed to change whenever the body does.
    ///
    /// For HTTP, the identifier is a strong `ETag` or, if there is none, a strong `Last-Modified`
    /// (RFC 9110, 8.8). For FTP, the identifier consists of the size and the date.
    ///
    /// [`Request::resume_version`]: crate::Request::resume_version
    pub validator: Option<String>,
    /// True if entries follow the metadata, instead of bytes.
    pub is_listing: bool,
    /// True if the body explains why the server refused the request. The access fails after the
    /// body has been passed on.
    pub is_error: bool,
    /// All other metadata, such as header fields and Gopher+ blocks, in order and under the names
    /// that the protocol uses.
    pub attributes: Vec<(String, String)>,
}

impl Metadata {
    /// Creates the metadata of a listing.
    pub const fn listing() -> Self {
        Self {
            media_type: None,
            size: None,
            modified: None,
            offset: 0,
            validator: None,
            is_listing: true,
            is_error: false,
            attributes: Vec::new(),
        }
    }
}

/// Receives the metadata of a resource, and then either bytes or entries.
///
/// If the access fails, the sink may already have received some of the data.
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
    /// Receives the head of each response from an HTTP server, including redirects. The head of
    /// the final response arrives before the metadata. Does nothing by default.
    ///
    /// # Errors
    ///
    /// Any error that the sink returns ends the access.
    fn head(&mut self, _response: &Hop) -> io::Result<()> {
        Ok(())
    }

    /// Receives the metadata. This method is called once, before the methods for bytes and
    /// entries. If only metadata was requested, nothing follows the metadata.
    ///
    /// # Errors
    ///
    /// Any error that the sink returns ends the access.
    fn begin(&mut self, metadata: &Metadata) -> io::Result<()>;

    /// Receives the next bytes of the body.
    ///
    /// # Errors
    ///
    /// Any error that the sink returns ends the access.
    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Receives the next bytes of the body in a vector, which the sink may keep instead of copying
    /// the bytes. The connection reuses the vector that the sink leaves in its place, and fills it
    /// up to its capacity. If the capacity is too small, the connection allocates another vector.
    ///
    /// The default implementation calls [`bytes`](Self::bytes). Some protocols always call `bytes`
    /// instead of this method.
    ///
    /// # Errors
    ///
    /// Any error that the sink returns ends the access.
    fn buffer(&mut self, buffer: &mut Vec<u8>) -> io::Result<()> {
        self.bytes(buffer)
    }

    /// Receives the next entry of a listing.
    ///
    /// # Errors
    ///
    /// Any error that the sink returns ends the access.
    fn entry(&mut self, entry: &Entry) -> io::Result<()>;
}

/// An in-memory sink, for small bodies and for tests. Each access appends to the buffer, so use a
/// new buffer for each access.
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

/// Measures the transfer rate of a body. Time spent in the caller's code is not counted.
pub(crate) struct Rate {
    /// The error message for a transfer that is too slow.
    slow: &'static str,
    min: (u64, Duration),
    max: u64,
    /// The start of the current period, moved forward by the time that is not counted.
    begun: Instant,
    /// The number of bytes in the current period.
    received: u64,
    /// The time at which the transfer of the body began, and the number of bytes since then.
    first: Instant,
    total: u64,
}

impl Rate {
    /// Measures a body as it is received.
    pub(crate) fn of_received(policy: &Policy) -> Self {
        Self::new(policy, "the server sends too slowly")
    }

    /// Measures a body as it is sent.
    pub(crate) fn of_sent(policy: &Policy) -> Self {
        Self::new(policy, "the server is receiving data too slowly")
    }

    fn new(policy: &Policy, slow: &'static str) -> Self {
        let now = Instant::now();
        Self {
            slow,
            min: policy.min_rate,
            max: policy.max_rate,
            begun: now,
            received: 0,
            first: now,
            total: 0,
        }
    }

    /// Starts the measurement.
    pub(crate) fn begin(&mut self) {
        (self.begun, self.first) = (Instant::now(), Instant::now());
    }

    /// Counts received or sent bytes.
    ///
    /// # Errors
    ///
    /// Fails if the transfer was too slow in the current period.
    pub(crate) fn add(&mut self, count: u64, now: Instant) -> Result<()> {
        self.received = self.received.saturating_add(count);
        self.total = self.total.saturating_add(count);
        let (least, time) = self.min;
        let passed = now.saturating_duration_since(self.begun);
        if least == 0 || passed < time {
            return Ok(());
        }
        let seconds = passed.as_secs();
        if self.received < least.saturating_mul(seconds) {
            return Err(Error::new(ErrorKind::Timeout(self.slow)));
        }
        (self.begun, self.received) = (now, 0);
        Ok(())
    }

    /// Excludes the time since `since`, which was spent in the caller's code.
    pub(crate) fn pause(&mut self, since: Instant) {
        self.begun += since.elapsed();
    }

    /// Waits until the average rate of the body is no higher than the policy allows.
    ///
    /// # Errors
    ///
    /// Fails if the deadline passes first.
    pub(crate) fn slow_down(&mut self, deadline: &Deadline) -> Result<()> {
        if self.max == u64::MAX {
            return Ok(());
        }
        let micros = u128::from(self.total) * 1_000_000 / u128::from(self.max.max(1));
        let due = Duration::from_micros(u64::try_from(micros).unwrap_or(u64::MAX));
        let now = Instant::now();
        let wait = due.saturating_sub(self.first.elapsed());
        if !wait.is_zero() {
            deadline.sleep(wait)?;
            self.pause(now);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Rate;
    use crate::deadline::Deadline;
    use crate::policy::Policy;
    use std::time::{Duration, Instant};

    #[test]
    fn what_is_too_slow_is_an_error() {
        let time = Duration::from_millis(1010);
        let mut rate = Rate::of_received(&Policy::new().min_rate(100, time));
        rate.begin();
        rate.add(5, Instant::now()).unwrap();
        std::thread::sleep(time);
        assert!(rate.add(5, Instant::now()).is_err());
        rate.begin();
        let pause = Instant::now();
        std::thread::sleep(time);
        rate.pause(pause);
        rate.add(5, Instant::now()).unwrap();
        rate.add(100, Instant::now()).unwrap();
    }

    #[test]
    fn what_is_too_fast_waits() {
        let mut rate = Rate::of_received(&Policy::new().max_rate(10_000));
        rate.begin();
        let begun = Instant::now();
        for _ in 0..10 {
            rate.add(300, Instant::now()).unwrap();
            rate.slow_down(&Deadline::NONE).unwrap();
        }
        let time = begun.elapsed();
        assert!(time >= Duration::from_millis(290), "{time:?}");
    }
}
