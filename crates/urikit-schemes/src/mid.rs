//! `mid` and `cid`: a message, identified by its Message-ID, and a body part, identified by its
//! Content-ID.
//!
//! ```text
//! midaddress    = m i d : addr-spec                               RFC 1630
//! cidaddress    = c i d : content-identifier
//! mid-url       = "mid" ":" message-id [ "/" content-id ]          RFC 2392, 2
//! cid-url       = "cid" ":" content-id
//! message-id    = url-addr-spec
//! content-id    = url-addr-spec
//! url-addr-spec = addr-spec  ; URL encoding of RFC 822 addr-spec
//! ```
//!
//! RFC 1738 reserves both scheme names for a later RFC, which became RFC 2111. RFC 2392 replaced
//! RFC 2111 but kept the syntax. RFC 2111 and RFC 2392 require a `/` in an identifier to be
//! escaped. In RFC 1630, a mid URL has no content-id, so a `/` belongs to the identifier.
//!
//! A mid URL identifies a message that was received before, and a cid URL identifies a part of the
//! message that contains the URL. Case matters in identifiers.

use super::scheme::{Builtin, builtin};
use super::shape::{Definition, ReadBy, Shape, reading};
use super::{Edition, ReadError};
use urikit::AnyRef;
use urikit::component::Encoded;
use urikit::grammar::{Rule, rfc822};
use urikit::parse::rfc822::addr_spec;
#[cfg(feature = "alloc")]
use {
    super::Details,
    super::build::{
        BuildError, Data, Parts, UNRESERVED, UrlText, build_methods, data, is, is_some, unchanged,
    },
    urikit::{Standard, grammar::ByteSet, percent::Place},
};

const MID_URL: Rule = Rule::new("mid-url", "RFC 2392, 2");
const CID_URL: Rule = Rule::new("cid-url", "RFC 2392, 2");
const URL_ADDR_SPEC: Rule = Rule::new("url-addr-spec", "RFC 2392, 2");

const MID_DEFINITION: Definition = Definition::new("mid", MID_URL, "RFC 2111, 2")
    .rfc1630(MID_URL, "RFC 1630, Message-Id")
    .successor(MID_URL, "RFC 2392, 2");

const CID_DEFINITION: Definition = Definition::new("cid", CID_URL, "RFC 2111, 2")
    .rfc1630(CID_URL, "RFC 1630, Content-Id")
    .successor(CID_URL, "RFC 2392, 2");

pub(super) static MID: Builtin = builtin!(MID_DEFINITION, Mid);

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
    read_by: ReadBy,
}

reading!(
    Mid,
    "a mid URL",
    /// Returns the parts of the URL as named values, for display or for JSON: `message_id` and
    /// `content_id`, decoded.
    details
);

impl<'a> Mid<'a> {
    /// Reads a reference as a mid URL according to the specifications of `edition`.
    ///
    /// # Errors
    ///
    /// Fails if the reference is not a mid URL under that edition.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let shape = Shape::new(reference, edition, &MID_DEFINITION)?;
        let part = shape.scheme_part();
        if shape.is_by_rfc1630() {
            // The parser has already checked the identifier.
            return Ok(Self {
                message_id: part,
                content_id: None,
                read_by: shape.read_by(),
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
            read_by: shape.read_by(),
        })
    }

    /// Returns the Message-ID without its angle brackets, as written.
    pub const fn message_id(&self) -> Encoded<'a> {
        self.message_id
    }

    /// Returns the Content-ID of a body part without its angle brackets, as written. Returns `None`
    /// if the URL identifies the complete message.
    pub const fn content_id(&self) -> Option<Encoded<'a>> {
        self.content_id
    }

    #[cfg(feature = "alloc")]
    fn values(&self, details: Details<'a>) -> Details<'a> {
        details
            .with("message_id", self.message_id())
            .with("content_id", self.content_id())
    }
}

/// Checks `url-addr-spec`: the decoded text is an `addr-spec` (RFC 822, 6.1), and a `/` is escaped.
fn url_addr_spec(shape: &Shape<'_>, part: Encoded<'_>) -> Result<(), ReadError> {
    let slash = part.as_str().find('/');
    let broken = addr_spec(part.as_str()).err();
    let Some(at) = slash.into_iter().chain(broken).min() else {
        return Ok(());
    };
    let (expected, rule) = if slash == Some(at) {
        (
            "no `/` (in an identifier it is written `%2F`)",
            URL_ADDR_SPEC,
        )
    } else {
        ("an identifier such as `a@host.dom`", rfc822::ADDR_SPEC)
    };
    let start = shape.offset(part.as_str());
    Err(shape.mismatch_in(start + at, expected, rule))
}

/// The characters that stay unescaped in an identifier.
#[cfg(feature = "alloc")]
const IDENTIFIER: ByteSet = UNRESERVED.or(ByteSet::of(b"@"));

/// Builds a mid URL from identifiers. The identifiers are octets, as they appear in a message,
/// without angle brackets.
///
/// ```
/// use urikit_schemes::Mid;
/// // RFC 2111, 2: Message-ID: <foo4%foo1@bar.net>
/// let url = Mid::builder("foo4%foo1@bar.net").build()?;
/// assert_eq!(url.as_str(), "mid:foo4%25foo1@bar.net");
/// // RFC 2392, 2
/// let url = Mid::builder("960830.1639@XIson.com").part("partA.960830.1639@XIson.com").build()?;
/// assert_eq!(url.as_str(), "mid:960830.1639@XIson.com/partA.960830.1639@XIson.com");
/// # Ok::<(), urikit_schemes::BuildError>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct MidBuilder<'a> {
    message_id: Data<'a>,
    content_id: Option<Data<'a>>,
}

