//! Exchanges a request and its response with hyper, on a connection that the policy has checked.

use super::head::{self, Head, Heads, MAX_FIELDS, Refused, leading};
use super::wire::{Feed, Outgoing, Streamed, Wire};
use crate::command::{Argument, Command, Line, Secret};
use crate::error::{Error, ErrorKind, Result};
use crate::mask::MASK;
use crate::net::{Connection, Driver, ONLY_HTTP2};
use bytes::Bytes;
use hyper::body::{Body as _, Incoming};
use hyper::client::conn::http1;
use std::borrow::Cow;
use std::error::Error as _;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

/// An exchange whose response head has been received.
#[allow(clippy::struct_excessive_bools)] // they are independent
pub(crate) struct Exchange {
    /// The connection, whose stream has been moved into `http`.
    connection: Connection,
    driver: Driver,
    http: http1::Connection<Wire, Outgoing>,
    is_ended: bool,
    body: Incoming,
    /// True if the complete body was received.
    is_complete: bool,
    /// The size of the request's body; `None` if it is sent in chunks.
    size_sent: Option<u64>,
    received: u64,
    heads: Heads,
    /// True if responses to the request method can have a body.
    has_body: bool,
    /// True if the request method was `POST`.
    pub(crate) is_post: bool,
    pub(crate) head: Head,
}

/// The request to send.
pub(crate) struct Sent<'a, C> {
    pub(crate) method: http::Method,
    /// The lines of the head, including the empty line at its end.
    pub(crate) head: &'a [C],
    pub(crate) body: Bytes,
}

impl Exchange {
    /// Sends a request, and waits for the final head of the response, whose length is limited.
    pub(crate) fn begin<C: Command>(
        connection: Connection,
        mut sent: Sent<'_, C>,
        longest: usize,
    ) -> Result<Self> {
        let body = Outgoing::complete(std::mem::take(&mut sent.body));
        Self::send(connection, sent, (body, None), longest)
    }

    /// Sends a request whose body is read while it is being sent. Once the response has begun, the
    /// rest of the body is sent only if the response is a success: a server that refuses the
    /// request does not want the body.
    pub(crate) fn begin_streamed<C: Command>(
        connection: Connection,
        sent: Sent<'_, C>,
        streamed: Streamed<'_>,
        longest: usize,
    ) -> Result<Self> {
        let (body, feed) = Outgoing::streamed(streamed.size);
        let more = Some((feed, streamed));
        Self::send(connection, sent, (body, more), longest)
    }

