//! The hash of a normal form.
//!
//! References with the same normal form result in the same calls to the hasher. Nearly all normal
//! forms fit into [`SHORT`] bytes, and are passed to the hasher in one call. Most references are in
//! normal form, so their text is passed on without being copied.
//!
//! A longer normal form is passed on in blocks: the text before the path, then the path, then the
//! text after it. A path without dot segments is passed on segment by segment, last segment first,
//! because this order needs no memory.

use super::fast::{self, FastCheck};
use super::path::{Remaining, removes_dots};
use super::piece::Piece;
use super::plan::Plan;
use super::{Level, scheme};
use crate::reference::{Known, Standards};
use core::hash::Hasher;

/// A byte that ends a component. UTF-8 text never contains this byte.
const END: u8 = 0xFF;
/// The length of the longest normal form that is passed to the hasher in one call, in bytes.
const SHORT: usize = 256;
/// The number of bytes in a block of a longer normal form.
const BLOCK: usize = 64;

/// Passes the normal form at [`Level::Scheme`] to `state`.
pub(in super::super) fn hash_normal<S: Standards, H: Hasher>(
    reference: Known<'_, S>,
    state: &mut H,
) {
    let text = reference.as_str();
    match fast::check(reference) {
        FastCheck::Normal if text.len() <= SHORT => {
            state.write(text.as_bytes());
            state.write_u8(END);
        }
        FastCheck::Normal => hash_text(reference, reference.path().as_str(), state),
        FastCheck::WithoutPath if scheme::is_slash_omitted(reference) => {
            hash_text(reference, "/", state);
        }
        _ => {
            let plan = Plan::new(reference, Level::Scheme);
            // Without an authority, the text may contain a `/.` that is not in the plan.
            if reference.layout().host_kind.is_some() && plan.is_as_written() {
                hash_text(reference, reference.path().as_str(), state);
            } else {
                plan.hash(state);
            }
        }
    }
}

/// Passes the normal form of a reference to `state`: the text of the reference, with `path` in
/// place of its path.
fn hash_text<S: Standards, H: Hasher>(reference: Known<'_, S>, path: &str, state: &mut H) {
    let text = reference.as_str();
    let is_changed = path.len() != reference.path().as_str().len();
    if text.len() <= SHORT && !is_changed {
        state.write(text.as_bytes());
        return state.write_u8(END);
    }
    let start = reference.layout().path as usize;
    let end = start + reference.path().as_str().len();
    let component = |text: Option<&str>, state: &mut H| {
        for block in text.unwrap_or_default().as_bytes().chunks(BLOCK) {
            state.write(block);
        }
    };
    let mut short = Short::new();
    let parts = [text.get(..start), Some(path), text.get(end..)];
    if parts
        .into_iter()
        .flatten()
        .all(|part| short.push_text(part))
    {
        return short.end(state);
    }
    component(text.get(..start), state);
    if removes_dots(reference, path, Level::Scheme) {
        for segment in Remaining::new(path) {
            state.write_u8(b'/');
            component(Some(segment), state);
        }
    } else {
        component(Some(path), state);
    }
    state.write_u8(END);
    component(text.get(end..), state);
    state.write_u8(END);
}

/// A normal form of at most [`SHORT`] bytes.
struct Short {
    bytes: [u8; SHORT],
    length: usize,
}

impl Short {
    const fn new() -> Self {
        Self {
            bytes: [0; SHORT],
            length: 0,
        }
    }

    /// Appends text. Returns false if the text does not fit.
    fn push_text(&mut self, text: &str) -> bool {
        let end = self.length + text.len();
        let place = self.bytes.get_mut(self.length..end);
        self.length = end;
        place
            .map(|place| place.copy_from_slice(text.as_bytes()))
            .is_some()
    }

    /// Appends bytes. Returns false if the bytes do not fit.
    fn push_all(&mut self, bytes: impl IntoIterator<Item = u8>) -> bool {
        bytes.into_iter().all(|byte| {
            let place = self.bytes.get_mut(self.length);
            self.length += 1;
            place.map(|place| *place = byte).is_some()
        })
    }

    /// Appends the segments of a path without dot segments, which are given from last to first.
    fn push_path<'a>(&mut self, segments: impl Iterator<Item = Piece<'a>> + Clone) -> bool {
        let mut length = 0;
        for segment in segments.clone() {
            // Reads no more of a segment than could fit in the buffer.
            length += 1 + segment.bytes().take(SHORT).count();
            if self.length + length > SHORT {
                return false;
            }
        }
        let end = self.length + length;
        let mut start = end;
        for segment in segments {
            start -= 1 + segment.bytes().count();
            self.length = start;
            if !self.push_all(core::iter::once(b'/').chain(segment.bytes())) {
                return false;
            }
        }
        self.length = end;
        true
    }

    fn end<H: Hasher>(&self, state: &mut H) {
        state.write(self.bytes.get(..self.length).unwrap_or_default());
        state.write_u8(END);
    }
}

/// Collects the bytes of components that are not passed on as text.
struct Blocks<'h, H> {
    state: &'h mut H,
    block: [u8; BLOCK],
    /// The number of bytes in the block.
    length: usize,
}

impl<'h, H: Hasher> Blocks<'h, H> {
    const fn new(state: &'h mut H) -> Self {
        Self {
            state,
            block: [0; BLOCK],
            length: 0,
        }
    }

    fn push(&mut self, byte: u8) {
        if let Some(place) = self.block.get_mut(self.length) {
            *place = byte;
        }
        self.length += 1;
        if self.length == BLOCK {
            self.flush();
        }
    }

    /// Ends a component.
    fn flush(&mut self) {
        let block = self.block.get(..self.length).unwrap_or_default();
        if !block.is_empty() {
            self.state.write(block);
        }
        self.length = 0;
    }

    /// Ends a component, and passes on a delimiter.
    fn end(&mut self, delimiter: u8) {
        self.flush();
        self.state.write_u8(delimiter);
    }
}

impl Plan<'_> {
    /// Returns the normal form, or `None` if it is longer than [`SHORT`].
    fn to_short(&self) -> Option<Short> {
        let mut short = Short::new();
        let mut fits = true;
        self.before_path(&mut |byte| fits &= fits && short.push_all([byte]));
        fits = fits
            && match self.path().remaining() {
                Some(segments) => short.push_path(segments),
                None => short.push_all(self.path().bytes()),
            };
        self.after_path(&mut |byte| fits &= fits && short.push_all([byte]));
        fits.then_some(short)
    }

    /// Passes the normal form to `state`.
    fn hash<H: Hasher>(&self, state: &mut H) {
        if let Some(short) = self.to_short() {
            return short.end(state);
        }
        let mut blocks = Blocks::new(state);
        self.before_path(&mut |byte| blocks.push(byte));
        blocks.flush();
        if let Some(segments) = self.path().remaining() {
            for segment in segments {
                blocks.end(b'/');
                segment.bytes().for_each(|byte| blocks.push(byte));
            }
        } else {
            self.path().bytes().for_each(|byte| blocks.push(byte));
        }
        blocks.end(END);
        self.after_path(&mut |byte| blocks.push(byte));
        blocks.end(END);
    }
}