#[cfg(feature = "alloc")]
impl Mid<'_> {
    /// Starts building a URL for the message with that Message-ID.
    pub fn builder<T: AsRef<[u8]> + ?Sized>(message_id: &T) -> MidBuilder<'_> {
        MidBuilder {
            message_id: data(message_id),
            content_id: None,
        }
    }
}

#[cfg(feature = "alloc")]
impl<'a> MidBuilder<'a> {
    /// Sets the Content-ID of a body part.
    #[must_use]
    pub fn part<T: AsRef<[u8]> + ?Sized>(mut self, content_id: &'a T) -> Self {
        self.content_id = Some(data(content_id));
        self
    }
}

#[cfg(feature = "alloc")]
build_methods!(
    MidBuilder,
    /// Builds the URL as an RFC 3986 URI.
    build,
    /// Fails if an identifier is not an `addr-spec` (RFC 822, 6.1).
    errors
);

#[cfg(feature = "alloc")]
impl Parts for MidBuilder<'_> {
    fn scheme(&self) -> &'static str {
        MID_DEFINITION.facts.name
    }

    fn write(&self, text: &mut UrlText) {
        text.escape(&self.message_id, Place::Path, &IDENTIFIER);
        if let Some(content_id) = &self.content_id {
            text.push("/");
            text.escape(content_id, Place::Path, &IDENTIFIER);
        }
    }

    fn check(&self, url: AnyRef<'_>, _: Standard) -> Result<(), BuildError> {
        let read = Mid::read(url)?;
        unchanged(
            "message identifier",
            is(read.message_id(), &self.message_id),
        )?;
        let content_id = is_some(read.content_id(), self.content_id.as_deref());
        unchanged("content identifier", content_id)
    }
}

pub(super) static CID: Builtin = builtin!(CID_DEFINITION, Cid);

/// A cid URL.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::Cid;
/// // RFC 2392, 2
/// let url = Uri::parse("cid:foo4*foo1@bar.net")?;
/// assert_eq!(Cid::read(url)?.content_id(), "foo4*foo1@bar.net");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Cid<'a> {
    content_id: Encoded<'a>,
    read_by: ReadBy,
}

reading!(
    Cid,
    "a cid URL",
    /// Returns the parts of the URL as named values, for display or for JSON: `content_id`,
    /// decoded.
    details
);

impl<'a> Cid<'a> {
    /// Reads a reference as a cid URL according to the specifications of `edition`.
    ///
    /// # Errors
    ///
    /// Fails if the reference is not a cid URL under that edition.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let shape = Shape::new(reference, edition, &CID_DEFINITION)?;
        let content_id = shape.scheme_part();
        if !shape.is_by_rfc1630() {
            // Under RFC 1630, the parser has already checked the identifier.
            shape.no_authority("a content identifier, and no `//`")?;
            shape.no_query("no query (a `?` in an identifier is written `%3F`)")?;
            url_addr_spec(&shape, content_id)?;
        }
        Ok(Self {
            content_id,
            read_by: shape.read_by(),
        })
    }

    /// Returns the Content-ID without its angle brackets, as written.
    pub const fn content_id(&self) -> Encoded<'a> {
        self.content_id
    }
}

#[cfg(feature = "alloc")]
impl<'a> Cid<'a> {
    fn values(&self, details: Details<'a>) -> Details<'a> {
        details.with("content_id", self.content_id())
    }
}

/// Builds a cid URL from the octets of a Content-ID, as it appears in a message, without angle
/// brackets.
///
/// ```
/// use urikit_schemes::Cid;
/// let url = Cid::builder("foo4%foo1@bar.net").build()?; // RFC 2392, 2
/// assert_eq!(url.as_str(), "cid:foo4%25foo1@bar.net");
/// # Ok::<(), urikit_schemes::BuildError>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct CidBuilder<'a> {
    content_id: Data<'a>,
}

#[cfg(feature = "alloc")]
impl Cid<'_> {
    /// Starts building a URL for the body part with that Content-ID.
    pub fn builder<T: AsRef<[u8]> + ?Sized>(content_id: &T) -> CidBuilder<'_> {
        CidBuilder {
            content_id: data(content_id),
        }
    }
}

#[cfg(feature = "alloc")]
build_methods!(
    CidBuilder,
    /// Builds the URL as an RFC 3986 URI.
    build,
    /// Fails if an identifier is not an `addr-spec` (RFC 822, 6.1).
    errors
);

#[cfg(feature = "alloc")]
impl Parts for CidBuilder<'_> {
    fn scheme(&self) -> &'static str {
        CID_DEFINITION.facts.name
    }

    fn write(&self, text: &mut UrlText) {
        text.escape(&self.content_id, Place::Path, &IDENTIFIER);
    }

    fn check(&self, url: AnyRef<'_>, _: Standard) -> Result<(), BuildError> {
        let read = Cid::read(url)?.content_id();
        unchanged("content identifier", is(read, &self.content_id))
    }
}
