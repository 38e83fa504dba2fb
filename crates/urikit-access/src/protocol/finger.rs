//! The Finger protocol (RFC 1288), in which the client sends one line and the server answers with
//! text.
//!
//! ```text
//! →  [ "/W" [ SP ] ] [ user ] *( "@" host ) CRLF      2.3
//! ←  text, up to the end of the connection
//! ```
//!
//! The protocol has no status codes, so a server reports errors in its text. An empty answer is an
//! error, because the server may have failed. A request that contains a host asks the server to
//! forward the request to that host.

use super::stream::{check, check_not_empty, pass_on};
use super::{Outcome, Protocol};
use crate::command::{Argument, Line};
use crate::context::Context;
use crate::error::{Result, UrlError};
use crate::output::{Metadata, Output};
use crate::plan::{self, Action, Plan};
use crate::request::Request;
use std::borrow::Cow;
use urikit_schemes::Finger as Url;

/// Fetches `finger` URLs.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::{Client, Policy, Request};
/// let url = UriRef::parse("finger://host.example/%2FW%20timbl")?;
/// let plan = Client::new(Policy::new()).plan(&Request::new(url))?;
/// assert_eq!(
///     plan.to_string(),
///     "connect  host.example:79\nsend     \"/W timbl\"\nthen     receives text\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FingerProtocol;

impl FingerProtocol {
    /// Returns the protocol, which has no settings.
    pub const fn new() -> Self {
        Self
    }
}

/// Returns the URL, the port and the line to send for a request.
fn read<'a>(request: &Request<'a>) -> Result<(Url<'a>, u16, Line)> {
    check(request)?;
    let url = Url::read_as(request.reference, request.edition)?;
    let port = url.port().ok_or(UrlError::NoPort)?;
    let line = Line::default().argument(Argument::new(url.request().decode(), "request")?);
    Ok((url, port, line))
}

impl Protocol for FingerProtocol {
    fn schemes(&self) -> &[&'static str] {
        &["finger"]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        let (url, port, line) = read(request)?;
        let mut plan = Plan::new();
        plan.push(Action::Connect(url.host().as_str().to_owned(), port));
        plan.send(line);
        plan.step(Step::Receive);
        Ok(plan)
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome> {
        let (url, port, line) = read(request)?;
        let mut connection = context.connect(url.host().as_str(), port)?;
        connection.send(&line)?;
        check_not_empty(&mut connection)?;
        output.begin(Metadata {
            media_type: Some("text/plain".to_owned()),
            ..Metadata::default()
        })?;
        if request.wants_body() {
            pass_on(&mut connection, output)?;
        }
        Ok(Outcome::Done)
    }
}

/// A step in a Finger plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Receives text.
    Receive,
}

impl plan::Step for Step {
    fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        ("receives text", Cow::Borrowed(&[]))
    }
}
