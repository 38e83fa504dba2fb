//! The text of `<style>`, which comes in pieces.

use super::css::Scanner;
use super::event::{Each, Event, clean};
use super::lexer::LONGEST_TAG;
use crate::found::Unresolved;
use crate::link::Kind;
use std::borrow::Cow;

/// A style sheet within a document.
#[derive(Default, Debug)]
pub(crate) struct Style {
    scanner: Scanner,
    held: Vec<u8>,
    /// Where the held text begins in the document.
    start: usize,
    /// How much must be held before it is looked at again.
    wait: usize,
}

impl Style {
    /// Where what is not decided yet begins.
    pub(crate) fn kept_from(&self) -> Option<usize> {
        (!self.held.is_empty()).then_some(self.start)
    }

    /// Takes a piece that stands at an offset of the document.
    pub(crate) fn push(&mut self, piece: &[u8], start: usize, is_last: bool, each: &mut Each<'_>) {
        if self.held.is_empty() {
            self.start = start;
        }
        self.held.extend_from_slice(piece);
        if self.held.len() < self.wait && !is_last {
            return;
        }
        let is_cut = is_last || self.held.len() > LONGEST_TAG;
        let Self {
            scanner,
            held,
            start,
            ..
        } = self;
        let read = scanner.scan(held, is_cut, &mut |range, url| {
            each(Event::Reference(Unresolved {
                text: Cow::Borrowed(held.get(range.clone()).unwrap_or_default()),
                range: range.start + *start..range.end + *start,
                kind: Kind::Link,
                uri: clean(&url),
                alternative: None,
                codebase: None,
            }));
        });
        self.held.drain(..read);
        self.start += read;
        self.wait = self.held.len() * 2;
        if is_last {
            *self = Self::default();
        }
    }
}
