//! One document, read in pieces.

use super::extractor::{Extractor, Places};
use super::format::Format;
use crate::decode::{Decoder, InvalidUtf8, OffsetMap, detect};
use crate::found::{Exceeded, Positions, Reference};
use crate::html::{self, Html};
use crate::plain::Stream;
use crate::{mail, markdown};
use core::fmt;

impl Extractor {
    /// Begins a document that arrives in pieces.
    pub fn begin(&self, format: Format) -> Extraction<'_> {
        Extraction {
            extractor: self,
            reader: Reader::new(self, format),
            positions: (self.positions != Places::None).then(Positions::new),
            invalid: InvalidUtf8::default(),
            format,
            head: (head_length(format) > 0).then(Vec::new),
            decoder: None,
        }
    }

    /// Reads a complete document, and calls `each` with its references, in order.
    ///
    /// # Errors
    ///
    /// [`TooLong`] if a document of mail or Markdown exceeds
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

/// How many bytes are needed to decide the charset.
const fn head_length(format: Format) -> usize {
    match format {
        // HTML living standard, 13.2.3.2
        Format::Html => 1024,
        Format::Text | Format::Markdown => 4,
        // Each part has its own charset.
        Format::Mail => 0,
    }
}

/// A document that arrives in pieces, made by [`Extractor::begin`]. The [module](super) has an
/// example.
#[derive(Debug)]
pub struct Extraction<'e> {
    extractor: &'e Extractor,
    reader: Reader<'e>,
    /// Lines and columns of the decoded text.
    positions: Option<Positions>,
    invalid: InvalidUtf8,
    format: Format,
    /// The beginning of the document, until the charset is decided.
    head: Option<Vec<u8>>,
    /// Present unless the document is in UTF-8.
    decoder: Option<Decoder>,
}

