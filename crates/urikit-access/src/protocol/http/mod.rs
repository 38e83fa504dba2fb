//! `http` and `https`: HTTP/1.1 (RFC 9110, RFC 9112), and HTTP servers as proxies for any scheme.
//!
//! The request target is what [`urikit::scheme::Http`] gives, octet by octet; a proxy gets "the entire URI,
//! whether HTTP or some other scheme" (RFC 1630, HTTP), without the fragment. Bytes are delivered as they are
//! sent: no content coding is asked for, and none is undone.
//!
//! A redirect is one hop, which the policy judges; a proxy is asked over TLS where its own URL says so, and sees what
//! it is asked for. Cookies are not kept, caches not asked.

mod answer;
mod ask;
mod basic;
mod body;
mod config;
mod date;
mod head;
mod range;

pub use config::Http;

use self::ask::Ask;
use self::head::Head;
use super::{Outcome, Protocol};
use crate::context::Context;
use crate::delivery::Delivery;
use crate::error::{Error, ErrorKind, Result};
use crate::kept::Keep;
use crate::net::Connection;
use crate::plan::Plan;
use crate::request::Request;
use std::io;
use urikit::scheme::Step;

impl Protocol for Http {
    fn schemes(&self) -> &[&'static str] {
        &["http", "https"]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        let mut plan = Ask::new(self, request)?.plan;
        plan.push(Step::say(if request.wants_body() {
            "takes the body of the answer, or goes where it leads"
        } else {
            "takes the fields of the answer, or goes where it leads"
        }));
        Ok(plan)
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        delivery: &mut Delivery<'_>,
    ) -> Result<Outcome> {
        let ask = Ask::new(self, request)?;
        if ask.has_userinfo {
            let advice = "what stands before the host in the URL is not sent: servers of HTTP ask for it \
                          (RFC 9110, 4.2.4)";
            context.note(advice);
            context.person().tell(advice);
        }
        let (mut connection, head) = exchange(&ask, context).map_err(|error| ask.at(error))?;
        let taken = answer::take(request, &mut connection, &head, delivery);
        let (outcome, is_free) = taken.map_err(|error| ask.at(error))?;
        // Whatever else has come is no answer to anything.
        if is_free && self.keeps_connections && head.keeps_connection() && !connection.has_more() {
            context.keep(&ask.origin(), Idle(connection));
        }
        Ok(outcome)
    }
}

/// Asks, over a kept connection or a new one, and reads the head of the answer.
fn exchange(ask: &Ask, context: &mut Context<'_>) -> Result<(Connection, Head)> {
    let longest = context.longest_line();
    if let Some(Idle(mut connection)) = context.kept(&ask.origin()) {
        // Servers end connections as they like: what they did not answer is asked once more (RFC 9112, 9.3.1).
        match ask.exchange(&mut connection, longest) {
            Ok(head) if head.status != 408 => return Ok((connection, head)),
            Err(error) if !is_gone(&error) => return Err(error),
            _ => context.note("the server had ended the connection"),
        }
    }
    let mut connection = context.connect(&ask.host, ask.port)?;
    if ask.is_secure {
        connection.secure(&ask.host)?;
    }
    let head = ask.exchange(&mut connection, longest)?;
    Ok((connection, head))
}

/// A connection between two requests.
struct Idle(Connection);

impl Keep for Idle {
    fn connection(&mut self) -> &mut Connection {
        &mut self.0
    }
}

/// Whether the connection ended before there was an answer.
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
