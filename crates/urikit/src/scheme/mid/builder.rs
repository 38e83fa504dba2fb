//! From identifiers to a mid URL.

use super::super::build::{BuildError, Data, UNRESERVED, UrlText, data};
use super::Mid;
use crate::UriRefBuf;
use crate::component::Encoded;
use crate::grammar::ByteSet;
use crate::op::percent::Component;
use crate::standard::{Rfc3986, Spec};

/// What stands for itself in an identifier.
pub(in super::super) const IDENTIFIER: ByteSet = UNRESERVED.or(ByteSet::of(b"@"));

/// Makes a mid URL out of identifiers, which are octets as a message has them, without angle brackets.
///
/// ```
/// use urikit::scheme::Mid;
/// // RFC 2111, 2: Message-ID: <foo4%foo1@bar.net>
/// let url = Mid::of("foo4%foo1@bar.net").build()?;
/// assert_eq!(url.as_str(), "mid:foo4%25foo1@bar.net");
/// // RFC 2392, 2
/// let url = Mid::of("960830.1639@XIson.com").part("partA.960830.1639@XIson.com").build()?;
/// assert_eq!(url.as_str(), "mid:960830.1639@XIson.com/partA.960830.1639@XIson.com");
/// # Ok::<(), urikit::scheme::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct MidBuilder<'a> {
    message_id: Data<'a>,
    content_id: Option<Data<'a>>,
}

impl Mid<'_> {
    /// Begins a URL of the message with that Message-ID.
    pub fn of<T: AsRef<[u8]> + ?Sized>(message_id: &T) -> MidBuilder<'_> {
        MidBuilder {
            message_id: data(message_id),
            content_id: None,
        }
    }
}

impl<'a> MidBuilder<'a> {
    /// The body part with that Content-ID.
    #[must_use]
    pub fn part<T: AsRef<[u8]> + ?Sized>(mut self, content_id: &'a T) -> Self {
        self.content_id = Some(data(content_id));
        self
    }

    /// The URL, as a reference of RFC 3986.
    ///
    /// # Errors
    ///
    /// Where an identifier is no `addr-spec`.
    pub fn build(self) -> Result<UriRefBuf, BuildError> {
        self.build_as::<Rfc3986>()
    }

    /// The URL, as a reference of `S`. RFC 1630 has no Content-ID here.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn build_as<S: Spec>(self) -> Result<UriRefBuf<S>, BuildError> {
        let mut text = UrlText::<S>::new("mid");
        text.escape(&self.message_id, Component::Path, &IDENTIFIER);
        if let Some(content_id) = &self.content_id {
            text.push("/");
            text.escape(content_id, Component::Path, &IDENTIFIER);
        }
        text.finish(|url| {
            let read = Mid::read(url).map_err(BuildError::Scheme)?;
            let is = |part: Encoded<'_>, data: &Data<'_>| part.decode().eq(data.iter().copied());
            let is_part = match (read.content_id(), &self.content_id) {
                (Some(part), Some(data)) => is(part, data),
                (part, data) => part.is_none() && data.is_none(),
            };
            let part = if !is(read.message_id(), &self.message_id) {
                "message identifier"
            } else if !is_part {
                "content identifier"
            } else {
                return Ok(());
            };
            Err(BuildError::Misread { part })
        })
    }
}
