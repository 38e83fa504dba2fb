//! From a protocol to the sink: enforces limits, and notices incomplete bodies.

use crate::error::{Error, ErrorKind, Result};
use crate::listing::Entry;
use crate::net::Deadline;
use crate::policy::{Policy, Refusal};
use crate::rate::Rate;
use crate::request::Request;
use crate::sink::{Metadata, Sink};
use std::time::Instant;

/// Where a protocol writes what it fetches: [`begin`](Self::begin) once, then
/// [`bytes`](Self::bytes) or [`entry`](Self::entry).
///
/// It enforces the policy's limits, detects the media type from the first bytes if none is given,
/// and compares the number of bytes with the announced size.
pub struct Output<'a> {
    sink: &'a mut dyn Sink,
    max_bytes: u64,
    max_items: u64,
    /// The requested offset. `None` if only metadata was requested.
    begin_at: Option<u64>,
    /// Whether the body may begin at 0 instead.
    may_start_over: bool,
    /// Metadata that waits for the first bytes, to detect the media type.
    waiting: Option<Metadata>,
    metadata: Metadata,
    has_begun: bool,
    received: u64,
    items: u64,
    /// When the entries were received that are passed on without waiting.
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
            waiting: None,
            metadata: Metadata::default(),
            has_begun: false,
            received: 0,
            items: 0,
            entries_since: None,
            deadline: request.deadline,
            rate: Rate::of_received(policy),
        }
    }

    /// Passes on the metadata.
    ///
    /// # Errors
    ///
    /// If a body was requested and its size exceeds the limit, or its offset is not the requested
    /// one; and if the deadline has passed.
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
        self.metadata = metadata.clone();
        if metadata.media_type.is_none() && !metadata.is_listing {
            self.waiting = Some(metadata);
            Ok(())
        } else {
            self.sink.begin(&metadata).map_err(local)
        }
    }

    /// Passes on the next bytes of the body.
    ///
    /// # Errors
    ///
    /// If there are more than announced or allowed, if the deadline has passed, and if the sink
    /// fails.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
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
        self.sink.bytes(bytes).map_err(local)?;
        self.rate.pause(since);
        self.rate.slow_down(self.deadline)
    }

    /// Passes on the next entry of a listing.
    ///
    /// # Errors
    ///
    /// If there are more than allowed, if the deadline has passed, and if the sink fails.
    pub fn entry(&mut self, entry: &Entry) -> Result<()> {
        self.entry_of_several(entry)?;
        self.will_wait();
        Ok(())
    }

    /// The same for entries that were received together: the clock is read once for all of them, up
    /// to [`will_wait`](Self::will_wait).
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

    /// More is waited for: what follows is the server's time.
    pub(crate) fn will_wait(&mut self) {
        if let Some(since) = self.entries_since.take() {
            self.rate.pause(since);
        }
    }

    /// Whether the body was requested.
    pub(crate) const fn wants_body(&self) -> bool {
        self.begin_at.is_some()
    }

    /// Whether the metadata was passed on.
    pub const fn has_begun(&self) -> bool {
        self.has_begun
    }

    /// How many bytes of the body there are, including those before the offset.
    pub const fn received(&self) -> u64 {
        self.received
    }

    /// Ends the body.
    ///
    /// # Errors
    ///
    /// If there are fewer bytes than announced.
    pub(crate) fn end(&mut self) -> Result<Metadata> {
        if !self.has_begun {
            // The user may have spent any time in a session.
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

    /// Passes on metadata that waited for the first bytes.
    fn flush_metadata(&mut self, first: &[u8]) -> Result<()> {
        let Some(mut metadata) = self.waiting.take() else {
            return Ok(());
        };
        if metadata.offset == 0 {
            metadata.media_type = infer::get(first).map(|kind| kind.mime_type().to_owned());
        }
        self.metadata.media_type.clone_from(&metadata.media_type);
        self.sink.begin(&metadata).map_err(local)
    }
}

/// About how many bytes the server sent for an entry: what is known of it, and its line end.
fn length(entry: &Entry) -> u64 {
    let details = entry.details.iter().map(|(_, value)| value.len());
    let reference = entry.reference.as_ref().map_or(0, String::len);
    let length = entry.name.len() + reference + details.sum::<usize>() + 2;
    u64::try_from(length).unwrap_or(u64::MAX)
}

fn local(error: std::io::Error) -> Error {
    Error::new(ErrorKind::Local(error)).at("writing the output")
}
