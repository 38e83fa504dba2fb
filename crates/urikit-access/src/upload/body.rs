//! The body of an upload, within limits.

use crate::error::{Error, ErrorKind, Result};
use crate::net::Deadline;
use crate::policy::{Policy, Refusal};
use crate::rate::Rate;
use std::io::{self, Read};
use std::time::Instant;

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
