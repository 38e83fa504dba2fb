//! Reads one document in pieces, and determines its charset.

use super::extractor::{Extractor, Places};
use crate::decode::{Decoder, InvalidUtf8, Mark, OffsetMap, guess, mark, needs_decoding};
use crate::format::Format;
use crate::found::{BaseError, Bases, Exceeded, Found, InPiece, Positions, check_base};
use crate::html;
use crate::markup::http::read_header;
#[cfg(all(feature = "zip", feature = "xml"))]
use crate::markup::office::Part;
use crate::reader::{Buffered, Context, Reader, TooLong, Unpacker};
use encoding_rs::Encoding;
use urikit::op::Layer;

impl Extractor {
    /// Begins a document that arrives in pieces.
    pub fn begin(&self, format: Format) -> Extraction<'_> {
        self.begin_with(format, None)
    }

    /// Begins a document that was retrieved from a URI, with the charset that the server sent, as a
    /// label of the Encoding standard. The URI and the charset replace the extractor's own, so one
    /// extractor can read documents from anywhere. An unknown label has no effect.
    ///
    /// ```
    /// use urikit_extract::document::{Extractor, Format};
    ///
    /// let extractor = Extractor::new();
    /// let mut targets = Vec::new();
    /// let mut extraction = extractor.begin_at(Format::Html, "http://a/b/c", Some("utf-8"))?;
    /// extraction.push(b"<a href=d><a hr", &mut |found| targets.extend(found.target()))?;
    /// extraction.finish(&mut |found| targets.extend(found.target()));
    /// assert_eq!(targets, ["http://a/b/d"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails like [`base`](Self::base).
    pub fn begin_at(
        &self,
        format: Format,
        uri: &str,
        charset: Option<&str>,
    ) -> Result<Extraction<'_>, BaseError> {
        check_base(uri)?;
        let mut bases: Bases = self.bases.clone();
        bases.set(Layer::Retrieval, uri.to_owned());
        let mut extraction = self.reading(format, self.context().open(format, &bases));
        if let Some(label) = charset.and_then(|label| Encoding::for_label(label.as_bytes())) {
            extraction.head = Head::new(format, Some(label));
        }
        Ok(extraction)
    }

    /// Begins a document, and passes attached archives to `unpacks`.
    pub(crate) fn begin_with<'e>(
        &'e self,
        format: Format,
        unpacks: Option<&'e dyn Unpacker>,
    ) -> Extraction<'e> {
        let context = Context {
            unpacks,
            ..self.context()
        };
        self.reading(format, context.open(format, &self.bases))
    }

    /// Begins the header of an HTTP response.
    pub(crate) fn begin_http_header(&self) -> Extraction<'_> {
        let reader = Buffered::boxed(self.context(), &self.bases, read_header);
        self.reading(Format::Text, reader)
    }

    /// Begins a part of an office document.
    #[cfg(all(feature = "zip", feature = "xml"))]
    pub(crate) fn begin_part<'e>(&'e self, part: &'e Part) -> Extraction<'e> {
        let reader = Buffered::boxed(
            self.context(),
            &self.bases,
            |document, context, bases, each| part.read(document, context, bases, each),
        );
        self.reading(Format::Xml, reader)
    }

    fn reading<'e>(&'e self, format: Format, reader: Box<dyn Reader + 'e>) -> Extraction<'e> {
        let has_positions = self.positions != Places::None && !reader.sets_positions();
        Extraction {
            extractor: self,
            positions: has_positions.then(Positions::new),
            reader,
            invalid: InvalidUtf8::default(),
            format,
            head: Head::new(format, self.charset),
            decoder: None,
            is_guessed: false,
            decided: 0,
        }
    }

    /// Reads a complete document, and calls `each` with its references in order.
    ///
    /// # Errors
    ///
    /// Fails with [`TooLong`] if a document that must be buffered in memory exceeds
    /// [`max_document_length`](Self::max_document_length).
    pub fn extract(
        &self,
        format: Format,
        document: &[u8],
        each: &mut dyn FnMut(Found<'_>),
    ) -> Result<Report, TooLong> {
        let mut extraction = self.begin(format);
        extraction.push(document, each)?;
        Ok(extraction.finish(each))
    }
}

/// A document that arrives in pieces, returned by [`Extractor::begin`]. See the [module](super) for
/// an example.
#[derive(Debug)]
pub struct Extraction<'e> {
    extractor: &'e Extractor,
    reader: Box<dyn Reader + 'e>,
    /// The lines and columns of the decoded text.
    positions: Option<Positions>,
    invalid: InvalidUtf8,
    format: Format,
    /// The beginning of the document, until its charset is known.
    head: Option<Head>,
    /// Decodes documents that are not in UTF-8.
    decoder: Option<Decoder>,
    /// True if the charset was guessed.
    is_guessed: bool,
    /// The offset in the file before which no later reference can start.
    decided: usize,
}

