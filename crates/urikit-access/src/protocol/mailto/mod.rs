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
//! | others, such as `cc`, `bcc`, `in-reply-to` | used if the user agrees (RFC 6068, 4 and 7); `cc` and `bcc` also where the message is sent |
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
//! 5322, 3.6.3). Who sends a link has chosen its recipients, so that `cc` and `bcc` need no further
//! consent; all recipients are shown before anything is connected to. Port 465 begins with TLS (RFC
//! 8314); for other ports, [`starttls`](Mailto::starttls) requires it.
//!
//! The [credentials](crate::Credentials) of the request are for the mail server: `AUTH` by PLAIN,
//! LOGIN, or with [`oauth2`](Mailto::oauth2) XOAUTH2, only over TLS.
//!
//! SMTP is implemented here because the `lettre` crate opens its connections itself, and every
//! connection must be made by [`Context`], which asks the policy.

mod attachment;
mod command;
mod draft;
mod login;
mod parameter;
mod plan;
mod smtp;

pub use command::{Command, Mechanism};
pub use plan::{Condition, Step};

use super::{Outcome, Protocol, parse};
use crate::command::Argument;
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::event::Event;
use crate::output::{Metadata, Output};
use crate::plan::Plan;
use crate::request::Request;
use crate::upload::{Body, Mode, Upload};
use attachment::Attachment;
use draft::Draft;
use login::Login;
use smtp::Envelope;
use urikit::grammar::ByteSet;

/// The longest attachment, in bytes. Few servers accept longer messages.
const MAX_ATTACHMENT: usize = 64 << 20;

/// Composes the messages of `mailto` links, and sends them only if configured.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::protocol::Mailto;
/// use urikit_access::{Client, Buffer, NoPrompt, Policy, Request};
/// let mailto = Mailto::new().sender("me@example.org");
/// let mut client = Client::new(Policy::permissive()).protocol(mailto);
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
    is_token: bool,
    attachments: Vec<Attachment>,
}

impl Mailto {
    /// Composes drafts without a sender, and sends nothing.
    pub const fn new() -> Self {
        Self {
            sender: None,
            server: None,
            sends: false,
            starttls: false,
            is_token: false,
            attachments: Vec::new(),
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

    /// Attaches a file to messages: its name, of which only what follows the last slash is used,
    /// and its content.
    #[must_use]
    pub fn attach(mut self, name: impl AsRef<str>, content: Vec<u8>) -> Self {
        let attachment = Attachment::new(name.as_ref(), None, content);
        self.attachments.push(attachment);
        self
    }

    /// Whether the password of a request's credentials is an access token of OAuth 2.0, so that the
    /// login is by XOAUTH2.
    #[must_use]
    pub const fn oauth2(mut self, is_token: bool) -> Self {
        self.is_token = is_token;
        self
    }

    /// The draft of a link. Who sends it has named its recipients: these need no further consent.
    fn draft(
        &self,
        url: &urikit_schemes::Mailto<'_>,
        request: &Request<'_>,
        agrees: &mut dyn FnMut(&str) -> bool,
    ) -> Result<Draft> {
        let sends = self.sends && request.wants_body();
        let sender = self.sender.as_deref();
        let draft = Draft::read(url, sender, request.deadline, sends, agrees)?;
        Ok(draft.with(self.attachments.clone()))
    }

    /// This, to send the body of an upload.
    fn sending(&self, upload: &Upload<'_>, body: Option<Vec<u8>>) -> Result<Self> {
        if upload.mode != Mode::Replace || upload.resumes || upload.via_temporary {
            let what = "a message is sent as a whole";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
        // It becomes a header field of the part.
        let media_type = upload.media_type.unwrap_or_default();
        Argument::of(
            media_type.bytes(),
            &ByteSet::range(b' ', b'~'),
            "media type",
        )?;
        let mut mailto = self.clone().send(true);
        let name = upload.name.unwrap_or("attachment");
        let content = body.unwrap_or_default();
        let attachment = Attachment::new(name, upload.media_type, content);
        mailto.attachments.push(attachment);
        Ok(mailto)
    }

    /// Composes the message, passes it on as a draft, and sends it if it is to be sent.
    fn compose(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
        shows_files: bool,
    ) -> Result<Outcome> {
        let url = urikit_schemes::Mailto::read_as(request.reference, request.edition)?;
        // The user is not asked about a message that cannot be composed.
        self.plan(request)?;
        let agrees = &mut |question: &str| context.prompt().confirm(question);
        let draft = self.draft(&url, request, agrees)?;
        for name in &draft.left_out {
            context.record(Event::FieldLeftOut(name.clone()));
        }
        let envelope = self.envelope(&draft, request)?;
        let (media_type, text) = if shows_files {
            ("message/rfc822", draft.text()?)
        } else {
            ("text/plain", draft.shown()?)
        };
        let left_out = draft.left_out.iter();
        output.begin(Metadata {
            media_type: Some(media_type.to_owned()),
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
            let recipients = draft.shown_recipients();
            context
                .prompt()
                .notify(&format!("Sending the message. {recipients}"));
            context.record(Event::Recipients(recipients));
            envelope.send(&draft.to_be_sent()?, context)?;
        }
        Ok(Outcome::Done)
    }

    /// The envelope, if the message is to be sent.
    fn envelope(&self, draft: &Draft, request: &Request<'_>) -> Result<Option<Envelope>> {
        if !self.sends || !request.wants_body() {
            return Ok(None);
        }
        let unsupported = |what| Error::new(ErrorKind::Unsupported(what));
        let from = self.sender.as_deref();
        let from = from.ok_or_else(|| unsupported("sending needs the address of a sender"))?;
        let server = self.server.as_deref();
        let server = server.ok_or_else(|| unsupported("sending needs an SMTP server"))?;
        let error =
            || Error::new(ErrorKind::HostNotFound).with_step("reading the configured SMTP server");
        let (host, port) = parse::server(server, 25).ok_or_else(error)?;
        if draft.recipients().next().is_none() {
            return Err(unsupported("the message has no recipient"));
        }
        let login = request.credentials;
        let login = login.map(|credentials| Login::new(credentials, self.is_token));
        Envelope::new((host, port), self.starttls, login.transpose()?, from, draft).map(Some)
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
        let sends = self.sends && request.wants_body();
        let mut plan = plan::plan(&url, request.deadline, sends)?;
        for attachment in &self.attachments {
            let name = attachment.name().as_bytes().to_vec();
            plan.step(Step::Attach(name));
        }
        let draft = self.draft(&url, request, &mut |_| true)?;
        if let Some(envelope) = self.envelope(&draft, request)? {
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
        self.compose(request, context, output, true)
    }

    fn plan_upload(&self, upload: &Upload<'_>) -> Result<Plan> {
        let mailto = self.sending(upload, None)?;
        mailto.plan(&upload.request)
    }

    /// Sends the message of the link, with the body as an attachment. The output is the message, in
    /// which each attachment is a line with its name and size.
    fn upload(
        &self,
        upload: &Upload<'_>,
        context: &mut Context<'_>,
        body: &mut Body<'_>,
        output: &mut Output<'_>,
    ) -> Result<()> {
        self.plan_upload(upload)?;
        let bytes = body.read_all(MAX_ATTACHMENT)?;
        let mailto = self.sending(upload, Some(bytes))?;
        let shows_files = false;
        mailto
            .compose(&upload.request, context, output, shows_files)
            .map(drop)
    }
}
