//! `mailto`: composes a draft message, and sends it if configured (RFC 6068; RFC 1738, 3.5; RFC
//! 5322; RFC 5321).
//!
//! The body is the draft, as `message/rfc822`, without a date, and without a sender unless one is
//! [set](Mailto::sender). Nothing is sent unless [`send`](Mailto::send) enables it.
//!
//! # Header fields
//!
//! | header field in the link | handling |
//! |---|---|
//! | `subject`, `keywords`, `body`, `to` | used; of `subject` and `body` only the first |
//! | originator, routing, trace and MIME fields; invalid names | left out |
//! | others, such as `cc`, `bcc`, `in-reply-to` | used if the user agrees (RFC 6068, 4 and 7) |
//!
//! Each field that is left out is reported as an event, and as an attribute `left out` of the
//! metadata. Control characters are refused, except line ends in the body, so that no field can
//! contain another. Names longer than 64 octets are left out too, because folding would put the
//! text after them on a line of its own. Text beyond US-ASCII becomes encoded words (RFC 2047) in
//! fields, and quoted-printable or base64 in the body. Domains are converted to ASCII by IDNA. A
//! local part beyond US-ASCII would need SMTPUTF8 (RFC 6531), which is not supported. Display
//! names of recipients are dropped.
//!
//! # Sending
//!
//! The message goes to one server, which only the settings can choose: `EHLO`, `MAIL FROM` with
//! the sender, `RCPT TO` for each recipient, `DATA`. If any recipient is refused, nothing is sent.
//! `Bcc` recipients are in the envelope and in the draft, but not in the message that is sent (RFC
//! 5322, 3.6.3). Port 465 begins with TLS (RFC 8314); for other ports,
//! [`starttls`](Mailto::starttls) requires it. There is no login.
//!
//! SMTP is implemented here because the `lettre` crate opens its connections itself, and every
//! connection must be made by [`Context`], which asks the policy.

mod command;
mod draft;
mod plan;
mod smtp;

pub use command::Command;

use super::{Outcome, Protocol, server};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::event::Event;
use crate::output::Output;
use crate::plan::Plan;
use crate::request::Request;
use crate::sink::Metadata;
use draft::Draft;
use smtp::Envelope;

/// Composes the messages of `mailto` links, and sends them only if configured.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::protocol::Mailto;
/// use urikit_access::{Client, Buffer, NoPrompt, Policy, Request};
/// let mut client = Client::new(Policy::new()).protocol(Mailto::new().sender("me@example.org"));
/// // RFC 6068, 6.1
/// let url = UriRef::parse("mailto:infobot@example.com?subject=current-issue&cc=bob@example.com")?;
/// let mut buffer = Buffer::default();
/// let response = client.fetch(&Request::new(url), &mut NoPrompt, &mut buffer)?;
/// let draft = String::from_utf8(buffer.bytes)?;
/// assert!(draft.starts_with("From: <me@example.org>\r\nTo: <infobot@example.com>\r\n"));
/// // `NoPrompt` does not agree to the copy.
/// assert_eq!(response.metadata.attributes, [("left out".to_owned(), "cc".to_owned())]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct Mailto {
    sender: Option<String>,
    server: Option<String>,
    sends: bool,
    starttls: bool,
}

impl Mailto {
    /// Composes drafts without a sender, and sends nothing.
    pub const fn new() -> Self {
        Self {
            sender: None,
            server: None,
            sends: false,
            starttls: false,
        }
    }

    /// Sets the address of the sender, such as `me@example.org`, for the `From` field and the
    /// envelope.
    #[must_use]
    pub fn sender(mut self, address: impl Into<String>) -> Self {
        self.sender = Some(address.into());
        self
    }

    /// Sets the SMTP server: a host as in a URL, followed by `:` and a port unless it is 25.
    #[must_use]
    pub fn server(mut self, server: impl Into<String>) -> Self {
        self.server = Some(server.into());
        self
    }

    /// Whether messages are sent: to the [server](Self::server), from the [sender](Self::sender).
    /// There is no further question to the user.
    #[must_use]
    pub const fn send(mut self, sends: bool) -> Self {
        self.sends = sends;
        self
    }

    /// Whether TLS must be started by `STARTTLS` (RFC 3207) before the envelope is sent.
    #[must_use]
    pub const fn starttls(mut self, demands: bool) -> Self {
        self.starttls = demands;
        self
    }

    /// The envelope, if the message is to be sent.
    fn envelope(&self, draft: &Draft, wants_body: bool) -> Result<Option<Envelope>> {
        if !self.sends || !wants_body {
            return Ok(None);
        }
        let unsupported = |what| Error::new(ErrorKind::Unsupported(what));
        let from = self.sender.as_deref();
        let from = from.ok_or_else(|| unsupported("sending needs the address of a sender"))?;
        let server = self.server.as_deref();
        let server = server.ok_or_else(|| unsupported("sending needs an SMTP server"))?;
        let error = || Error::new(ErrorKind::HostNotFound).at("reading the configured SMTP server");
        let (host, port) = server::read(server, 25).ok_or_else(error)?;
        if draft.recipients().next().is_none() {
            return Err(unsupported("the message has no recipient"));
        }
        Envelope::new((host, port), self.starttls, from, draft).map(Some)
    }
}

impl Protocol for Mailto {
    fn schemes(&self) -> &[&'static str] {
        &["mailto"]
    }

    fn own_ports(&self) -> &[u16] {
        &[25, 465, 587]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        let url = urikit_schemes::Mailto::read_as(request.reference, request.edition)?;
        let mut plan = plan::plan(&url, request.deadline)?;
        let draft = Draft::read(&url, self.sender.as_deref(), request.deadline, &mut |_| {
            true
        })?;
        if let Some(envelope) = self.envelope(&draft, request.wants_body())? {
            envelope.plan(&mut plan);
        }
        Ok(plan)
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome> {
        let url = urikit_schemes::Mailto::read_as(request.reference, request.edition)?;
        // The user is not asked about a message that cannot be composed.
        self.plan(request)?;
        let agrees = &mut |question: &str| context.prompt().confirm(question);
        let draft = Draft::read(&url, self.sender.as_deref(), request.deadline, agrees)?;
        for name in &draft.left_out {
            context.record(Event::FieldLeftOut(name.clone()));
        }
        let envelope = self.envelope(&draft, request.wants_body())?;
        let text = draft.text()?;
        let left_out = draft.left_out.iter();
        output.begin(Metadata {
            media_type: Some("message/rfc822".to_owned()),
            size: u64::try_from(text.len()).ok(),
            attributes: left_out
                .map(|name| ("left out".to_owned(), name.clone()))
                .collect(),
            ..Metadata::default()
        })?;
        if request.wants_body() {
            output.bytes(&text)?;
        }
        if let Some(envelope) = envelope {
            envelope.send(&draft.to_be_sent()?, context)?;
        }
        Ok(Outcome::Done)
    }
}