    fn send<C: Command>(
        mut connection: Connection,
        sent: Sent<'_, C>,
        (body, mut more): (Outgoing, Option<(Feed, Streamed<'_>)>),
        longest: usize,
    ) -> Result<Self> {
        let size_sent = hyper::body::Body::size_hint(&body).exact();
        connection.set_quiet(false);
        let head = connection.noted_lines(sent.head);
        let (stream, driver) = connection.detach()?;
        let heads = Heads::new(longest);
        let wire = Wire::new(stream, head, heads.clone());
        let broken = wire.broken();
        let mut request = http::Request::new(body);
        let has_body = sent.method != http::Method::HEAD;
        let is_post = sent.method == http::Method::POST;
        *request.method_mut() = sent.method;
        let limits = connection.limits();
        let mut handshake = Box::pin(
            http1::Builder::new()
                .allow_obsolete_multiline_headers_in_responses(true)
                .max_headers(MAX_FIELDS)
                .max_header_size(longest)
                .max_buf_size(longest.max(LEAST))
                .handshake(wire),
        );
        let begun = driver.wait(limits, |context| handshake.as_mut().poll(context))?;
        let (mut sender, mut http) =
            begun.map_err(|error| failed(&connection, &heads, longest, &error))?;
        let mut is_ended = false;
        let mut response = Box::pin(sender.send_request(request));
        let answered = loop {
            let feed = more.as_ref().map(|(feed, _)| feed);
            // Each piece of a streamed body is a step with its own time limit.
            let step = driver.wait(limits, |context| {
                if !is_ended {
                    is_ended = http.poll_without_shutdown(context).is_ready();
                }
                match response.as_mut().poll(context) {
                    Poll::Ready(answer) => Poll::Ready(Some(answer)),
                    Poll::Pending if feed.is_some_and(Feed::is_wanting) => Poll::Ready(None),
                    Poll::Pending => Poll::Pending,
                }
            })?;
            match (step, &mut more) {
                (Some(answer), _) => break answer,
                (None, Some((feed, streamed))) => feed.put((streamed.next)()?),
                (None, None) => {}
            }
        };
        drop(response);
        let response = answered.map_err(|error| failed(&connection, &heads, longest, &error))?;
        if response.status().is_success()
            && let Some((feed, streamed)) = &mut more
        {
            while !is_ended && !feed.is_complete() && broken.get().is_none() {
                let feed: &Feed = feed;
                driver.wait(limits, |context| {
                    is_ended = http.poll_without_shutdown(context).is_ready();
                    let is_over = is_ended
                        || feed.is_wanting()
                        || feed.is_complete()
                        || broken.get().is_some();
                    if is_over {
                        Poll::Ready(())
                    } else {
                        Poll::Pending
                    }
                })?;
                if feed.is_wanting() {
                    feed.put((streamed.next)()?);
                }
            }
            if !feed.is_complete() || broken.get().is_some() {
                let error = broken.get().unwrap_or(io::ErrorKind::BrokenPipe).into();
                return Err(connection.failed(ErrorKind::Network(error)));
            }
        }
        let octets = heads.octets();
        let lines = head::lines(&octets);
        for line in &lines {
            connection.record_received(&shown(line));
        }
        let head = Head::new(&response, &lines).map_err(|(expected, line)| {
            connection
                .failed(ErrorKind::Protocol(expected))
                .with_received(&line)
        })?;
        let body = response.into_body();
        let is_complete = body.is_end_stream();
        Ok(Self {
            connection,
            driver,
            http,
            is_ended,
            body,
            is_complete,
            size_sent,
            received: 0,
            heads,
            has_body,
            is_post,
            head,
        })
    }

    /// Returns the next bytes of the body; `None` at its end.
    pub(crate) fn chunk(&mut self) -> Result<Option<Bytes>> {
        self.heads.read_body();
        loop {
            let (http, body, is_ended) = (&mut self.http, &mut self.body, &mut self.is_ended);
            let limits = self.connection.limits();
            let frame = self
                .driver
                .wait(limits, |context| poll_frame(http, body, is_ended, context));
            match frame.map_err(|error| error.with_sent(self.connection.last_sent()))? {
                None => {
                    self.is_complete = true;
                    return Ok(None);
                }
                Some(Ok(frame)) => {
                    // Trailers are discarded.
                    if let Ok(bytes) = frame.into_data() {
                        let count = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
                        self.received = self.received.saturating_add(count);
                        self.is_complete = self.body.is_end_stream();
                        return Ok(Some(bytes));
                    }
                }
                Some(Err(error)) => return Err(self.broken(&error)),
            }
        }
    }

    /// Discards at most `max` bytes of the body without waiting. Returns true if the body has
    /// ended.
    pub(crate) fn skip(&mut self, max: u64) -> bool {
        self.heads.read_body();
        let mut left = max;
        while !self.is_complete {
            let mut context = Context::from_waker(std::task::Waker::noop());
            let frame = poll_frame(
                &mut self.http,
                &mut self.body,
                &mut self.is_ended,
                &mut context,
            );
            match frame {
                Poll::Ready(None) => self.is_complete = true,
                Poll::Ready(Some(Ok(frame))) => {
                    let count = frame.data_ref().map_or(0, Bytes::len);
                    let count = u64::try_from(count).unwrap_or(u64::MAX);
                    self.is_complete = self.body.is_end_stream();
                    if count > left {
                        return false;
                    }
                    left -= count;
                }
                Poll::Ready(Some(Err(_))) | Poll::Pending => return false,
            }
        }
        true
    }

    /// Returns the connection, including the octets after the response, and whether it can be used
    /// again. A connection cannot be used again if the response is incomplete, or if the request
    /// was not sent completely, because the server would interpret the next request as the rest of
    /// the current request.
    pub(crate) fn end(self) -> (Connection, bool) {
        let Self {
            mut connection,
            http,
            ..
        } = self;
        let parts = http.into_parts();
        let is_sent = self.size_sent == Some(parts.io.body_sent());
        connection.attach(parts.io.into_stream(), &parts.read_buf);
        (connection, self.is_complete && is_sent)
    }

    /// Returns true if the body ends when the connection is closed.
    pub(crate) fn ends_with_connection(&self) -> bool {
        self.has_body && self.head.ends_with_connection()
    }

    /// Creates an error whose message quotes the request.
    pub(crate) fn failed(&self, kind: ErrorKind) -> Error {
        self.connection.failed(kind)
    }

    /// Converts an error that occurred while the body was being received.
    fn broken(&self, error: &hyper::Error) -> Error {
        let ended = || ErrorKind::EndedEarly {
            expected: self.head.length,
            received: self.received,
        };
        if error.is_incomplete_message() {
            return self.failed(ended());
        }
        let kind = match cause(error) {
            Some(cause) => match cause.kind() {
                io::ErrorKind::UnexpectedEof => ended(),
                io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData if is_own(cause) => {
                    ErrorKind::Protocol("chunks and a trailer as in RFC 9112, 7.1")
                }
                _ => return Error::network(copy(cause)).with_sent(self.connection.last_sent()),
            },
            None => ErrorKind::Protocol("a body as in RFC 9112, 6"),
        };
        self.failed(kind)
    }
}

/// The smallest buffer that hyper allows. If the limit for a head is smaller, it is still
/// enforced.
const LEAST: usize = 8 << 10;

fn poll_frame(
    http: &mut http1::Connection<Wire, Outgoing>,
    body: &mut Incoming,
    is_ended: &mut bool,
    context: &mut Context<'_>,
) -> Poll<Option<std::result::Result<hyper::body::Frame<Bytes>, hyper::Error>>> {
    if !*is_ended {
        *is_ended = http.poll_without_shutdown(context).is_ready();
    }
    Pin::new(body).poll_frame(context)
}

/// Converts an error that occurred before the head of the response was complete. The result does
/// not depend on how the head was split in transit.
fn failed(connection: &Connection, heads: &Heads, longest: usize, error: &hyper::Error) -> Error {
    let octets = heads.octets();
    for line in octets.split_inclusive(|octet| *octet == b'\n') {
        if let Some(line) = line.strip_suffix(b"\n") {
            connection.record_received(&shown(line.strip_suffix(b"\r").unwrap_or(line)));
        }
    }
    let head = octets.get(heads.last()..).unwrap_or_default();
    let head = head.get(leading(head)..).unwrap_or_default();
    let line = head.split(|octet| *octet == b'\n').next();
    let line = line.unwrap_or_default().trim_ascii_end();
    let unexpected = |expected| {
        let error = connection.failed(ErrorKind::Protocol(expected));
        error.with_received(line)
    };
    let status_line = "an HTTP status line";
    match heads.refused() {
        Some(Refused::NotHttp) if is_http2(head) => {
            return connection.failed(ErrorKind::Unsupported(ONLY_HTTP2));
        }
        Some(Refused::NotHttp) => return unexpected(status_line),
        Some(Refused::TooLong) => {
            return connection.failed(ErrorKind::LineTooLong { max: longest });
        }
        Some(Refused::TooMany) => {
            return connection.failed(ErrorKind::Protocol(
                "a final response after the 1xx responses",
            ));
        }
        None => {}
    }
    if error.is_parse() {
        let lines = head.split(|octet| *octet == b'\n').count();
        return unexpected(if lines > MAX_FIELDS + 1 {
            "at most 256 header fields"
        } else {
            "an HTTP/1.0 or 1.1 status line and header fields"
        });
    }
    match cause(error) {
        Some(cause) if cause.kind() != io::ErrorKind::UnexpectedEof || octets.is_empty() => {
            Error::network(copy(cause)).with_sent(connection.last_sent())
        }
        // The server sent only line breaks.
        _ if !octets.is_empty() && leading(&octets) == octets.len() => unexpected(status_line),
        _ => connection.failed(ErrorKind::EndedEarly {
            expected: None,
            received: u64::try_from(octets.len()).unwrap_or(u64::MAX),
        }),
    }
}

/// Returns true for the beginning of an HTTP/2 connection: a `SETTINGS` frame (RFC 9113, 3.4 and
/// 4.1), whose length is a multiple of six.
fn is_http2(octets: &[u8]) -> bool {
    matches!(octets, [0, 0, length, 4, 0, 0, 0, 0, 0, ..] if length % 6 == 0)
}

/// Returns a line for display, without the values of cookies, which may serve as a login.
fn shown(line: &[u8]) -> Cow<'_, [u8]> {
    const NAME: &[u8] = b"Set-Cookie:";
    let is_cookie = line
        .get(..NAME.len())
        .is_some_and(|name| name.eq_ignore_ascii_case(NAME));
    let value = line.iter().position(|octet| *octet == b'=');
    let Some(value) = value.filter(|_| is_cookie) else {
        return Cow::Borrowed(line);
    };
    let (before, rest) = line.split_at(value + 1);
    let end = rest.iter().position(|octet| *octet == b';');
    let after = rest.get(end.unwrap_or(rest.len())..).unwrap_or_default();
    Cow::Owned([before, MASK.as_bytes(), after].concat())
}

/// Returns the connection error that caused an error from hyper.
fn cause(error: &hyper::Error) -> Option<&io::Error> {
    error.source()?.downcast_ref()
}

/// Returns true if the error does not come from TLS.
fn is_own(error: &io::Error) -> bool {
    error
        .get_ref()
        .is_none_or(|inner| inner.downcast_ref::<rustls::Error>().is_none())
}

/// Copies an error, because `std::io::Error` does not implement `Clone`.
fn copy(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::new(error.kind(), error.to_string()),
    }
}

