//! `mailto`: a mail address, and header fields for a message to that address.
//!
//! ```text
//! mailtourl     = "mailto:" encoded822addr                        RFC 1738, 5
//! mailtoaddress = m a i l t o : xalphas @ hostname                RFC 1630
//! mailtoURI     = "mailto:" [ to ] [ hfields ]                    RFC 6068, 2
//! to            = addr-spec *("," addr-spec )
//! hfields       = "?" hfield *( "&" hfield )
//! hfield        = hfname "=" hfvalue
//! ```
//!
//! RFC 1738 allows one address and does not reserve any characters in it. Under the standards in
//! which a `?` does not begin a query after `mailto:`, the `?` is part of the address. RFC 6068,
//! like RFC 2368 before it, allows any number of addresses, and header fields for a message. RFC
//! 6068 splits the text after the colon at the first `?`, under every standard.
//!
//! RFC 2368's mailboxes with names and comments (`Joe%20%3Cjoe@a%3E`) are no longer valid (RFC
//! 6068, 9).

#[cfg(feature = "alloc")]
mod builder;

#[cfg(feature = "alloc")]
pub use builder::MailtoBuilder;

use super::scheme::{Builtin, builtin};
use super::shape::{Definition, ReadBy, Shape, reading};
use super::{Edition, ReadError};
use core::fmt;
use urikit::AnyRef;
use urikit::component::Encoded;
use urikit::grammar::{Rule, rfc1630, rfc1738};
use urikit::parse::{rfc822, rfc6068};
#[cfg(feature = "alloc")]
use {
    super::{Detail, Details},
    alloc::vec::Vec,
};

const DEFINITION: Definition = Definition::new("mailto", rfc1738::ENCODED822ADDR, "RFC 1738, 3.5")
    .rfc1630(rfc1630::MAILTOADDRESS, "RFC 1630, Mailto")
    .successor(Rule::new("mailtoURI", "RFC 6068, 2"), "RFC 6068, 2");

pub(super) static MAILTO: Builtin = builtin!(DEFINITION, Mailto);

const ADDR_SPEC: Rule = Rule::new("addr-spec", "RFC 6068, 2");
const HFIELD: Rule = Rule::new("hfield", "RFC 6068, 2");

/// A mailto URL.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::Mailto;
/// // RFC 6068, 2 and 6.1
/// let url = Uri::parse("mailto:addr1@an.example,addr2@an.example?subject=current-issue")?;
/// let mailto = Mailto::read(url)?;
/// let domains = mailto.addresses().map(|address| address.domain().as_str());
/// assert!(domains.eq(["an.example", "an.example"]));
/// assert_eq!(mailto.header("Subject").unwrap(), "current-issue");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Mailto<'a> {
    to: Encoded<'a>,
    /// The text after the `?`.
    fields: Option<Encoded<'a>>,
    form: AddressForm,
    read_by: ReadBy,
}

reading!(
    Mailto,
    "a mailto URL",
    /// Returns the parts of the URL as named values, for display or for JSON: the addresses (`to`)
    /// and the `headers`, decoded, each header with its caution.
    details
);

