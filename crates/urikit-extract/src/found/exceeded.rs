//! What exceeded a limit while a document was read.

/// How often each limit was exceeded while a document was read. Nothing else is lost.
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
    /// Base URIs of more than 8 KiB that the document declares: `<base>`, `codebase`,
    /// `Content-Base` or `Content-Location`. What is relative to one has no base, and no target.
    pub long_bases: usize,
    /// A `<base>` after more of the head than is held back: the first mebibyte, or 16,384
    /// references. It does not apply to what precedes it.
    pub late_bases: usize,
    /// Tags of HTML that are longer than 16 MiB, which were read as text.
    pub long_tags: usize,
    /// Parts of mail that are nested more than 32 levels deep, which were read as text.
    pub deep_parts: usize,
    /// The offset after which further uses of the definitions of a document are no links, because
    /// what they add up to is limited to the length of the document, or 100,000 bytes: reference
    /// definitions in Markdown, attributes in AsciiDoc, abbreviations in Org.
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
    /// Whether no limit was exceeded.
    ///
    /// ```
    /// use urikit_extract::document::Exceeded;
    /// assert!(Exceeded::default().is_none());
    /// ```
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Adds those of a part.
    pub(crate) fn add(&mut self, other: Self) {
        self.long_bases += other.long_bases;
        self.late_bases += other.late_bases;
        self.long_tags += other.long_tags;
        self.deep_parts += other.deep_parts;
        self.definitions_until = self.definitions_until.or(other.definitions_until);
    }
}