/// The reader for the format.
#[derive(Debug)]
enum Reader<'e> {
    Text(Stream<'e>),
    Html(Box<Html<'e>>),
    Markdown(Vec<u8>),
    Mail(Vec<u8>),
}

impl<'e> Reader<'e> {
    fn new(extractor: &'e Extractor, format: Format) -> Self {
        match format {
            Format::Html => Self::Html(Box::new(Html::new(&extractor.finder, &extractor.bases))),
            Format::Markdown => Self::Markdown(Vec::new()),
            Format::Mail => Self::Mail(Vec::new()),
            Format::Text => Self::Text(extractor.finder.stream()),
        }
    }
}

impl Extraction<'_> {
    /// Takes the next piece, and calls `each` with the references that no further input can
    /// change, in order. Their ranges are offsets in the complete document.
    ///
    /// # Errors
    ///
    /// [`TooLong`] if a document of mail or Markdown exceeds
    /// [`max_document_length`](Extractor::max_document_length). No more of it can be read then.
    pub fn push(
        &mut self,
        piece: &[u8],
        each: &mut dyn FnMut(Reference<'_>),
    ) -> Result<(), TooLong> {
        let Some(head) = &mut self.head else {
            return self.decode(piece, each);
        };
        if !self.format.is_streamed() && head.len() + piece.len() > self.extractor.max_length {
            return Err(TooLong {
                limit: self.extractor.max_length,
            });
        }
        head.extend_from_slice(piece);
        if head.len() < head_length(self.format) {
            return Ok(());
        }
        self.begin(each)
    }

    /// Decides the charset, and reads the beginning of the document.
    fn begin(&mut self, each: &mut dyn FnMut(Reference<'_>)) -> Result<(), TooLong> {
        let head = self.head.take().unwrap_or_default();
        let detected = detect(&head, |head| match self.format {
            Format::Html => html::charset(head),
            _ => None,
        });
        let mark = detected.map_or(0, |(_, mark)| mark);
        self.decoder = detected.map(|(encoding, mark)| Decoder::new(encoding, mark));
        self.decode(head.get(mark..).unwrap_or_default(), each)
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
        let positions = &mut self.positions;
        if let Some(positions) = positions {
            positions.push(piece);
        }
        let kept = match &mut self.reader {
            Reader::Text(stream) => {
                stream.push_written(piece, |link, written| {
                    let found = Reference::plain(link, written, &extractor.bases);
                    emit(extractor, found, positions, map, each);
                });
                stream.undecided_from()
            }
            Reader::Html(html) => {
                html.push(piece, &mut |found| {
                    emit(extractor, found, positions, map, each)
                });
                html.undecided_from()
            }
            Reader::Markdown(document) | Reader::Mail(document) => {
                if document.len() + piece.len() > self.extractor.max_length {
                    return Err(TooLong {
                        limit: self.extractor.max_length,
                    });
                }
                document.extend_from_slice(piece);
                0
            }
        };
        if let Some(positions) = positions {
            positions.discard_before(kept);
        }
        Ok(kept)
    }

    /// Ends the document, and calls `each` with the remaining references.
    pub fn finish(mut self, each: &mut dyn FnMut(Reference<'_>)) -> Report {
        // The rest is no longer than `push` has allowed already, so there is no error.
        if self.head.is_some() {
            let _ = self.begin(each);
        }
        let mut decoder = self.decoder.take();
        if let Some(decoder) = &mut decoder {
            let mut text = Vec::new();
            decoder.finish(&mut text);
            let _ = self.read(&text, Some(decoder.map()), each);
        }
        let mut invalid_bytes = match &decoder {
            Some(decoder) => decoder.invalid(),
            None => self.invalid.finish(),
        };
        let mut cut_fields = 0;
        let mut exceeded = Exceeded::default();
        let charset = decoder.as_ref().map(|decoder| decoder.encoding().name());
        let map = decoder.as_mut().map(|decoder| &*decoder.map());
        let extractor = self.extractor;
        let positions = &mut self.positions;
        match self.reader {
            Reader::Text(stream) => stream.finish_written(|link, written| {
                let found = Reference::plain(link, written, &extractor.bases);
                emit(extractor, found, positions, map, each);
            }),
            Reader::Html(html) => {
                exceeded = html.finish(&mut |found| emit(extractor, found, positions, map, each));
            }
            Reader::Mail(document) => {
                let each = &mut |found: Reference<'_>| emit(extractor, found, positions, map, each);
                let noticed = mail::read(&document, &extractor.finder, &extractor.bases, each);
                (invalid_bytes, cut_fields) = (noticed.invalid, noticed.cut);
                exceeded = noticed.exceeded;
            }
            Reader::Markdown(document) => {
                let Extractor { finder, bases, .. } = extractor;
                let each = &mut |found: Reference<'_>| emit(extractor, found, positions, map, each);
                exceeded = markdown::read(&document, finder, bases, each);
            }
        }
        Report {
            invalid_bytes,
            cut_fields,
            exceeded,
            charset,
        }
    }
}

/// Calls `each` with a reference, with the standard and its position, and with its range mapped to
/// the file.
fn emit(
    extractor: &Extractor,
    mut found: Reference<'_>,
    positions: &mut Option<Positions>,
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
    /// What exceeded another limit.
    pub exceeded: Exceeded,
    /// The charset by its name in the Encoding standard, if it is not UTF-8: from a byte order
    /// mark (UTF-16), or as HTML declares it in its first 1024 bytes. `None` for mail, where each
    /// part has its own.
    pub charset: Option<&'static str>,
}

/// A document of mail or Markdown is too long to be held in memory.
///
/// ```
/// use urikit_extract::document::{Extractor, Format};
/// let extractor = Extractor::new().max_document_length(10);
/// let error = extractor.extract(Format::Markdown, b"[one](http://a/)", &mut |_| {}).unwrap_err();
/// assert_eq!(error.limit, 10);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLong {
    /// The limit, in bytes (see [`Extractor::max_document_length`]).
    pub limit: usize,
}

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "expected a document of at most {} bytes, found a longer one",
            self.limit
        )
    }
}

impl core::error::Error for TooLong {}
