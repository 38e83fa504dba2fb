//! Content codings (RFC 9110, 8.4.1): gzip, brotli (RFC 7932) and zstd (RFC 8878).

use crate::error::{Error, ErrorKind, Result};
use crate::http1::{Exchange, Head};
use crate::policy::Refusal;
use bytes::{Buf as _, Bytes};
use std::io::{self, Read};

/// What a client that decodes accepts.
pub(super) const ACCEPTED: &str = "gzip, br, zstd";

/// A body of this size may be as small as it likes when compressed.
const MAX_FREE: u64 = 64 << 20;
/// A longer one may be this many times as long as what was received.
const MAX_TIMES: u64 = 256;

/// The most memory for a window of zstd is 8 MB, which no body in this coding may exceed (RFC 9659,
/// 3): the logarithm to the base 2.
const MAX_WINDOW_LOG: u32 = 23;

/// How much is decoded at once.
const PIECE: usize = 64 << 10;

/// A coding that can be decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Coding {
    Gzip,
    Brotli,
    Zstd,
}

impl Coding {
    /// The coding of a body; `None` if it has none.
    pub(super) fn of(head: &Head) -> Result<Option<Self>> {
        let mut codings = head
            .members("Content-Encoding")
            .filter(|coding| !coding.eq_ignore_ascii_case(b"identity"));
        let Some(coding) = codings.next() else {
            return Ok(None);
        };
        let is = |name: &str| coding.eq_ignore_ascii_case(name.as_bytes());
        let found = match () {
            () if codings.next().is_some() => None,
            () if is("gzip") || is("x-gzip") => Some(Self::Gzip),
            () if is("br") => Some(Self::Brotli),
            () if is("zstd") => Some(Self::Zstd),
            () => None,
        };
        let refuse = || {
            let kind = ErrorKind::Protocol("one content coding, gzip, br or zstd");
            Error::new(kind).received(&head.line)
        };
        found.map(Some).ok_or_else(refuse)
    }
}

/// Decodes a body, and passes it on.
pub(super) fn read(
    exchange: &mut Exchange,
    coding: Coding,
    give: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let mut encoded = Encoded {
        exchange,
        bytes: Bytes::new(),
        received: 0,
        failure: None,
    };
    let decoded = decode(&mut encoded, coding, give);
    if let Some(error) = encoded.failure {
        return Err(error);
    }
    decoded.map_err(|failure| match failure {
        Failure::Given(error) => error,
        Failure::Coding => exchange.failed(ErrorKind::Protocol("a body in its content coding")),
    })
}

enum Failure {
    /// What was decoded could not be passed on.
    Given(Error),
    /// What was received is not in the coding.
    Coding,
}

impl From<io::Error> for Failure {
    fn from(_: io::Error) -> Self {
        Self::Coding
    }
}

fn decode(
    encoded: &mut Encoded<'_>,
    coding: Coding,
    give: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> std::result::Result<(), Failure> {
    if encoded.is_at_end()? {
        return Ok(()); // an empty body in any coding
    }
    match coding {
        Coding::Gzip => {
            // Several members are one body (RFC 1952, 2.2).
            let mut decoder = flate2::bufread::MultiGzDecoder::new(encoded);
            pass_on(&mut decoder, |decoder| decoder.get_ref().received, give)
        }
        Coding::Brotli => {
            let mut decoder = brotli_decompressor::Decompressor::new(&mut *encoded, PIECE);
            pass_on(&mut decoder, |decoder| decoder.get_ref().received, give)?;
            drop(decoder);
            ended(encoded) // except for what the decoder has read and does not say
        }
        Coding::Zstd => {
            // Several frames are one body (RFC 8878, 3).
            let mut decoder = zstd::Decoder::with_buffer(encoded)?;
            decoder.window_log_max(MAX_WINDOW_LOG)?;
            pass_on(&mut decoder, |decoder| decoder.get_ref().received, give)
        }
    }
}

/// Nothing may follow.
fn ended(encoded: &mut Encoded<'_>) -> std::result::Result<(), Failure> {
    if encoded.is_at_end()? {
        Ok(())
    } else {
        Err(Failure::Coding)
    }
}

fn pass_on<D: Read>(
    decoder: &mut D,
    received: impl Fn(&D) -> u64,
    give: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> std::result::Result<(), Failure> {
    let mut piece = vec![0; PIECE];
    let mut total = 0_u64;
    loop {
        let count = decoder.read(&mut piece)?;
        if count == 0 {
            return Ok(());
        }
        total = total.saturating_add(u64::try_from(count).unwrap_or(u64::MAX));
        let max = MAX_FREE.max(received(decoder).saturating_mul(MAX_TIMES));
        if total > max {
            return Err(Failure::Given(Refusal::Expansion { max }.into()));
        }
        give(piece.get(..count).unwrap_or_default()).map_err(Failure::Given)?;
    }
}

/// The body as received.
struct Encoded<'a> {
    exchange: &'a mut Exchange,
    bytes: Bytes,
    received: u64,
    failure: Option<Error>,
}

impl Encoded<'_> {
    /// Whether nothing more is received.
    fn is_at_end(&mut self) -> io::Result<bool> {
        io::BufRead::fill_buf(self).map(<[u8]>::is_empty)
    }
}

impl io::BufRead for Encoded<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.bytes.is_empty() {
            match self.exchange.chunk() {
                Ok(Some(bytes)) => {
                    let count = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
                    self.received = self.received.saturating_add(count);
                    self.bytes = bytes;
                }
                Ok(None) => break,
                Err(error) => {
                    self.failure = Some(error);
                    return Err(io::ErrorKind::Other.into());
                }
            }
        }
        Ok(&self.bytes)
    }

    fn consume(&mut self, count: usize) {
        self.bytes.advance(count.min(self.bytes.len()));
    }
}

impl Read for Encoded<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let some = io::BufRead::fill_buf(self)?;
        let count = some.len().min(to.len());
        for (to, from) in to.iter_mut().zip(some) {
            *to = *from;
        }
        io::BufRead::consume(self, count);
        Ok(count)
    }
}
