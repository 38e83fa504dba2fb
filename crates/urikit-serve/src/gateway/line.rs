//! The request line, which the gateway reads itself.
//!
//! hyper's `Uri` can represent neither `urn:isbn:0451450523` nor more than 65,534 bytes. So the
//! gateway reads the first line of a connection, and gives hyper a line with the target `/`. Each
//! connection carries one request.

use bytes::{Buf as _, Bytes};
use hyper::Method;
use std::fmt::Write as _;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, ReadBuf};

/// The maximum length of the line, in bytes.
const MOST: usize = 128 << 10;

/// A request line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RequestLine {
    pub(crate) method: Method,
    /// The target as written. Octets that are not US-ASCII are escaped.
    pub(crate) target: String,
}

/// The reason why a connection has no request line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LineError {
    /// The connection failed, or the client closed it.
    Closed,
    /// The line is longer than 128 KiB.
    TooLong,
    /// The line is not an HTTP/1 request line.
    Invalid,
}

impl LineError {
    /// Returns the response, which ends the connection.
    pub(crate) const fn response(self) -> &'static [u8] {
        match self {
            Self::Closed => b"",
            Self::TooLong => {
                b"HTTP/1.1 414 URI Too Long\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
            }
            Self::Invalid => {
                b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
            }
        }
    }
}

/// Reads the request line. Returns it with the bytes that hyper must read before the rest of the
/// connection.
pub(crate) async fn read(
    stream: &mut (impl AsyncRead + Unpin),
) -> Result<(RequestLine, Bytes), LineError> {
    let mut buffer = Vec::new();
    let mut searched = 0;
    loop {
        // RFC 9112, 2.2: a server should ignore an empty line before the request line.
        while buffer.starts_with(b"\r\n") {
            buffer.drain(..2);
            searched = 0;
        }
        let unsearched = buffer.get(searched..).unwrap_or_default();
        if let Some(at) = unsearched.iter().position(|byte| *byte == b'\n') {
            if searched + at > MOST {
                return Err(LineError::TooLong);
            }
            let (line, rest) = buffer
                .split_at_checked(searched + at)
                .ok_or(LineError::Invalid)?;
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let (line, version) = parse(line).ok_or(LineError::Invalid)?;
            let mut replayed = first(&line.method, version).into_bytes();
            replayed.extend_from_slice(rest.get(1..).unwrap_or_default());
            return Ok((line, replayed.into()));
        }
        searched = buffer.len();
        if searched > MOST {
            return Err(LineError::TooLong);
        }
        match stream.read_buf(&mut buffer).await {
            Ok(0) | Err(_) => return Err(LineError::Closed),
            Ok(_) => {}
        }
    }
}

/// Returns the line for hyper. Methods that the gateway refuses are replaced, because hyper treats
/// some of them, such as CONNECT, in special ways.
fn first(method: &Method, version: &str) -> String {
    let known = [Method::GET, Method::HEAD, Method::POST];
    let method = known.iter().find(|known| *known == method);
    format!("{} / {version}\r\n", method.unwrap_or(&Method::GET))
}

/// Splits a line into method, target and version.
fn parse(line: &[u8]) -> Option<(RequestLine, &'static str)> {
    let mut words = line.split(|byte| *byte == b' ');
    let (method, target, version) = (words.next()?, words.next()?, words.next()?);
    if words.next().is_some() || target.is_empty() {
        return None;
    }
    let version = match version {
        b"HTTP/1.1" => "HTTP/1.1",
        b"HTTP/1.0" => "HTTP/1.0",
        _ => return None,
    };
    let mut escaped = String::with_capacity(target.len());
    for byte in target {
        match byte {
            0x21..=0x7E => escaped.push(char::from(*byte)),
            0x80.. => {
                let _ = write!(escaped, "%{byte:02X}");
            }
            _ => return None,
        }
    }
    let method = Method::from_bytes(method).ok()?;
    let target = escaped;
    Some((RequestLine { method, target }, version))
}

/// A stream that begins with bytes that were already read.
pub(crate) struct Replayed<S> {
    first: Bytes,
    stream: S,
}

impl<S> Replayed<S> {
    pub(crate) const fn new(first: Bytes, stream: S) -> Self {
        Self { first, stream }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Replayed<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.first.is_empty() {
            return Pin::new(&mut self.stream).poll_read(context, buffer);
        }
        let length = self.first.len().min(buffer.remaining());
        buffer.put_slice(self.first.get(..length).unwrap_or_default());
        self.first.advance(length);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Replayed<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn lines_are_split() {
        for (line, target) in [
            (
                &b"GET urn:isbn:0451450523 HTTP/1.1"[..],
                "urn:isbn:0451450523",
            ),
            (b"GET /gopher://h/1/ HTTP/1.0", "/gopher://h/1/"),
            (b"CONNECT a:443 HTTP/1.1", "a:443"),
            (b"GET /\xc3\xa9 HTTP/1.1", "/%C3%A9"),
        ] {
            assert_eq!(parse(line).unwrap().0.target, target);
        }
        for line in [
            &b""[..],
            b"GET /",
            b"GET  HTTP/1.1",
            b"GET / HTTP/2.0",
            b"GET /a b HTTP/1.1",
            b"GET /\t HTTP/1.1",
            b"G{T / HTTP/1.1",
        ] {
            assert!(parse(line).is_none(), "{line:?}");
        }
    }
}
