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
mod date;
mod head;
mod range;

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

/// Follows http and https URLs, and asks HTTP servers as proxies.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::protocol::http::Http;
/// use urikit_access::{Client, Policy, Request};
/// let client = Client::new(Policy::new()).protocol(Http::new().user_agent("example/1.0"));
/// let url = UriRef::parse("http://www.example.org/where?q=now#top")?; // RFC 7230, 5.3.1
/// let plan = client.plan(&Request::new(url))?;
/// let lines: Vec<_> = plan.lines().map(|(line, _)| String::from_utf8_lossy(line.octets())).collect();
/// assert_eq!(
///     lines,
///     [
///         "GET /where?q=now HTTP/1.1",
///         "Host: www.example.org",
///         "User-Agent: example/1.0",
///         "Accept: */*",
///         "Accept-Encoding: identity",
///         "",
///     ]
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Http {
    user_agent: String,
    accept: String,
    keeps_connections: bool,
}

impl Http {
    /// Names itself `urikit` with its version, takes all media types, and keeps connections for the next request.
    pub fn new() -> Self {
        Self {
            user_agent: concat!("urikit/", env!("CARGO_PKG_VERSION")).to_owned(),
            accept: "*/*".to_owned(),
            keeps_connections: true,
        }
    }

    /// What it names itself (RFC 9110, 10.1.5); the field is not sent where this is empty. A control character in it
    /// makes requests fail.
    #[must_use]
    pub fn user_agent(mut self, name: impl Into<String>) -> Self {
        self.user_agent = name.into();
        self
    }

    /// The media types that it takes, as the field has them (RFC 9110, 12.5.1), such as `text/html,*/*;q=0.1`.
    #[must_use]
    pub fn accept(mut self, types: impl Into<String>) -> Self {
        self.accept = types.into();
        self
    }

    /// Whether connections are kept for the next request to the same server (RFC 9112, 9.3); else each request says
    /// `Connection: close`.
    #[must_use]
    pub const fn keep_connections(mut self, keep: bool) -> Self {
        self.keeps_connections = keep;
        self
    }
}

impl Default for Http {
    fn default() -> Self {
        Self::new()
    }
}

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
