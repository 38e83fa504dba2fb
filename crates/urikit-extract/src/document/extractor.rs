//! Options for reading documents.

use crate::found::{BaseError, Bases, check_base};
#[cfg(feature = "pdf")]
use crate::found::{Found, Place, Syntax, Unresolved};
#[cfg(feature = "pdf")]
use crate::link::{Kind, Marks};
use crate::plain::Finder;
use crate::reader::Context;
use encoding_rs::Encoding;
#[cfg(feature = "pdf")]
use std::borrow::Cow;
use urikit::Standard;
use urikit::op::Layer;

/// Options for extracting references from documents.
///
/// One `Extractor` can read any number of documents, and can be shared between threads.
///
/// ```
/// use urikit::op::Layer;
/// use urikit_extract::document::{Extractor, Format};
///
/// let page = br#"<a href="../x">a hypertext anchor</a>"#;
/// let extractor = Extractor::new().base(Layer::Retrieval, "http://www.ics.uci.edu/Test/a/b/c")?;
/// let mut targets = Vec::new();
/// extractor.extract(Format::Html, page, &mut |reference| targets.extend(reference.target()))?;
/// assert_eq!(targets, ["http://www.ics.uci.edu/Test/a/x"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Extractor {
    pub(super) finder: Finder,
    pub(super) bases: Bases,
    pub(super) max_length: usize,
    pub(super) standard: Option<Standard>,
    pub(super) positions: Places,
    pub(super) charset: Option<&'static Encoding>,
    pub(super) is_deep: bool,
}

/// The references for which a position is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Places {
    None,
    Invalid,
    All,
}

impl Default for Extractor {
    fn default() -> Self {
        Self::new()
    }
}

impl Extractor {
    /// Returns the maximum size of documents that must be buffered in memory, in bytes.
    pub(crate) const fn max_length(&self) -> usize {
        self.max_length
    }

    /// Returns the finder of links in text.
    #[cfg(all(feature = "zip", feature = "xml"))]
    pub(crate) const fn text_finder(&self) -> &Finder {
        &self.finder
    }

    /// Calls `each` with a reference that is not part of the text.
    #[cfg(feature = "pdf")]
    pub(crate) fn link(&self, uri: &str, each: &mut dyn FnMut(Found<'_>)) {
        let found = Unresolved {
            range: 0..0,
            kind: Kind::Link,
            text: Cow::Borrowed(uri.as_bytes()),
            uri: Cow::Borrowed(uri),
            alternative: None,
            codebase: None,
            place: Place::in_syntax(Syntax::Link),
            marks: Marks {
                standard: self.standard.or(self.finder.standard),
                ..Marks::MARKUP
            },
        };
        each(found.into_reference(Cow::Borrowed(&self.bases)));
    }

    /// Returns an extractor for a document that an archive retrieved from this URL, and the number
    /// of URLs that are too long to be a base. An invalid URL is repaired.
    pub(crate) fn retrieved_from(&self, url: &str) -> (Self, usize) {
        let mut long = 0;
        let bases = self.bases.within(Layer::Retrieval, url, &mut long);
        let bases = bases.into_owned();
        let extractor = Self {
            bases,
            ..self.clone()
        };
        (extractor, long)
    }

    /// Returns the options that all readers share.
    pub(super) fn context(&self) -> Context<'_> {
        Context {
            finder: &self.finder,
            max_length: self.max_length,
            is_deep: self.is_deep,
            standard: self.standard.or(self.finder.standard),
            wants_position: match self.positions {
                Places::None => |_| false,
                Places::All => |_| true,
                Places::Invalid => |found| found.is_cut() || !found.is_valid(),
            },
            unpacks: None,
            opens: super::open,
        }
    }

    /// Creates an extractor that finds the references in markup, and links with a scheme in text.
    pub fn new() -> Self {
        Self {
            finder: Finder::new(),
            bases: Bases::default(),
            max_length: 256 << 20,
            standard: None,
            positions: Places::None,
            charset: None,
            is_deep: false,
        }
    }

    /// Sets the finder of links in text: in plain text, and in the text between tags or other
    /// markup.
    ///
    /// ```
    /// use urikit_extract::document::{Extractor, Format};
    /// use urikit_extract::{Finder, Kind};
    ///
    /// let extractor = Extractor::new().finder(Finder::new().addresses(true));
    /// let mut found = Vec::new();
    /// extractor.extract(Format::Html, b"<p>Write to jim@example.org.</p>", &mut |reference| {
    ///     found.push((reference.kind(), reference.uri().to_owned()));
    /// })?;
    /// assert_eq!(found, [(Kind::Address, "mailto:jim@example.org".to_owned())]);
    /// # Ok::<(), urikit_extract::document::TooLong>(())
    /// ```
    #[must_use]
    pub fn finder(mut self, finder: Finder) -> Self {
        self.finder = finder;
        self
    }