/// Returns the lines of a `CONNECT` request (RFC 9110, 9.3.6). An IPv6 address must be in brackets.
/// `token` contains the credentials for the "Basic" scheme.
pub(crate) fn connect_lines(host: &str, port: u16, token: Option<&Secret>) -> Result<Vec<Line>> {
    let to = || Argument::new(format!("{host}:{port}").into_bytes(), "host");
    let mut lines = vec![
        Line::new("CONNECT ").argument(to()?).word(" HTTP/1.1"),
        Line::new("Host: ").argument(to()?),
    ];
    if let Some(token) = token {
        lines.push(Line::new("Proxy-Authorization: Basic ").secret(token.clone()));
    }
    lines.push(Line::new(""));
    Ok(lines)
}

/// Asks an HTTP proxy to connect to a target. `has_login` is true if the request contains a token.
pub(crate) fn connect(
    proxy: Connection,
    lines: &[Line],
    has_login: bool,
    longest: usize,
) -> Result<Connection> {
    let sent = Sent {
        method: http::Method::CONNECT,
        head: lines,
        body: Bytes::new(),
    };
    let exchange = Exchange::begin(proxy, sent, longest)?;
    let status = exchange.head.status;
    if !(200..300).contains(&status) {
        let error = exchange.failed(if status == 407 {
            ErrorKind::ProxyLogin {
                is_refused: has_login,
            }
        } else {
            ErrorKind::server(status, exchange.head.reason())
        });
        return Err(error.with_received(&exchange.head.line));
    }
    // The target may already have sent data, which remains to be read.
    Ok(exchange.end().0)
}
