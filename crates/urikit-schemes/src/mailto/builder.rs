//! Builds mailto URLs.

use super::super::Edition;
use super::super::build::{
    BuildError, Data, Parts, UNRESERVED, UrlText, are, are_pairs, build_methods, data, unchanged,
};
use super::{Address, DEFINITION, Mailto};
use alloc::vec::Vec;
use urikit::grammar::ByteSet;
use urikit::percent::Place;
use urikit::{AnyRef, Standard};

/// The characters that stay unescaped in a local part and a domain. A comma would end the address.
const ADDRESS: ByteSet = UNRESERVED.without(ByteSet::of(b","));
/// The characters that stay unescaped in a name and a value. A plus sign is escaped, because some
/// programs decode it to a space (RFC 6068, 5).
const QCHAR: ByteSet = UNRESERVED.or(ByteSet::of(b":@")).without(ByteSet::of(b"+"));

/// Builds a mailto URL from addresses and header fields. Each part consists of octets, as they
/// appear in a message; text is UTF-8.
///
/// Only the body may contain line breaks and tabs, whether it is set with [`body`](Self::body) or
/// as a header field named `body`. No part may contain other control characters.
///
/// ```
/// use urikit_schemes::Mailto;
/// // RFC 6068, 6.2 and 6.1
/// let url = Mailto::builder("unlikely?address@example.com").header("blat", "foop").build()?;
/// assert_eq!(url.as_str(), "mailto:unlikely%3Faddress@example.com?blat=foop");
/// let url = Mailto::builder("infobot@example.com").body("send current-issue\nsend index");
/// let url = url.build()?;
/// assert_eq!(
///     url.as_str(),
///     "mailto:infobot@example.com?body=send%20current-issue%0D%0Asend%20index",
/// );
/// # Ok::<(), urikit_schemes::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct MailtoBuilder<'a> {
    to: Vec<Data<'a>>,
    fields: Vec<(Data<'a>, Data<'a>)>,
}

impl Mailto<'_> {
    /// Starts building a URL with an address, such as `joe@example.com`. Quotes and brackets are
    /// part of the given address.
    pub fn builder<T: AsRef<[u8]> + ?Sized>(address: &T) -> MailtoBuilder<'_> {
        Self::unaddressed().and_to(address)
    }

    /// Starts building a URL without an address (RFC 6068, 2).
    pub const fn unaddressed<'a>() -> MailtoBuilder<'a> {
        MailtoBuilder {
            to: Vec::new(),
            fields: Vec::new(),
        }
    }
}

impl<'a> MailtoBuilder<'a> {
    /// Adds an address (RFC 6068, 2).
    #[must_use]
    pub fn and_to<T: AsRef<[u8]> + ?Sized>(mut self, address: &'a T) -> Self {
        self.to.push(data(address));
        self
    }

    /// Sets the subject (RFC 6068, 4).
    #[must_use]
    pub fn subject<T: AsRef<[u8]> + ?Sized>(self, subject: &'a T) -> Self {
        self.header("subject", subject)
    }

    /// Sets the text of the message (RFC 6068, 2). Each line break (CR LF, CR or LF) becomes
    /// `%0D%0A` (section 5).
    #[must_use]
    pub fn body<T: AsRef<[u8]> + ?Sized>(mut self, body: &'a T) -> Self {
        self.fields.push((data("body"), crlf(body.as_ref())));
        self
    }

    /// Adds a header field (RFC 6068, 2). The name is not case-sensitive. A field named `body` is
    /// the text of the message, as if set with [`body`](Self::body).
    #[must_use]
    pub fn header<N, T>(mut self, name: &'a N, value: &'a T) -> Self
    where
        N: AsRef<[u8]> + ?Sized,
        T: AsRef<[u8]> + ?Sized,
    {
        let value = if is_body(name.as_ref()) {
            crlf(value.as_ref())
        } else {
            data(value)
        };
        self.fields.push((data(name), value));
        self
    }
}

