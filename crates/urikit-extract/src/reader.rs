//! The interface of formats: a reader receives the pieces of a document and passes references to a
//! closure.
//!
//! A new format needs a [`Reader`] (or a function for [`Buffered`]), and a line in
//! `document/mod.rs` that creates it. A format that contains documents of other formats, such as
//! mail, opens their readers with [`Context::open`].

use crate::format::Format;
use crate::found::{Bases, Exceeded, Found, PositionsIn};
use crate::plain::Finder;
use core::fmt;
use urikit::Standard;

/// The closure that receives references.
pub(crate) type Each<'c> = dyn FnMut(Found<'_>) + 'c;

/// Reads one document, which arrives in pieces in UTF-8, or in ASCII mixed with arbitrary other
/// bytes.
pub(crate) trait Reader: fmt::Debug {
    /// Reads the next piece, and calls `each` with the references that further input cannot change.
    fn push(&mut self, piece: &[u8], each: &mut Each<'_>) -> Result<(), TooLong>;

    /// Returns the offset before which no later reference can start.
    fn undecided_from(&self) -> usize;

    /// Returns true if the reader sets the positions of its references itself.
    fn sets_positions(&self) -> bool {
        false
    }

    /// Ends the document, and calls `each` with the remaining references.
    fn finish(self: Box<Self>, each: &mut Each<'_>) -> Noticed;
}

/// The options that readers share, and the function that opens a reader within another.
#[derive(Clone, Copy)]
pub(crate) struct Context<'e> {
    pub(crate) finder: &'e Finder,
    /// The maximum size of documents that must be buffered in memory, in bytes.
    pub(crate) max_length: usize,
    /// True if links that are meant for programs are also found.
    pub(crate) is_deep: bool,
    /// The standard that determines whether references are valid.
    pub(crate) standard: Option<Standard>,
    /// Returns true if the line and column of a reference are needed.
    pub(crate) wants_position: fn(&Found<'_>) -> bool,
    pub(crate) opens: OpenReader,
    /// Reads the entries of archives attached to a document.
    pub(crate) unpacks: Option<&'e dyn Unpacker>,
}

/// Reads the entries of archives attached to a document.
pub(crate) trait Unpacker {
    /// Returns true if a file with this name and these first bytes is an archive.
    fn is_packed(&self, name: &str, head: &[u8]) -> bool;

    /// Reads the entries of the file.
    fn unpack(&self, name: &str, file: &[u8]);
}

/// Creates the reader for a format.
pub(crate) type OpenReader = for<'e> fn(Format, Context<'e>, &Bases) -> Box<dyn Reader + 'e>;

impl<'e> Context<'e> {
    /// Sets the standard of a reference, and its position if that is needed.
    pub(crate) fn complete(self, found: &mut Found<'_>, place: &mut PositionsIn<'_>) {
        found.marks.standard = self.standard;
        if (self.wants_position)(found) {
            found.position = Some(place.at(found.range.start));
        }
    }

    /// Creates a reader for a document in this format, with these base URIs.
    pub(crate) fn open(self, format: Format, bases: &Bases) -> Box<dyn Reader + 'e> {
        (self.opens)(format, self, bases)
    }

    /// Creates a reader for a document within another, whose references have no positions.
    pub(crate) fn open_part(self, format: Format, bases: &Bases) -> Box<dyn Reader + 'e> {
        let context = Self {
            wants_position: |_| false,
            ..self
        };
        context.open(format, bases)
    }
}

impl fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").finish_non_exhaustive()
    }
}

/// Problems in a document, for the report.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Noticed {
    /// The number of bytes that were invalid in the charset of their part.
    pub(crate) invalid: usize,
    /// The number of header fields that have more parameters than the reader reads.
    pub(crate) cut: usize,
    /// The offset at which the document stops being well-formed. The rest of the document was read
    /// as text.
    pub(crate) malformed: Option<usize>,
    pub(crate) exceeded: Exceeded,
}

impl Noticed {
    /// Adds the problems in a part of this document. `to_file` maps offsets in the part to offsets
    /// in this document.
    pub(crate) fn add(&mut self, mut part: Self, to_file: &dyn Fn(usize) -> usize) {
        self.invalid += part.invalid;
        self.cut += part.cut;
        part.exceeded.definitions_until = part.exceeded.definitions_until.map(to_file);
        self.exceeded.add(part.exceeded);
    }
}

impl From<Exceeded> for Noticed {
    fn from(exceeded: Exceeded) -> Self {
        Self {
            exceeded,
            ..Self::default()
        }
    }
}

/// The error for a document that must be buffered in memory and is too long.
///
/// ```
/// use urikit_extract::document::{Extractor, Format};
/// let extractor = Extractor::new().max_document_length(10);
/// let error = extractor.extract(Format::Markdown, b"[one](http://a/)", &mut |_| {}).unwrap_err();
/// assert_eq!(error.limit, 10);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLong {
    /// The limit in bytes, see
    /// [`Extractor::max_document_length`](crate::document::Extractor::max_document_length).
    pub limit: usize,
}

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "expected a document, or a block of Markdown, of at most {} bytes, but found a longer one",
            self.limit
        )
    }
}

impl core::error::Error for TooLong {}

/// Reads a complete document.
type ReadDocument<'e> = dyn FnOnce(&[u8], Context<'_>, &Bases, &mut Each<'_>) -> Noticed + 'e;

/// A reader that buffers the document in memory until it ends.
pub(crate) struct Buffered<'e> {
    document: Vec<u8>,
    context: Context<'e>,
    bases: Bases,
    reads: Box<ReadDocument<'e>>,
}

impl<'e> Buffered<'e> {
    pub(crate) fn boxed(
        context: Context<'e>,
        bases: &Bases,
        reads: impl FnOnce(&[u8], Context<'_>, &Bases, &mut Each<'_>) -> Noticed + 'e,
    ) -> Box<dyn Reader + 'e> {
        Box::new(Self {
            document: Vec::new(),
            context,
            bases: bases.clone(),
            reads: Box::new(reads),
        })
    }
}

impl fmt::Debug for Buffered<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Buffered").finish_non_exhaustive()
    }
}

impl Reader for Buffered<'_> {
    fn push(&mut self, piece: &[u8], _: &mut Each<'_>) -> Result<(), TooLong> {
        let limit = self.context.max_length;
        if piece.len() > limit.saturating_sub(self.document.len()) {
            return Err(TooLong { limit });
        }
        self.document.extend_from_slice(piece);
        Ok(())
    }

    fn undecided_from(&self) -> usize {
        0
    }

    fn sets_positions(&self) -> bool {
        true
    }

    fn finish(self: Box<Self>, each: &mut Each<'_>) -> Noticed {
        let mut place = PositionsIn::new(&self.document);
        let context = self.context;
        let each = &mut |mut found: Found<'_>| {
            context.complete(&mut found, &mut place);
            each(found);
        };
        (self.reads)(&self.document, self.context, &self.bases, each)
    }
}