impl<'a> Mailto<'a> {
    /// Reads a reference as a mailto URL according to the specifications of `edition`.
    ///
    /// ```
    /// use urikit::Standard;
    /// use urikit_schemes::{Edition, Mailto};
    /// // RFC 2396 does not allow a query after an opaque part. RFC 6068 does.
    /// let text = "mailto:infobot@example.com?subject=current-issue";
    /// let url = Standard::Rfc2396.parse(text)?;
    /// let original = Mailto::read(url)?.addresses().next().unwrap();
    /// assert_eq!(original.domain(), "example.com?subject=current-issue");
    /// let successor = Mailto::read_as(url, Edition::Successor)?;
    /// assert_eq!(successor.addresses().next().unwrap().domain(), "example.com");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the reference is not a mailto URL under that edition.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let shape = Shape::new(reference, edition, &DEFINITION)?;
        let (form, address) = match edition {
            Edition::Successor => (AddressForm::Rfc6068, ADDR_SPEC),
            Edition::Original if shape.is_rfc1630() => {
                (AddressForm::Rfc1630, rfc1630::MAILTOADDRESS)
            }
            Edition::Original => (AddressForm::Rfc1738, rfc1738::ENCODED822ADDR),
        };
        shape.no_authority("an address, and no `//`")?;
        let part = shape.scheme_part();
        let (to, fields) = if form == AddressForm::Rfc6068 {
            match part.split_once('?') {
                Some((to, fields)) => (to, Some(fields)),
                None => (part, None),
            }
        } else {
            shape.no_query("no query (a `?` in an address is written `%3F`)")?;
            (part, None)
        };
        let read_by = shape.read_by();
        let mailto = Self {
            to,
            fields,
            form,
            read_by,
        };
        for part in mailto.parts() {
            if let Err(at) = Address::read(part.as_str(), form) {
                let expected = if at == part.len() {
                    "the rest of an address such as `joe@example.com`"
                } else {
                    "an address such as `joe@example.com`"
                };
                return Err(shape.mismatch_in(shape.offset(part.as_str()) + at, expected, address));
            }
        }
        if let Some(fields) = fields {
            fields
                .split('&')
                .try_for_each(|field| Self::check(&shape, field))?;
        }
        Ok(mailto)
    }

    /// Checks `hfield = hfname "=" hfvalue`.
    fn check(shape: &Shape<'a>, field: Encoded<'a>) -> Result<(), ReadError> {
        rfc6068::hfield(field.as_str()).map_err(|(at, expected)| {
            shape.mismatch_in(shape.offset(field.as_str()) + at, expected, HFIELD)
        })
    }

    /// Returns the addresses, as written. In RFC 6068 the list may be empty.
    fn parts(&self) -> impl Iterator<Item = Encoded<'a>> + use<'a> {
        let is_list = self.form == AddressForm::Rfc6068;
        let one = (!is_list).then_some(self.to);
        let several = (is_list && !self.to.is_empty()).then(|| self.to.split(','));
        one.into_iter().chain(several.into_iter().flatten())
    }

    /// Returns the addresses before the `?`, in order. RFC 1630 and RFC 1738 require exactly one
    /// address. In RFC 6068 the list may be empty, and [`to_fields`](Self::to_fields) may contain
    /// more.
    pub fn addresses(&self) -> impl Iterator<Item = Address<'a>> + use<'a> {
        let form = self.form;
        // INVARIANT: `read_as` has read all addresses.
        self.parts()
            .filter_map(move |part| Address::read(part.as_str(), form).ok())
    }

    /// Returns the header fields and the body, in order (RFC 6068, 2). RFC 1630 and RFC 1738 do not
    /// define header fields.
    pub fn headers(&self) -> impl Iterator<Item = HeaderField<'a>> + use<'a> {
        let fields = self.fields.map(|fields| fields.split('&'));
        fields.into_iter().flatten().filter_map(|field| {
            let (name, value) = field.split_once('=')?;
            Some(HeaderField::new(name, value))
        })
    }

    /// Returns the value of the first header field with that name, as written. The name is not
    /// case-sensitive.
    ///
    /// The meaning of several fields with the same name is not defined (RFC 6068, 2).
    pub fn header(&self, name: &str) -> Option<Encoded<'a>> {
        let mut headers = self.headers();
        headers
            .find(|header| header.is_named(name))
            .map(HeaderField::value)
    }

    /// Returns the values of the `to` header fields, as written. The `to` fields contain
    /// additional addresses, and form one field of the message together with the
    /// [`addresses`](Self::addresses) (RFC 6068, 2).
    pub fn to_fields(&self) -> impl Iterator<Item = Encoded<'a>> + use<'a> {
        self.headers()
            .filter(|header| header.is_named("to"))
            .map(HeaderField::value)
    }

    /// Returns the subject, as written (RFC 6068, 4).
    pub fn subject(&self) -> Option<Encoded<'a>> {
        self.header("subject")
    }

    /// Returns the text of the message, as written (RFC 6068, 2). A line break is written `%0D%0A`
    /// (RFC 6068, 5).
    pub fn body(&self) -> Option<Encoded<'a>> {
        self.header("body")
    }

    #[cfg(feature = "alloc")]
    fn values(&self, details: Details<'a>) -> Details<'a> {
        let headers = self.fields.map(|_| Detail::list(self.headers()));
        details
            .with("to", Detail::list(self.addresses()))
            .with("headers", headers)
    }
}

