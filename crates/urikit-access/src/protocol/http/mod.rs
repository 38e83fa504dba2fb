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
mod head;
mod range;
#[doc(hidden)]
pub mod replay;
mod request;
mod response;

pub use command::{Command, Field, Method, Target};
pub use config::Http;

use self::head::Head;
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
        let (mut connection, head) =
            exchange(&message, context).map_err(|error| message.at(error))?;
        let taken = response::take(request, &mut connection, &head, output);
        let (outcome, is_free) = taken.map_err(|error| message.at(error))?;
        // Unrequested bytes make the connection unusable.
        if is_free && self.keeps_connections && head.keeps_connection() && !connection.has_more() {
            context.pool(&message.origin(), Idle(connection));
        }
        Ok(outcome)
    }
}

/// Sends the request over a pooled connection or a new one, and reads the head of the response.
fn exchange(message: &HttpRequest, context: &mut Context<'_>) -> Result<(Connection, Head)> {
    let longest = context.max_line();
    if let Some(Idle(mut connection)) = context.pooled(&message.origin()) {
        // A server may close a connection at any time. A request without a response is repeated
        // once (RFC 9112, 9.3.1).
        match message.exchange(&mut connection, longest) {
            Ok(head) if head.status != 408 => return Ok((connection, head)),
            Err(error) if !is_gone(&error) => return Err(error),
            _ => context.record(Event::PoolStale),
        }
    }
    let mut connection = context.connect(&message.host, message.port)?;
    if message.is_secure {
        connection.start_tls(&message.host)?;
    }
    let head = message.exchange(&mut connection, longest)?;
    Ok((connection, head))
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
