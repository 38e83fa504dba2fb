//! The `mailto` scheme: composes a draft message, and sends it if configured (RFC 6068; RFC 1738,
//! 3.5; RFC 5322; RFC 5321).
//!
//! The result of fetching a `mailto` URL is the draft, as `message/rfc822`, without a date. The
//! draft has a sender only if one is [set](MailtoProtocol::sender). The message is sent only if
//! [`send`](MailtoProtocol::send) is enabled.
//!
//! # Header fields
//!
//! | header field in the URL | handling |
//! |---|---|
//! | `subject`, `keywords`, `body`, `to` | used, but only the first `subject` and `body` |
//! | originator, routing, trace and MIME fields; invalid names | left out |
//! | others, such as `in-reply-to` | used if the user agrees (RFC 6068, 4 and 7) |
//! | `cc`, `bcc` | used if the user agrees, or if the message is sent |
//!
//! Each field that is left out is reported in an event and in the `left out` attribute of the
//! metadata. Control characters are errors, except for line endings in the body, so no field can
//! inject another field. Fields with names longer than 64 octets are also left out. Non-ASCII text
//! becomes encoded words (RFC 2047) in fields, and quoted-printable or base64 in the body. Domains
//! are converted to ASCII with IDNA. A non-ASCII local part would need SMTPUTF8 (RFC 6531), which
//! is not supported. Display names of recipients are dropped.
//!
//! # Sending
//!
//! The client sends the message to one server, which is determined only by the settings. The
//! commands are `EHLO`, `MAIL FROM` with the sender, `RCPT TO` for each recipient, and `DATA`. If
//! the server refuses any recipient, nothing is sent. The envelope and the draft contain the `Bcc`
//! recipients, but the sent message does not (RFC 5322, 3.6.3). A caller that enables sending has
//! chosen the recipients, so `cc` and `bcc` need no further consent. The client shows the user all
//! recipients before it connects. On port 465, connections use TLS from the beginning (RFC 8314).
//! On other ports, [`starttls`](MailtoProtocol::starttls) makes TLS mandatory.
//!
//! The [credentials](crate::Credentials) of the request are sent to the mail server with `AUTH`,
//! but only over TLS. The mechanism is PLAIN or LOGIN, or XOAUTH2 if
//! [`oauth2`](MailtoProtocol::oauth2) is set.
//!
//! SMTP is implemented here because the `lettre` crate opens its connections itself. Every
//! connection must come from [`Context`], which checks the policy.

mod attachment;
mod command;
mod draft;
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
use smtp::{Envelope, Login, Server};
use urikit::grammar::ByteSet;

/// The maximum size of an attachment, in bytes. Few servers accept larger messages.
const MAX_ATTACHMENT: usize = 64 << 20;

/// Composes the messages that `mailto` URLs describe, and sends them only if configured.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::protocol::MailtoProtocol;
/// use urikit_access::{Client, Buffer, NoPrompt, Policy, Request};
/// let mailto = MailtoProtocol::new().sender("me@example.org");
/// let client = Client::new(Policy::permissive()).protocol(mailto);
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
pub struct MailtoProtocol {
    sender: Option<String>,
    server: Option<String>,
    sends: bool,
    starttls: bool,
    has_token: bool,
    attachments: Vec<Attachment>,
}

