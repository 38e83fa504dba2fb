//! References found in documents, with their positions in the markup and their base URIs.

mod base;
mod collected;
mod place;

use crate::decode::lossy;
use crate::link::{Kind, Link, Marks};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;
use urikit::op::{Layer, Repaired};
use urikit::{AnyRef, ParseError};

pub use base::BaseError;
pub use collected::Collected;
pub use place::{Place, Position, Syntax};

pub(crate) use base::{Bases, check_base};
#[cfg(all(feature = "zip", feature = "xml"))]
pub(crate) use place::Location;
pub(crate) use place::{InPiece, PlaceParts, Positions, PositionsIn};

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
pub struct Found<'a> {
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

impl<'a> Found<'a> {
    /// Creates the reference of a link in plain text; `written` is the text in the link's range.
    pub(crate) fn plain(link: Link<'a>, written: &'a [u8], bases: &'a Bases) -> Self {
        let text = match link.uri {
            // Most references are identical to the text, and can be borrowed.
            Cow::Borrowed(uri) if core::ptr::eq(uri.as_bytes(), written) => Cow::Borrowed(uri),
            _ => lossy(written),
        };
        Self {
            range: link.range(),
            position: None,
            kind: link.kind(),
            text,
            alternative: link.alternative.map(Cow::Owned),
            uri: link.uri,
            bases: Cow::Borrowed(bases),
            part: None,
            place: Place::default(),
            marks: link.marks,
        }
    }

    /// Returns the byte range in the file, which includes the wrapper of a wrapped link. In a mail
    /// part with a transfer encoding, the range is that of the encoded bytes.
    ///
    /// A hyperlink in Office Open XML has the range of its identifier, and a link in a shared
    /// string has the range of the cell's index into the shared strings.
    ///
    /// A reference link in Markdown (`[text][label]` or `[label]`) has the range of the link,
    /// although its [`uri`](Self::uri) is written in the definition. The definition is reported
    /// too, with its own range and [`Syntax::Definition`].
    ///
    /// ```
    /// use urikit_extract::document::{Extractor, Format, Syntax};
    /// let text = "See [the RFC][r].\n\n[r]: http://a.example/";
    /// let mut found = Vec::new();
    /// Extractor::new().extract(Format::Markdown, text.as_bytes(), &mut |reference| {
    ///     let syntax = reference.place().syntax().unwrap();
    ///     found.push((syntax, text[reference.range()].to_owned(), reference.uri().to_owned()));
    /// })?;
    /// let uri = "http://a.example/".to_owned();
    /// assert_eq!(found[0], (Syntax::Reference, "[the RFC][r]".to_owned(), uri.clone()));
    /// assert_eq!(found[1], (Syntax::Definition, uri.clone(), uri));
    /// # Ok::<(), urikit_extract::document::TooLong>(())
    /// ```
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Returns the line and column where the reference begins, if
    /// [enabled](crate::document::Extractor::positions).
    pub const fn position(&self) -> Option<Position> {
        self.position
    }

    /// Returns how the reference was recognized: [`Kind::Link`] in markup, other kinds in text.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the text in the [range](Self::range) as UTF-8: with the character references of the
    /// markup, but without the transfer encoding of mail. U+FFFD replaces invalid bytes.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the reference without the escapes of the markup. The reference may be relative or
    /// [invalid](Self::is_valid); [`repaired`](Self::repaired) returns a valid one.
    ///
    /// For a reference link in Markdown (`[label]`), this is the URI of the definition, while
    /// [`range`](Self::range) and [`text`](Self::text) are those of the link.
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// Returns the alternative reading of a wrapped link; see [`Link::alternative`].
    pub fn alternative(&self) -> Option<&str> {
        self.alternative.as_deref()
    }

