//! Composes the message that a `mailto` URL describes (RFC 6068, 2 to 5).

use super::attachment::Attachment;
use crate::deadline::Deadline;
use crate::error::{Error, ErrorKind, Result};
use crate::mask::escape;
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

/// The maximum length of a field name, in octets. If the name were longer, folding would move the
/// text after the name to a separate line.
const MAX_NAME: usize = 64;

/// The maximum length of a line, in octets, without CR LF (RFC 5322, 2.1.1).
const MAX_LINE: usize = 998;

/// The maximum length of an address, in octets. A path may have at most 256 octets, including its
/// angle brackets (RFC 5321, 4.5.3.1.3).
const MAX_ADDRESS: usize = 254;

/// A message before it is sent.
#[derive(Default)]
pub(super) struct Draft {
    from: Option<String>,
    to: Vec<String>,
    cc: Vec<String>,
    bcc: Vec<String>,
    /// The other header fields, in order.
    fields: Vec<(String, String)>,
    /// The names of `fields`, in lower case.
    names: HashSet<String>,
    body: Option<String>,
    attachments: Vec<Attachment>,
    /// The names of the header fields that were left out.
    pub(super) left_out: Vec<String>,
}

impl Draft {
    /// Returns all recipients as text to show to the user, with the name of the field before each
    /// list.
    pub(super) fn recipient_summary(&self) -> String {
        let fields = [("To", &self.to), ("Cc", &self.cc), ("Bcc", &self.bcc)];
        let fields = fields
            .into_iter()
            .filter(|(_, addresses)| !addresses.is_empty());
        let fields = fields.map(|(name, addresses)| format!("{name}: {}", addresses.join(", ")));
        escape(fields.collect::<Vec<_>>().join("; ").as_bytes())
    }

    /// Creates an empty draft.
    pub(super) fn new(from: Option<&str>, attachments: Vec<Attachment>) -> Result<Self> {
        let from = from.map(|from| Ok::<_, Error>(checked_address(from)?.to_owned()));
        Ok(Self {
            from: from.transpose()?,
            attachments,
            ..Self::default()
        })
    }

    /// Adds the recipients, the fields and the body from a URL. Calls `agrees` with a question
    /// about each field that could do harm and, unless `takes_copies` is true, about `cc` and
    /// `bcc`.
    pub(super) fn read(
        mut self,
        url: &urikit_schemes::Mailto<'_>,
        deadline: &Deadline,
        takes_copies: bool,
        agrees: &mut dyn FnMut(&str) -> bool,
    ) -> Result<Self> {
        for address in url.addresses() {
            let local = utf8(address.local_part())?;
            let address = format!("{local}@{}", domain(address.domain())?);
            self.to.push(checked_address(&address)?.to_owned());
        }
        for header in url.headers() {
            deadline.check()?;
            let is_copy = header.is_named("cc") || header.is_named("bcc");
            if takes_copies && is_copy {
                self.add_field(header, &mut |_| true)?;
            } else {
                self.add_field(header, agrees)?;
            }
        }
        Ok(self)
    }

