//! From a protocol to a sink: counted, and ended where it should end.

use crate::error::{Error, ErrorKind, Result};
use crate::listing::Entry;
use crate::policy::{Policy, Refusal};
use crate::request::Request;
use crate::sink::{Known, Sink};

/// What a protocol gives what it fetches to. It holds the policy's limits, finds out the type by the first bytes where
/// nobody said it, and knows whether all has come.
pub struct Delivery<'a> {
    sink: &'a mut dyn Sink,
    most_bytes: u64,
    most_items: u64,
    /// Where the bytes should begin; `None` where only attributes were asked for.
    begin_at: Option<u64>,
    /// What is known, until it is handed on.
    waiting: Option<Known>,
    known: Known,
    begun: bool,
    received: u64,
    items: u64,
}

impl<'a> Delivery<'a> {
    pub(crate) fn new(sink: &'a mut dyn Sink, policy: &Policy, request: &Request<'_>) -> Self {
        Self {
            sink,
            most_bytes: policy.most_bytes,
            most_items: policy.most_items,
            begin_at: request.wants_body().then_some(request.resume),
            waiting: None,
            known: Known::default(),
            begun: false,
            received: 0,
            items: 0,
        }
    }

    /// What is known, before anything else is given.
    ///
    /// # Errors
    ///
    /// Where the size is more than is allowed, and where a transfer should be resumed and begins elsewhere; neither
    /// where only attributes were asked for.
    pub fn begin(&mut self, known: Known) -> Result<()> {
        if let Some(begin_at) = self.begin_at {
            if known.size.is_some_and(|size| size > self.most_bytes) {
                let most = self.most_bytes;
                return Err(Refusal::Bytes { most }.into());
            }
            if known.offset != begin_at {
                return Err(Error::new(ErrorKind::NoResuming));
            }
        }
        self.begun = true;
        self.received = known.offset;
        self.known = known.clone();
        // The first bytes may tell the type.
        if known.media_type.is_none() && !known.is_listing {
            self.waiting = Some(known);
            Ok(())
        } else {
            self.sink.begin(&known).map_err(local)
        }
    }

    /// The next bytes.
    ///
    /// # Errors
    ///
    /// When there are too many of them, or they cannot be taken.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        if !self.begun {
            self.begin(Known::default())?;
        }
        self.hand_on(bytes)?;
        let count = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.received = self.received.saturating_add(count);
        if let Some(expected) = self.known.size
            && self.received > expected
        {
            return Err(Error::new(ErrorKind::TooMuch { expected }));
        }
        if self.received > self.most_bytes {
            return Err(Refusal::Bytes {
                most: self.most_bytes,
            }
            .into());
        }
        self.sink.bytes(bytes).map_err(local)
    }

    /// The next entry of a listing.
    ///
    /// # Errors
    ///
    /// When there are too many of them, or it cannot be taken.
    pub fn entry(&mut self, entry: &Entry) -> Result<()> {
        if !self.begun {
            self.begin(Known::listing())?;
        }
        self.items += 1;
        if self.items > self.most_items {
            return Err(Refusal::Items {
                most: self.most_items,
            }
            .into());
        }
        self.sink.entry(entry).map_err(local)
    }

    /// How many bytes have come, counted from the first of the whole.
    pub const fn received(&self) -> u64 {
        self.received
    }

    /// All has come: as many bytes as were announced.
    ///
    /// # Errors
    ///
    /// Where bytes are missing.
    pub(crate) fn end(&mut self) -> Result<Known> {
        if !self.begun {
            self.begin(Known::default())?;
        }
        self.hand_on(&[])?;
        if let Some(expected) = self.known.size
            && self.begin_at.is_some()
            && !self.known.is_listing
            && self.received < expected
        {
            let (expected, received) = (Some(expected), self.received);
            return Err(Error::new(ErrorKind::EndedEarly { expected, received }));
        }
        Ok(std::mem::take(&mut self.known))
    }

    /// Tells the sink what is known, with the type that the first bytes have.
    fn hand_on(&mut self, first: &[u8]) -> Result<()> {
        let Some(mut known) = self.waiting.take() else {
            return Ok(());
        };
        if known.offset == 0 {
            known.media_type = infer::get(first).map(|kind| kind.mime_type().to_owned());
        }
        self.known.media_type.clone_from(&known.media_type);
        self.sink.begin(&known).map_err(local)
    }
}

fn local(error: std::io::Error) -> Error {
    Error::new(ErrorKind::Local(error)).at("writing what came")
}
