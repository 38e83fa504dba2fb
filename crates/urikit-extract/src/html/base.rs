//! The base URI that a document declares.
//!
//! The first `<base href>` is the base of the entire document, including the references before it
//! (RFC 2396, Appendix D; HTML living standard, 4.2.3). So the first mebibyte is searched for a
//! `<base>` before its references are read. A base that begins later applies only to the references
//! after it.

use super::{Event, Scan};
use crate::found::{Bases, Exceeded, Found, Unresolved};
use crate::reader::Context;
use core::mem;
use memchr::memmem;
use std::borrow::Cow;
use urikit::op::Layer;

/// The number of bytes that are searched for a base before they are read.
pub(super) const HEAD: usize = 1 << 20;

/// The base URI of a document, as far as it is known.
#[derive(Debug)]
pub(super) struct DocumentBase {
    /// The bases against which the document's own `<base>` is resolved.
    outer: Bases,
    /// The bases for the references in the document.
    inner: Bases,
    is_declared: bool,
    /// True if the element that declares the base has been read.
    is_read: bool,
    pub(super) exceeded: Exceeded,
}

impl DocumentBase {
    pub(super) fn new(outer: &Bases) -> Self {
        Self {
            outer: outer.clone(),
            inner: outer.clone(),
            is_declared: false,
            is_read: false,
            exceeded: Exceeded::default(),
        }
    }

    /// Searches the beginning of the document for the base.
    pub(super) fn search(&mut self, head: &[u8], is_complete: bool, context: Context<'_>) {
        if let Some(uri) = declared_in(head, is_complete, context) {
            self.declare(&uri);
        }
    }

    fn declare(&mut self, uri: &str) {
        self.is_declared = true;
        let long = &mut self.exceeded.long_bases;
        self.inner = self.outer.within(Layer::Embedded, uri, long).into_owned();
    }

    /// Passes a reference to `each`, with the bases that apply to it.
    pub(super) fn take(&mut self, event: Event<'_>, each: &mut dyn FnMut(Found<'_>)) {
        match event {
            Event::Reference(found) => emit(found, &self.inner, &mut self.exceeded, each),
            Event::Base(found) if mem::replace(&mut self.is_read, true) => {
                emit(found, &self.inner, &mut self.exceeded, each);
            }
            Event::Base(found) => {
                if !self.is_declared {
                    self.exceeded.late_bases += 1;
                    self.declare(&found.uri);
                }
                // A declared base is relative to the outer bases, not to itself.
                emit(found, &self.outer, &mut self.exceeded, each);
            }
        }
    }
}

fn emit(
    found: Unresolved<'_>,
    bases: &Bases,
    exceeded: &mut Exceeded,
    each: &mut dyn FnMut(Found<'_>),
) {
    let bases = match &found.codebase {
        Some(codebase) => bases.within(Layer::Embedded, codebase, &mut exceeded.long_bases),
        None => Cow::Borrowed(bases),
    };
    each(found.into_reference(bases));
}

/// Returns the first base declared in `head`, the beginning of a document.
fn declared_in(head: &[u8], is_complete: bool, context: Context<'_>) -> Option<String> {
    // Most documents have no such tag, or have one near the beginning.
    let last = last_tag(head)?;
    let context = Context {
        is_deep: false,
        ..context
    };
    let mut scan = Scan::new(context);
    let mut declared = None;
    for piece in head.chunks(4096) {
        scan.push(piece, &mut |event| note_base(event, &mut declared));
        if declared.is_some() || scan.undecided_from() > last {
            return declared;
        }
    }
    if is_complete {
        scan.finish(&mut |event| note_base(event, &mut declared));
    }
    declared
}

fn note_base(event: Event<'_>, declared: &mut Option<String>) {
    if let Event::Base(found) = event {
        declared.get_or_insert_with(|| found.uri.into_owned());
    }
}

/// Returns the offset of the last `<base`, in a tag or elsewhere.
fn last_tag(head: &[u8]) -> Option<usize> {
    let is_name = |at: &usize| {
        let name = head.get(at + 2..at + 5);
        name.is_some_and(|name| name.eq_ignore_ascii_case(b"ase"))
            && !head.get(at + 5).is_some_and(u8::is_ascii_alphanumeric)
    };
    // Two vectorized searches are faster than examining each `<`.
    let last = |start: &[u8]| memmem::find_iter(head, start).filter(is_name).last();
    last(b"<b").max(last(b"<B"))
}
