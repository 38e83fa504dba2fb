//! Carries out an access by exchanging requests and responses, and by sending uploads.

use super::ranges::Next;
use super::request::HttpRequest;
use super::response;
use super::settings::HttpProtocol;
use crate::context::{Context, Pooled};
use crate::error::{Error, ErrorKind, Result};
use crate::event::Event;
use crate::http1::{Exchange, Head, Streamed, text};
use crate::net::Connection;
use crate::output::Output;
use crate::policy::Refusal;
use crate::protocol::Outcome;
use crate::request::{Request, Wanted};
use crate::upload::{Body, Mode, Upload};
use bytes::Bytes;
use std::io;

/// An access in progress. `response.rs` handles the responses.
pub(super) struct Access<'a, 'c, 'd> {
    pub(super) settings: &'a HttpProtocol,
    pub(super) request: Request<'a>,
    /// The HTTP request that will be sent next, or that was sent last.
    pub(super) message: HttpRequest<'a>,
    pub(super) context: &'a mut Context<'c>,
    pub(super) output: &'a mut Output<'d>,
}

impl Access<'_, '_, '_> {
    /// Fetches the resource at the URL.
    pub(super) fn fetch(mut self) -> Result<Outcome> {
        self.message.warn(self.context);
        let mut exchange = self.exchange()?;
        let mut next = Next::of(&self.request, &exchange.head);
        if let Next::Ask { is_same_size } = next {
            let denied = self.message.at(self.denied(&exchange));
            self.leave(exchange);
            exchange = self.ask()?;
            next = Next::of_answer(&self.request, is_same_size, &exchange.head);
            if next == Next::Take {
                return Err(denied);
            }
        }
        match next {
            Next::Done => {
                self.nothing_missing()?;
                self.leave(exchange);
                return Ok(Outcome::Done);
            }
            Next::StartOver => {
                self.leave(exchange);
                self.context.record(Event::StartedOver);
                self.request = self.request.of_the_complete_body();
                self.message = HttpRequest::new(self.settings, &self.request)?;
                exchange = self.exchange()?;
            }
            Next::Take | Next::Ask { .. } => {
                let is_resumed = self.request.resume > 0 && self.request.validator.is_some();
                if is_resumed && exchange.head.status == 200 {
                    self.context.record(Event::StartedOver);
                }
            }
        }
        let taken = self.take(&mut exchange);
        let outcome = taken.map_err(|error| self.message.at(error))?;
        let length = exchange.head.length;
        if let Some(connection) = self.put_back(exchange)
            && self.request.wants_body()
            && outcome == Outcome::Done
            && let Some(expected) = length
        {
            // The server has sent more bytes although nothing else was requested on this
            // connection, so the announced length is wrong (RFC 9112, 6.3).
            let error = connection.failed(ErrorKind::TooManyBytes { expected });
            return Err(self.message.at(error));
        }
        Ok(outcome)
    }

    /// Sends the request, reads the head of the response, and stores its cookies. Answers a Digest
    /// challenge if the settings allow it.
    fn exchange(&mut self) -> Result<Exchange> {
        loop {
            let exchange = self.send().map_err(|error| self.message.at(error))?;
            self.responded(&exchange.head)?;
            let credentials = self.request.credentials;
            let is_answered = match credentials.filter(|_| self.settings.uses_digest) {
                Some(credentials) => self.message.answer(&exchange.head, credentials)?,
                None => false,
            };
            if !is_answered {
                return Ok(exchange);
            }
            self.leave(exchange);
        }
    }

    /// Sends the request over a pooled or a new connection, and reads the head of the response.
    fn send(&mut self) -> Result<Exchange> {
        let max_line = self.context.max_line();
        self.check_proxy_target()?;
        // The server may already have closed a pooled connection, so only requests that may be
        // repeated use a pooled connection (RFC 9112, 9.3.1).
        let pooled = self
            .message
            .is_idempotent()
            .then(|| self.context.pooled(&self.message.origin()));
        if let Some(Some(Idle(connection))) = pooled {
            // If the server sends no response, the request is repeated once, on a new connection.
            // The request is also repeated if the response is 408, because the server has then
            // given up on the idle connection (RFC 9110, 15.5.9).
            match Exchange::begin(connection, self.message.sent(), max_line) {
                Ok(exchange) if exchange.head.status != 408 => return Ok(exchange),
                Err(error) if !is_closed(&error) => return Err(error),
                _ => self.context.record(Event::PoolStale),
            }
        }
        let connection = self.connect()?;
        Exchange::begin(connection, self.message.sent(), max_line)
    }

    /// Checks the server against the policy if a proxy will connect to the server.
    fn check_proxy_target(&self) -> Result<()> {
        match &self.message.via {
            Some(via) => self.context.proxy_target(&via.host, via.port),
            None => Ok(()),
        }
    }

    /// Connects to the server, or to the proxy.
    fn connect(&mut self) -> Result<Connection> {
        let message = &self.message;
        let mut connection = match &message.via {
            Some(via) => self.context.connect_proxy(&via.proxy)?,
            None => self.context.connect(&message.host, message.port)?,
        };
        if message.is_secure {
            connection.start_tls_for(&message.host, Some(b"http/1.1"))?;
        }
        Ok(connection)
    }

    /// Records a response, passes its head to the output, and stores its cookies.
    fn responded(&mut self, head: &Head) -> Result<()> {
        self.store_cookies(head);
        let response = head.to_hop();
        self.output.head(&response)?;
        self.context.trace.respond(response);
        Ok(())
    }

    /// Stores the cookies of a response.
    fn store_cookies(&self, head: &Head) {
        let cookies = self.settings.cookies.as_ref();
        let Some(cookies) = cookies.filter(|_| !self.request.is_by_gateway()) else {
            return;
        };
        for field in head.all("Set-Cookie") {
            cookies.received(self.request.reference.as_str(), &text(field));
        }
    }

    /// Sends a HEAD request to ask for the size and the version of the complete body.
    fn ask(&mut self) -> Result<Exchange> {
        // The HEAD request keeps the offset, because a request with an offset does not allow
        // content codings.
        let question = Request {
            wanted: Wanted::Metadata,
            ..self.request
        };
        self.message = HttpRequest::new(self.settings, &question)?;
        self.exchange()
    }

    /// Skips the body of a response, so that its connection can be used again. Closes the
    /// connection if the end of the body is ambiguous.
    fn leave(&mut self, mut exchange: Exchange) {
        if exchange.head.check_framing(true).is_ok() {
            exchange.skip(response::MAX_SKIPPED);
            self.put_back(exchange);
        }
    }

    /// Puts the connection into the pool after a complete response. If bytes were received after
    /// the response, returns the connection instead.
    fn put_back(&mut self, exchange: Exchange) -> Option<Connection> {
        let is_kept = self.settings.keeps_connections
            && exchange.head.keeps_connection()
            && !exchange.ends_with_connection();
        let (connection, is_complete) = exchange.end();
        if is_complete && connection.has_more() {
            return Some(connection);
        }
        if is_complete && is_kept {
            self.context.pool(&self.message.origin(), Idle(connection));
        }
        None
    }

    /// Sends the body of an upload. Writes the body of the response to the output.
    ///
    /// Does not send `Expect: 100-continue`, because the rest of the body is not sent if an error
    /// response arrives early.
    pub(super) fn upload(mut self, body: &mut Body<'_>) -> Result<()> {
        let size = body.size();
        self.message.warn(self.context);
        if size == Some(0) {
            // If the announced size is 0, the body is read only to check that it is really empty.
            body.read()?;
        }
        let credentials = self.request.credentials;
        let mut exchange = match credentials.filter(|_| self.settings.uses_digest) {
            None => self.stream(size, &mut || next_piece(body))?,
            Some(credentials) => {
                self.message.set_body(Bytes::from(read_all(body)?));
                loop {
                    let mut rest = self.message.body().clone();
                    let exchange = self.stream(size, &mut || Ok(std::mem::take(&mut rest)))?;
                    if !self.message.answer(&exchange.head, credentials)? {
                        break exchange;
                    }
                    self.responded(&exchange.head)?;
                }
            }
        };
        self.responded(&exchange.head)?;
        let taken = self.take(&mut exchange);
        match taken.map_err(|error| self.message.at(error))? {
            Outcome::Done => {}
            Outcome::Redirect(to) | Outcome::SeeOther(to) | Outcome::TryFirst(to) => {
                let what =
                    "the server redirects to another URL, but uploads do not follow redirects";
                let error = Error::new(ErrorKind::Unsupported(what));
                let to = [&*exchange.head.line, b", to ", to.as_bytes()].concat();
                return Err(self.message.at(error.with_received(&to)));
            }
        }
        self.put_back(exchange);
        Ok(())
    }

    /// Sends a request with a body, over a new connection. A pooled connection may turn out to be
    /// closed, and a body that has been read cannot be sent again.
    fn stream(
        &mut self,
        size: Option<u64>,
        next: &mut dyn FnMut() -> Result<Bytes>,
    ) -> Result<Exchange> {
        let max_line = self.context.max_line();
        let mut begin = || {
            self.check_proxy_target()?;
            let connection = self.connect()?;
            let sent = self.message.sent();
            Exchange::begin_streamed(connection, sent, Streamed { size, next }, max_line)
        };
        begin().map_err(|error| self.message.at(error))
    }
}

