//! Building mid URLs from identifiers.

use super::super::build::{BuildError, Data, UNRESERVED, UrlText, data, uri};
use super::Mid;
use urikit::component::Encoded;
use urikit::grammar::ByteSet;
use urikit::percent::Place;
use urikit::{AnyRefBuf, Standard, UriBuf};

/// What is not escaped in an identifier.
pub(in super::super) const IDENTIFIER: ByteSet = UNRESERVED.or(ByteSet::of(b"@"));

/// Builds a mid URL from identifiers, which are octets as in a message, without angle brackets.
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
#[derive(Clone, Debug)]
pub struct MidBuilder<'a> {
    message_id: Data<'a>,
    content_id: Option<Data<'a>>,
}

impl Mid<'_> {
    /// Starts a URL for the message with that Message-ID.
    pub fn builder<T: AsRef<[u8]> + ?Sized>(message_id: &T) -> MidBuilder<'_> {
        MidBuilder {
            message_id: data(message_id),
            content_id: None,
        }
    }
}

impl<'a> MidBuilder<'a> {
    /// Sets the Content-ID of a body part.
    #[must_use]
    pub fn part<T: AsRef<[u8]> + ?Sized>(mut self, content_id: &'a T) -> Self {
        self.content_id = Some(data(content_id));
        self
    }

    /// Builds the URL as a URI of RFC 3986.
    ///
    /// # Errors
    ///
    /// If an identifier is not an `addr-spec`.
    pub fn build(self) -> Result<UriBuf, BuildError> {
        self.build_any(Standard::Rfc3986).and_then(uri)
    }

    /// Builds the URL as a reference of `standard`. RFC 1630 has no Content-ID here.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn build_any(self, standard: Standard) -> Result<AnyRefBuf, BuildError> {
        let mut text = UrlText::new("mid", standard);
        text.escape(&self.message_id, Place::Path, &IDENTIFIER);
        if let Some(content_id) = &self.content_id {
            text.push("/");
            text.escape(content_id, Place::Path, &IDENTIFIER);
        }
        text.finish(|url| {
            let read = Mid::read(url).map_err(BuildError::Scheme)?;
            let is = |part: Encoded<'_>, data: &Data<'_>| {
                part.decode().octets().eq(data.iter().copied())
            };
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
