//! Composes the message of a link (RFC 6068, 2 to 5).

use super::attachment::Attachment;
use crate::error::{Error, ErrorKind, Result};
use crate::mask::escape;
use crate::net::Deadline;
use jiff::fmt::rfc2822;
use jiff::{SignedDuration, Timestamp};
use mail_builder::headers::Header;
use mail_builder::headers::address::Address;
use mail_builder::headers::text::Text;
use mail_builder::mime::MimePart;
use mail_parser::{HeaderName, MessageParser};
use std::borrow::Cow;
use std::collections::HashSet;
use urikit::Standard;
use urikit::component::Encoded;
use urikit_schemes::{Caution, HeaderField};

/// The longest field name that is accepted, in octets.
const MAX_NAME: usize = 64;

/// A message to be.
#[derive(Default)]
pub(super) struct Draft {
    from: Option<String>,
    to: Vec<String>,
    cc: Vec<String>,
    bcc: Vec<String>,
    /// The other fields, in order.
    fields: Vec<(String, String)>,
    /// Their names, in lower case.
    names: HashSet<String>,
    body: Option<String>,
    attachments: Vec<Attachment>,
    /// The names of the fields that were left out.
    pub(super) left_out: Vec<String>,
}

impl Draft {
    /// The same with files.
    pub(super) fn with(mut self, attachments: Vec<Attachment>) -> Self {
        self.attachments = attachments;
        self
    }

    /// All recipients, with their fields, for the user to see.
    pub(super) fn shown_recipients(&self) -> String {
        let fields = [("To", &self.to), ("Cc", &self.cc), ("Bcc", &self.bcc)];
        let fields = fields
            .into_iter()
            .filter(|(_, addresses)| !addresses.is_empty());
        let fields = fields.map(|(name, addresses)| format!("{name}: {}", addresses.join(", ")));
        escape(fields.collect::<Vec<_>>().join("; ").as_bytes())
    }

    /// Reads a link. Header fields that could do harm need consent.
    pub(super) fn read(
        url: &urikit_schemes::Mailto<'_>,
        from: Option<&str>,
        deadline: Deadline,
        takes_recipients: bool,
        agrees: &mut dyn FnMut(&str) -> bool,
    ) -> Result<Self> {
        let mut draft = Self::default();
        if let Some(from) = from {
            draft.from = Some(plain(from)?.to_owned());
        }
        for address in url.addresses() {
            let local = utf8(address.local_part())?;
            let address = format!("{local}@{}", domain(address.domain())?);
            draft.to.push(plain(&address)?.to_owned());
        }
        for header in url.headers() {
            deadline.check()?;
            let is_recipient = header.is_named("cc") || header.is_named("bcc");
            if takes_recipients && is_recipient {
                draft.take(header, &mut |_| true)?;
            } else {
                draft.take(header, agrees)?;
            }
        }
        Ok(draft)
    }

    fn take(
        &mut self,
        header: HeaderField<'_>,
        agrees: &mut dyn FnMut(&str) -> bool,
    ) -> Result<()> {
        let caution = header.caution();
        let name_octets = header.name().to_bytes();
        if caution == Caution::Ignored || name_octets.len() > MAX_NAME {
            self.left_out.push(escape(&name_octets));
            return Ok(());
        }
        let (name, value) = (utf8(header.name())?, utf8(header.value())?);
        if caution == Caution::Suspect {
            let field = escape(format!("{name}: {value}").as_bytes());
            if !agrees(&format!("Use the header field `{field}` of the link?")) {
                self.left_out.push(name.into_owned());
                return Ok(());
            }
        }
        if header.is_body() {
            if self.body.is_some() {
                self.left_out.push(name.into_owned());
            } else {
                self.body = Some(value.into_owned());
            }
        } else if header.is_named("to") {
            self.to.extend(addresses(&value)?);
        } else if header.is_named("cc") {
            self.cc.extend(addresses(&value)?);
        } else if header.is_named("bcc") {
            self.bcc.extend(addresses(&value)?);
        } else if !self.names.insert(name.to_ascii_lowercase()) && !header.is_named("keywords") {
            self.left_out.push(name.into_owned());
        } else {
            let name = match &*name {
                name if name.eq_ignore_ascii_case("subject") => "Subject",
                name if name.eq_ignore_ascii_case("keywords") => "Keywords",
                name => name,
            };
            self.fields.push((name.to_owned(), value.into_owned()));
        }
        Ok(())
    }

    /// The recipients, without duplicates.
    pub(super) fn recipients(&self) -> impl Iterator<Item = &str> {
        let all = self.to.iter().chain(&self.cc).chain(&self.bcc);
        let mut seen = HashSet::new();
        all.map(String::as_str)
            .filter(move |address| seen.insert(*address))
    }

    /// The draft for the user.
    pub(super) fn text(&self) -> Result<Vec<u8>> {
        self.written(true, &[], &self.attachments)
    }

    /// The draft for who sends it: of each file only its name and its size.
    pub(super) fn shown(&self) -> Result<Vec<u8>> {
        let mut text = self.written(true, &[], &[])?;
        text.extend_from_slice(b"\r\n");
        for attachment in &self.attachments {
            text.extend_from_slice(attachment.shown().as_bytes());
        }
        Ok(text)
    }

    /// The message to send: with a date and an identifier, without `Bcc`.
    pub(super) fn to_be_sent(&self) -> Result<Vec<u8>> {
        let now = Timestamp::now();
        let date = rfc2822::DateTimePrinter::new().timestamp_to_string(&now);
        let date = date.map_err(|error| {
            Error::new(ErrorKind::Local(std::io::Error::other(error)))
                .with_step("reading the clock")
        })?;
        let since: SignedDuration = now.as_duration();
        let domain = self.from.as_deref().and_then(|from| from.rsplit_once('@'));
        let domain = domain.map_or("localhost", |(_, domain)| domain);
        let id = format!("<{:x}.{:x}@{domain}>", since.as_nanos(), std::process::id());
        let more = [("Date", &*date), ("Message-ID", &*id)];
        self.written(false, &more, &self.attachments)
    }

