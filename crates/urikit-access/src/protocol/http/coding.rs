//! Content codings (RFC 9110, 8.4.1): gzip, brotli (RFC 7932) and zstd (RFC 8878).

use crate::error::{Error, ErrorKind, Result};
use crate::http1::{Exchange, Head};
use crate::output::Output;
use crate::policy::Refusal;
use bytes::{Buf as _, Bytes};
use std::io::{self, Read};

/// The value of `Accept-Encoding` if bodies are decoded.
pub(super) const ACCEPTED: &str = "gzip, br, zstd";

/// The compression ratio is limited only for decoded bodies longer than this number of bytes.
const MAX_FREE: u64 = 64 << 20;
/// The maximum ratio of the decoded size to the received size if the decoded size exceeds
/// [`MAX_FREE`]. This protects against decompression bombs.
const MAX_RATIO: u64 = 256;

/// The maximum window size of zstd is 8 MB (RFC 9659, 3). This constant is its binary logarithm.
const MAX_WINDOW_LOG: u32 = 23;

/// The first bits of a brotli stream that has a large window. RFC 7932, 9.1 forbids these bits, so
/// the size of a window has at most 24 bits, whereas the decoder would allow 30 bits (1 GiB).
const LARGE_WINDOW: u8 = 0x11;

/// The number of bytes that are decoded at a time.
const PIECE: usize = 64 << 10;

/// A coding that can be decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Coding {
    Gzip,
    Brotli,
    Zstd,
}

impl Coding {
    /// Returns the coding of a body, if any. Fails if the body has several codings, or an unknown
    /// coding.
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
            Error::new(kind).with_received(&head.line)
        };
        found.map(Some).ok_or_else(refuse)
    }
}

/// Decodes a body, and passes the decoded bytes to the output.
pub(super) fn decode(
    exchange: &mut Exchange,
    coding: Coding,
    output: &mut Output<'_>,
) -> Result<()> {
    let mut encoded = Encoded {
        exchange,
        bytes: Bytes::new(),
        received: 0,
        failure: None,
    };
    let decoded = decode_all(&mut encoded, coding, output);
    if let Some(error) = encoded.failure {
        return Err(error);
    }
    decoded.map_err(|failure| match failure {
        Failure::Output(error) => error,
        Failure::Coding => {
            exchange.failed(ErrorKind::Protocol("a valid body in its content coding"))
        }
    })
}

/// The cause of a decoding failure.
enum Failure {
    /// The output refused the decoded bytes, or a limit was exceeded.
    Output(Error),
    /// The received bytes are not valid in the content coding.
    Coding,
}

impl From<io::Error> for Failure {
    fn from(_: io::Error) -> Self {
        Self::Coding
    }
}

/// Decodes all bytes of a body.
fn decode_all(
    encoded: &mut Encoded<'_>,
    coding: Coding,
    output: &mut Output<'_>,
) -> std::result::Result<(), Failure> {
    if encoded.is_at_end()? {
        return Ok(()); // an empty body is valid in any coding
    }
    match coding {
        Coding::Gzip => {
            // A gzip body may consist of several members (RFC 1952, 2.2).
            let mut decoder = flate2::bufread::MultiGzDecoder::new(encoded);
            pass_on(&mut decoder, |decoder| decoder.get_ref().received, output)
        }
        Coding::Brotli => {
            if encoded
                .bytes
                .first()
                .is_some_and(|byte| byte & 0x7F == LARGE_WINDOW)
            {
                return Err(Failure::Coding);
            }
            let mut decoder = brotli_decompressor::Decompressor::new(&mut *encoded, PIECE);
            pass_on(&mut decoder, |decoder| decoder.get_ref().received, output)?;
            drop(decoder);
            // Detect bytes after the end of the data, except for bytes that the decoder has
            // already read.
            if encoded.is_at_end()? {
                Ok(())
            } else {
                Err(Failure::Coding)
            }
        }
        Coding::Zstd => {
            // A zstd body may consist of several frames (RFC 8878, 3).
            let mut decoder = zstd::Decoder::with_buffer(encoded)?;
            decoder.window_log_max(MAX_WINDOW_LOG)?;
            pass_on(&mut decoder, |decoder| decoder.get_ref().received, output)
        }
    }
}

/// Passes the bytes from a decoder to the output. Fails if the ratio of decoded to received bytes
/// is too high.
fn pass_on<D: Read>(
    decoder: &mut D,
    received: impl Fn(&D) -> u64,
    output: &mut Output<'_>,
) -> std::result::Result<(), Failure> {
    let mut piece = vec![0; PIECE];
    let mut total = 0_u64;
    loop {
        let count = decoder.read(&mut piece)?;
        if count == 0 {
            return Ok(());
        }
        total = total.saturating_add(u64::try_from(count).unwrap_or(u64::MAX));
        let max = MAX_FREE.max(received(decoder).saturating_mul(MAX_RATIO));
        if total > max {
            return Err(Failure::Output(Refusal::Expansion { max }.into()));
        }
        let piece = piece.get(..count).unwrap_or_default();
        output.bytes(piece).map_err(Failure::Output)?;
    }
}

/// Provides the decoders with the body as received.
struct Encoded<'a> {
    exchange: &'a mut Exchange,
    bytes: Bytes,
    received: u64,
    /// The error from the connection, which an `io::Error` cannot contain.
    failure: Option<Error>,
}

impl Encoded<'_> {
    /// Returns whether the body has ended.
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
