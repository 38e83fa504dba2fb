//! `cid`: a body part by its Content-ID, within the message that refers to it.
//!
//! ```text
//! cidaddress = c i d : content-identifier                         RFC 1630
//! cid-url    = "cid" ":" content-id                                RFC 2392, 2
//! content-id = url-addr-spec
//! ```
//!
//! The rules for identifiers are those of `mid`.

#[cfg(feature = "alloc")]
use super::Details;
#[cfg(feature = "alloc")]
use super::build::{BuildError, Data, UrlText, data, uri};
use super::builtin::{Builtin, builtin};
#[cfg(feature = "alloc")]
use super::mid::IDENTIFIER;
use super::mid::{specification, url_addr_spec};
use super::shape::Shape;
use super::{Edition, Facts, ReadError, facts};
use urikit::component::Encoded;
use urikit::grammar::Rule;
#[cfg(feature = "alloc")]
use urikit::percent::Place;
use urikit::{AnyRef, Standard};
#[cfg(feature = "alloc")]
use urikit::{AnyRefBuf, UriBuf};

const FACTS: Facts<'static> = facts("cid");

pub(super) static CID: Builtin = builtin!(FACTS, Cid);

const CID_URL: Rule = Rule::new("cid-url", "RFC 2392, 2");

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
    specification: &'static str,
}

impl<'a> Cid<'a> {
    /// Reads a reference as a cid URL, by the edition of its standard.
    ///
    /// # Errors
    ///
    /// If the reference is not a cid URL.
    pub fn read(reference: impl Into<AnyRef<'a>>) -> Result<Self, ReadError> {
        let reference = reference.into();
        Self::read_as(reference, Edition::of(reference.standard()))
    }

    /// Reads a reference as a cid URL by the specifications of `edition`.
    ///
    /// # Errors
    ///
    /// If the reference is not a cid URL by that edition.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let shape = Shape::new(reference, edition, FACTS.name, CID_URL)?;
        let content_id = shape.scheme_part();
        if edition == Edition::Original && reference.standard() == Standard::Rfc1630 {
            // The parser has checked it.
            let specification = "RFC 1630, Content-Id";
            return Ok(Self {
                content_id,
                specification,
            });
        }
        shape.no_authority("a content identifier, and no `//`")?;
        shape.no_query("no query (a `?` in an identifier is written `%3F`)")?;
        url_addr_spec(&shape, content_id)?;
        let specification = specification(edition);
        Ok(Self {
            content_id,
            specification,
        })
    }

    /// The Content-ID without its angle brackets, as written.
    pub const fn content_id(&self) -> Encoded<'a> {
        self.content_id
    }

    /// The specification that it was read by, with the section.
    pub const fn specification(&self) -> &'static str {
        self.specification
    }
}

#[cfg(feature = "alloc")]
impl<'a> Cid<'a> {
    /// All of its meaning as named values, for display or as JSON: `content_id`, decoded.
    pub fn details(&self) -> Details<'a> {
        Details::new(FACTS.name, self.specification()).with("content_id", self.content_id())
    }
}

/// Builds a cid URL from a Content-ID: its octets as in a message, without the angle brackets.
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
    /// Starts a URL for the body part with that Content-ID.
    pub fn builder<T: AsRef<[u8]> + ?Sized>(content_id: &T) -> CidBuilder<'_> {
        CidBuilder {
            content_id: data(content_id),
        }
    }
}

#[cfg(feature = "alloc")]
impl CidBuilder<'_> {
    /// Builds the URL as a URI of RFC 3986.
    ///
    /// # Errors
    ///
    /// If the identifier is not an `addr-spec`.
    pub fn build(self) -> Result<UriBuf, BuildError> {
        self.build_any(Standard::Rfc3986).and_then(uri)
    }

    /// Builds the URL as a reference of `standard`.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn build_any(self, standard: Standard) -> Result<AnyRefBuf, BuildError> {
        let mut text = UrlText::new("cid", standard);
        text.escape(&self.content_id, Place::Path, &IDENTIFIER);
        text.finish(|url| {
            let read = Cid::read(url).map_err(BuildError::Scheme)?.content_id();
            if read.decode().octets().eq(self.content_id.iter().copied()) {
                Ok(())
            } else {
                let part = "content identifier";
                Err(BuildError::Misread { part })
            }
        })
    }
}
