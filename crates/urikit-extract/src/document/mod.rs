//! References out of documents: plain text, HTML, Markdown, mail and news.
//!
//! An [`Extractor`] holds what is asked for; an [`Extraction`] takes a document in pieces and gives each [`Reference`] with
//! its place in the file, as written, and resolved against the document's base. Plain text and HTML are read in constant
//! memory; mail and Markdown are held until they end.
//!
//! ```
//! use urikit_extract::document::{Extractor, Format};
//! use urikit::op::Layer;
//! let extractor = Extractor::new().base(Layer::Retrieval, "http://a/b/c").unwrap().places(true);
//! let mut found = Vec::new();
//! let mut extraction = extractor.begin(Format::Text);
//! for piece in [&b"at\n<URL:http://x/"[..], b"y\n/z>"] {
//!     extraction.push(piece, &mut |reference| found.push((reference.place().unwrap(), reference.target()))).unwrap();
//! }
//! let report = extraction.finish(&mut |reference| found.push((reference.place().unwrap(), reference.target())));
//! assert_eq!((found[0].0.line, found[0].0.column), (2, 1));
//! assert_eq!(found[0].1.as_deref(), Some("http://x/y/z"));
//! assert_eq!(report.invalid_bytes, 0);
//! ```

mod base;
mod charset;
mod format;
mod map;
mod place;
mod reference;
mod utf8;

pub use base::BaseError;
pub use format::{Format, SEEN, UnknownFormat};
pub use place::Place;
pub use reference::Reference;

pub(crate) use base::Bases;
pub(crate) use charset::{Decoder, by_label};
pub(crate) use format::is_from_line;
pub(crate) use map::Map;
pub(crate) use utf8::Invalid;

use crate::finder::Finder;
use crate::html::Html;
use crate::stream::Stream;
use crate::{mail, markdown};
use core::fmt;
use place::Places;
use urikit::op::Layer;

/// What references are given to.
pub type Each<'c> = dyn FnMut(Reference<'_>) + 'c;

/// What is looked for in documents.
#[derive(Clone, Debug)]
pub struct Extractor {
    finder: Finder,
    bases: Bases,
    longest: usize,
    has_places: bool,
}

impl Default for Extractor {
    fn default() -> Self {
        Self::new()
    }
}

impl Extractor {
    /// Finds what markup says is a reference, and what has a scheme in plain text.
    pub fn new() -> Self {
        Self {
            finder: Finder::new(),
            bases: Bases::default(),
            longest: 256 << 20,
            has_places: false,
        }
    }

    /// Sets what is found in plain text, the text within markup included.
    #[must_use]
    pub fn finder(mut self, finder: Finder) -> Self {
        self.finder = finder;
        self
    }

    /// Sets the base URI of a layer (RFC 2396, 5.1): that of retrieval, for example. What the document says of itself counts
    /// before it.
    ///
    /// # Errors
    ///
    /// When it is no reference, or has no scheme.
    pub fn base(mut self, layer: Layer, uri: &str) -> Result<Self, BaseError> {
        base::check(uri)?;
        self.bases.set(layer, uri.to_owned());
        Ok(self)
    }

    /// Refuses documents of mail and Markdown, which are held until they end, when they are longer than this, in bytes; 256
    /// MiB where nothing is said.
    #[must_use]
    pub const fn longest_document(mut self, bytes: usize) -> Self {
        self.longest = bytes;
        self
    }

    /// Gives each reference's line and column too, which costs a look at each byte.
    #[must_use]
    pub const fn places(mut self, yes: bool) -> Self {
        self.has_places = yes;
        self
    }

    /// Begins a document.
    pub fn begin(&self, format: Format) -> Extraction<'_> {
        Extraction {
            extractor: self,
            reader: Reader::new(self, format),
            places: self.has_places.then(Places::new),
            invalid: Invalid::default(),
            format,
            head: (charset::head(format) > 0).then(Vec::new),
            decoder: None,
        }
    }

    /// Reads a whole document.
    ///
    /// # Errors
    ///
    /// When it is too long.
    pub fn extract(
        &self,
        format: Format,
        document: &[u8],
        each: &mut Each<'_>,
    ) -> Result<Report, TooLong> {
        let mut extraction = self.begin(format);
        extraction.push(document, each)?;
        Ok(extraction.finish(each))
    }
}

/// A document that comes in pieces.
#[derive(Debug)]
pub struct Extraction<'e> {
    extractor: &'e Extractor,
    reader: Reader<'e>,
    /// In the decoded document, as all that is not told of the file.
    places: Option<Places>,
    invalid: Invalid,
    format: Format,
    /// What has come before the charset is decided.
    head: Option<Vec<u8>>,
    /// Decodes the document if it is not in UTF-8.
    decoder: Option<Decoder>,
}

