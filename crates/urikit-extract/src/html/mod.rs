//! HTML: references in attributes, style sheets and text, with the base URI that the document
//! declares.

mod attributes;
mod base;
mod charset;
mod css;
mod deep;
mod parts;
mod scan;
mod text;
mod token;

use crate::decode::lossy;
use crate::found::{Bases, Exceeded, Found, Unresolved};
use crate::reader::Context;
pub(crate) use attributes::{is_url_property, refresh_url};
use base::{DocumentBase, HEAD};
pub(crate) use charset::{Declaration, HEAD as CHARSET_HEAD, charset};
pub(crate) use css::Scanner as CssScanner;
pub use parts::{HtmlElement, HtmlPart, html_parts};
pub(crate) use scan::Scan;
use std::borrow::Cow;
use std::ops::Range;

/// Reads an HTML document that arrives in pieces.
#[derive(Debug)]
pub(crate) struct Html<'f> {
    context: Context<'f>,
    scan: Scan<'f>,
    base: DocumentBase,
    /// The beginning of the document, until it has been searched for a base.
    head: Option<Vec<u8>>,
}

impl<'f> Html<'f> {
    /// Creates a reader for a document. `bases` apply unless the document declares another base.
    pub(crate) fn new(context: Context<'f>, bases: &Bases) -> Self {
        Self {
            context,
            scan: Scan::new(context),
            base: DocumentBase::new(bases),
            head: Some(Vec::new()),
        }
    }

    /// Reads the next piece.
    pub(crate) fn push(&mut self, piece: &[u8], each: &mut dyn FnMut(Found<'_>)) {
        let Some(head) = &mut self.head else {
            return self.read(piece, each);
        };
        if head.is_empty()
            && let Some(start) = piece.get(..HEAD)
        {
            self.head = None;
            self.base.search(start, false, self.context);
            return self.read(piece, each);
        }
        let (taken, rest) = piece.split_at(piece.len().min(HEAD - head.len()));
        head.extend_from_slice(taken);
        if head.len() == HEAD {
            self.read_head(false, each);
            self.read(rest, each);
        }
    }

    /// Reads the beginning of the document, once it has arrived.
    fn read_head(&mut self, is_complete: bool, each: &mut dyn FnMut(Found<'_>)) {
        if let Some(head) = self.head.take() {
            self.base.search(&head, is_complete, self.context);
            self.read(&head, each);
        }
    }

    fn read(&mut self, piece: &[u8], each: &mut dyn FnMut(Found<'_>)) {
        let Self { scan, base, .. } = self;
        scan.push(piece, &mut |event| base.take(event, each));
    }

    /// Ends the document, and returns the counts of exceeded limits.
    pub(crate) fn finish(mut self, each: &mut dyn FnMut(Found<'_>)) -> Exceeded {
        self.read_head(true, each);
        let base = &mut self.base;
        base.exceeded.long_tags = self.scan.finish(&mut |event| base.take(event, each));
        base.exceeded
    }

    /// Returns the offset before which no later reference can begin.
    pub(crate) fn undecided_from(&self) -> usize {
        self.scan.undecided_from()
    }
}

/// A construct found in a piece of HTML.
#[derive(Debug)]
pub(crate) enum Event<'a> {
    Reference(Unresolved<'a>),
    /// The `href` of a `<base>`.
    Base(Unresolved<'a>),
}

impl<'a> Event<'a> {
    /// Returns the reference. A base that does not apply to the document is an ordinary reference.
    pub(crate) fn into_reference(self) -> Unresolved<'a> {
        match self {
            Self::Reference(found) | Self::Base(found) => found,
        }
    }
}

/// The callback that receives events.
pub(crate) type Each<'c> = dyn FnMut(Event<'_>) + 'c;

/// Removes tabs and line endings, as HTML and the URL standard do.
pub(crate) fn clean(decoded: &[u8]) -> Cow<'_, str> {
    if memchr::memchr3(b'\t', b'\n', b'\r', decoded).is_none() {
        return lossy(decoded);
    }
    Cow::Owned(lossy(decoded).replace(['\t', '\n', '\r'], ""))
}

/// Returns the range without the white space at its ends.
pub(crate) fn trim(text: &[u8], range: Range<usize>) -> Range<usize> {
    let inner = text.get(range.clone()).unwrap_or_default();
    let start = range.start + (inner.len() - inner.trim_ascii_start().len());
    start..start + inner.trim_ascii().len()
}