/// The grammar of an address, which depends on the specification.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum AddressForm {
    /// RFC 1630: `xalphas @ hostname`.
    Rfc1630,
    /// RFC 1738: RFC 822's `addr-spec`.
    Rfc1738,
    /// RFC 6068's `addr-spec`.
    Rfc6068,
}

/// A mail address (RFC 822, 6.1; RFC 6068, 2), as written in a URL.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::Mailto;
/// // RFC 6068, 6.2: the address "not@me"@example.org
/// let url = Uri::parse("mailto:%22not%40me%22@example.org")?;
/// let address = Mailto::read(url)?.addresses().next().unwrap();
/// assert_eq!(address.local_part().decode_utf8()?, "\"not@me\"");
/// assert_eq!(address.domain(), "example.org");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Address<'a> {
    text: &'a str,
    local_end: usize,
    domain: usize,
}

impl<'a> Address<'a> {
    /// Reads an address. The error is the offset of the first byte that cannot appear there in any
    /// address.
    fn read(text: &'a str, form: AddressForm) -> Result<Self, usize> {
        let (local_end, domain) = match form {
            AddressForm::Rfc1630 => rfc1630(text)?,
            AddressForm::Rfc1738 => rfc822::addr_spec(text)?,
            AddressForm::Rfc6068 => rfc6068::addr_spec(text)?,
        };
        Ok(Self {
            text,
            local_end,
            domain,
        })
    }

    /// Returns the complete address, as written.
    pub const fn encoded(self) -> Encoded<'a> {
        Encoded::assume_valid(self.text)
    }

    /// Returns the part before the `@`, as written. The local part includes its quotes, and case
    /// matters. Only the mail domain can interpret the local part.
    pub fn local_part(self) -> Encoded<'a> {
        Encoded::assume_valid(self.text.get(..self.local_end).unwrap_or_default())
    }

    /// Returns the part after the `@`, as written. The domain is a name, or an address in
    /// (escaped) brackets. Domain names are not case-sensitive. RFC 6068 allows non-ASCII
    /// characters, to which IDNA applies.
    pub fn domain(self) -> Encoded<'a> {
        Encoded::assume_valid(self.text.get(self.domain..).unwrap_or_default())
    }
}

impl fmt::Display for Address<'_> {
    /// Writes the text as it appears in the URL.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text)
    }
}

impl fmt::Debug for Address<'_> {
    /// Writes the text as it appears in the URL.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

/// Reads RFC 1630's `xalphas @ hostname`. Although the grammar allows `@` on both sides of the
/// delimiter, domains contain no `@`, so the delimiter is the last `@` that is followed by a
/// hostname.
fn rfc1630(text: &str) -> Result<rfc822::AddrSpec, usize> {
    let begins_name = |at: usize| {
        let next = text.as_bytes().get(at + 1);
        at > 0 && next.is_some_and(u8::is_ascii_alphabetic)
    };
    let ats = text.rmatch_indices('@').map(|(at, _)| at);
    let at = ats.into_iter().find(|at| begins_name(*at));
    at.map(|at| (at, at + 1)).ok_or(text.len())
}

/// A header field that a mailto URI proposes for the message, or the message's body.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::{Caution, Mailto};
/// // RFC 6068, 6.1
/// let url = Uri::parse("mailto:joe@example.com?cc=bob@example.com&body=hello")?;
/// let mut headers = Mailto::read(url)?.headers();
/// let cc = headers.next().unwrap();
/// assert!(cc.is_named("CC"));
/// assert_eq!((cc.value().as_str(), cc.caution()), ("bob@example.com", Caution::Suspect));
/// assert!(headers.next().unwrap().is_body());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct HeaderField<'a> {
    name: Encoded<'a>,
    value: Encoded<'a>,
}

