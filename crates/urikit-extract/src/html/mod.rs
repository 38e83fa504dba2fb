//! HTML: references in attributes, style sheets and text, with the base URI that the document
//! declares.
//!
//! The first `<base href>` is the base of the entire document, including the references before it
//! (RFC 2396, Appendix D; HTML living standard, 4.2.3). References are therefore held back until a
//! `<base>`, the first element that does not belong in the head, the end of the first mebibyte, or
//! 16,384 references. A base that comes later applies only to the references after it.

mod attributes;
mod charset;
mod css;
mod deep;
mod scan;
mod text;
mod token;

use crate::found::{Bases, Exceeded, Found, Held, SharedPlaces, Unresolved};
use crate::reader::Context;
pub(crate) use charset::{Declaration, HEAD as CHARSET_HEAD, charset};
pub(crate) use css::Scanner as CssScanner;
pub(crate) use scan::Scan;
use std::borrow::Cow;
use std::ops::Range;
use urikit::op::Layer;

/// The number of bytes after which references are reported immediately.
const HEAD: usize = 1 << 20;

/// The number of references after which further ones are reported immediately.
const MAX_PENDING: usize = 1 << 14;

/// Reads an HTML document that arrives in pieces.
#[derive(Debug)]
pub(crate) struct Html<'f> {
    scan: Scan<'f>,
    base: DocumentBase,
    /// The number of bytes read so far.
    read: usize,
}

/// The base URI of the document, as far as it has been read.
#[derive(Debug)]
struct DocumentBase {
    /// The bases for the document's own `<base>`.
    outer: Bases,
    /// The bases for the references in the document.
    inner: Bases,
    is_declared: bool,
    /// The references found before the base was known. `None` once references are not held back.
    pending: Option<Vec<(Held<'static>, IsBase)>>,
    places: SharedPlaces,
    /// True if references are no longer held back because of a limit.
    gave_up: bool,
    exceeded: Exceeded,
}

/// True if the reference declares the base, so it is not relative to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct IsBase(bool);

impl<'f> Html<'f> {
    /// Creates a reader for a document. `bases` apply unless the document declares another base.
    pub(crate) fn new(context: Context<'f>, bases: &Bases) -> Self {
        Self {
            scan: Scan::new(context),
            base: DocumentBase {
                outer: bases.clone(),
                inner: bases.clone(),
                is_declared: false,
                pending: Some(Vec::new()),
                places: SharedPlaces::default(),
                gave_up: false,
                exceeded: Exceeded::default(),
            },
            read: 0,
        }
    }

    /// Reads the next piece.
    pub(crate) fn push(&mut self, piece: &[u8], each: &mut dyn FnMut(Found<'_>)) {
        let Self { scan, base, read } = self;
        for piece in piece.chunks(HEAD / 16) {
            scan.push(piece, &mut |event| base.take(event, each));
            *read += piece.len();
            if *read >= HEAD {
                base.give_up(each);
            }
        }
    }

    /// Ends the document, and returns the counts of exceeded limits.
    pub(crate) fn finish(mut self, each: &mut dyn FnMut(Found<'_>)) -> Exceeded {
        let base = &mut self.base;
        base.exceeded.long_tags = self.scan.finish(&mut |event| base.take(event, each));
        base.release(each);
        base.exceeded
    }

    /// Returns the offset before which no later reference can begin.
    pub(crate) fn undecided_from(&self) -> usize {
        let pending = self
            .base
            .pending
            .as_ref()
            .and_then(|pending| pending.first());
        let first = pending.map_or(usize::MAX, |(found, _)| found.range.start);
        self.scan.undecided_from().min(first)
    }
}

impl DocumentBase {
    fn take(&mut self, event: Event<'_>, each: &mut dyn FnMut(Found<'_>)) {
        match event {
            Event::Reference(found) => self.emit(found, IsBase(false), each),
            Event::Base(found) => {
                let is_first = !self.is_declared;
                if is_first {
                    self.is_declared = true;
                    self.exceeded.late_bases += usize::from(self.gave_up);
                    let long = &mut self.exceeded.long_bases;
                    let inner = self.outer.within(Layer::Embedded, &found.uri, long);
                    self.inner = inner.into_owned();
                }
                self.emit(found, IsBase(is_first), each);
                self.release(each);
            }
            Event::BodyBegins => self.release(each),
        }
    }

    fn emit(&mut self, found: Unresolved<'_>, is_base: IsBase, each: &mut dyn FnMut(Found<'_>)) {
        match &mut self.pending {
            Some(pending) => {
                let text = Cow::Owned(found.text.to_vec());
                pending.push((found.held(text, &mut self.places), is_base));
                if pending.len() >= MAX_PENDING {
                    self.give_up(each);
                }
            }
            None => self.emit_now(found, is_base, each),
        }
    }

    /// Stops holding back references, because a limit is exceeded.
    fn give_up(&mut self, each: &mut dyn FnMut(Found<'_>)) {
        self.gave_up |= self.pending.is_some();
        self.release(each);
    }

    fn release(&mut self, each: &mut dyn FnMut(Found<'_>)) {
        for (found, is_base) in self.pending.take().unwrap_or_default() {
            found.release(|found| self.emit_now(found, is_base, each));
        }
    }

    fn emit_now(
        &mut self,
        found: Unresolved<'_>,
        IsBase(is_base): IsBase,
        each: &mut dyn FnMut(Found<'_>),
    ) {
        let bases = if is_base { &self.outer } else { &self.inner };
        let bases = match &found.codebase {
            Some(codebase) => {
                let long = &mut self.exceeded.long_bases;
                bases.within(Layer::Embedded, codebase, long)
            }
            None => Cow::Borrowed(bases),
        };
        each(found.into_reference(bases));
    }
}

/// A construct found in a piece of HTML.
#[derive(Debug)]
pub(crate) enum Event<'a> {
    Reference(Unresolved<'a>),
    /// The `href` of a `<base>`.
    Base(Unresolved<'a>),
    /// The start tag of an element that does not belong in the head.
    BodyBegins,
}

/// The callback that receives events.
pub(crate) type Each<'c> = dyn FnMut(Event<'_>) + 'c;

/// Removes tabs and line ends, as HTML and the URL standard do.
pub(crate) fn clean(decoded: &[u8]) -> Cow<'_, str> {
    if memchr::memchr3(b'\t', b'\n', b'\r', decoded).is_none() {
        return lossy(decoded);
    }
    Cow::Owned(lossy(decoded).replace(['\t', '\n', '\r'], ""))
}

/// Decodes UTF-8, and replaces invalid bytes with U+FFFD. Nearly all text is valid, and checking
/// for that first is faster.
pub(crate) fn lossy(text: &[u8]) -> Cow<'_, str> {
    core::str::from_utf8(text).map_or_else(|_| String::from_utf8_lossy(text), Cow::Borrowed)
}

/// Returns the range without the white space at its ends.
pub(crate) fn trim(text: &[u8], range: Range<usize>) -> Range<usize> {
    let inner = text.get(range.clone()).unwrap_or_default();
    let start = range.start + (inner.len() - inner.trim_ascii_start().len());
    start..start + inner.trim_ascii().len()
}