    /// Parses the reference under the extractor's [standard](crate::document::Extractor::standard).
    /// The default is RFC 3986, or RFC 3987 if the reference has non-ASCII characters.
    ///
    /// # Errors
    ///
    /// Fails if the reference is not valid.
    pub fn reference(&self) -> Result<AnyRef<'_>, ParseError> {
        self.marks.parse(&self.uri)
    }

    /// Returns true if [`reference`](Self::reference) succeeds. The search has already checked
    /// most links in text, so they are not parsed here.
    pub fn is_valid(&self) -> bool {
        self.marks.accept(&self.uri)
    }

    /// Returns true if a link in text is a template; see [`Link::is_template`].
    pub const fn is_template(&self) -> bool {
        self.marks.is_template
    }

    /// Returns true if a link in text was cut off; see [`Link::is_cut`].
    pub const fn is_cut(&self) -> bool {
        self.marks.is_cut
    }

    /// Returns the part of the message that a `cid:` URL in mail refers to by its `Content-ID` (RFC
    /// 2392): the byte range of the header and body of the part in the file. Returns `None` if the
    /// message does not have this part, and for all other references.
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

    /// Returns the place in the markup of the document: the element and attribute, the syntax of
    /// Markdown, or the header field. For links in text, the place is empty.
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

    /// Returns the base URI of the reference, and the layer that the base comes from (RFC 3986,
    /// 5.1; RFC 2396, 5.1).
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

    /// Returns the target: the reference resolved against its base (RFC 3986, 5.2). An invalid
    /// reference is [repaired](Self::repaired) first. Returns `None` if the reference has no base
    /// or cannot be repaired.
    pub fn target(&self) -> Option<String> {
        let target = self.bases.target(&self.uri, self.marks.standard);
        target.or_else(|| self.bases.target(self.repaired()?.reference.as_str(), None))
    }

    /// Repairs an invalid reference with [`urikit::repair`], as browsers do, and returns the result
    /// with the changes. The offsets of the changes refer to [`uri`](Self::uri). Returns `None` if
    /// the reference is valid or cannot be repaired, for example because of a second `@` or a
    /// space in a host.
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

/// A reference found in markup, before its bases are known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Unresolved<'a, P = Place<'a>> {
    pub(crate) range: Range<usize>,
    pub(crate) kind: Kind,
    /// The reference in the document, with its escapes.
    pub(crate) text: Cow<'a, [u8]>,
    pub(crate) uri: Cow<'a, str>,
    pub(crate) alternative: Option<String>,
    /// The base URI that the element itself sets for this reference (`codebase`).
    pub(crate) codebase: Option<Arc<str>>,
    pub(crate) place: P,
    pub(crate) marks: Marks,
}

impl<'a> Unresolved<'a> {
    /// Converts the reference to a [`Found`] with these base URIs.
    pub(crate) fn into_reference(self, bases: Cow<'a, Bases>) -> Found<'a> {
        Found {
            range: self.range,
            position: None,
            kind: self.kind,
            text: match (&self.uri, self.text) {
                // For most references, the URI is the text itself, which is therefore known to be
                // UTF-8.
                (Cow::Borrowed(uri), Cow::Borrowed(text))
                    if core::ptr::eq(uri.as_bytes(), text) =>
                {
                    Cow::Borrowed(*uri)
                }
                (_, Cow::Borrowed(text)) => lossy(text),
                (_, Cow::Owned(text)) => Cow::Owned(lossy(&text).into_owned()),
            },
            uri: self.uri,
            alternative: self.alternative.map(Cow::Owned),
            bases,
            part: None,
            place: self.place,
            marks: self.marks,
        }
    }

    /// Makes the reference independent of the document, so that it can be stored. `text` replaces
    /// the text of the reference, and borrows from storage that lives long enough.
    pub(crate) fn held<'t>(self, text: Cow<'t, [u8]>, places: &mut SharedPlaces) -> Held<'t> {
        Unresolved {
            range: self.range,
            kind: self.kind,
            text,
            uri: Cow::Owned(self.uri.into_owned()),
            alternative: self.alternative,
            codebase: self.codebase,
            place: places.share(self.place),
            marks: self.marks,
        }
    }
}

/// A stored reference. All references in one element share a place to save memory, because a
/// document may contain millions of references.
pub(crate) type Held<'a> = Unresolved<'a, Arc<Place<'static>>>;

