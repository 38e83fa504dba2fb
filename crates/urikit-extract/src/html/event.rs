//! What the parts of the HTML reader give each other.

use crate::document::{Bases, Reference};
use crate::link::Kind;
use std::borrow::Cow;
use std::ops::Range;

/// A reference in HTML; what it is relative to is not known yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Found<'a> {
    pub(crate) range: Range<usize>,
    pub(crate) kind: Kind,
    /// As written.
    pub(crate) text: Cow<'a, [u8]>,
    pub(crate) uri: Cow<'a, str>,
    pub(crate) alternative: Option<String>,
    /// The base of the element's own, to which it is relative.
    pub(crate) codebase: Option<Cow<'a, str>>,
}

impl<'a> Found<'a> {
    /// The reference, relative to these bases.
    pub(crate) fn into_reference(self, bases: &'a Bases) -> Reference<'a> {
        self.into_reference_by(Cow::Borrowed(bases))
    }

    /// The same.
    pub(crate) fn into_reference_by(self, bases: Cow<'a, Bases>) -> Reference<'a> {
        Reference {
            range: self.range,
            place: None,
            kind: self.kind,
            text: lossy(self.text),
            uri: self.uri,
            alternative: self.alternative.map(Cow::Owned),
            bases,
            part: None,
        }
    }

    pub(crate) fn into_owned(self) -> Found<'static> {
        Found {
            range: self.range,
            kind: self.kind,
            text: Cow::Owned(self.text.into_owned()),
            uri: Cow::Owned(self.uri.into_owned()),
            alternative: self.alternative,
            codebase: self.codebase.map(|uri| Cow::Owned(uri.into_owned())),
        }
    }
}

fn lossy(text: Cow<'_, [u8]>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => String::from_utf8_lossy(text),
        Cow::Owned(text) => Cow::Owned(String::from_utf8_lossy(&text).into_owned()),
    }
}

/// What a piece of HTML says.
#[derive(Debug)]
pub(crate) enum Event<'a> {
    Found(Found<'a>),
    /// The base URI of the document.
    Base(Found<'a>),
    /// An element that is not of the head begins.
    BodyBegins,
}

/// What events are given to.
pub(crate) type Each<'c> = dyn FnMut(Event<'_>) + 'c;

/// A reference without what HTML and URLs ignore in it: tabs and line ends.
pub(crate) fn clean(decoded: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(decoded);
    if text.contains(['\t', '\n', '\r']) {
        Cow::Owned(text.replace(['\t', '\n', '\r'], ""))
    } else {
        text
    }
}

/// A range of a text without the white space at its ends.
pub(crate) fn trim(text: &[u8], range: Range<usize>) -> Range<usize> {
    let inner = text.get(range.clone()).unwrap_or_default();
    let start = range.start + (inner.len() - inner.trim_ascii_start().len());
    start..start + inner.trim_ascii().len()
}
