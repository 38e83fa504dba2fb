//! Markdown, parsed by `pulldown-cmark`: links, images, autolinks, link reference definitions,
//! embedded HTML, and links in text.
//!
//! Each use of a definition is also a reference, whose range is the entire link. Code and
//! mathematics are not searched.
//!
//! The parser requires the complete text, and memory for five times its length. A long document is
//! therefore read in sections. A section ends before a block or list item that is not inside
//! another block: what precedes it is complete, and what follows is parsed as if the document began
//! there. Definitions apply to the complete document, however. Each section is therefore parsed
//! together with a copy of the definitions in earlier sections, and some of the text after it is
//! parsed only to find definitions.

mod destination;
mod section;
#[cfg(test)]
mod tests;
mod text;

use crate::found::{Bases, Found, Position, PositionsIn};
use crate::reader::{Context, Each, Noticed, Reader, TooLong};
use core::ops::Range;
use section::{Section, Undefined};

/// The number of bytes to buffer before a section is read. The section is at most three quarters of
/// these bytes, and the rest is searched only for definitions.
const WINDOW: usize = 4 << 20;

/// The maximum total length of the definitions that later sections may use, in bytes.
const MAX_CARRIED: usize = 1 << 20;

/// Reads a document section by section.
#[derive(Debug)]
pub(crate) struct Markdown<'e> {
    context: Context<'e>,
    bases: Bases,
    /// The definitions of earlier sections, followed by the unread text.
    text: Vec<u8>,
    /// The length of these definitions.
    carried: usize,
    /// The offset of the unread text in the document, and its position.
    offset: usize,
    position: Position,
    /// The number of unread bytes at which a section is read.
    window: usize,
    /// The initial value of `window`. If no section ends within the window, it is doubled.
    min_window: usize,
    undefined: Undefined,
    noticed: Noticed,
}

impl<'e> Markdown<'e> {
    pub(crate) fn new(context: Context<'e>, bases: &Bases) -> Self {
        Self::with_window(context, bases, WINDOW)
    }

    fn with_window(context: Context<'e>, bases: &Bases, window: usize) -> Self {
        Self {
            context,
            bases: bases.clone(),
            text: Vec::new(),
            carried: 0,
            offset: 0,
            position: Position::START,
            window,
            min_window: window,
            undefined: Undefined::default(),
            noticed: Noticed::default(),
        }
    }

    /// Returns the number of bytes that have not been read.
    const fn unread(&self) -> usize {
        self.text.len() - self.carried
    }

    /// Reads the next section, or everything if the document is complete. Returns false if more
    /// text is needed.
    fn read(&mut self, is_complete: bool, each: &mut Each<'_>) -> bool {
        let (carried, offset) = (self.carried, self.offset);
        let mut place =
            PositionsIn::starting_at(self.position, self.text.get(carried..).unwrap_or_default());
        let context = self.context;
        let each = &mut |mut found: Found<'_>| {
            let Range { start, end } = found.range;
            found.range = start - carried..end - carried;
            context.complete(&mut found, &mut place);
            found.range = found.range.start + offset..found.range.end + offset;
            each(found);
        };
        let unread = self.unread();
        // If no more text can be buffered, all of the buffered text may become the section.
        let is_full = unread >= context.max_length;
        let most = if is_full { unread } else { unread / 4 * 3 };
        let section = Section {
            text: &self.text,
            start: carried,
            is_first: offset == 0,
            limit: (!is_complete).then_some(carried + most),
        };
        let read = section.read(context, &self.bases, &mut self.undefined, each);
        let end = read.end - carried;
        if end == 0 && !is_complete {
            self.window = (2 * unread).min(context.max_length);
            return false;
        }
        self.noticed.add(read.noticed, &|at| at - carried + offset);
        self.window = self.min_window;
        self.position = place.at(end);
        self.offset += end;
        let mut definitions = read.definitions;
        if carried + definitions.len() > MAX_CARRIED {
            definitions.clear();
            let until = &mut self.noticed.exceeded.definitions_until;
            until.get_or_insert(self.offset);
        }
        let kept = carried.saturating_sub(section::END.len());
        self.carried = kept + definitions.len() + section::END.len();
        definitions.push_str(section::END);
        drop(self.text.splice(kept..carried + end, definitions.bytes()));
        true
    }
}

impl Reader for Markdown<'_> {
    fn push(&mut self, mut piece: &[u8], each: &mut Each<'_>) -> Result<(), TooLong> {
        while !piece.is_empty() {
            let limit = self.context.max_length;
            let room = self.window.min(limit).saturating_sub(self.unread());
            if room == 0 {
                return Err(TooLong { limit });
            }
            let (taken, rest) = piece.split_at(room.min(piece.len()));
            self.text.extend_from_slice(taken);
            piece = rest;
            while self.unread() >= self.window && self.read(false, each) {}
        }
        Ok(())
    }

    fn undecided_from(&self) -> usize {
        self.offset
    }

    fn sets_positions(&self) -> bool {
        true
    }

    fn finish(mut self: Box<Self>, each: &mut Each<'_>) -> Noticed {
        self.read(true, each);
        self.noticed
    }
}
