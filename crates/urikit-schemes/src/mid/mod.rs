//! `mid`: a message by its Message-ID, or a body part of it.
//!
//! ```text
//! midaddress    = m i d : addr-spec                               RFC 1630
//! mid-url       = "mid" ":" message-id [ "/" content-id ]          RFC 2392, 2
//! message-id    = url-addr-spec
//! content-id    = url-addr-spec
//! url-addr-spec = addr-spec  ; URL encoding of RFC 822 addr-spec
//! ```
//!
//! RFC 1738 reserves the name for a later RFC: RFC 2111, and then RFC 2392 with the same syntax.
//! In both, a `/` in an identifier is escaped; in RFC 1630, which has no content-id, it is part of
//! the identifier.
//!
//! Such a URL names something in mail that was received before. Identifiers are case-sensitive.

#[cfg(feature = "alloc")]
mod builder;

#[cfg(feature = "alloc")]
pub(super) use builder::IDENTIFIER;
#[cfg(feature = "alloc")]
pub use builder::MidBuilder;

#[cfg(feature = "alloc")]
use super::Details;
use super::builtin::{Builtin, builtin};
use super::shape::Shape;
use super::{Edition, Facts, ReadError, facts};
use urikit::component::Encoded;
use urikit::grammar::{Rule, rfc822};
use urikit::internal::rfc822::addr_spec;
use urikit::{AnyRef, Standard};

const FACTS: Facts<'static> = facts("mid");

pub(super) static MID: Builtin = builtin!(FACTS, Mid);

const MID_URL: Rule = Rule::new("mid-url", "RFC 2392, 2");
const URL_ADDR_SPEC: Rule = Rule::new("url-addr-spec", "RFC 2392, 2");

/// A mid URL.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::Mid;
/// // RFC 2392, 2
/// let url = Uri::parse("mid:960830.1639@XIson.com/partA.960830.1639@XIson.com")?;
/// let mid = Mid::read(url)?;
/// assert_eq!(mid.message_id(), "960830.1639@XIson.com");
/// assert_eq!(mid.content_id().unwrap(), "partA.960830.1639@XIson.com");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Mid<'a> {
    message_id: Encoded<'a>,
    content_id: Option<Encoded<'a>>,
    specification: &'static str,
}

impl<'a> Mid<'a> {
    /// Reads a reference as a mid URL, by the edition of its standard.
    ///
    /// # Errors
    ///
    /// If the reference is not a mid URL.
    pub fn read(reference: impl Into<AnyRef<'a>>) -> Result<Self, ReadError> {
        let reference = reference.into();
        Self::read_as(reference, Edition::of(reference.standard()))
    }

    /// Reads a reference as a mid URL by the specifications of `edition`.
    ///
    /// # Errors
    ///
    /// If the reference is not a mid URL by that edition.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let shape = Shape::new(reference, edition, FACTS.name, MID_URL)?;
        let part = shape.scheme_part();
        if edition == Edition::Original && reference.standard() == Standard::Rfc1630 {
            // The parser has checked it.
            return Ok(Self {
                message_id: part,
                content_id: None,
                specification: "RFC 1630, Message-Id",
            });
        }
        shape.no_authority("a message identifier, and no `//`")?;
        shape.no_query("no query (a `?` in an identifier is written `%3F`)")?;
        let (message_id, content_id) = match part.split_once('/') {
            Some((message_id, content_id)) => (message_id, Some(content_id)),
            None => (part, None),
        };
        url_addr_spec(&shape, message_id)?;
        content_id.map_or(Ok(()), |part| url_addr_spec(&shape, part))?;
        Ok(Self {
            message_id,
            content_id,
            specification: specification(edition),
        })
    }

    /// The Message-ID without its angle brackets, as written.
    pub const fn message_id(&self) -> Encoded<'a> {
        self.message_id
    }

    /// The Content-ID of a body part, without its angle brackets, as written; `None` if the URL
    /// names the entire message.
    pub const fn content_id(&self) -> Option<Encoded<'a>> {
        self.content_id
    }

    /// The specification that it was read by, with the section.
    pub const fn specification(&self) -> &'static str {
        self.specification
    }
}

/// `url-addr-spec`: the decoded text is an `addr-spec` (RFC 822, 6.1), and a `/` is escaped.
pub(super) fn url_addr_spec(shape: &Shape<'_>, part: Encoded<'_>) -> Result<(), ReadError> {
    let slash = part.as_str().find('/');
    let broken = addr_spec(part.as_str()).err();
    let Some(at) = slash.into_iter().chain(broken).min() else {
        return Ok(());
    };
    let (expected, rule) = if slash == Some(at) {
        ("no `/` in an identifier but as `%2F`", URL_ADDR_SPEC)
    } else {
        ("an identifier such as `a@host.dom`", rfc822::ADDR_SPEC)
    };
    let start = shape.offset(part.as_str());
    Err(shape.mismatch_in(start + at, expected, rule))
}

/// The specification of `mid` and `cid` in an edition, other than RFC 1630.
pub(super) const fn specification(edition: Edition) -> &'static str {
    match edition {
        Edition::Original => "RFC 2111, 2",
        Edition::Successor => "RFC 2392, 2",
    }
}

#[cfg(feature = "alloc")]
impl<'a> Mid<'a> {
    /// All of its meaning as named values, for display or as JSON: `message_id` and `content_id`,
    /// decoded.
    pub fn details(&self) -> Details<'a> {
        Details::new(FACTS.name, self.specification())
            .with("message_id", self.message_id())
            .with("content_id", self.content_id())
    }
}
