//! What is looked for in documents, and how.

use crate::found::{BaseError, Bases, check_base};
#[cfg(feature = "pdf")]
use crate::found::{Reference, Unresolved};
#[cfg(feature = "pdf")]
use crate::link::Kind;
use crate::plain::Finder;
use crate::reader::Context;
#[cfg(feature = "pdf")]
use std::borrow::Cow;
use urikit::op::Layer;

/// The options with which references are extracted from documents.
///
/// One `Extractor` serves any number of documents; it can be shared between threads.
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
    pub(super) has_positions: bool,
}

impl Default for Extractor {
    fn default() -> Self {
        Self::new()
    }
}

impl Extractor {
    /// What may be held in memory, in bytes.
    pub(crate) const fn max_length(&self) -> usize {
        self.max_length
    }

    /// Calls `each` with a reference that is not in a text.
    #[cfg(feature = "pdf")]
    pub(crate) fn link(&self, uri: &str, each: &mut dyn FnMut(Reference<'_>)) {
        let found = Unresolved {
            range: 0..0,
            kind: Kind::Link,
            text: Cow::Borrowed(uri.as_bytes()),
            uri: Cow::Borrowed(uri),
            alternative: None,
            codebase: None,
        };
        each(found.into_reference(Cow::Borrowed(&self.bases)));
    }

    /// What readers share.
    pub(super) fn context(&self) -> Context<'_> {
        Context {
            finder: &self.finder,
            max_length: self.max_length,
            opens: super::readers::open,
        }
    }

    /// Finds the references in markup, and links with a scheme in text.
    pub fn new() -> Self {
        Self {
            finder: Finder::new(),
            bases: Bases::default(),
            max_length: 256 << 20,
            has_positions: false,
        }
    }

    /// Sets what is found in text: in plain text, and in the text between tags or other markup.
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

    /// Sets the base URI of a layer (RFC 3986, 5.1): [`Layer::Retrieval`] for the URI that the
    /// document was retrieved from. A base that the document itself declares takes precedence,
    /// and if that one is relative, it is resolved against this one.
    ///
    /// # Errors
    ///
    /// [`BaseError::Syntax`] if `uri` is not a valid URI or IRI reference, and
    /// [`BaseError::Relative`] if it has no scheme; [`BaseError::TooLong`] if it has more than
    /// 8 KiB.
    pub fn base(mut self, layer: Layer, uri: &str) -> Result<Self, BaseError> {
        check_base(uri)?;
        self.bases.set(layer, uri.to_owned());
        Ok(self)
    }

    /// Rejects documents of mail and Markdown that are longer than this, in bytes. The default is
    /// 256 MiB. Text and HTML are not held in memory and may have any length.
    #[must_use]
    pub const fn max_document_length(mut self, bytes: usize) -> Self {
        self.max_length = bytes;
        self
    }

    /// Sets whether each reference comes with its line and column, see
    /// [`Reference::position`](super::Reference::position). It costs one more pass over the
    /// document, and is off by default.
    #[must_use]
    pub const fn positions(mut self, yes: bool) -> Self {
        self.has_positions = yes;
        self
    }
}
