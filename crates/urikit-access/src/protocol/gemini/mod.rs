//! The Gemini protocol (version 0.24.1), in which each TLS connection carries one request and one
//! response.
//!
//! ```text
//! →  gemini://host/path?input CRLF                          at most 1024 octets, without CRLF
//! ←  20 SP media type CRLF, the body up to the TLS close alert
//! ←  10 SP prompt CRLF · 11 SP prompt CRLF                  input, which becomes the query
//! ←  30 SP reference CRLF · 31 SP reference CRLF            a redirect
//! ←  4x, 5x, 6x [SP message] CRLF                           a failure, which 4x says is temporary
//! ```
//!
//! **Certificates** of servers are trusted on first use: the client remembers the fingerprint and
//! the expiry date, and refuses any other certificate until that date ([`KnownHosts`]). Names and
//! dates in certificates are not checked, because most servers have self-signed certificates. The
//! client's own certificate is presented only to the origin of the request.
//!
//! **Input.** If the server asks for input, the client asks the user, and repeats the request with
//! the answer as the query. If the input is sensitive (11), the user enters it like a password.
//! Sensitive input is masked in plans, events and errors, and does not become part of the
//! response's URL.
//!
//! **The end of a body** is marked by a TLS close alert. If the connection ends without this alert,
//! the body may be incomplete, so this is an error.
//!
//! **Redirects** are limited to five, even if the policy allows more.

mod access;
mod command;
mod header;
#[doc(hidden)]
pub mod replay;

pub use command::Command;

use super::stream::check;
use super::{Outcome, Protocol};
use crate::context::Context;
use crate::error::{Result, UrlError};
use crate::known_hosts::KnownHosts;
use crate::output::Output;
use crate::plan::{self, Action, Plan};
use crate::request::Request;
use access::Access;
use std::borrow::Cow;
use urikit_schemes::Gemini as Url;

/// The number of redirects that a client may follow.
const MAX_REDIRECTS: usize = 5;

/// Fetches `gemini` URLs.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::{Client, Policy, Request};
/// let url = UriRef::parse("gemini://example.com/search?red%20hat#results")?;
/// let plan = Client::new(Policy::new()).plan(&Request::new(url))?;
/// assert_eq!(
///     plan.to_string(),
///     "connect  example.com:1965\n\
///      then     starts TLS\n\
///      then     compares the certificate with the known certificate, or remembers it\n\
///      send     \"gemini://example.com/search?red%20hat\"\n\
///      then     asks the user for input, and repeats the request with it  (if the server asks \
///      for input)\n\
///      then     receives the body, or follows a redirect\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct GeminiProtocol {
    hosts: KnownHosts,
}

impl GeminiProtocol {
    /// Returns the default settings, which keep server certificates in memory only.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets where server certificates are stored.
    #[must_use]
    pub fn known_hosts(mut self, hosts: KnownHosts) -> Self {
        self.hosts = hosts;
        self
    }
}

impl Protocol for GeminiProtocol {
    fn schemes(&self) -> &[&'static str] {
        &["gemini"]
    }

    fn max_redirects(&self) -> usize {
        MAX_REDIRECTS
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        let url = read(request)?;
        let port = url.port().ok_or(UrlError::NoPort)?;
        let mut plan = Plan::new();
        plan.push(Action::Connect(url.host().as_str().to_owned(), port));
        plan.push(Action::StartTls);
        plan.step(Step::CompareCertificate);
        plan.send(Command::new(&url)?);
        plan.step_if(Condition::InputRequired, Step::AskForInput);
        plan.step(if request.wants_body() {
            Step::ReceiveBody
        } else {
            Step::ReceiveHeader
        });
        Ok(plan)
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome> {
        Access {
            hosts: &self.hosts,
            url: read(request)?,
            is_foreign: request.chain.is_foreign,
            wants_body: request.wants_body(),
            context,
            output,
        }
        .fetch()
    }
}

/// Reads the URL of a request.
fn read<'a>(request: &Request<'a>) -> Result<Url<'a>> {
    check(request)?;
    Ok(Url::read_as(request.reference, request.edition)?)
}

/// A step in a Gemini plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Compares the server's certificate with the known certificate, or remembers it if none is
    /// known.
    CompareCertificate,
    /// Asks the user for input, and repeats the request with this input.
    AskForInput,
    /// Receives the body, or follows a redirect.
    ReceiveBody,
    /// Receives the header, or follows a redirect.
    ReceiveHeader,
}

impl plan::Step for Step {
    fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        let words = match self {
            Self::CompareCertificate => {
                "compares the certificate with the known certificate, or remembers it"
            }
            Self::AskForInput => "asks the user for input, and repeats the request with it",
            Self::ReceiveBody => "receives the body, or follows a redirect",
            Self::ReceiveHeader => "receives the header, or follows a redirect",
        };
        (words, Cow::Borrowed(&[]))
    }
}

/// A condition in a Gemini plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Condition {
    /// The server asks for input.
    InputRequired,
}

impl plan::Condition for Condition {
    fn words(&self) -> &'static str {
        match self {
            Self::InputRequired => "the server asks for input",
        }
    }
}
