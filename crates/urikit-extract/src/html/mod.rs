//! HTML: references in attributes, in style sheets and in the text, with the base URI that the
//! document declares.
//!
//! The first `<base href>` is the base of the entire document (RFC 2396, Appendix D; HTML living
//! standard, 4.2.3), including what precedes it. So references are held back until that element,
//! or one that does not belong in the head, or the end of the first mebibyte, or until there are
//! 16,384. A first base after that applies only to what follows it.
//! Events that the parts of the HTML reader pass to each other.

use crate::found::{Bases, Exceeded, Held, Reference, SharedPlaces, Unresolved};
use crate::reader::Context;
pub(crate) use charset::{Declaration, HEAD as CHARSET_HEAD, charset};
pub(crate) use css::Scanner as CssScanner;
pub(crate) use scan::Scan;
use std::borrow::Cow;
use std::ops::Range;
use urikit::op::Layer;

mod attributes;
mod charset;
mod css;
mod deep;
mod scan;
mod text;
mod token;

/// How much of a document is read before references are no longer held back, in bytes.
const HEAD: usize = 1 << 20;

/// How many references are held back.
const MAX_PENDING: usize = 1 << 14;

/// Reads an HTML document that arrives in pieces.
#[derive(Debug)]
pub(crate) struct Html<'f> {
    scan: Scan<'f>,
    base: Base,
    /// How much was read, in bytes.
    read: usize,
}

/// The base URI of the document, as far as it is known.
#[derive(Debug)]
struct Base {
    /// The bases of the document itself.
    outer: Bases,
    /// The bases of its references.
    inner: Bases,
    is_declared: bool,
    /// The references found before the base was known; `None` once references are not held back.
    pending: Option<Vec<(Held<'static>, IsBase)>>,
    places: SharedPlaces,
    /// Whether a limit was why references are no longer held back.
    gave_up: bool,
    exceeded: Exceeded,
}

/// Whether a reference is the base itself, which is not relative to itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct IsBase(bool);

impl<'f> Html<'f> {
    /// A reader of a document to which these bases apply, unless it declares another.
    pub(crate) fn new(context: Context<'f>, bases: &Bases) -> Self {
        Self {
            scan: Scan::new(context),
            base: Base {
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

    /// Takes the next piece.
    pub(crate) fn push(&mut self, piece: &[u8], each: &mut dyn FnMut(Reference<'_>)) {
        let Self { scan, base, read } = self;
        for piece in piece.chunks(HEAD / 16) {
            scan.push(piece, &mut |event| base.take(event, each));
            *read += piece.len();
            if *read >= HEAD {
                base.give_up(each);
            }
        }
    }

    /// Ends the document. Returns what exceeded a limit.
    pub(crate) fn finish(mut self, each: &mut dyn FnMut(Reference<'_>)) -> Exceeded {
        let base = &mut self.base;
        base.exceeded.long_tags = self.scan.finish(&mut |event| base.take(event, each));
        base.release(each);
        base.exceeded
    }

    /// The offset before which no later reference can begin.
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

impl Base {
    fn take(&mut self, event: Event<'_>, each: &mut dyn FnMut(Reference<'_>)) {
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

    fn emit(
        &mut self,
        found: Unresolved<'_>,
        is_base: IsBase,
        each: &mut dyn FnMut(Reference<'_>),
    ) {
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

    /// Holds back no more references, because there are too many.
    fn give_up(&mut self, each: &mut dyn FnMut(Reference<'_>)) {
        self.gave_up |= self.pending.is_some();
        self.release(each);
    }

    fn release(&mut self, each: &mut dyn FnMut(Reference<'_>)) {
        for (found, is_base) in self.pending.take().unwrap_or_default() {
            found.release(|found| self.emit_now(found, is_base, each));
        }
    }

    fn emit_now(
        &mut self,
        found: Unresolved<'_>,
        IsBase(is_base): IsBase,
        each: &mut dyn FnMut(Reference<'_>),
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

/// What was found in a piece of HTML.
#[derive(Debug)]
pub(crate) enum Event<'a> {
    Reference(Unresolved<'a>),
    /// The `href` of `<base>`.
    Base(Unresolved<'a>),
    /// The start tag of an element that does not belong in the head.
    BodyBegins,
}

/// The callback that receives events.
pub(crate) type Each<'c> = dyn FnMut(Event<'_>) + 'c;

/// A reference without the tabs and line ends that HTML and the URL standard strip from it.
pub(crate) fn clean(decoded: &[u8]) -> Cow<'_, str> {
    if memchr::memchr3(b'\t', b'\n', b'\r', decoded).is_none() {
        return lossy(decoded);
    }
    Cow::Owned(lossy(decoded).replace(['\t', '\n', '\r'], ""))
}

/// A text in which U+FFFD replaces what is not UTF-8. Nearly all texts are valid, and checking that
/// first is faster.
pub(crate) fn lossy(text: &[u8]) -> Cow<'_, str> {
    core::str::from_utf8(text).map_or_else(|_| String::from_utf8_lossy(text), Cow::Borrowed)
}

/// A range of a text without the white space at its ends.
pub(crate) fn trim(text: &[u8], range: Range<usize>) -> Range<usize> {
    let inner = text.get(range.clone()).unwrap_or_default();
    let start = range.start + (inner.len() - inner.trim_ascii_start().len());
    start..start + inner.trim_ascii().len()
}
