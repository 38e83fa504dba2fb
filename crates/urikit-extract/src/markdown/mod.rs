//! Markdown, parsed by `pulldown-cmark`: links, images, autolinks, link reference definitions,
//! embedded HTML, and links in text.
//!
//! Each use of a definition is also a reference, whose range is the entire link. Code and
//! mathematics are not searched.
//!
//! A document is read in sections, which end where no block is open, so that the memory does not
//! depend on the length of the document:
//!
//! 1. [`sections`] cuts the text into sections at the offsets that [`blocks`] finds, and collects
//!    the definitions before each cut in [`definitions`]. Text without a character that references
//!    need, and fenced code, are in no section.
//! 2. [`events`] reads a section once the next 8 MiB have been searched for definitions, and
//!    [`collector`] reports its references in order.
//!
//! The result is the same as that of reading the document in one piece, except for documents longer
//! than 8 MiB if they use a definition more than 8 MiB before it, if they leave an HTML tag open
//! for 8 MiB or 65,536 references, or if their definitions need more than 24 MiB of memory or
//! expand to more than the limit of the parser.

mod blocks;
mod collector;
mod definitions;
mod destination;
mod events;
mod front;
mod sections;
mod window;

#[cfg(test)]
mod tests;

use crate::found::Bases;
use crate::reader::{Context, Each, Noticed, Reader, TooLong};
use collector::{Collector, Output};
use definitions::Definitions;
use sections::{Kind, Section, Sections, Target, as_one_section};
use std::collections::VecDeque;
use window::{KnownPosition, Positions, Window};

/// The sizes that determine how a document is read, in bytes.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    /// The distance over which a definition is found before it.
    look_ahead: usize,
    /// The number of bytes to search for sections at a time.
    step: usize,
    /// The length from which a section ends at text that needs no parser.
    min_section: usize,
    /// The length from which a section ends at the next cut.
    max_section: usize,
}

const SIZES: Sizes = Sizes {
    look_ahead: 8 << 20,
    step: 256 << 10,
    min_section: 1 << 7,
    max_section: 64 << 10,
};

/// The length of the document at which it is first searched for the end of front matter.
const FRONT_MATTER: usize = 64;

/// The reader for Markdown.
#[derive(Debug)]
pub(crate) struct Markdown<'e> {
    bases: Bases,
    sizes: Sizes,
    window: Window,
    /// The length of the document at which it is searched for the end of front matter, until the
    /// end is known.
    front_matter_at: Option<usize>,
    sections: Sections,
    /// Complete sections that have not been read.
    waiting: VecDeque<Section>,
    definitions: Definitions,
    positions: Positions,
    collector: Collector<'e>,
    /// True if a section has been read.
    has_read: bool,
}

impl<'e> Markdown<'e> {
    pub(crate) fn new(context: Context<'e>, bases: &Bases) -> Self {
        Self::with_sizes(context, bases, SIZES)
    }

    fn with_sizes(context: Context<'e>, bases: &Bases, sizes: Sizes) -> Self {
        Self {
            bases: bases.clone(),
            sizes,
            window: Window::default(),
            front_matter_at: Some(FRONT_MATTER),
            sections: Sections::new(sizes),
            waiting: VecDeque::new(),
            definitions: Definitions::default(),
            positions: Positions::default(),
            collector: Collector::new(context),
            has_read: false,
        }
    }

    /// Finds the sections in the bytes that have arrived, and reads those for which all definitions
    /// are known.
    fn advance(&mut self, is_complete: bool, each: &mut Each<'_>) {
        if !self.skip_front_matter(is_complete) {
            return;
        }
        let mut target = Target {
            window: &self.window,
            finder: self.collector.context().finder,
            definitions: &mut self.definitions,
            sections: &mut self.waiting,
        };
        self.sections.find(is_complete, &mut target);
        if is_complete && !self.has_read && self.must_read_at_once() {
            let end = self.window.end();
            self.waiting.retain(|section| section.kind == Kind::Text);
            let front = self.waiting.front().map_or(0, |front| front.range.end);
            self.waiting
                .push_back(as_one_section(front..end, &self.window));
        }
        let end = self.window.end();
        while let Some(section) = self.waiting.front()
            && (is_complete || section.range.end + self.sizes.look_ahead <= end)
        {
            let section = section.clone();
            self.waiting.pop_front();
            self.read(&section, each);
        }
        self.discard();
    }

