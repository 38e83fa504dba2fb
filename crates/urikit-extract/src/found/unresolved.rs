//! References whose base URI is not known yet.

use super::base::Bases;
use super::place::Place;
use super::reference::Reference;
use crate::link::{Kind, Marks};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// A reference found in markup. The base URI it is relative to may come later in the document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Unresolved<'a, P = Place<'a>> {
    pub(crate) range: Range<usize>,
    pub(crate) kind: Kind,
    /// As written.
    pub(crate) text: Cow<'a, [u8]>,
    pub(crate) uri: Cow<'a, str>,
    pub(crate) alternative: Option<String>,
    /// The base URI that the element itself sets for this reference (`codebase`).
    pub(crate) codebase: Option<Arc<str>>,
    pub(crate) place: P,
    pub(crate) marks: Marks,
}

impl<'a> Unresolved<'a> {
    /// The reference, relative to these bases.
    pub(crate) fn into_reference(self, bases: Cow<'a, Bases>) -> Reference<'a> {
        Reference {
            range: self.range,
            position: None,
            kind: self.kind,
            text: lossy(self.text),
            uri: self.uri,
            alternative: self.alternative.map(Cow::Owned),
            bases,
            part: None,
            place: self.place,
            marks: self.marks,
        }
    }

    /// The same, to be kept. `text` is what is written, or where that is kept.
    pub(crate) fn held<'t>(self, text: Cow<'t, [u8]>, places: &mut SharedPlaces) -> Held<'t> {
        Unresolved {
            range: self.range,
            kind: self.kind,
            text,
            uri: Cow::Owned(self.uri.into_owned()),
            alternative: self.alternative,
            codebase: self.codebase,
            place: places.share(self.place),
            marks: self.marks,
        }
    }
}

/// A reference that is kept. There may be a great many, so those of one element share their place.
pub(crate) type Held<'a> = Unresolved<'a, Arc<Place<'static>>>;

impl Held<'_> {
    /// Calls `each` with the reference.
    pub(crate) fn release(self, each: impl FnOnce(Unresolved<'_>)) {
        each(Unresolved {
            range: self.range,
            kind: self.kind,
            text: self.text,
            uri: self.uri,
            alternative: self.alternative,
            codebase: self.codebase,
            place: self.place.borrowed(),
            marks: self.marks,
        });
    }
}

/// The places of references that are kept.
#[derive(Clone, Default, Debug)]
pub(crate) struct SharedPlaces {
    last: Arc<Place<'static>>,
}

impl SharedPlaces {
    /// A place that references share if it is the same.
    fn share(&mut self, place: Place<'_>) -> Arc<Place<'static>> {
        if *self.last != place {
            self.last = Arc::new(place.into_owned());
        }
        Arc::clone(&self.last)
    }
}

fn lossy(text: Cow<'_, [u8]>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => {
            // Nearly all texts are valid, and checking that first is faster.
            core::str::from_utf8(text).map_or_else(|_| String::from_utf8_lossy(text), Cow::Borrowed)
        }
        Cow::Owned(text) => Cow::Owned(String::from_utf8_lossy(&text).into_owned()),
    }
}