/// The advice of RFC 6068 (sections 3, 4 and 7) about a header field that a URI proposes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Caution {
    /// Safe and useful: `subject`, `keywords`, `body`, and `to`, which has the same meaning as the
    /// addresses before the `?`.
    Safe,
    /// Any other field. Clients use the field only if the sender of the message agrees.
    Suspect,
    /// The originator, routing, tracing and MIME fields, and fields with invalid names. Clients
    /// never accept these fields from a URI.
    Ignored,
}

/// The fields for the originator (RFC 5322, 3.6.1 and 3.6.2), routing, tracing (3.6.7) and MIME.
const IGNORED: [&str; 8] = [
    "from",
    "sender",
    "reply-to",
    "date",
    "apparently-to",
    "return-path",
    "received",
    "mime-version",
];
/// Prefixes that identify other ignored fields.
const IGNORED_FAMILIES: [&str; 2] = ["resent-", "content-"];

impl<'a> HeaderField<'a> {
    /// Creates a header field from `hfname "=" hfvalue`.
    const fn new(name: Encoded<'a>, value: Encoded<'a>) -> Self {
        Self { name, value }
    }

    /// Returns the name, as written. The name is not case-sensitive.
    pub const fn name(self) -> Encoded<'a> {
        self.name
    }

    /// Returns the value, as written. A `+` is a plus sign (RFC 6068, 5).
    pub const fn value(self) -> Encoded<'a> {
        self.value
    }

    /// Returns true if the decoded name equals `name`, ignoring case.
    pub fn is_named(self, name: &str) -> bool {
        let lower = |octet: u8| octet.to_ascii_lowercase();
        self.name
            .decode()
            .octets()
            .map(lower)
            .eq(name.bytes().map(lower))
    }

    /// Returns true if the field holds the text of the message and is not a real header field.
    pub fn is_body(self) -> bool {
        self.is_named("body")
    }

    /// Returns the advice about the field.
    pub fn caution(self) -> Caution {
        let is_one_of = |names: &[&str]| names.iter().any(|name| self.is_named(name));
        if is_one_of(&["to", "subject", "keywords", "body"]) {
            Caution::Safe
        } else if is_one_of(&IGNORED)
            || IGNORED_FAMILIES.iter().any(|begin| self.begins_with(begin))
            || !self.is_field_name()
        {
            Caution::Ignored
        } else {
            Caution::Suspect
        }
    }

    fn begins_with(self, begin: &str) -> bool {
        let name = self.name.decode().octets().take(begin.len());
        name.map(|octet| octet.to_ascii_lowercase())
            .eq(begin.bytes())
    }

    /// Returns true if the name is RFC 5322's `field-name = 1*ftext` (3.6.8). Any other name could
    /// change its meaning in the message: `From:x` would be sent as a `From` field.
    fn is_field_name(self) -> bool {
        let mut octets = self.name.decode().octets();
        !self.name.is_empty() && octets.all(|octet| octet.is_ascii_graphic() && octet != b':')
    }
}

impl fmt::Debug for HeaderField<'_> {
    /// Writes the text as it appears in the URL.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.value)
    }
}

impl Caution {
    /// Returns the name of the advice, in lower case.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Suspect => "suspect",
            Self::Ignored => "ignored",
        }
    }
}

impl fmt::Display for Caution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(feature = "alloc")]
impl<'a> From<Address<'a>> for Detail<'a> {
    fn from(address: Address<'a>) -> Self {
        Self::Fields(Vec::from([
            ("address", address.encoded().into()),
            ("local_part", address.local_part().into()),
            ("domain", address.domain().into()),
        ]))
    }
}

#[cfg(feature = "alloc")]
impl<'a> From<HeaderField<'a>> for Detail<'a> {
    fn from(header: HeaderField<'a>) -> Self {
        Self::Fields(Vec::from([
            ("name", header.name().into()),
            ("value", header.value().into()),
            ("caution", header.caution().as_str().into()),
        ]))
    }
}
