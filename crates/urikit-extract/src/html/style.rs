//! The text of `<style>`, which arrives in pieces.

use super::css::Scanner;
use super::event::{Each, Event, clean};
use super::token::MAX_TAG;
use crate::found::{Place, Unresolved};
use crate::link::{Kind, Marks};
use std::borrow::Cow;

/// A style sheet within a document.
#[derive(Default, Debug)]
pub(crate) struct Style {
    scanner: Scanner,
    pending: Vec<u8>,
    /// The offset of the pending text in the document.
    start: usize,
    /// How much text must be pending before it is scanned again.
    wait: usize,
}

impl Style {
    /// The offset before which no later reference can begin.
    pub(crate) fn undecided_from(&self) -> Option<usize> {
        (!self.pending.is_empty()).then_some(self.start)
    }

    /// Takes a piece at an offset of the document.
    pub(crate) fn push(&mut self, piece: &[u8], start: usize, is_last: bool, each: &mut Each<'_>) {
        if self.pending.is_empty() {
            self.start = start;
        }
        self.pending.extend_from_slice(piece);
        if self.pending.len() < self.wait && !is_last {
            return;
        }
        let is_cut = is_last || self.pending.len() > MAX_TAG;
        let Self {
            scanner,
            pending,
            start,
            ..
        } = self;
        let read = scanner.scan(pending, is_cut, &mut |range, url| {
            each(Event::Reference(Unresolved {
                text: Cow::Borrowed(pending.get(range.clone()).unwrap_or_default()),
                range: range.start + *start..range.end + *start,
                kind: Kind::Link,
                uri: clean(&url),
                alternative: None,
                codebase: None,
                place: Place::element_named("style"),
                marks: Marks::MARKUP,
            }));
        });
        self.pending.drain(..read);
        self.start += read;
        self.wait = self.pending.len() * 2;
        if is_last {
            *self = Self::default();
        }
    }
}