/// Who reads the document.
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
    /// Takes the next piece, and gives the references that nothing behind it can change, in order.
    ///
    /// # Errors
    ///
    /// When the document must be held and is too long; it is then read no further.
    pub fn push(&mut self, piece: &[u8], each: &mut Each<'_>) -> Result<(), TooLong> {
        let Some(head) = &mut self.head else {
            return self.decode(piece, each);
        };
        if !self.format.is_streamed() && head.len() + piece.len() > self.extractor.longest {
            return Err(TooLong {
                longest: self.extractor.longest,
            });
        }
        head.extend_from_slice(piece);
        if head.len() < charset::head(self.format) {
            return Ok(());
        }
        self.begin(each)
    }

    /// Decides the charset, and reads what has come.
    fn begin(&mut self, each: &mut Each<'_>) -> Result<(), TooLong> {
        let head = self.head.take().unwrap_or_default();
        let told = charset::told(self.format, &head);
        let mark = told.map_or(0, |(_, mark)| mark);
        self.decoder = told.map(|(encoding, mark)| Decoder::new(encoding, mark));
        self.decode(head.get(mark..).unwrap_or_default(), each)
    }

    fn decode(&mut self, piece: &[u8], each: &mut Each<'_>) -> Result<(), TooLong> {
        let Some(mut decoder) = self.decoder.take() else {
            self.invalid.push(piece);
            return self.read(piece, None, each).map(|_| ());
        };
        let mut text = Vec::with_capacity(piece.len());
        decoder.push(piece, &mut text);
        let kept = self.read(&text, Some(decoder.map()), each)?;
        decoder.map().forget(kept);
        self.decoder = Some(decoder);
        Ok(())
    }

    /// Reads a piece in UTF-8; gives from where on it may still be asked for.
    fn read(
        &mut self,
        piece: &[u8],
        map: Option<&Map>,
        each: &mut Each<'_>,
    ) -> Result<usize, TooLong> {
        let places = &mut self.places;
        if let Some(places) = places {
            places.push(piece);
        }
        let kept = match &mut self.reader {
            Reader::Text(stream) => {
                stream.push_written(piece, |link, written| {
                    let found = Reference::plain(link, written, &self.extractor.bases);
                    give(found, places, map, each);
                });
                stream.kept_from()
            }
            Reader::Html(html) => {
                html.push(piece, &mut |found| give(found, places, map, each));
                html.kept_from()
            }
            Reader::Markdown(document) | Reader::Mail(document) => {
                if document.len() + piece.len() > self.extractor.longest {
                    return Err(TooLong {
                        longest: self.extractor.longest,
                    });
                }
                document.extend_from_slice(piece);
                0
            }
        };
        if let Some(places) = places {
            places.release(kept);
        }
        Ok(kept)
    }

    /// Ends the document, and gives the references that are left.
    pub fn finish(mut self, each: &mut Each<'_>) -> Report {
        // What is left here is no longer than what was allowed already.
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
        let charset = decoder.as_ref().map(|decoder| decoder.encoding().name());
        let map = decoder.as_mut().map(|decoder| &*decoder.map());
        let places = &mut self.places;
        match self.reader {
            Reader::Text(stream) => stream.finish_written(|link, written| {
                let found = Reference::plain(link, written, &self.extractor.bases);
                give(found, places, map, each);
            }),
            Reader::Html(html) => html.finish(&mut |found| give(found, places, map, each)),
            Reader::Mail(document) => {
                let extractor = self.extractor;
                invalid_bytes = mail::read(
                    &document,
                    &extractor.finder,
                    &extractor.bases,
                    &mut |found| give(found, places, map, each),
                );
            }
            Reader::Markdown(document) => markdown::read(
                &document,
                &self.extractor.finder,
                &self.extractor.bases,
                &mut |found| give(found, places, map, each),
            ),
        }
        Report {
            invalid_bytes,
            charset,
        }
    }
}

/// Gives a reference with its place: by `map`, in the file.
fn give(
    mut found: Reference<'_>,
    places: &mut Option<Places>,
    map: Option<&Map>,
    each: &mut Each<'_>,
) {
    if let Some(places) = places {
        found.place = Some(places.place(found.range.start));
    }
    if let Some(map) = map {
        found.range = map.range(found.range);
    }
    each(found);
}

/// What there is to say about a document besides its references.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Report {
    /// How many bytes of it were none of its charset. They were passed over.
    pub invalid_bytes: usize,
    /// The charset that it says it is in, where that is not UTF-8: by a byte order mark of UTF-16, or as HTML says it in its
    /// first 1024 bytes. `None` for mail, whose parts have their own.
    pub charset: Option<&'static str>,
}

/// A document that must be held is too long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLong {
    /// How long it may be, in bytes.
    pub longest: usize,
}

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "expected a document of at most {} bytes, found a longer one",
            self.longest
        )
    }
}

impl core::error::Error for TooLong {}
