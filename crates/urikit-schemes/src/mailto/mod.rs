//! `mailto`: a mail address, and header fields for a message to it.
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
//! RFC 1738 has one address and nothing else, and reserves no characters: under the standards in
//! which a `?` does not begin a query after `mailto:`, it is part of the address. RFC 6068 (before
//! it RFC 2368) has any number of addresses, and header fields for a message. It splits what
//! follows the colon at the first `?`, under every standard.
//!
//! RFC 2368's mailboxes with names and comments (`Joe%20%3Cjoe@a%3E`) are no longer valid (RFC
//! 6068, 9).

mod address;
#[cfg(feature = "alloc")]
mod builder;
#[cfg(feature = "alloc")]
mod details;
mod header;

pub use address::Address;
#[cfg(feature = "alloc")]
pub use builder::MailtoBuilder;
pub use header::{Caution, HeaderField};

#[cfg(feature = "alloc")]
use super::Details;
use super::builtin::{Builtin, builtin};
use super::shape::Shape;
use super::{Edition, Facts, ReadError, facts};
use address::By;
use urikit::AnyRef;
use urikit::component::Encoded;
use urikit::grammar::{Rule, rfc1630, rfc1738};
use urikit::internal::rfc6068;

const FACTS: Facts<'static> = facts("mailto");

pub(super) static MAILTO: Builtin = builtin!(FACTS, Mailto);

const MAILTO_URI: Rule = Rule::new("mailtoURI", "RFC 6068, 2");
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
    /// What follows the `?`.
    fields: Option<Encoded<'a>>,
    by: By,
}

impl<'a> Mailto<'a> {
    /// Reads a reference as a mailto URL, by the edition of its standard.
    ///
    /// # Errors
    ///
    /// If the reference is not a mailto URL.
    pub fn read(reference: impl Into<AnyRef<'a>>) -> Result<Self, ReadError> {
        let reference = reference.into();
        Self::read_as(reference, Edition::of(reference.standard()))
    }

    /// Reads a reference as a mailto URL by the specifications of `edition`.
    ///
    /// ```
    /// use urikit::Standard;
    /// use urikit_schemes::{Edition, Mailto};
    /// // RFC 2396 has no query after an opaque part. RFC 6068 has one.
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
    /// If the reference is not a mailto URL by that edition.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let is_rfc1630 = reference.standard() == urikit::Standard::Rfc1630;
        let (by, production, address) = match edition {
            Edition::Successor => (By::Rfc6068, MAILTO_URI, ADDR_SPEC),
            Edition::Original if is_rfc1630 => {
                (By::Rfc1630, rfc1630::MAILTOADDRESS, rfc1630::MAILTOADDRESS)
            }
            Edition::Original => (
                By::Rfc1738,
                rfc1738::ENCODED822ADDR,
                rfc1738::ENCODED822ADDR,
            ),
        };
        let shape = Shape::new(reference, edition, FACTS.name, production)?;
        shape.no_authority("an address, and no `//`")?;
        let part = shape.scheme_part();
        let (to, fields) = if by == By::Rfc6068 {
            match part.split_once('?') {
                Some((to, fields)) => (to, Some(fields)),
                None => (part, None),
            }
        } else {
            shape.no_query("no query (a `?` in an address is written `%3F`)")?;
            (part, None)
        };
        let mailto = Self { to, fields, by };
        for part in mailto.parts() {
            if let Err(at) = Address::read(part.as_str(), by) {
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

    /// `hfield = hfname "=" hfvalue`
    fn check(shape: &Shape<'a>, field: Encoded<'a>) -> Result<(), ReadError> {
        rfc6068::hfield(field.as_str()).map_err(|(at, expected)| {
            shape.mismatch_in(shape.offset(field.as_str()) + at, expected, HFIELD)
        })
    }

    /// The addresses, as written; in RFC 6068 the list may be empty.
    fn parts(&self) -> impl Iterator<Item = Encoded<'a>> + use<'a> {
        let is_list = self.by == By::Rfc6068;
        let one = (!is_list).then_some(self.to);
        let several = (is_list && !self.to.is_empty()).then(|| self.to.split(','));
        one.into_iter().chain(several.into_iter().flatten())
    }

    /// The addresses before the `?`, in order. RFC 1630 and RFC 1738 have exactly one. In RFC 6068
    /// the list may be empty, and [`to_fields`](Self::to_fields) may have more.
    pub fn addresses(&self) -> impl Iterator<Item = Address<'a>> + use<'a> {
        let by = self.by;
        // INVARIANT: all of them were read before.
        self.parts()
            .filter_map(move |part| Address::read(part.as_str(), by).ok())
    }

    /// The header fields and the body, in order (RFC 6068); empty for RFC 1630 and RFC 1738.
    pub fn headers(&self) -> impl Iterator<Item = HeaderField<'a>> + use<'a> {
        let fields = self.fields.map(|fields| fields.split('&'));
        fields.into_iter().flatten().filter_map(|field| {
            let (name, value) = field.split_once('=')?;
            Some(HeaderField::new(name, value))
        })
    }

    /// The value of the first header field with that name, in any case; as written.
    ///
    /// What several fields with the same name mean is left open (RFC 6068, 2).
    pub fn header(&self, name: &str) -> Option<Encoded<'a>> {
        let mut headers = self.headers();
        headers
            .find(|header| header.is_named(name))
            .map(HeaderField::value)
    }

    /// The values of the `to` header fields, as written: more addresses for the message, which
    /// form one field of it together with the [`addresses`](Self::addresses) (RFC 6068, 2).
    pub fn to_fields(&self) -> impl Iterator<Item = Encoded<'a>> + use<'a> {
        self.headers()
            .filter(|header| header.is_named("to"))
            .map(HeaderField::value)
    }

    /// The subject, as written (RFC 6068, 4).
    pub fn subject(&self) -> Option<Encoded<'a>> {
        self.header("subject")
    }

    /// The text of the message, as written (RFC 6068, 2); its lines end in `%0D%0A` (5).
    pub fn body(&self) -> Option<Encoded<'a>> {
        self.header("body")
    }

    /// The specification that it was read by, with the section.
    pub const fn specification(&self) -> &'static str {
        match self.by {
            By::Rfc1630 => "RFC 1630, Mailto",
            By::Rfc1738 => "RFC 1738, 3.5",
            By::Rfc6068 => "RFC 6068, 2",
        }
    }

    /// All of its meaning as named values, for display or as JSON: the addresses (`to`) and the
    /// `headers`, decoded; each header with its caution.
    #[cfg(feature = "alloc")]
    pub fn details(&self) -> Details<'a> {
        self.named_values()
    }
}