impl MailtoProtocol {
    /// Creates settings for drafts that have no sender and are not sent.
    pub const fn new() -> Self {
        Self {
            sender: None,
            server: None,
            sends: false,
            starttls: false,
            has_token: false,
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

    /// Sets the SMTP server. The value is a host as in a URL, followed by `:` and the port unless
    /// the port is 25. With the prefix `smtps://`, TLS begins before the greeting on any port, and
    /// the default port is 465. The default prefix is `smtp://`.
    #[must_use]
    pub fn server(mut self, server: impl Into<String>) -> Self {
        self.server = Some(server.into());
        self
    }

    /// Sends messages to the [server](Self::server) from the [sender](Self::sender), without
    /// asking the user again.
    #[must_use]
    pub const fn send(mut self, sends: bool) -> Self {
        self.sends = sends;
        self
    }

    /// Requires `STARTTLS` (RFC 3207) before the envelope is sent.
    #[must_use]
    pub const fn starttls(mut self, required: bool) -> Self {
        self.starttls = required;
        self
    }

    /// Attaches a file to messages. Only the part of the file name after its last slash is used.
    #[must_use]
    pub fn attach(mut self, name: impl AsRef<str>, content: Vec<u8>) -> Self {
        let attachment = Attachment::new(name.as_ref(), None, content);
        self.attachments.push(attachment);
        self
    }

    /// Uses the password in the credentials of a request as an OAuth 2.0 access token, with the
    /// XOAUTH2 mechanism.
    #[must_use]
    pub const fn oauth2(mut self, is_token: bool) -> Self {
        self.has_token = is_token;
        self
    }

    /// Returns a copy of these settings that sends the body of an upload as an attachment.
    fn with_upload(&self, upload: &Upload<'_>, body: Vec<u8>) -> Result<Self> {
        if upload.mode != Mode::Replace || upload.resumes || upload.via_temporary {
            let what = "a message cannot be sent in parts";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
        // The media type becomes a header field of the attachment.
        let media_type = upload.media_type.unwrap_or_default();
        Argument::of(
            media_type.bytes(),
            &ByteSet::range(b' ', b'~'),
            "media type",
        )?;
        let mut mailto = self.clone().send(true);
        let name = upload.name.unwrap_or("attachment");
        let attachment = Attachment::new(name, upload.media_type, body);
        mailto.attachments.push(attachment);
        Ok(mailto)
    }
}

/// An access, with the URL and the settings for its message.
struct Access<'a> {
    settings: &'a MailtoProtocol,
    request: &'a Request<'a>,
    url: urikit_schemes::Mailto<'a>,
}

impl<'a> Access<'a> {
    /// Reads the URL of a request.
    fn new(settings: &'a MailtoProtocol, request: &'a Request<'a>) -> Result<Self> {
        Ok(Self {
            settings,
            request,
            url: urikit_schemes::Mailto::read_as(request.reference, request.edition)?,
        })
    }

    /// Returns true if the message will be sent.
    fn sends(&self) -> bool {
        self.settings.sends && self.request.wants_body()
    }

    fn plan(&self) -> Result<Plan> {
        let mut plan = plan::compose(&self.url, self.request.deadline, self.sends())?;
        for attachment in &self.settings.attachments {
            let name = attachment.name().as_bytes().to_vec();
            plan.step(Step::Attach(name));
        }
        let draft = self.draft(&mut |_| true)?;
        if let Some(envelope) = self.envelope(&draft)? {
            envelope.plan(&mut plan);
        }
        Ok(plan)
    }

    /// Composes the message. Calls `agrees` with each question for the user.
    fn draft(&self, agrees: &mut dyn FnMut(&str) -> bool) -> Result<Draft> {
        let settings = self.settings;
        let draft = Draft::new(settings.sender.as_deref(), settings.attachments.clone())?;
        draft.read(&self.url, self.request.deadline, self.sends(), agrees)
    }

    /// Composes the message, and sends it if configured. The output is the draft. If `summarizes`
    /// is true, one line replaces each attachment.
    fn fetch(
        &self,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
        summarizes: bool,
    ) -> Result<Outcome> {
        // Make the plan first, so that the user is not asked about a message that cannot be
        // composed.
        self.plan()?;
        let draft = self.draft(&mut |question| context.prompt().confirm(question))?;
        for name in &draft.left_out {
            context.record(Event::FieldLeftOut(name.clone()));
        }
        let envelope = self.envelope(&draft)?;
        let (media_type, text) = if summarizes {
            ("text/plain", draft.summary()?)
        } else {
            ("message/rfc822", draft.text()?)
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
        if self.request.wants_body() {
            output.bytes(&text)?;
        }
        if let Some(envelope) = envelope {
            let recipients = draft.recipient_summary();
            context
                .prompt()
                .notify(&format!("Sending the message. {recipients}"));
            context.record(Event::Recipients(recipients));
            envelope.send(&draft.message()?, context)?;
        }
        Ok(Outcome::Done)
    }

    /// Returns the envelope if the message will be sent.
    fn envelope(&self, draft: &Draft) -> Result<Option<Envelope>> {
        if !self.sends() {
            return Ok(None);
        }
        let settings = self.settings;
        let unsupported = |what| Error::new(ErrorKind::Unsupported(what));
        let from = settings.sender.as_deref();
        let from = from.ok_or_else(|| unsupported("sending requires the address of a sender"))?;
        let server = settings.server.as_deref();
        let server = server.ok_or_else(|| unsupported("sending requires an SMTP server"))?;
        let invalid =
            || Error::new(ErrorKind::HostNotFound).with_step("reading the configured SMTP server");
        let (server, is_smtps) = match server.split_once("://") {
            Some((scheme, server)) if scheme.eq_ignore_ascii_case("smtps") => (server, true),
            Some((scheme, server)) if scheme.eq_ignore_ascii_case("smtp") => (server, false),
            _ => (server, false),
        };
        let server = server.strip_suffix('/').unwrap_or(server);
        let default = if is_smtps { 465 } else { 25 };
        let (host, port) = parse::server(server, default).ok_or_else(invalid)?;
        // Port 465 is registered for TLS without STARTTLS (RFC 8314, 7.3).
        let begins_with_tls = is_smtps || port == 465;
        if draft.recipients().next().is_none() {
            return Err(unsupported("the message has no recipient"));
        }
        let login = self.request.credentials;
        let login = login.map(|credentials| Login::new(credentials, settings.has_token));
        let server = Server {
            host,
            port,
            begins_with_tls,
            starttls: settings.starttls,
            login: login.transpose()?,
        };
        Envelope::new(server, from, draft).map(Some)
    }
}

impl Protocol for MailtoProtocol {
    fn schemes(&self) -> &[&'static str] {
        &["mailto"]
    }

    fn own_ports(&self) -> &[u16] {
        &[25, 465, 587]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        Access::new(self, request)?.plan()
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome> {
        Access::new(self, request)?.fetch(context, output, false)
    }

    fn plan_upload(&self, upload: &Upload<'_>) -> Result<Plan> {
        let mailto = self.with_upload(upload, Vec::new())?;
        mailto.plan(&upload.request)
    }

    /// Sends the message with the body as an attachment. The output is the message, in which each
    /// attachment is replaced by a line with its name and size.
    fn upload(
        &self,
        upload: &Upload<'_>,
        context: &mut Context<'_>,
        body: &mut Body<'_>,
        output: &mut Output<'_>,
    ) -> Result<()> {
        self.plan_upload(upload)?;
        let bytes = body.read_all(MAX_ATTACHMENT)?;
        let mailto = self.with_upload(upload, bytes)?;
        let access = Access::new(&mailto, &upload.request)?;
        access.fetch(context, output, true).map(drop)
    }
}
