//! A reference found in a document.

use super::base::Bases;
use super::place::Place;
use super::position::Position;
use crate::link::{Kind, Link, Marks};
use std::borrow::Cow;
use std::ops::Range;
use urikit::op::{Layer, Repaired};
use urikit::{AnyRef, ParseError};

/// A reference found in a document.
///
/// ```
/// use urikit::op::Layer;
/// use urikit_extract::Kind;
/// use urikit_extract::document::{Extractor, Format};
///
/// let page = br#"<a href="b?c&amp;d">"#;
/// let extractor = Extractor::new().base(Layer::Retrieval, "http://a.example/")?;
/// let mut count = 0;
/// extractor.extract(Format::Html, page, &mut |reference| {
///     assert_eq!(reference.kind(), Kind::Link);
///     assert_eq!(reference.range(), 9..18);
///     assert_eq!(reference.text(), "b?c&amp;d");
///     assert_eq!(reference.uri(), "b?c&d");
///     assert_eq!(reference.target().as_deref(), Some("http://a.example/b?c&d"));
///     count += 1;
/// })?;
/// assert_eq!(count, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    pub(crate) place: Place<'a>,
    pub(crate) marks: Marks,
}

impl<'a> Reference<'a> {
    /// A link found in plain text; `written` is the text in its range.
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
            place: Place::default(),
            marks: link.marks,
        }
    }

    /// The byte range in the file, of a wrapped link including the wrapper. In a mail part with a
    /// transfer encoding, these are the encoded bytes.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// The line and column where the reference begins, if
    /// [enabled](crate::document::Extractor::positions).
    pub const fn position(&self) -> Option<Position> {
        self.position
    }

    /// How the reference was recognized: [`Kind::Link`] in markup, the other kinds in text.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// The reference as written, in UTF-8: with the character references of its markup, but
    /// without the transfer encoding of mail. U+FFFD replaces invalid bytes.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The reference without the escapes of the markup. It may be relative, and it need not be
    /// [valid](Self::is_valid); [`repaired`](Self::repaired) is.
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// The other reading of a wrapped link, see [`Link::alternative`].
    pub fn alternative(&self) -> Option<&str> {
        self.alternative.as_deref()
    }

    /// Parses the reference: under the extractor's
    /// [standard](crate::document::Extractor::standard); without one, as a URI (RFC 3986), or as an
    /// IRI (RFC 3987) if it has characters beyond US-ASCII.
    ///
    /// # Errors
    ///
    /// If it is not a valid reference.
    pub fn reference(&self) -> Result<AnyRef<'_>, ParseError> {
        self.marks.parse(&self.uri)
    }

    /// Whether [`reference`](Self::reference) succeeds. It is faster for most links in text, of
    /// which this is known from the search.
    pub fn is_valid(&self) -> bool {
        self.marks.accept(&self.uri)
    }

    /// Whether a link in text had to be cut, see [`Link::is_cut`].
    pub const fn is_cut(&self) -> bool {
        self.marks.is_cut
    }

    /// The part of the message that a `cid:` URL in mail refers to (RFC 2392): the part with that
    /// `Content-ID`, as the byte range of its header and body in the file. `None` if the message
    /// has no such part, and for all other references.
    ///
    /// ```
    /// use urikit_extract::document::{Extractor, Format};
    /// // after RFC 2110, 9.2
    /// let message = b"Content-Type: multipart/related; boundary=b\n\n\
    ///     --b\nContent-Type: text/html\n\n\
    ///     <img src=\"cid:foo4*foo1@bar.net\">\n--b\nContent-ID: <foo4*foo1@bar.net>\n\
    ///     Content-Type: image/gif\n\nGIF\n--b--\n";
    /// let mut part = None;
    /// Extractor::new().extract(Format::Mail, message, &mut |found| part = found.part())?;
    /// assert!(message[part.unwrap()].starts_with(b"Content-ID:"));
    /// # Ok::<(), urikit_extract::document::TooLong>(())
    /// ```
    pub fn part(&self) -> Option<Range<usize>> {
        self.part.clone()
    }

    /// Where in the markup of the document it was found: the element and the attribute, the kind of
    /// place in Markdown, the header field. All of it is absent for links in text.
    ///
    /// ```
    /// use urikit_extract::document::{Extractor, Format};
    /// let message = b"List-Help: <http://a.example/>\n\n";
    /// Extractor::new().extract(Format::Mail, message, &mut |found| {
    ///     assert_eq!(found.place().field(), Some("List-Help"));
    /// })?;
    /// # Ok::<(), urikit_extract::document::TooLong>(())
    /// ```
    pub const fn place(&self) -> &Place<'a> {
        &self.place
    }

    /// The base URI that applies to the reference, and the layer it comes from (RFC 3986, 5.1; RFC
    /// 2396, 5.1).
    ///
    /// ```
    /// use urikit::op::Layer;
    /// use urikit_extract::document::{Extractor, Format};
    /// let page = br#"<base href="http://a.example/b/"><a href="c">"#;
    /// let mut base = None;
    /// Extractor::new().extract(Format::Html, page, &mut |reference| {
    ///     base = reference.base().map(|(layer, uri)| (layer, uri.to_owned()));
    /// })?;
    /// assert_eq!(base, Some((Layer::Embedded, "http://a.example/b/".to_owned())));
    /// # Ok::<(), urikit_extract::document::TooLong>(())
    /// ```
    pub fn base(&self) -> Option<(Layer, &str)> {
        self.bases.innermost()
    }

    /// The target: the reference resolved against its base (RFC 3986, 5.2). One that is not valid is
    /// [repaired](Self::repaired) first. `None` if there is no base, and if the
    /// reference or the base is not valid.
    pub fn target(&self) -> Option<String> {
        let target = self.bases.target(&self.uri, self.marks.standard);
        target.or_else(|| self.bases.target(self.repaired()?.reference.as_str(), None))
    }

    /// What [`urikit::repair`] makes of a reference that is not valid, as browsers do, and what it
    /// changes; offsets are those in [`uri`](Self::uri). `None` if it is valid, and
    /// if it cannot be repaired: a second `@`, or a space in a host, stays an error.
    ///
    /// ```
    /// use urikit::op::Layer;
    /// use urikit_extract::document::{Extractor, Format};
    /// let page = br#"<a href="a b|c">"#;
    /// let extractor = Extractor::new().base(Layer::Retrieval, "http://a.example/")?;
    /// extractor.extract(Format::Html, page, &mut |reference| {
    ///     assert_eq!(reference.uri(), "a b|c"); // as written
    ///     assert!(reference.reference().is_err());
    ///     assert_eq!(reference.target().as_deref(), Some("http://a.example/a%20b%7Cc"));
    ///     let repaired = reference.repaired().unwrap();
    ///     assert_eq!(repaired.reference, "a%20b%7Cc");
    ///     assert_eq!((repaired.changes[0].offset, &*repaired.changes[0].became), (1, "%20"));
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn repaired(&self) -> Option<Repaired> {
        if self.is_valid() {
            return None;
        }
        self.bases.repair(&self.uri)
    }
}
