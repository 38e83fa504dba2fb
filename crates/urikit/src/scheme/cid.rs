//! `cid`: a body part by its Content-ID, within the message that refers to it.
//!
//! ```text
//! cidaddress = c i d : content-identifier                         RFC 1630
//! cid-url    = "cid" ":" content-id                                RFC 2392, 2
//! content-id = url-addr-spec
//! ```
//!
//! What `mid` says of identifiers holds here too.

#[cfg(feature = "alloc")]
use super::build::{BuildError, Data, UrlText, data};
use super::builtin::{Builtin, builtin};
#[cfg(feature = "alloc")]
use super::mid::IDENTIFIER;
use super::mid::{text, url_addr_spec};
use super::shape::Shape;
#[cfg(feature = "alloc")]
use super::{AccessError, Details, Step};
use super::{Denotes, Edition, Facts, ReadError, Status};
#[cfg(feature = "alloc")]
use crate::UriRefBuf;
use crate::component::Encoded;
use crate::grammar::Rule;
#[cfg(feature = "alloc")]
use crate::op::percent::Component;
#[cfg(feature = "alloc")]
use crate::standard::{Rfc3986, Spec};
use crate::{AnyRef, Standard};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

const FACTS: Facts<'static> = Facts::new("cid")
    .title("Body part of a message")
    .status(Status::Permanent)
    .denotes(Denotes::Name)
    .texts(&["RFC 1630, Content-Id", "RFC 2111", "RFC 2392"]);

pub(super) static CID: Builtin = builtin!(FACTS, Cid);

const CID_URL: Rule = Rule::new("cid-url", "RFC 2392, 2");

/// A cid URL.
///
/// ```
/// use urikit::UriRef;
/// use urikit::scheme::Cid;
/// // RFC 2392, 2
/// let url = UriRef::parse("cid:foo4*foo1@bar.net")?;
/// assert_eq!(Cid::read(url.as_any())?.content_id(), "foo4*foo1@bar.net");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Cid<'a> {
    content_id: Encoded<'a>,
    text: &'static str,
}

impl<'a> Cid<'a> {
    /// Reads a reference as a cid URL, by the edition of its standard.
    ///
    /// # Errors
    ///
    /// Where the reference is no cid URL.
    pub fn read(reference: AnyRef<'a>) -> Result<Self, ReadError> {
        Self::read_as(reference, Edition::of(reference.standard()))
    }

    /// Reads a reference as a cid URL by the texts of an edition.
    ///
    /// # Errors
    ///
    /// Where the reference is no cid URL by that edition.
    pub fn read_as(reference: AnyRef<'a>, edition: Edition) -> Result<Self, ReadError> {
        let shape = Shape::new(reference, edition, FACTS.name, CID_URL)?;
        let content_id = shape.scheme_part();
        if edition == Edition::Original && reference.standard() == Standard::Rfc1630 {
            // The parser has judged it.
            let text = "RFC 1630, Content-Id";
            return Ok(Self { content_id, text });
        }
        shape.no_authority("a content identifier, and no `//`")?;
        shape.no_query("no query (a `?` in an identifier is written `%3F`)")?;
        url_addr_spec(&shape, content_id)?;
        let text = text(edition);
        Ok(Self { content_id, text })
    }

    /// The Content-ID without its angle brackets, as written.
    pub const fn content_id(&self) -> Encoded<'a> {
        self.content_id
    }

    /// The text that it was read by.
    pub const fn text(&self) -> &'static str {
        self.text
    }
}

#[cfg(feature = "alloc")]
impl<'a> Cid<'a> {
    /// What it means: `content_id`, decoded.
    pub fn details(&self) -> Details<'a> {
        Details::new(FACTS.name, self.text()).with("content_id", self.content_id())
    }

    /// What a client does, in words: it looks in the message that it has the URL from.
    ///
    /// # Errors
    ///
    /// None; other schemes have some.
    pub fn steps(&self) -> Result<Vec<Step<'a>>, AccessError> {
        let what = "takes of the message that refers to it the body part";
        Ok(Vec::from([Step::act(what, self.content_id)]))
    }
}

/// Makes a cid URL out of a Content-ID, which is octets as a message has them, without angle brackets.
///
/// ```
/// use urikit::scheme::Cid;
/// let url = Cid::of("foo4%foo1@bar.net").build()?; // RFC 2392, 2
/// assert_eq!(url.as_str(), "cid:foo4%25foo1@bar.net");
/// # Ok::<(), urikit::scheme::BuildError>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct CidBuilder<'a> {
    content_id: Data<'a>,
}

#[cfg(feature = "alloc")]
impl Cid<'_> {
    /// Begins a URL of the body part with that Content-ID.
    pub fn of<T: AsRef<[u8]> + ?Sized>(content_id: &T) -> CidBuilder<'_> {
        CidBuilder {
            content_id: data(content_id),
        }
    }
}

#[cfg(feature = "alloc")]
impl CidBuilder<'_> {
    /// The URL, as a reference of RFC 3986.
    ///
    /// # Errors
    ///
    /// Where the identifier is no `addr-spec`.
    pub fn build(self) -> Result<UriRefBuf, BuildError> {
        self.build_as::<Rfc3986>()
    }

    /// The URL, as a reference of `S`.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn build_as<S: Spec>(self) -> Result<UriRefBuf<S>, BuildError> {
        let mut text = UrlText::<S>::new("cid");
        text.escape(&self.content_id, Component::Path, &IDENTIFIER);
        text.finish(|url| {
            let read = Cid::read(url).map_err(BuildError::Scheme)?.content_id();
            if read.decode().eq(self.content_id.iter().copied()) {
                Ok(())
            } else {
                let part = "content identifier";
                Err(BuildError::Misread { part })
            }
        })
    }
}