/// Fails if an upload asks for something that HTTP does not support.
pub(super) fn check_upload(upload: &Upload<'_>) -> Result<()> {
    let what = if upload.mode == Mode::Append {
        "HTTP cannot append"
    } else if upload.resumes {
        "HTTP cannot resume an upload"
    } else if upload.via_temporary {
        "HTTP does not need a temporary name: servers store only complete bodies"
    } else {
        return Ok(());
    };
    Err(Error::new(ErrorKind::Unsupported(what)))
}

/// Returns the next bytes of a body. Checks that the body has the announced size before returning
/// the last bytes, so that no server receives a complete body of the wrong size.
fn next_piece(body: &mut Body<'_>) -> Result<Bytes> {
    let piece = Bytes::copy_from_slice(body.read()?);
    if body.size() == Some(body.sent()) && !piece.is_empty() {
        body.read()?;
    }
    Ok(piece)
}

/// The maximum size in bytes of an upload with Digest authentication. The body is sent again with
/// the answer to a challenge, so it is kept in memory.
const MAX_REPEATED: usize = 16 << 20;

/// Reads a body that may be sent more than once.
fn read_all(body: &mut Body<'_>) -> Result<Vec<u8>> {
    let all = body.read_all(MAX_REPEATED);
    all.map_err(|error| match error.kind() {
        ErrorKind::Refused(Refusal::Bytes { max }) if usize::try_from(*max) == Ok(MAX_REPEATED) => {
            let what = "an upload with Digest authentication can be at most 16 MiB, because it \
                        may be repeated";
            Error::new(ErrorKind::Unsupported(what))
        }
        _ => error,
    })
}

/// An idle connection in the pool.
struct Idle(Connection);

impl Pooled for Idle {
    fn connection(&mut self) -> &mut Connection {
        &mut self.0
    }
}

/// Returns whether the connection ended before any byte of a response was received.
fn is_closed(error: &Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    match error.kind() {
        ErrorKind::EndedEarly { received: 0, .. } => true,
        ErrorKind::Network(error) => matches!(
            error.kind(),
            BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof
        ),
        _ => false,
    }
}
