//! A limit for callers that collect the targets of references.

/// Limits the targets collected from a document.
///
/// Every target repeats the base URI, so the targets of a document with a long base and many short
/// references can be many times larger than the document. This type counts the bytes of the
/// targets, and allows at most [`PER_BYTE`](Self::PER_BYTE) for each byte of the document, plus 1
/// MiB.
///
/// ```
/// use urikit_extract::document::{Collected, Extractor, Format};
/// use urikit::op::Layer;
///
/// let document = b"<a href=b><a href=c>";
/// let mut collected = Collected::new(document.len());
/// let mut targets = Vec::new();
/// let extractor = Extractor::new().base(Layer::Retrieval, "http://a.example/").unwrap();
/// extractor.extract(Format::Html, document, &mut |found| {
///     if let Some(target) = found.target().filter(|target| collected.take(target.len())) {
///         targets.push(target);
///     }
/// }).unwrap();
/// assert_eq!(targets, ["http://a.example/b", "http://a.example/c"]);
/// assert_eq!(collected.omitted(), 0);
/// ```
#[derive(Clone, Debug)]
pub struct Collected {
    left: u64,
    omitted: u64,
}

impl Default for Collected {
    /// Returns an empty collection with the limit that applies to an empty document.
    fn default() -> Self {
        Self {
            left: 1 << 20,
            omitted: 0,
        }
    }
}

impl Collected {
    /// The number of bytes that may be collected for each byte of the document.
    ///
    /// ```
    /// assert_eq!(urikit_extract::document::Collected::PER_BYTE, 64);
    /// ```
    pub const PER_BYTE: u64 = 64;

    /// Creates the limit for a document of this length, in bytes.
    ///
    /// ```
    /// use urikit_extract::document::Collected;
    /// let mut collected = Collected::new(1 << 20);
    /// assert!(collected.take(65 << 20));
    /// assert!(!collected.take(1));
    /// ```
    pub fn new(length: usize) -> Self {
        let mut collected = Self::default();
        collected.read(length);
        collected
    }

    /// Records that this many more bytes of the document were read.
    ///
    /// ```
    /// use urikit_extract::document::Collected;
    /// let mut collected = Collected::default();
    /// collected.read(1 << 20);
    /// assert!(collected.take(65 << 20));
    /// ```
    pub fn read(&mut self, bytes: usize) {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let more = bytes.saturating_mul(Self::PER_BYTE);
        self.left = self.left.saturating_add(more);
    }

    /// Counts a target with this length in bytes. Returns false if the target exceeds the limit.
    ///
    /// ```
    /// use urikit_extract::document::Collected;
    /// let mut collected = Collected::default();
    /// assert!(collected.take(20));
    /// assert!(!collected.take(1 << 20));
    /// ```
    pub fn take(&mut self, bytes: usize) -> bool {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let left = self.left.checked_sub(bytes);
        match left {
            Some(left) => self.left = left,
            None => self.omitted += 1,
        }
        left.is_some()
    }

    /// Returns the number of targets that exceeded the limit.
    ///
    /// ```
    /// use urikit_extract::document::Collected;
    /// let mut collected = Collected::default();
    /// collected.take(2 << 20);
    /// assert_eq!(collected.omitted(), 1);
    /// ```
    pub const fn omitted(&self) -> u64 {
        self.omitted
    }
}
