//! The Spartan protocol, in which each connection carries one request and one response, without
//! TLS.
//!
//! ```text
//! →  host SP path SP length CRLF, data
//! ←  2 SP media type CRLF, the body up to the end of the connection
//! ←  3 SP path CRLF                 a redirect on the same server
//! ←  4 SP message CRLF · 5 SP message CRLF    an error of the client or of the server
//! ```
//!
//! The data is the decoded query of the URL. If the URL has no query, no data is sent. Data with
//! control characters is sent only to port 300. A URL can name any other port, where a server of a
//! line-based protocol would read each line of the data as a command. The target of a redirect is
//! requested without data. The protocol does not mark the end of a body, so a
//! truncated body cannot be distinguished from a complete body.

use super::stream::pass_on;
use super::{Outcome, Protocol};
use crate::command::{Argument, Command as Sent, Wire};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result, UrlError};
use crate::net::Connection;
use crate::output::{Metadata, Output};
use crate::plan::{self, Action, Plan};
use crate::request::Request;
use std::borrow::Cow;
use urikit_schemes::Spartan as Url;

/// The maximum length of a status line in octets. The specification does not limit this length.
const MAX_STATUS: usize = 2 + 1024;

/// The default port.
const PORT: u16 = 300;

/// Fetches `spartan` URLs.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::{Client, Policy, Request};
/// let url = UriRef::parse("spartan://example.com/guestbook?hello%20there")?;
/// let plan = Client::new(Policy::new()).plan(&Request::new(url))?;
/// assert_eq!(
///     plan.to_string(),
///     "connect  example.com:300\n\
///      send     \"example.com /guestbook 11\\r\\nhello there\"\n\
///      then     receives the body, or follows a redirect on the same server\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SpartanProtocol;

impl SpartanProtocol {
    /// Returns the protocol, which has no settings.
    pub const fn new() -> Self {
        Self
    }
}

/// A request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    host: Argument,
    path: Argument,
    /// The data to send. On the default port, the data may contain any octets, because the request
    /// states its length.
    data: Vec<u8>,
}

impl Command {
    /// Returns the request for a URL.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit_access::Command as _;
    /// use urikit_access::protocol::spartan::Command;
    /// let url = Uri::parse("spartan://example.com:3000/a%20b")?;
    /// let command = Command::new(&urikit_schemes::Spartan::read(url)?)?;
    /// assert_eq!(command.octets(), b"example.com /a%20b 0\r\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the host or the path contains a control character, or if the data contains one and
    /// the port is not 300.
    pub fn new(url: &Url<'_>) -> std::result::Result<Self, UrlError> {
        let data = url.data().map(|data| data.decode().octets().collect());
        let data: Vec<u8> = data.unwrap_or_default();
        // On the port of another protocol, the server could execute the lines of the data.
        if url.port() != Some(PORT) {
            Argument::new(data.iter().copied(), "data for a port other than 300")?;
        }
        Ok(Self {
            host: Argument::new(url.request_host().bytes(), "host")?,
            path: Argument::new(url.request_path().bytes(), "path")?,
            data,
        })
    }
}

impl Sent for Command {
    fn name(&self) -> &'static str {
        "request"
    }

    fn write(&self, wire: &mut Wire) {
        let length = u64::try_from(self.data.len()).unwrap_or(u64::MAX);
        wire.argument(&self.host).word(" ").argument(&self.path);
        wire.word(" ")
            .number(length)
            .word("\r\n")
            .message(&self.data);
    }
}

impl Protocol for SpartanProtocol {
    fn schemes(&self) -> &[&'static str] {
        &["spartan"]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        let url = read(request)?;
        let port = url.port().ok_or(UrlError::NoPort)?;
        let mut plan = Plan::new();
        plan.push(Action::Connect(url.host().as_str().to_owned(), port));
        plan.send(Command::new(&url)?);
        plan.step(Step::Receive);
        Ok(plan)
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome> {
        let url = read(request)?;
        let command = Command::new(&url)?;
        let port = url.port().ok_or(UrlError::NoPort)?;
        let mut connection = context.connect(url.host().as_str(), port)?;
        connection.send_message(&command)?;
        let line = connection.read_short_line(MAX_STATUS)?;
        let Some((status, rest)) = split(&line) else {
            let expected = "a Spartan status from 2 to 5, a space, and further text";
            return Err(failed(&connection, ErrorKind::Protocol(expected), &line));
        };
        connection.record_reply(status, rest);
        let text = String::from_utf8_lossy(rest);
        match status {
            2 => {
                output.begin(Metadata {
                    media_type: Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
                    ..Metadata::default()
                })?;
                if request.wants_body() {
                    pass_on(&mut connection, output)?;
                }
                Ok(Outcome::Done)
            }
            // The target must be a path on the same server, whereas `//host` would refer to
            // another server.
            3 if text.starts_with('/') && !text.starts_with("//") => {
                Ok(Outcome::Redirect(text.trim_end().to_owned()))
            }
            3 => {
                let expected = "a redirect to an absolute path";
                Err(failed(&connection, ErrorKind::Protocol(expected), &line))
            }
            _ => Err(failed(&connection, ErrorKind::server(status, rest), &line)),
        }
    }
}

/// Splits a status line into the status and the rest.
fn split(line: &[u8]) -> Option<(u16, &[u8])> {
    match line {
        [digit @ b'2'..=b'5', rest @ ..] => {
            let rest = match rest {
                [] => rest,
                _ => rest.strip_prefix(b" ")?,
            };
            Some((u16::from(digit - b'0'), rest))
        }
        _ => None,
    }
}

fn failed(connection: &Connection, kind: ErrorKind, line: &[u8]) -> Error {
    connection.failed(kind).with_received(line)
}

/// Reads the URL of a request.
fn read<'a>(request: &Request<'a>) -> Result<Url<'a>> {
    super::stream::check(request)?;
    Ok(Url::read_as(request.reference, request.edition)?)
}

/// A step in a Spartan plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Receives the body, or follows a redirect.
    Receive,
}

impl plan::Step for Step {
    fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        let words = "receives the body, or follows a redirect on the same server";
        (words, Cow::Borrowed(&[]))
    }
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn status_lines_have_one_digit_and_a_space() {
        assert_eq!(split(b"2 text/gemini"), Some((2, &b"text/gemini"[..])));
        assert_eq!(split(b"5"), Some((5, &b""[..])));
        for line in [&b""[..], b"1 a", b"6 a", b"20 a", b"2text", b" 2 a"] {
            assert_eq!(split(line), None, "{line:?}");
        }
    }
}