build_methods!(
    MailtoBuilder,
    /// Builds the URL as an RFC 3986 URI. The URL is also valid under RFC 1738 if it consists of
    /// one address without quotes.
    build,
    /// Fails if the parts do not form a mailto URL. This happens, for example, if an address is
    /// not valid, if a header field has more than one line, or if its name is not a `field-name`
    /// (RFC 5322, 3.6.8).
    errors
);

impl Parts for MailtoBuilder<'_> {
    fn scheme(&self) -> &'static str {
        DEFINITION.facts.name
    }

    fn precheck(&self) -> Result<(), BuildError> {
        let mut fields = self.fields.iter();
        fields.try_for_each(|(name, value)| check_field(name, value))
    }

    fn write(&self, text: &mut UrlText) {
        for (index, address) in self.to.iter().enumerate() {
            text.push(if index == 0 { "" } else { "," });
            let (local, domain) = address.split_at(at(address));
            text.escape(local, Place::Path, &ADDRESS);
            if let Some((_, domain)) = domain.split_first() {
                text.push("@");
                text.escape(domain, Place::Path, &ADDRESS);
            }
        }
        for (index, (name, value)) in self.fields.iter().enumerate() {
            text.push(if index == 0 { "?" } else { "&" });
            text.escape(name, Place::Path, &QCHAR);
            text.push("=");
            text.escape(value, Place::Path, &QCHAR);
        }
    }

    fn check(&self, url: AnyRef<'_>, standard: Standard) -> Result<(), BuildError> {
        let is_original = self.to.len() == 1 && self.fields.is_empty();
        let edition = if is_original {
            Edition::of(standard)
        } else {
            Edition::Successor // the first edition with lists and header fields
        };
        let read = Mailto::read_as(url, edition)?;
        let addresses = read.addresses().map(Address::encoded);
        unchanged("address", are(addresses, &self.to))?;
        let given = self.fields.iter();
        let given: Vec<_> = given.map(|(name, value)| (&**name, &**value)).collect();
        let headers = read.headers().map(|header| (header.name(), header.value()));
        unchanged("header field", are_pairs(headers, &given))
    }
}

/// Returns true if a header field holds the text of the message.
fn is_body(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"body")
}

/// Checks that the name is RFC 5322's `field-name = 1*ftext`, and that the value contains no
/// control characters that a message does not allow there.
fn check_field(name: &[u8], value: &[u8]) -> Result<(), BuildError> {
    let is_ftext = |octet: &u8| octet.is_ascii_graphic() && *octet != b':';
    let part = "header field's name";
    if name.iter().any(u8::is_ascii_control) {
        return Err(BuildError::Control { part });
    }
    if name.is_empty() || !name.iter().all(is_ftext) {
        return Err(BuildError::Misread { part });
    }
    let (part, text) = if is_body(name) {
        ("body", &b"\r\n\t"[..])
    } else {
        ("header field", &b""[..])
    };
    let is_good = |octet: &u8| !octet.is_ascii_control() || text.contains(octet);
    if value.iter().all(is_good) {
        Ok(())
    } else {
        Err(BuildError::Control { part })
    }
}

/// Returns the offset of the `@` in an address. The result is the last `@`, or the last one before
/// the final `[` if the address ends in a bracket.
fn at(address: &[u8]) -> usize {
    let end = match address.last() {
        Some(b']') => address.iter().rposition(|octet| *octet == b'['),
        _ => None,
    };
    let before = address.get(..end.unwrap_or(address.len()));
    let at = before.and_then(|before| before.iter().rposition(|octet| *octet == b'@'));
    at.unwrap_or(address.len())
}

/// Converts the line endings of the text to CR LF.
fn crlf(text: &[u8]) -> Data<'_> {
    let mut lines = Vec::with_capacity(text.len());
    let mut octets = text.iter().copied().peekable();
    while let Some(octet) = octets.next() {
        match octet {
            b'\r' => {
                octets.next_if_eq(&b'\n');
                lines.extend_from_slice(b"\r\n");
            }
            b'\n' => lines.extend_from_slice(b"\r\n"),
            _ => lines.push(octet),
        }
    }
    Data::Owned(lines)
}
