//! Reads bodies within limits on their length, on the time that they take, and on the memory that
//! all bodies use.

use crate::guard::Shared;
use crate::problem::{Problem, ProblemType};
use axum::body::{Body, HttpBody as _};
use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt as _;
use std::ops::Deref;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, timeout_at};

/// A body in memory, whose size counts towards the memory limit for all bodies.
pub(crate) struct Buffer {
    bytes: BytesMut,
    reserved: Option<OwnedSemaphorePermit>,
}

impl Buffer {
    pub(super) fn new() -> Self {
        Self {
            bytes: BytesMut::new(),
            reserved: None,
        }
    }

    /// Appends bytes.
    pub(super) fn append(&mut self, bytes: &[u8], shared: &Shared) -> Result<(), Problem> {
        let permit = reserve(bytes.len(), shared)?;
        match &mut self.reserved {
            Some(reserved) => reserved.merge(permit),
            None => self.reserved = Some(permit),
        }
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// Removes the first bytes.
    pub(super) fn split_to(&mut self, length: usize) -> Bytes {
        let length = length.min(self.bytes.len());
        let released = self.reserved.as_mut().and_then(|all| all.split(length));
        drop(released);
        self.bytes.split_to(length).freeze()
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Results of at least this many bytes count towards the memory limit for all bodies.
const LONG: usize = 16 << 10;

/// A result whose size counts towards the memory limit for bodies until it has been sent.
struct Held {
    bytes: Vec<u8>,
    _reserved: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Returns a result to send.
pub(crate) fn held(bytes: Vec<u8>, shared: &Shared) -> Result<Bytes, Problem> {
    if bytes.len() < LONG {
        return Ok(bytes.into());
    }
    let reserved = reserve(bytes.len(), shared)?;
    Ok(Bytes::from_owner(Held {
        bytes,
        _reserved: reserved,
    }))
}

fn reserve(length: usize, shared: &Shared) -> Result<OwnedSemaphorePermit, Problem> {
    let length = u32::try_from(length).unwrap_or(u32::MAX);
    let permit = shared.memory.clone().try_acquire_many_owned(length);
    permit.map_err(|_| Problem::new(ProblemType::Busy, "other requests are using all the memory"))
}

/// Reads a body.
pub(crate) async fn read(mut body: Body, shared: &Shared) -> Result<Buffer, Problem> {
    let limits = &shared.limits;
    let too_large = || {
        let detail = format!("the maximum is {} bytes", limits.body);
        Problem::new(ProblemType::BodyTooLarge, detail)
    };
    if body.size_hint().lower() > limits.body as u64 {
        return Err(too_large());
    }
    let deadline = Instant::now() + limits.body_time;
    let mut buffer = Buffer::new();
    while let Some(data) = frame(&mut body, deadline).await? {
        if buffer.len() + data.len() > limits.body {
            return Err(too_large());
        }
        buffer.append(&data, shared)?;
    }
    Ok(buffer)
}

/// Reads the next part of a body, or returns `None` at the end.
pub(super) async fn frame(body: &mut Body, deadline: Instant) -> Result<Option<Bytes>, Problem> {
    loop {
        let frame = timeout_at(deadline, body.frame())
            .await
            .map_err(|_| Problem::new(ProblemType::Timeout, "the body did not arrive in time"))?;
        match frame {
            None => return Ok(None),
            Some(Ok(frame)) => {
                // Trailers after the body are ignored.
                if let Ok(data) = frame.into_data() {
                    return Ok(Some(data));
                }
            }
            Some(Err(_)) => {
                let detail = "the body ended before it was complete";
                return Err(Problem::new(ProblemType::Timeout, detail));
            }
        }
    }
}