impl Held<'_> {
    /// Passes the stored reference to `each`.
    pub(crate) fn release(self, each: impl FnOnce(Unresolved<'_>)) {
        each(Unresolved {
            range: self.range,
            kind: self.kind,
            text: self.text,
            uri: self.uri,
            alternative: self.alternative,
            codebase: self.codebase,
            place: self.place.borrowed(),
            marks: self.marks,
        });
    }
}

/// Stores the places of references, so that equal places share memory.
#[derive(Clone, Default, Debug)]
pub(crate) struct SharedPlaces {
    last: Arc<Place<'static>>,
}

impl SharedPlaces {
    /// Returns a shared copy of a place, which is the previous copy if the two places are equal.
    fn share(&mut self, place: Place<'_>) -> Arc<Place<'static>> {
        if *self.last != place {
            self.last = Arc::new(place.into_owned());
        }
        Arc::clone(&self.last)
    }
}

/// The limits that were exceeded while a document was read. Content within the limits was read
/// completely.
///
/// ```
/// use urikit_extract::document::{Extractor, Format};
/// let page = format!("<base href='http://a.example/{}'><a href=b>", "x".repeat(8192));
/// let mut targets = Vec::new();
/// let report = Extractor::new()
///     .extract(Format::Html, page.as_bytes(), &mut |found| targets.push(found.target()))?;
/// assert_eq!(report.exceeded.long_bases, 1);
/// assert_eq!(targets[1], None); // its base is not known
/// # Ok::<(), urikit_extract::document::TooLong>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Exceeded {
    /// The number of base URIs longer than 8 KiB that the document declares with `<base>`,
    /// `codebase`, `Content-Base` or `Content-Location`. References relative to such a base are
    /// reported without a base and without a target.
    pub long_bases: usize,
    /// The number of documents whose first `<base>` begins after the first mebibyte. A base that
    /// begins so late does not apply to the references before it.
    pub late_bases: usize,
    /// The number of HTML tags longer than 16 MiB, which were read as text.
    pub long_tags: usize,
    /// The number of Markdown definitions that come too far after a use to apply to it. A document
    /// longer than 4 MiB is read in sections, and a definition applies to at least 1 MiB of text
    /// before it.
    pub late_definitions: usize,
    /// The number of mail parts that are nested more than 32 levels deep, which were read as text.
    pub deep_parts: usize,
    /// Uses of definitions after this offset are not reported: uses of reference definitions in
    /// Markdown, attributes in AsciiDoc, abbreviations in Org, and shared strings in spreadsheets.
    /// The total length of the URIs of all uses is limited to the length of the document or 100,000
    /// bytes, whichever is greater. For cells, the limit is 64 times the length of the document
    /// plus 1 MiB. A Markdown document longer than 4 MiB is read in sections. The limit then
    /// applies to each section, and at most 1 MiB of definitions applies to later sections.
    ///
    /// ```
    /// use urikit_extract::document::{Extractor, Format};
    /// let definition = format!("[a]: http://a.example/{}\n\n", "b".repeat(60_000));
    /// let report = Extractor::new().extract(
    ///     Format::Markdown,
    ///     (definition.clone() + "[a] [a] [a]").as_bytes(),
    ///     &mut |_| {},
    /// )?;
    /// assert_eq!(report.exceeded.definitions_until, Some(definition.len() + "[a] [a]".len()));
    /// # Ok::<(), urikit_extract::document::TooLong>(())
    /// ```
    pub definitions_until: Option<usize>,
}

impl Exceeded {
    /// Returns true if no limit was exceeded.
    ///
    /// ```
    /// use urikit_extract::document::Exceeded;
    /// assert!(Exceeded::default().is_none());
    /// ```
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Adds the counts from a part of the document.
    pub(crate) fn add(&mut self, other: Self) {
        self.long_bases += other.long_bases;
        self.late_bases += other.late_bases;
        self.long_tags += other.long_tags;
        self.late_definitions += other.late_definitions;
        self.deep_parts += other.deep_parts;
        self.definitions_until = self.definitions_until.or(other.definitions_until);
    }
}