    fn written(
        &self,
        is_draft: bool,
        more: &[(&str, &str)],
        attachments: &[Attachment],
    ) -> Result<Vec<u8>> {
        let mut text = Vec::new();
        let from = self.from.iter().cloned().collect::<Vec<_>>();
        let bcc = if is_draft { &*self.bcc } else { &[] };
        for (name, addresses) in [
            ("From", &*from),
            ("To", &*self.to),
            ("Cc", &*self.cc),
            ("Bcc", bcc),
        ] {
            if !addresses.is_empty() {
                let list = addresses.iter().map(|it| Address::from(&**it)).collect();
                field(&mut text, name, &Address::new_list(list))?;
            }
        }
        for (name, value) in &self.fields {
            field(&mut text, name, &Text::new(&**value))?;
        }
        for (name, value) in more {
            if !self.names.contains(&name.to_ascii_lowercase()) {
                text.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
            }
        }
        text.extend_from_slice(b"MIME-Version: 1.0\r\n");
        let body = MimePart::new("text/plain", self.body.as_deref().unwrap_or_default());
        let part = if attachments.is_empty() {
            body
        } else {
            let parts = attachments.iter().map(Attachment::part);
            MimePart::new(
                "multipart/mixed",
                [body].into_iter().chain(parts).collect::<Vec<_>>(),
            )
        };
        part.write_part(&mut text).map_err(local)?;
        if !text.ends_with(b"\r\n") {
            text.extend_from_slice(b"\r\n");
        }
        check_lines(&text)?;
        Ok(text)
    }
}

fn field(text: &mut Vec<u8>, name: &str, value: &impl Header) -> Result<()> {
    text.extend_from_slice(name.as_bytes());
    text.extend_from_slice(b": ");
    value
        .write_header(&mut *text, name.len() + 2)
        .map_err(local)?;
    Ok(())
}

/// RFC 5322, 2.1.1 and 2.3: lines have at most 998 octets, and CR and LF occur only together.
fn check_lines(text: &[u8]) -> Result<()> {
    for line in text.split_inclusive(|octet| *octet == b'\n') {
        let line = line.strip_suffix(b"\r\n").unwrap_or(b"\n");
        if line.len() > 998 || line.iter().any(|octet| b"\r\n\0".contains(octet)) {
            let what = "the text of the link contains a line that is not allowed in messages";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
    }
    Ok(())
}

/// The addresses in an address field, without display names.
fn addresses(value: &str) -> Result<Vec<String>> {
    let field = format!("To: {value}\r\n\r\n");
    let parser = MessageParser::new().header_address(HeaderName::To);
    let message = parser.parse_headers(field.as_bytes());
    let message = message.filter(|message| !message.parts.is_empty());
    let found = message.as_ref().and_then(|message| message.to());
    let mut all = Vec::new();
    for address in found.into_iter().flat_map(|found| found.iter()) {
        let address = address.address().ok_or_else(no_address)?;
        all.push(plain(address)?.to_owned());
    }
    if all.is_empty() {
        return Err(no_address());
    }
    Ok(all)
}

/// Checks that an address can be written between angle brackets, in fields and commands.
fn plain(address: &str) -> Result<&str> {
    if !address.is_ascii() {
        let what = "an address beyond US-ASCII needs SMTPUTF8, which is not supported";
        return Err(Error::new(ErrorKind::Unsupported(what)));
    }
    let (local, domain) = address.rsplit_once('@').ok_or_else(no_address)?;
    let is_quoted = local.len() > 1 && local.starts_with('"') && local.ends_with('"');
    let may_stand = |octet: u8| {
        (octet.is_ascii_graphic() || is_quoted && octet == b' ') && !b"<>".contains(&octet)
    };
    let is_local = !local.is_empty()
        && local.bytes().all(may_stand)
        && (is_quoted || !local.contains(['"', ',', ';', ':', '@', '\\', '(', ')']));
    let is_domain = !domain.is_empty()
        && domain
            .bytes()
            .all(|octet| octet.is_ascii_graphic() && !b"<>,;\"()\\".contains(&octet));
    // RFC 5321, 4.5.3.1.3
    if is_local && is_domain && address.len() <= 254 {
        Ok(address)
    } else {
        Err(no_address())
    }
}

fn no_address() -> Error {
    let what = "a header field of the link lacks a valid address";
    Error::new(ErrorKind::Unsupported(what))
}

/// A domain in ASCII, for the DNS.
fn domain(domain: Encoded<'_>) -> Result<String> {
    let text = utf8(domain)?;
    if text.is_ascii() {
        return Ok(text.into_owned());
    }
    let reference = format!("//{}", domain.as_str());
    let parsed = Standard::Rfc3987.parse(&reference).ok();
    let host = parsed.and_then(|parsed| parsed.host());
    let name = host.and_then(|host| host.to_ascii().ok().map(Cow::into_owned));
    name.ok_or_else(|| Error::new(ErrorKind::HostNotFound))
}

fn utf8(part: Encoded<'_>) -> Result<Cow<'_, str>> {
    part.to_utf8().map_err(|_| {
        let what = "expected text in UTF-8 in the link";
        Error::new(ErrorKind::Unsupported(what))
    })
}

fn local(error: std::io::Error) -> Error {
    Error::new(ErrorKind::Local(error)).with_step("composing the message")
}
