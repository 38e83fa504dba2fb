//! `http` and `https`: HTTP/1.1 (RFC 9110, RFC 9112). HTTP servers can also be proxies for any
//! scheme.
//!
//! The request target is that of [`urikit_schemes::Http`], octet by octet. A proxy gets "the
//! entire URI, whether HTTP or some other scheme" (RFC 1630, HTTP), without the fragment. The body
//! is passed on as received, unless [`Http::compressed`] says that content codings are decoded.
//!
//! Redirects are left to the policy. The connection to a proxy uses TLS if the proxy's URL does.
//! Cookies are stored and sent if there is a place for them ([`Http::cookies`]). Caches are not
//! supported, nor are HTTP/2 and HTTP/3.

mod basic;
mod body;
mod command;
mod config;
mod cookies;
mod date;
mod decode;
mod digest;
mod netscape;
mod own;
mod plan;
mod range;
#[doc(hidden)]
pub mod replay;
mod request;
mod response;
mod resume;
mod upload;

pub use command::{Command, Field, Method, Target};
pub use config::Http;
pub use cookies::Cookies;
pub use plan::{Condition, Step};

use self::request::HttpRequest;
use self::resume::Next;
use super::{Outcome, Protocol};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::event::Event;
use crate::http1::{Exchange, Head, text};
use crate::net::Connection;
use crate::output::Output;
use crate::plan::Plan;
use crate::pool::Pooled;
use crate::request::{Request, Wanted};
use crate::upload::{Body, Upload};
use std::io;

impl Protocol for Http {
    fn schemes(&self) -> &[&'static str] {
        &["http", "https"]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        let mut plan = HttpRequest::new(self, request)?.plan();
        if self.uses_digest && request.credentials.is_some() {
            plan.step_if(Condition::LoginRequired, Step::AnswerChallenge);
        }
        plan.step(if request.wants_body() {
            Step::ReceiveBody
        } else {
            Step::ReceiveHead
        });
        Ok(plan)
    }

    fn redirect_schemes(&self) -> &[&'static str] {
        &["http", "https"]
    }

    fn has_ranges(&self) -> bool {
        true
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome> {
        let mut message = HttpRequest::new(self, request)?;
        message.warn(context);
        let mut exchange = self.exchange(&mut message, request, context)?;
        let mut request = *request;
        let mut next = Next::of(&request, &exchange.head);
        if let Next::Ask { is_all } = next {
            let denied = message.at(response::denied(&request, &exchange));
            self.leave(exchange, &message, context);
            let (answer, answered) = self.asked(&request, context)?;
            next = Next::of_answer(&request, is_all, &answered.head);
            if next == Next::Take {
                return Err(denied);
            }
            (message, exchange) = (answer, answered);
        }
        match next {
            Next::Done => {
                response::nothing_missing(&request, output)?;
                self.leave(exchange, &message, context);
                return Ok(Outcome::Done);
            }
            Next::StartOver => {
                self.leave(exchange, &message, context);
                context.record(Event::StartedOver);
                request = request.of_the_complete_body();
                message = HttpRequest::new(self, &request)?;
                exchange = self.exchange(&mut message, &request, context)?;
            }
            Next::Take | Next::Ask { .. } => {
                let is_resumed = request.resume > 0 && request.validator.is_some();
                if is_resumed && exchange.head.status == 200 {
                    context.record(Event::StartedOver);
                }
            }
        }
        let taken = response::take(&request, &mut exchange, self.decodes, output);
        let outcome = taken.map_err(|error| message.at(error))?;
        let length = exchange.head.length;
        let (connection, is_free) = self.put_back(exchange, &message, context);
        if let Some(connection) = connection
            && is_free
            && connection.has_more()
            && request.wants_body()
            && outcome == Outcome::Done
            && let Some(expected) = length
        {
            // Nothing else was requested on this connection, so the length is wrong (RFC 9112,
            // 6.3).
            let error = connection.failed(ErrorKind::TooManyBytes { expected });
            return Err(message.at(error));
        }
        Ok(outcome)
    }

    fn plan_upload(&self, upload: &Upload<'_>) -> Result<Plan> {
        upload::plan(self, upload)
    }

    fn upload(
        &self,
        upload: &Upload<'_>,
        context: &mut Context<'_>,
        body: &mut Body<'_>,
        output: &mut Output<'_>,
    ) -> Result<()> {
        upload::send(self, upload, context, body, output)
    }
}

impl Http {
    /// Sends a request over a pooled connection or a new one, reads the head of the response, and
    /// stores its cookies. A challenge is answered if that is configured.
    fn exchange(
        &self,
        message: &mut HttpRequest,
        request: &Request<'_>,
        context: &mut Context<'_>,
    ) -> Result<Exchange> {
        loop {
            let exchange = exchange(message, context).map_err(|error| message.at(error))?;
            self.store_cookies(&exchange.head, request);
            let is_answered = match request.credentials.filter(|_| self.uses_digest) {
                Some(credentials) => message.answer(&exchange.head, credentials)?,
                None => false,
            };
            if !is_answered {
                return Ok(exchange);
            }
            self.leave(exchange, message, context);
        }
    }