    /// Adds a header field or the body from a URL, or leaves it out.
    fn add_field(
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
            if !agrees(&format!("Use the header field `{field}` from the URL?")) {
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

    /// Returns the recipients, without duplicates.
    pub(super) fn recipients(&self) -> impl Iterator<Item = &str> {
        let all = self.to.iter().chain(&self.cc).chain(&self.bcc);
        let mut seen = HashSet::new();
        all.map(String::as_str)
            .filter(move |address| seen.insert(*address))
    }

    /// Returns the draft, which the user can edit and send.
    pub(super) fn text(&self) -> Result<Vec<u8>> {
        self.write(&self.bcc, &[], &self.attachments)
    }

    /// Returns the draft with the names and sizes of the attachments in place of their contents.
    pub(super) fn summary(&self) -> Result<Vec<u8>> {
        let mut text = self.write(&self.bcc, &[], &[])?;
        text.extend_from_slice(b"\r\n");
        for attachment in &self.attachments {
            text.extend_from_slice(attachment.summary().as_bytes());
        }
        Ok(text)
    }

    /// Returns the message to send, with a date and an identifier.
    pub(super) fn message(&self) -> Result<Vec<u8>> {
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
        // The addresses in `Bcc` "are not to be revealed to other recipients" (RFC 5322, 3.6.3).
        self.write(&[], &more, &self.attachments)
    }

    /// Writes the message. The fields in `more` are added unless the URL contains fields with
    /// these names.
    fn write(
        &self,
        bcc: &[String],
        more: &[(&str, &str)],
        attachments: &[Attachment],
    ) -> Result<Vec<u8>> {
        let mut text = Vec::new();
        let from = self.from.iter().cloned().collect::<Vec<_>>();
        for (name, addresses) in [
            ("From", &*from),
            ("To", &*self.to),
            ("Cc", &*self.cc),
            ("Bcc", bcc),
        ] {
            if !addresses.is_empty() {
                let list = addresses.iter().map(|it| Address::from(&**it)).collect();
                write_field(&mut text, name, &Address::new_list(list))?;
            }
        }
        for (name, value) in &self.fields {
            write_field(&mut text, name, &Text::new(&**value))?;
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

fn write_field(text: &mut Vec<u8>, name: &str, value: &impl Header) -> Result<()> {
    text.extend_from_slice(name.as_bytes());
    text.extend_from_slice(b": ");
    value
        .write_header(&mut *text, name.len() + 2)
        .map_err(local)?;
    Ok(())
}

/// Checks the lines of a message. A line may be at most 998 octets long, and CR and LF may occur
/// only together (RFC 5322, 2.1.1 and 2.3).
fn check_lines(text: &[u8]) -> Result<()> {
    for line in text.split_inclusive(|octet| *octet == b'\n') {
        let line = line.strip_suffix(b"\r\n").unwrap_or(b"\n");
        if line.len() > MAX_LINE || line.iter().any(|octet| b"\r\n\0".contains(octet)) {
            let what = "the text in the URL has a line that is not allowed in messages";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
    }
    Ok(())
}

/// Returns the addresses in an address field, without display names.
fn addresses(value: &str) -> Result<Vec<String>> {
    let field = format!("To: {value}\r\n\r\n");
    let parser = MessageParser::new().header_address(HeaderName::To);
    let message = parser.parse_headers(field.as_bytes());
    let message = message.filter(|message| !message.parts.is_empty());
    let found = message.as_ref().and_then(|message| message.to());
    let mut all = Vec::new();
    for address in found.into_iter().flat_map(|found| found.iter()) {
        let address = address.address().ok_or_else(invalid_address)?;
        all.push(checked_address(address)?.to_owned());
    }
    if all.is_empty() {
        return Err(invalid_address());
    }
    Ok(all)
}

/// Returns an address if it can be written between angle brackets, in fields and commands.
fn checked_address(address: &str) -> Result<&str> {
    if !address.is_ascii() {
        let what = "a non-ASCII address needs SMTPUTF8, which is not supported";
        return Err(Error::new(ErrorKind::Unsupported(what)));
    }
    let (local, domain) = address.rsplit_once('@').ok_or_else(invalid_address)?;
    let is_quoted = local.len() > 1 && local.starts_with('"') && local.ends_with('"');
    let is_allowed = |octet: u8| {
        (octet.is_ascii_graphic() || is_quoted && octet == b' ') && !b"<>".contains(&octet)
    };
    let is_local = !local.is_empty()
        && local.bytes().all(is_allowed)
        && (is_quoted || !local.contains(['"', ',', ';', ':', '@', '\\', '(', ')']));
    let is_domain = !domain.is_empty()
        && domain
            .bytes()
            .all(|octet| octet.is_ascii_graphic() && !b"<>,;\"()\\".contains(&octet));
    if is_local && is_domain && address.len() <= MAX_ADDRESS {
        Ok(address)
    } else {
        Err(invalid_address())
    }
}

fn invalid_address() -> Error {
    let what = "a header field in the URL has no valid address";
    Error::new(ErrorKind::Unsupported(what))
}

/// Converts a domain to ASCII, as the DNS requires (IDNA).
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
    part.decode_utf8().map_err(|_| {
        let what = "the URL contains text that is not UTF-8";
        Error::new(ErrorKind::Unsupported(what))
    })
}

fn local(error: std::io::Error) -> Error {
    Error::new(ErrorKind::Local(error)).with_step("composing the message")
}
