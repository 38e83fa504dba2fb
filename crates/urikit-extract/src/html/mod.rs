//! HTML: references in attributes, in style sheets and in the text, with the base that the document names.
//!
//! The first `<base href>` is the base of the whole document (RFC 2396, Appendix D; HTML living standard, 4.2.3), also of what stands before
//! it: until it comes, or an element that is not of the head, or a mebibyte has been read, what was found is held back. A first base
//! behind that holds for what follows it.

mod attributes;
mod charset;
mod css;
mod entity;
mod event;
mod lexer;
mod refresh;
mod scan;
mod srcset;
mod style;
mod text;
mod value;

use crate::found::{Bases, Reference, Unresolved};
use crate::plain::Finder;
pub(crate) use charset::charset;
pub(crate) use event::Event;
pub(crate) use scan::Scan;
use std::borrow::Cow;
use urikit::op::Layer;

/// How much of a document is read before what was found in it is no longer held back.
const HEAD: usize = 1 << 20;

/// Reads a document of HTML that comes in pieces.
#[derive(Debug)]
pub(crate) struct Html<'f> {
    scan: Scan<'f>,
    base: Base,
    /// How much was read.
    read: usize,
}

/// What is known of the document's base.
#[derive(Debug)]
struct Base {
    /// The bases that the document itself is relative to.
    outer: Bases,
    /// The bases of its references.
    inner: Bases,
    has_come: bool,
    /// What was found before the base was known; `None` once it is not waited for.
    held: Option<Vec<(Unresolved<'static>, IsBase)>>,
}

/// Whether a reference is that of the base, which is not relative to itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct IsBase(bool);

impl<'f> Html<'f> {
    /// A reader of a document that has these bases without what it says of itself.
    pub(crate) fn new(finder: &'f Finder, bases: &Bases) -> Self {
        Self {
            scan: Scan::new(finder),
            base: Base {
                outer: bases.clone(),
                inner: bases.clone(),
                has_come: false,
                held: Some(Vec::new()),
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
                base.release(each);
            }
        }
    }

    /// Ends the document.
    pub(crate) fn finish(mut self, each: &mut dyn FnMut(Reference<'_>)) {
        let base = &mut self.base;
        self.scan.finish(&mut |event| base.take(event, each));
        base.release(each);
    }

    /// Where the first reference to come can begin.
    pub(crate) fn kept_from(&self) -> usize {
        let held = self.base.held.as_ref().and_then(|held| held.first());
        let first = held.map_or(usize::MAX, |(found, _)| found.range.start);
        self.scan.kept_from().min(first)
    }
}

impl Base {
    fn take(&mut self, event: Event<'_>, each: &mut dyn FnMut(Reference<'_>)) {
        match event {
            Event::Reference(found) => self.give(found, IsBase(false), each),
            Event::Base(found) => {
                let is_first = !self.has_come;
                if is_first {
                    self.has_come = true;
                    self.inner = self.outer.within(Layer::Embedded, &found.uri).into_owned();
                }
                self.give(found, IsBase(is_first), each);
                self.release(each);
            }
            Event::BodyBegins => self.release(each),
        }
    }

    fn give(
        &mut self,
        found: Unresolved<'_>,
        is_base: IsBase,
        each: &mut dyn FnMut(Reference<'_>),
    ) {
        match &mut self.held {
            Some(held) => held.push((found.into_owned(), is_base)),
            None => self.give_now(found, is_base, each),
        }
    }

    fn release(&mut self, each: &mut dyn FnMut(Reference<'_>)) {
        for (found, is_base) in self.held.take().unwrap_or_default() {
            self.give_now(found, is_base, each);
        }
    }

    fn give_now(
        &self,
        found: Unresolved<'_>,
        IsBase(is_base): IsBase,
        each: &mut dyn FnMut(Reference<'_>),
    ) {
        let bases = if is_base { &self.outer } else { &self.inner };
        let bases = match &found.codebase {
            Some(codebase) => bases.within(Layer::Embedded, codebase),
            None => Cow::Borrowed(bases),
        };
        each(found.into_reference(bases));
    }
}