    /// Stores the cookies of a response.
    fn store_cookies(&self, head: &Head, request: &Request<'_>) {
        let Some(cookies) = self.cookies.as_ref().filter(|_| !request.is_by_gateway()) else {
            return;
        };
        for field in head.all("Set-Cookie") {
            cookies.received(request.reference.as_str(), &text(field));
        }
    }

    /// Puts the connection into the pool, if the response is complete and nothing follows it.
    /// Otherwise it is returned, with whether the response is complete.
    fn put_back(
        &self,
        exchange: Exchange,
        message: &HttpRequest,
        context: &mut Context<'_>,
    ) -> (Option<Connection>, bool) {
        let is_kept = self.keeps_connections
            && exchange.head.keeps_connection()
            && !exchange.ends_with_connection();
        let (connection, is_complete) = exchange.end();
        if is_complete && is_kept && !connection.has_more() {
            context.pool(&message.origin(), Idle(connection));
            return (None, true);
        }
        (Some(connection), is_complete)
    }

    /// Asks for the size and the version of the complete body.
    fn asked(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
    ) -> Result<(HttpRequest, Exchange)> {
        // Still that of a resumed transfer, so that no content coding is asked for.
        let head = Request {
            wanted: Wanted::Metadata,
            ..*request
        };
        let mut question = HttpRequest::new(self, &head)?;
        let exchange = self.exchange(&mut question, &head, context)?;
        Ok((question, exchange))
    }

    /// Skips a body, so that its connection can be used again. If it is not clear where the body ends,
    /// the connection is closed.
    fn leave(&self, mut exchange: Exchange, message: &HttpRequest, context: &mut Context<'_>) {
        if exchange.head.check_framing(true).is_ok() {
            exchange.skip(response::MAX_SKIPPED);
            self.put_back(exchange, message, context);
        }
    }
}

/// Sends the request over a pooled connection or a new one, and reads the head of the response.
fn exchange(message: &HttpRequest, context: &mut Context<'_>) -> Result<Exchange> {
    let longest = context.max_line();
    judge(message, context)?;
    let pooled = message
        .is_idempotent()
        .then(|| context.pooled(&message.origin()));
    if let Some(Some(Idle(connection))) = pooled {
        // A server may close a connection at any time. A request without a response is repeated
        // once (RFC 9112, 9.3.1).
        match Exchange::begin(context.runtime(), connection, message.sent(), longest) {
            Ok(exchange) if exchange.head.status != 408 => return Ok(exchange),
            Err(error) if !is_gone(&error) => return Err(error),
            _ => context.record(Event::PoolStale),
        }
    }
    let connection = connected(message, context)?;
    Exchange::begin(context.runtime(), connection, message.sent(), longest)
}

/// Judges what a proxy is asked for.
fn judge(message: &HttpRequest, context: &Context<'_>) -> Result<()> {
    let (host, port) = &message.target_peer;
    match message.via {
        Some(_) => context.judge(host, *port),
        None => Ok(()),
    }
}

/// A new connection to the server, or to the proxy.
fn connected(message: &HttpRequest, context: &mut Context<'_>) -> Result<Connection> {
    let mut connection = match &message.via {
        Some(proxy) => context.connect_proxy(proxy)?,
        None => context.connect(&message.host, message.port)?,
    };
    if message.is_secure {
        connection.start_tls(&message.host)?;
    }
    Ok(connection)
}

/// An idle connection.
struct Idle(Connection);

impl Pooled for Idle {
    fn connection(&mut self) -> &mut Connection {
        &mut self.0
    }
}

/// Whether the connection ended before any response.
fn is_gone(error: &Error) -> bool {
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
