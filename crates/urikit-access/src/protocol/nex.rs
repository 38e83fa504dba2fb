//! The Nex protocol, in which the client sends a path and the server answers with a document or a
//! directory.
//!
//! ```text
//! →  path CRLF                       without the slash after the host
//! ←  text or a file, up to the end of the connection
//! ```
//!
//! A path that is empty or ends in a slash refers to a directory. A directory is text in which
//! lines that begin with `=> ` are links, and is returned as a listing. The protocol has no status
//! codes and no media types. A document whose name has no extension is text. An empty answer is an
//! error, because the server may have failed.

use super::stream::{check, check_not_empty, pass_on};
use super::{Outcome, Protocol};
use crate::command::{Argument, Line};
use crate::context::Context;
use crate::error::{Result, UrlError};
use crate::listing::{Entry, EntryKind};
use crate::net::Connection;
use crate::output::{Metadata, Output};
use crate::plan::{self, Action, Plan};
use crate::request::Request;
use std::borrow::Cow;
use urikit::op::repair::repair_for;
use urikit::{Uri, UriBuf, UriRef};
use urikit_schemes::Nex as Url;

/// Fetches `nex` URLs.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::{Client, Policy, Request};
/// let url = UriRef::parse("nex://nex.example/info/specification.txt")?;
/// let plan = Client::new(Policy::new()).plan(&Request::new(url))?;
/// assert_eq!(
///     plan.to_string(),
///     "connect  nex.example:1900\n\
///      send     \"info/specification.txt\"\n\
///      then     receives the body\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NexProtocol;

impl NexProtocol {
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
    let line = Line::default().argument(Argument::new(url.path().decode(), "path")?);
    Ok((url, port, line))
}

impl Protocol for NexProtocol {
    fn schemes(&self) -> &[&'static str] {
        &["nex"]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        let (url, port, line) = read(request)?;
        let mut plan = Plan::new();
        plan.push(Action::Connect(url.host().as_str().to_owned(), port));
        plan.send(line);
        plan.step(if url.is_directory() {
            Step::ReceiveListing
        } else {
            Step::ReceiveBody
        });
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
        if url.is_directory() {
            output.begin(Metadata::listing())?;
            if request.wants_body() {
                list(&mut connection, request, output)?;
            }
            return Ok(Outcome::Done);
        }
        let path = url.path().as_str();
        let name = path.rsplit('/').next().unwrap_or_default();
        let is_text = !name.contains('.') || name.to_ascii_lowercase().ends_with(".txt");
        output.begin(Metadata {
            media_type: is_text.then(|| "text/plain".to_owned()),
            ..Metadata::default()
        })?;
        if request.wants_body() {
            pass_on(&mut connection, output)?;
        }
        Ok(Outcome::Done)
    }
}

/// Passes the lines of a directory to the output.
fn list(connection: &mut Connection, request: &Request<'_>, output: &mut Output<'_>) -> Result<()> {
    connection.set_quiet(true);
    // The URL may contain thousands of dot segments, so they are removed once, not for each line
    // (RFC 3986, 5.2.1).
    let url = Uri::parse(request.reference.as_str()).ok();
    let base = url.and_then(|url| UriRef::from(url).resolve_against(url).ok());
    let mut line = Vec::new();
    while connection.read_line_into(&mut line)? {
        output.entry(&entry(&line, base.as_ref()))?;
    }
    Ok(())
}

/// Returns the entry for a line. If the line is a link with an invalid reference, returns a text
/// entry.
fn entry(line: &[u8], base: Option<&UriBuf>) -> Entry {
    let of_link = || {
        let rest = std::str::from_utf8(line.strip_prefix(b"=> ")?).ok()?.trim();
        let (reference, label) = match rest.split_once([' ', '\t']) {
            Some((reference, label)) => (reference, label.trim_start()),
            None => (rest, ""),
        };
        let base = base?;
        let repaired = repair_for(reference, base).ok()?.reference;
        let target = repaired.resolve_against(base).ok()?.into_string();
        let name = if label.is_empty() { reference } else { label };
        let kind = if target.ends_with('/') {
            EntryKind::Directory
        } else {
            EntryKind::File
        };
        Some(Entry::new(kind, name.as_bytes()).reference(target))
    };
    of_link().unwrap_or_else(|| Entry::new(EntryKind::Text, line))
}

/// A step in a Nex plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Receives a document.
    ReceiveBody,
    /// Receives a directory.
    ReceiveListing,
}

impl plan::Step for Step {
    fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        let words = match self {
            Self::ReceiveBody => "receives the body",
            Self::ReceiveListing => "lists the lines of the directory",
        };
        (words, Cow::Borrowed(&[]))
    }
}
