//! `http` and `https`: HTTP/1.1 (RFC 9110, RFC 9112). HTTP servers can also be proxies for any
//! scheme.
//!
//! The request target is that of [`urikit_schemes::Http`], octet by octet. A proxy gets "the
//! entire URI, whether HTTP or some other scheme" (RFC 1630, HTTP), without the fragment. The body
//! is passed on as received: no content coding is requested, and none is decoded.
//!
//! Redirects are left to the policy. The connection to a proxy uses TLS if the proxy's URL does.
//! Cookies and caches are not supported.

mod basic;
mod body;
mod command;
mod config;
mod date;
mod exchange;
mod head;
mod range;
#[doc(hidden)]
pub mod replay;
mod request;
mod response;
mod wire;

pub use command::{Command, Field, Method, Target};
pub use config::Http;

use self::exchange::{Exchange, Sent};
use self::request::HttpRequest;
use super::{Outcome, Protocol};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::event::Event;
use crate::net::Connection;
use crate::output::Output;
use crate::plan::{Action, Plan};
use crate::pool::Pooled;
use crate::request::Request;
use bytes::Bytes;
use std::io;

impl Protocol for Http {
    fn schemes(&self) -> &[&'static str] {
        &["http", "https"]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        let mut plan = HttpRequest::new(self, request)?.plan();
        plan.push(if request.wants_body() {
            Action::ReceiveBody
        } else {
            Action::ReceiveHead
        });
        Ok(plan)
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome> {
        let message = HttpRequest::new(self, request)?;
        if message.has_userinfo {
            let advice =
                "the userinfo in the URL is not sent: servers ask for it (RFC 9110, 4.2.4)";
            context.note(advice);
            context.prompt().notify(advice);
        }
        let mut exchange = exchange(&message, context).map_err(|error| message.at(error))?;
        let mut request = *request;
        if response::is_changed(&request, &exchange.head) {
            context.record(Event::StartedOver);
            request = request.of_the_complete_body();
            let complete = HttpRequest::new(self, &request)?;
            exchange = self::exchange(&complete, context).map_err(|error| message.at(error))?;
        } else if request.resume > 0 && request.validator.is_some() && exchange.head.status == 200 {
            context.record(Event::StartedOver);
        }
        let taken = response::take(&request, &mut exchange, output);
        let outcome = taken.map_err(|error| message.at(error))?;
        let length = exchange.head.length;
        let is_kept = self.keeps_connections && exchange.head.keeps_connection();
        let ends_with_connection = request.wants_body() && exchange.head.ends_with_connection();
        let (connection, is_complete) = exchange.end().map_err(|error| message.at(error))?;
        if is_complete
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
        if is_complete && is_kept && !ends_with_connection {
            context.pool(&message.origin(), Idle(connection));
        }
        Ok(outcome)
    }
}

/// Sends the request over a pooled connection or a new one, and reads the head of the response.
fn exchange(message: &HttpRequest, context: &mut Context<'_>) -> Result<Exchange> {
    let longest = context.max_line();
    let sent = || Sent {
        method: message.method(),
        head: message.head(),
        body: Bytes::new(),
    };
    if let Some(Idle(connection)) = context.pooled(&message.origin()) {
        // A server may close a connection at any time. A request without a response is repeated
        // once (RFC 9112, 9.3.1).
        match Exchange::begin(context.runtime(), connection, sent(), longest) {
            Ok(exchange) if exchange.head.status != 408 => return Ok(exchange),
            Err(error) if !is_gone(&error) => return Err(error),
            _ => context.record(Event::PoolStale),
        }
    }
    let mut connection = context.connect(&message.host, message.port)?;
    if message.is_secure {
        connection.start_tls(&message.host)?;
    }
    Exchange::begin(context.runtime(), connection, sent(), longest)
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
