//! What was found in a document.

use super::base::Bases;
use super::position::Position;
use crate::link::{Kind, Link, standard_of};
use std::borrow::Cow;
use std::ops::Range;
use urikit::op::Layer;
use urikit::{AnyRef, ParseError};

/// A reference that stands in a document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reference<'a> {
    pub(crate) range: Range<usize>,
    pub(crate) position: Option<Position>,
    pub(crate) kind: Kind,
    pub(crate) text: Cow<'a, str>,
    pub(crate) uri: Cow<'a, str>,
    pub(crate) alternative: Option<Cow<'a, str>>,
    pub(crate) bases: Cow<'a, Bases>,
    pub(crate) part: Option<Range<usize>>,
}

impl<'a> Reference<'a> {
    /// One that plain text has, in which `written` stands at the link's range.
    pub(crate) fn plain(link: Link<'a>, written: &'a [u8], bases: &'a Bases) -> Self {
        Self {
            range: link.range(),
            position: None,
            kind: link.kind(),
            text: String::from_utf8_lossy(written),
            alternative: link.alternative.map(Cow::Owned),
            uri: link.uri,
            bases: Cow::Borrowed(bases),
            part: None,
        }
    }

    /// Where it stands in the file as it is on disk: bytes, of a wrapped link with its wrapper. In a mail's part whose transfer
    /// encoding hides the text, these are the bytes that encode it.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// The line and column where it begins, if they are [asked for](crate::document::Extractor::positions).
    pub const fn position(&self) -> Option<Position> {
        self.position
    }

    /// How it was told from what surrounds it: [`Kind::Link`] where markup says that a reference stands.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// As written: with the entities of its markup, but without a mail's transfer encoding and in UTF-8. U+FFFD stands
    /// for bytes that are no text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The reference, with the markup's own escapes undone; it can be relative, and anything at all.
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// The other reading of a wrapped link, see [`Link::alternative`].
    pub fn alternative(&self) -> Option<&str> {
        self.alternative.as_deref()
    }

    /// The reference, read: as a URI (RFC 3986), or as an IRI (RFC 3987) where it has characters beyond US-ASCII.
    ///
    /// # Errors
    ///
    /// Where it is none: markup can hold anything.
    pub fn reference(&self) -> Result<AnyRef<'_>, ParseError> {
        standard_of(&self.uri).parse(&self.uri)
    }

    /// What a `cid:` URL in mail names (RFC 2392): the part with that `Content-ID`, as the bytes on disk of its header and
    /// body. `None` where the message has none, and for all other references.
    ///
    /// ```
    /// use urikit_extract::document::{Extractor, Format};
    /// // after RFC 2110, 9.2
    /// let message = b"Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n\
    ///     <img src=\"cid:foo4*foo1@bar.net\">\n--b\nContent-ID: <foo4*foo1@bar.net>\nContent-Type: image/gif\n\nGIF\n--b--\n";
    /// let mut part = None;
    /// Extractor::new().extract(Format::Mail, message, &mut |found| part = found.part())?;
    /// assert!(message[part.unwrap()].starts_with(b"Content-ID:"));
    /// # Ok::<(), urikit_extract::document::TooLong>(())
    /// ```
    pub fn part(&self) -> Option<Range<usize>> {
        self.part.clone()
    }

    /// The base URI that it is relative to, and where that is from (RFC 2396, 5.1).
    pub fn base(&self) -> Option<(Layer, &str)> {
        self.bases.innermost()
    }

    /// The reference resolved against its base (RFC 3986, 5.2); `None` without a base, and where either is no reference.
    pub fn target(&self) -> Option<String> {
        self.bases.target(&self.uri)
    }
}