    /// Sets the base URI of a layer (RFC 3986, 5.1). Use [`Layer::Retrieval`] for the URI that the
    /// document was retrieved from. A base that the document declares takes precedence. If the
    /// declared base is relative, it is resolved against the base that is set here.
    ///
    /// # Errors
    ///
    /// Fails with [`BaseError::Syntax`] if `uri` is not a valid URI or IRI reference, with
    /// [`BaseError::Relative`] if it has no scheme, and with [`BaseError::TooLong`] if it is longer
    /// than 8 KiB.
    pub fn base(mut self, layer: Layer, uri: &str) -> Result<Self, BaseError> {
        check_base(uri)?;
        self.bases.set(layer, uri.to_owned());
        Ok(self)
    }

    /// Sets the maximum size, in bytes, of documents that must be buffered in memory, of messages
    /// in a mailbox, and of blocks and list items in Markdown. The default is 256 MiB. Text,
    /// tables, HTML, Markdown and mailboxes may have any length. In Markdown, a limit below 4 MiB
    /// applies to the UTF-8 text of the entire document.
    #[must_use]
    pub const fn max_document_length(mut self, bytes: usize) -> Self {
        self.max_length = bytes;
        self
    }

    /// Sets whether to find links in HTML that are meant for programs. The default is `false`,
    /// because some of these links are guesses.
    ///
    /// These links are in scripts, JSON (with JSON-LD and import maps), `data-*` and other
    /// attributes, event handlers, the `content` of `meta`, and comments. Repeated attributes, of
    /// which browsers use only the first, are also searched. A URL with a scheme is found anywhere;
    /// a path such as `/a` must be a complete string. The [`place`](super::Place) shows the kind of
    /// each link.
    ///
    /// ```
    /// use urikit_extract::document::{Extractor, Format};
    /// let page = br#"<script>fetch("/api/x")</script><p data-src="c.png"><!-- <a href=d> -->"#;
    /// let mut found = Vec::new();
    /// Extractor::new().deep(true).extract(Format::Html, page, &mut |reference| {
    ///     found.push(reference.uri().to_owned());
    /// })?;
    /// assert_eq!(found, ["/api/x", "c.png", "d"]);
    /// # Ok::<(), urikit_extract::document::TooLong>(())
    /// ```
    #[must_use]
    pub const fn deep(mut self, yes: bool) -> Self {
        self.is_deep = yes;
        self
    }

    /// Sets the charset of documents, as a label of the Encoding standard, or returns `None` if the
    /// label is unknown.
    ///
    /// This charset takes precedence over the charset that a document declares, but not over a byte
    /// order mark (HTML living standard, 13.2.3.2). The setting has no effect on mail, where each
    /// part has its own charset.
    ///
    /// ```
    /// use urikit_extract::document::{Extractor, Format};
    /// let extractor = Extractor::new().charset("latin1").ok_or("no such charset")?;
    /// let mut found = Vec::new();
    /// extractor.extract(Format::Html, b"<a href='/\xE9t\xE9'>", &mut |reference| {
    ///     found.push((reference.uri().to_owned(), reference.range()));
    /// })?;
    /// assert_eq!(found, [("/\u{e9}t\u{e9}".to_owned(), 9..13)]);
    /// assert!(Extractor::new().charset("no-such-charset").is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn charset(mut self, label: &str) -> Option<Self> {
        self.charset = Some(Encoding::for_label(label.as_bytes())?);
        Some(self)
    }

    /// Sets whether each reference has a line and a column; see
    /// [`Found::position`](super::Found::position). Computing positions requires one more pass over
    /// the document. The default is `false`.
    #[must_use]
    pub const fn positions(mut self, yes: bool) -> Self {
        self.positions = if yes { Places::All } else { Places::None };
        self
    }

    /// Computes the line and column only for references that are invalid or cut off, for messages
    /// about them.
    ///
    /// ```
    /// use urikit_extract::document::{Extractor, Format};
    /// let extractor = Extractor::new().positions_of_invalid();
    /// let mut columns = Vec::new();
    /// let text = b"http://a.example/b http://a.example/?c[]=d";
    /// extractor.extract(Format::Text, text, &mut |found| {
    ///     columns.push(found.position().map(|at| at.column));
    /// })?;
    /// assert_eq!(columns, [None, Some(20)]);
    /// # Ok::<(), urikit_extract::document::TooLong>(())
    /// ```
    #[must_use]
    pub const fn positions_of_invalid(mut self) -> Self {
        self.positions = Places::Invalid;
        self
    }

    /// Sets the standard that determines whether a reference is [valid](super::Found::is_valid), in
    /// text and in markup. The default is RFC 3986, or RFC 3987 for a reference with non-ASCII
    /// characters. The standard does not affect which references are found, but targets are
    /// resolved under it.
    ///
    /// ```
    /// use urikit::Standard;
    /// use urikit_extract::document::{Extractor, Format};
    /// let extractor = Extractor::new().standard(Standard::Rfc3986);
    /// extractor.extract(Format::Html, "<a href='b/é'>".as_bytes(), &mut |reference| {
    ///     assert!(!reference.is_valid()); // it is an IRI
    ///     assert_eq!(reference.repaired().unwrap().reference, "b/%C3%A9");
    /// })?;
    /// # Ok::<(), urikit_extract::document::TooLong>(())
    /// ```
    #[must_use]
    pub const fn standard(mut self, standard: Standard) -> Self {
        self.standard = Some(standard);
        self
    }
}