    /// Returns true if the expansion of definitions may exceed the limit of the parser, which
    /// depends on the length of its text.
    fn must_read_at_once(&self) -> bool {
        let sections = self.waiting.iter();
        let sections = sections.map(|section| self.window.get(section.range.clone()));
        let length = self.window.end();
        self.definitions.is_full()
            || self
                .definitions
                .may_exceed(sections, length, events::MAX_USES)
    }

    /// Makes front matter a section. Returns false if its end is not known yet.
    fn skip_front_matter(&mut self, is_complete: bool) -> bool {
        let Some(at) = self.front_matter_at else {
            return true;
        };
        let length = self.window.end();
        if length < at && !is_complete {
            return false;
        }
        let is_complete = is_complete || length >= self.sizes.look_ahead;
        let Some(end) = front::end(self.window.get(0..length), is_complete) else {
            self.front_matter_at = Some(2 * length);
            return false;
        };
        self.front_matter_at = None;
        self.waiting
            .extend(self.sections.front_matter(end, &self.window));
        true
    }

    fn read(&mut self, section: &Section, each: &mut Each<'_>) {
        self.has_read = true;
        let text = self.window.get(section.range.clone());
        let start = section.range.start;
        self.positions.push(section.line);
        let mut output = Output {
            window: &self.window,
            positions: &mut self.positions,
            bases: &self.bases,
            context: self.collector.context(),
            each,
        };
        let collector = &mut self.collector;
        match section.kind {
            Kind::Text => events::read_text(text, start, collector),
            Kind::Html => events::read_html(text, start, collector),
            Kind::Markdown => {
                events::read(text, start, &self.definitions, collector, &mut output);
            }
        }
        collector.end_section(section.range.end, self.sizes.look_ahead, &mut output);
    }

    /// Returns the start of the first section that has not been read.
    fn unread_from(&self) -> KnownPosition {
        let first = self.waiting.front().map(|section| section.line);
        first.unwrap_or_else(|| self.sections.unfinished_from())
    }

    fn discard(&mut self) {
        let mut needed = self.unread_from().offset;
        if let Some(start) = self.collector.undecided_from() {
            let line = self.positions.discard_before(start);
            needed = needed.min(line.unwrap_or(start));
        }
        self.window.discard_before(needed, self.sizes.look_ahead);
    }
}

impl Reader for Markdown<'_> {
    fn push(&mut self, piece: &[u8], each: &mut Each<'_>) -> Result<(), TooLong> {
        for step in piece.chunks(self.sizes.step) {
            self.window.push(step);
            self.advance(false, each);
            let limit = self.collector.context().max_length;
            if self.sections.uncut(&self.window) > limit {
                return Err(TooLong { limit });
            }
        }
        Ok(())
    }

    fn undecided_from(&self) -> usize {
        let unread = self.unread_from().offset;
        let undecided = self.collector.undecided_from();
        undecided.map_or(unread, |at| at.min(unread))
    }

    fn sets_positions(&self) -> bool {
        true
    }

    fn finish(mut self: Box<Self>, each: &mut Each<'_>) -> Noticed {
        self.advance(true, each);
        self.collector.end_html();
        let mut output = Output {
            window: &self.window,
            positions: &mut self.positions,
            bases: &self.bases,
            context: self.collector.context(),
            each,
        };
        self.collector.release(usize::MAX, &mut output);
        self.collector.exceeded.into()
    }
}