impl Extraction<'_> {
    /// Reads the next piece, and calls `each`, in order, with the references that further input
    /// cannot change. Ranges are offsets in the complete document.
    ///
    /// # Errors
    ///
    /// Fails with [`TooLong`] if a document that must be buffered in memory exceeds
    /// [`max_document_length`](Extractor::max_document_length). After this error, the rest of the
    /// document cannot be read.
    pub fn push(&mut self, piece: &[u8], each: &mut dyn FnMut(Found<'_>)) -> Result<(), TooLong> {
        let Some(head) = &mut self.head else {
            return self.decode(piece, each);
        };
        let length = head.bytes.len() + piece.len();
        if !self.format.is_streamed() && length > self.extractor.max_length {
            return Err(TooLong {
                limit: self.extractor.max_length,
            });
        }
        let is_first = head.bytes.is_empty();
        let Some(rest) = head.push(piece) else {
            return Ok(());
        };
        let Some((head, mark)) = self.begin(false) else {
            return Ok(());
        };
        if is_first {
            // This is the first piece, so it still contains the head.
            return self.decode(piece.get(mark..).unwrap_or_default(), each);
        }
        self.decode(head.get(mark..).unwrap_or_default(), each)?;
        self.decode(rest, each)
    }

    /// Determines the charset. Returns the beginning of the document, and the length of its byte
    /// order mark if it is in UTF-16.
    fn begin(&mut self, is_complete: bool) -> Option<(Vec<u8>, usize)> {
        let mut head = self.head.take()?;
        let charset = head.decide(is_complete);
        if let Some(positions) = &mut self.positions
            && head.bytes.starts_with(b"\xEF\xBB\xBF")
        {
            positions.begin_with_mark();
        }
        self.is_guessed = charset.is_guessed;
        self.decoder = charset
            .encoding
            .map(|encoding| Decoder::new(encoding, charset.mark));
        Some((head.bytes, charset.mark))
    }

    fn decode(&mut self, piece: &[u8], each: &mut dyn FnMut(Found<'_>)) -> Result<(), TooLong> {
        let Some(mut decoder) = self.decoder.take() else {
            self.invalid.push(piece);
            self.decided = self.read(piece, None, each)?;
            return Ok(());
        };
        let mut text = Vec::with_capacity(piece.len());
        decoder.push(piece, &mut text);
        let kept = self.read(&text, Some(decoder.map()), each)?;
        decoder.map().discard_before(kept);
        self.decided = decoder.map().start(kept);
        self.decoder = Some(decoder);
        Ok(())
    }

    /// Reads a piece in UTF-8. Returns the offset before which no later reference can start.
    fn read(
        &mut self,
        piece: &[u8],
        map: Option<&OffsetMap>,
        each: &mut dyn FnMut(Found<'_>),
    ) -> Result<usize, TooLong> {
        let extractor = self.extractor;
        let positions = self.positions.as_mut();
        let mut positions = positions.map(|positions| positions.with(piece));
        self.reader.push(piece, &mut |found| {
            emit(extractor, found, &mut positions, map, each);
        })?;
        let kept = self.reader.undecided_from();
        if let Some(positions) = positions {
            positions.discard_before(kept);
        }
        Ok(kept)
    }

    /// Returns the offset in the document before which no later reference can start. A program that
    /// changes references can already write everything before this offset.
    ///
    /// ```
    /// use urikit_extract::document::{Extractor, Format};
    ///
    /// let extractor = Extractor::new();
    /// let mut extraction = extractor.begin(Format::Text);
    /// extraction.push(b"at http://a/b or http://c/", &mut |_| {})?;
    /// assert!(extraction.undecided_from() <= 17); // the second URL may continue
    /// # Ok::<(), urikit_extract::document::TooLong>(())
    /// ```
    pub const fn undecided_from(&self) -> usize {
        self.decided
    }

    /// Ends the document, and calls `each` with the remaining references.
    pub fn finish(mut self, each: &mut dyn FnMut(Found<'_>)) -> Report {
        if let Some((head, mark)) = self.begin(true) {
            // `push` has already checked the length, so this cannot fail.
            let _ = self.decode(head.get(mark..).unwrap_or_default(), each);
        }
        let mut decoder = self.decoder.take();
        if let Some(decoder) = &mut decoder {
            let mut text = Vec::new();
            decoder.finish(&mut text);
            let _ = self.read(&text, Some(decoder.map()), each);
        }
        let invalid_bytes = match &decoder {
            Some(decoder) => decoder.invalid(),
            // Each part of mail has its own charset.
            None if self.format == Format::Mail => 0,
            None => self.invalid.finish(),
        };
        let charset = decoder.as_ref().map(|decoder| decoder.encoding().name());
        let map = decoder.as_mut().map(|decoder| &*decoder.map());
        let extractor = self.extractor;
        let positions = self.positions.as_mut();
        let mut positions = positions.map(|positions| positions.with(&[]));
        let noticed = self.reader.finish(&mut |found| {
            emit(extractor, found, &mut positions, map, each);
        });
        Report {
            invalid_bytes: invalid_bytes + noticed.invalid,
            cut_fields: noticed.cut,
            malformed_from: noticed.malformed.map(|at| match map {
                Some(map) => map.start(at),
                None => at,
            }),
            exceeded: noticed.exceeded,
            charset,
            charset_is_guessed: self.is_guessed,
        }
    }
}

/// Adds the standard and the position to a reference, maps its range to the file, and calls `each`.
fn emit(
    extractor: &Extractor,
    mut found: Found<'_>,
    positions: &mut Option<InPiece<'_>>,
    map: Option<&OffsetMap>,
    each: &mut dyn FnMut(Found<'_>),
) {
    found.marks.standard = extractor.standard.or(extractor.finder.standard);
    if let Some(positions) = positions
        && (extractor.positions == Places::All || found.is_cut() || !found.is_valid())
    {
        found.position = Some(positions.at(found.range.start));
    }
    if let Some(map) = map {
        found.range = map.range(found.range);
    }
    each(found);
}

/// A report about a document that has been read completely.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The number of bytes that were invalid in the document's charset. In text, an invalid byte
    /// ends a link. In references in markup, U+FFFD replaces each invalid byte.
    pub invalid_bytes: usize,
    /// The number of `Content-Type` fields in mail that have more than 256 parameters. Only the
    /// first 256 parameters were read; a boundary or charset after them has no effect.
    pub cut_fields: usize,
    /// The offset at which XML or JSON stops being well-formed. The rest of the document was read
    /// as text.
    pub malformed_from: Option<usize>,
    /// The other limits that were exceeded.
    pub exceeded: Exceeded,
    /// The name of the charset in the Encoding standard; `None` for UTF-8. The charset comes from a
    /// byte order mark (UTF-16), from the [caller](Extractor::charset), from the first mebibyte of
    /// HTML, or from a guess. For mail, the name is also `None`, because each part has its own
    /// charset.
    pub charset: Option<&'static str>,
    /// True if the charset was guessed because HTML was not UTF-8 and declared no charset.
    pub charset_is_guessed: bool,
}

// Determines the charset of a document from its beginning.

/// The beginning of a document, until its charset is known.
#[derive(Debug)]
struct Head {
    format: Format,
    /// The charset that the caller specified.
    given: Option<&'static Encoding>,
    bytes: Vec<u8>,
    declaration: html::Declaration,
    declared: Option<&'static Encoding>,
}

/// The charset of a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Charset {
    /// `None` for UTF-8.
    encoding: Option<&'static Encoding>,
    /// The length of the UTF-16 byte order mark, in bytes.
    mark: usize,
    is_guessed: bool,
}

/// The number of bytes needed to recognize a byte order mark.
const MARK: usize = 4;

impl Head {
    /// Creates the head of a document in this format. Returns `None` for mail, where each part has
    /// its own charset.
    fn new(format: Format, given: Option<&'static Encoding>) -> Option<Self> {
        (format != Format::Mail).then(|| Self {
            format,
            given,
            bytes: Vec::new(),
            declaration: html::Declaration::default(),
            declared: None,
        })
    }

    /// Returns true if documents of this format declare their charset.
    const fn declares(&self) -> bool {
        matches!(self.format, Format::Html | Format::Xml)
    }

    /// Returns the number of bytes that may be needed to determine the charset.
    fn limit(&self) -> usize {
        match self.format {
            Format::Html | Format::Xml
                if self.given.is_none() && mark(&self.bytes) == Mark::None =>
            {
                html::CHARSET_HEAD
            }
            _ => MARK,
        }
    }

    /// Stores the bytes of a piece that are needed to determine the charset. Returns the remaining
    /// bytes once the charset can be determined.
    fn push<'p>(&mut self, mut piece: &'p [u8]) -> Option<&'p [u8]> {
        // For most documents, the first kilobyte is enough.
        for step in [MARK, 1024, usize::MAX] {
            let wanted = self.limit().min(step).saturating_sub(self.bytes.len());
            let (taken, rest) = piece.split_at(wanted.min(piece.len()));
            self.bytes.extend_from_slice(taken);
            piece = rest;
            if self.bytes.len() < MARK {
                return None;
            }
            if self.limit() > MARK {
                self.declared = self.declaration.look(&self.bytes, false);
            }
            if self.declared.is_some() || self.bytes.len() >= self.limit() {
                return Some(piece);
            }
        }
        None
    }

    /// Determines the charset from the bytes taken so far.
    fn decide(&mut self, is_complete: bool) -> Charset {
        let known = |encoding, mark| Charset {
            encoding,
            mark,
            is_guessed: false,
        };
        match mark(&self.bytes) {
            Mark::Utf8 => return known(None, 0),
            Mark::Utf16(encoding, mark) => return known(Some(encoding), mark),
            Mark::None => {}
        }
        if self.given.is_none() && self.declared.is_none() && self.declares() {
            self.declared = self.declaration.look(&self.bytes, is_complete);
        }
        if let Some(encoding) = self.given.or(self.declared) {
            return known(
                Some(encoding).filter(|encoding| needs_decoding(encoding)),
                0,
            );
        }
        let guessed = match self.format {
            Format::Html => guess(&self.bytes, is_complete),
            _ => None,
        };
        Charset {
            encoding: guessed,
            mark: 0,
            is_guessed: guessed.is_some(),
        }
    }
}
