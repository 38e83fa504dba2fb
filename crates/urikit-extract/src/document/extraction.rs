//! One document, read in pieces.

use super::charset::Head;
use super::extractor::{Extractor, Places};
use crate::decode::{Decoder, InvalidUtf8, OffsetMap};
use crate::format::Format;
use crate::found::{Exceeded, InPiece, Positions, Reference};
use crate::reader::{Context, Reader, TooLong, Unpacks};

impl Extractor {
    /// Begins a document that arrives in pieces.
    pub fn begin(&self, format: Format) -> Extraction<'_> {
        self.begin_with(format, None)
    }

    /// The same; archives that are attached to the document are read too, if there is a reader for
    /// them.
    pub(crate) fn begin_with<'e>(
        &'e self,
        format: Format,
        unpacks: Option<&'e dyn Unpacks>,
    ) -> Extraction<'e> {
        let context = Context {
            unpacks,
            ..self.context()
        };
        let reader = context.open(format, &self.bases);
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
        }
    }

    /// Reads a complete document, and calls `each` with its references, in order.
    ///
    /// # Errors
    ///
    /// [`TooLong`] if a document that is held in memory exceeds
    /// [`max_document_length`](Self::max_document_length).
    pub fn extract(
        &self,
        format: Format,
        document: &[u8],
        each: &mut dyn FnMut(Reference<'_>),
    ) -> Result<Report, TooLong> {
        let mut extraction = self.begin(format);
        extraction.push(document, each)?;
        Ok(extraction.finish(each))
    }
}

/// A document that arrives in pieces, made by [`Extractor::begin`]. The [module](super) has an
/// example.
#[derive(Debug)]
pub struct Extraction<'e> {
    extractor: &'e Extractor,
    reader: Box<dyn Reader + 'e>,
    /// Lines and columns of the decoded text.
    positions: Option<Positions>,
    invalid: InvalidUtf8,
    format: Format,
    /// The beginning of the document, until the charset is decided.
    head: Option<Head>,
    /// Present unless the document is in UTF-8.
    decoder: Option<Decoder>,
    /// Whether its charset was guessed.
    is_guessed: bool,
}

impl Extraction<'_> {
    /// Takes the next piece, and calls `each` with the references that no further input can
    /// change, in order. Their ranges are offsets in the complete document.
    ///
    /// # Errors
    ///
    /// [`TooLong`] if a document that is held in memory exceeds
    /// [`max_document_length`](Extractor::max_document_length). No more of it can be read then.
    pub fn push(
        &mut self,
        piece: &[u8],
        each: &mut dyn FnMut(Reference<'_>),
    ) -> Result<(), TooLong> {
        let Some(head) = &mut self.head else {
            return self.decode(piece, each);
        };
        let length = head.bytes.len() + piece.len();
        if !self.format.is_streamed() && length > self.extractor.max_length {
            return Err(TooLong {
                limit: self.extractor.max_length,
            });
        }
        let Some(rest) = head.push(piece) else {
            return Ok(());
        };
        self.begin(false, each)?;
        self.decode(rest, each)
    }

    /// Decides the charset, and reads the beginning of the document.
    fn begin(
        &mut self,
        is_complete: bool,
        each: &mut dyn FnMut(Reference<'_>),
    ) -> Result<(), TooLong> {
        let Some(mut head) = self.head.take() else {
            return Ok(());
        };
        let charset = head.decide(is_complete);
        self.is_guessed = charset.is_guessed;
        self.decoder = charset
            .encoding
            .map(|encoding| Decoder::new(encoding, charset.mark));
        self.decode(head.bytes.get(charset.mark..).unwrap_or_default(), each)
    }

    fn decode(&mut self, piece: &[u8], each: &mut dyn FnMut(Reference<'_>)) -> Result<(), TooLong> {
        let Some(mut decoder) = self.decoder.take() else {
            self.invalid.push(piece);
            return self.read(piece, None, each).map(|_| ());
        };
        let mut text = Vec::with_capacity(piece.len());
        decoder.push(piece, &mut text);
        let kept = self.read(&text, Some(decoder.map()), each)?;
        decoder.map().discard_before(kept);
        self.decoder = Some(decoder);
        Ok(())
    }

    /// Reads a piece in UTF-8. Returns the offset before which no later reference can begin.
    fn read(
        &mut self,
        piece: &[u8],
        map: Option<&OffsetMap>,
        each: &mut dyn FnMut(Reference<'_>),
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

    /// Ends the document, and calls `each` with the remaining references.
    pub fn finish(mut self, each: &mut dyn FnMut(Reference<'_>)) -> Report {
        // The rest is no longer than `push` has allowed already, so there is no error.
        let _ = self.begin(true, each);
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

/// Calls `each` with a reference, with the standard and its position, and with its range mapped to
/// the file.
fn emit(
    extractor: &Extractor,
    mut found: Reference<'_>,
    positions: &mut Option<InPiece<'_>>,
    map: Option<&OffsetMap>,
    each: &mut dyn FnMut(Reference<'_>),
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

/// What is known about a document once it has been read.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Report {
    /// How many bytes were invalid in the document's charset. In text they end a link; in the
    /// references of markup they are replaced by U+FFFD.
    pub invalid_bytes: usize,
    /// How many `Content-Type` fields of mail have more than 256 parameters. The first 256 were
    /// read; a boundary or a charset among the others has no effect.
    pub cut_fields: usize,
    /// The offset from which a document of XML or JSON is not well-formed, so that the rest was
    /// read as text.
    pub malformed_from: Option<usize>,
    /// What exceeded another limit.
    pub exceeded: Exceeded,
    /// The charset by its name in the Encoding standard, if it is not UTF-8: from a byte order
    /// mark (UTF-16), as the [caller](Extractor::charset) gave it, as HTML declares it in its first
    /// mebibyte, or guessed. `None` for mail, where each part has its own.
    pub charset: Option<&'static str>,
    /// Whether the charset was guessed: HTML that does not declare one, and is not in UTF-8.
    pub charset_is_guessed: bool,
}
