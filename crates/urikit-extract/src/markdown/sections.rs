//! Cuts Markdown into sections that can be parsed one by one.

use super::Sizes;
use super::blocks::{Blocks, Open};
use super::definitions::Definitions;
use super::events::options;
use super::window::{KnownPosition, Window};
use crate::decode::as_text;
use crate::found::Position;
use crate::plain::Finder;
use core::ops::Range;
use memchr::{memchr, memchr_iter, memchr3};
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag};
use std::collections::VecDeque;

/// The way to read a section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Markdown,
    /// Front matter.
    Text,
    /// A part of a long HTML block of kind 1 to 5.
    Html,
}

/// A part of a document.
#[derive(Clone, Debug)]
pub(super) struct Section {
    pub(super) range: Range<usize>,
    pub(super) kind: Kind,
    /// The start of the line in which the section begins.
    pub(super) line: KnownPosition,
}

/// The document, and the result of a search for sections.
pub(super) struct Target<'t> {
    pub(super) window: &'t Window,
    pub(super) finder: &'t Finder,
    pub(super) definitions: &'t mut Definitions,
    pub(super) sections: &'t mut VecDeque<Section>,
}

/// The number of bytes after which the parser confirms a cut.
const CONFIRM: usize = 16 << 10;

/// Finds sections. Offsets are those in the document.
#[derive(Debug)]
pub(super) struct Sections {
    sizes: Sizes,
    blocks: Blocks,
    /// The start of the line to read next.
    next: usize,
    /// The number of that line, counting from 1.
    line: usize,
    /// The offset up to which the line has been searched for its end.
    searched: usize,
    /// The offset of a CR, if it is after `next`. There is no CR between `next` and this offset.
    next_return: usize,
    /// The last cut.
    cut: KnownPosition,
    /// The length of the text since the last cut from which the parser confirms cuts.
    confirm_at: usize,
    /// The block that begins at the last cut, if blank lines do not end it.
    block: Open,
    /// True if this block is long, and the part before the last cut has been cut off.
    is_rest: bool,
    /// The section that ends at the last cut, unless the text there needs no parser.
    open: Option<Section>,
}

impl Sections {
    pub(super) fn new(sizes: Sizes) -> Self {
        Self {
            sizes,
            blocks: Blocks::new(),
            next: 0,
            line: 1,
            searched: 0,
            next_return: 0,
            cut: KnownPosition {
                offset: 0,
                position: Position { line: 1, column: 1 },
            },
            confirm_at: sizes.max_section.min(CONFIRM),
            block: Open::None,
            is_rest: false,
            open: None,
        }
    }

    /// Returns the start of the text that is in no complete section.
    pub(super) fn unfinished_from(&self) -> KnownPosition {
        self.open.as_ref().map_or(self.cut, |open| open.line)
    }

    /// Returns the length of the text since the last cut.
    pub(super) const fn uncut(&self, window: &Window) -> usize {
        window.end().saturating_sub(self.cut.offset)
    }

    /// Returns front matter as a section, and continues after it.
    pub(super) fn front_matter(&mut self, end: usize, window: &Window) -> Option<Section> {
        let section = Section {
            range: 0..end,
            kind: Kind::Text,
            line: self.cut,
        };
        self.restart(end, window);
        (end > 0).then_some(section)
    }

    /// Continues at an offset at which no block is open.
    pub(super) fn restart(&mut self, offset: usize, window: &Window) {
        self.cut = self.position(offset, window);
        (self.next, self.searched, self.next_return) = (offset, offset, offset);
        self.line = self.cut.position.line;
        self.blocks = Blocks::new();
        self.confirm_at = self.sizes.max_section.min(CONFIRM);
        (self.block, self.is_rest) = (Open::None, false);
    }

    /// Returns the position of an offset after the last cut.
    fn position(&self, offset: usize, window: &Window) -> KnownPosition {
        let since = window.get(self.cut.offset..offset);
        KnownPosition {
            offset,
            position: self.cut.position.after(since),
        }
    }

    /// Finds the sections in the complete lines of the window.
    pub(super) fn find(&mut self, is_complete: bool, target: &mut Target<'_>) {
        while let Some(end) = self.line_end(target.window, is_complete) {
            self.read_line(end, target);
        }
        if is_complete {
            self.cut_at(self.here(), target);
            target.sections.extend(self.open.take());
        }
    }

    /// Returns the end of the next line, if the line is complete.
    fn line_end(&mut self, window: &Window, is_complete: bool) -> Option<usize> {
        let end = window.end();
        let rest = window.get(self.searched..end);
        if let Some(at) = memchr(b'\n', rest) {
            return Some(self.searched + at + 1);
        }
        self.searched = end;
        (is_complete && self.next < end).then_some(end)
    }

    fn read_line(&mut self, end: usize, target: &mut Target<'_>) {
        let window = target.window;
        let start = self.next;
        let has_return = self.has_return(end, window);
        let line = window.get(start..end);
        let was_unsure = self.blocks.is_unsure();
        let cuts = self.blocks.line(line, has_return);
        if cuts.before && was_unsure {
            let length = start - self.cut.offset;
            if length < self.confirm_at {
                return self.next_line(end);
            }
            let text = window.get(self.cut.offset..start);
            let cut = match open_block(text) {
                None => self.here(),
                Some(open) if open > 0 && begins_line(text, open) => {
                    self.position(self.cut.offset + open, window)
                }
                Some(_) => {
                    self.confirm_at = 2 * length;
                    return self.next_line(end);
                }
            };
            self.cut_at(cut, target);
            return self.restart(cut.offset, window);
        }
        if cuts.before {
            self.cut_at(self.here(), target);
            self.block = self.blocks.open();
        }
        self.next_line(end);
        match cuts.after {
            Some(length) if start + length < end => {
                let cut = self.position(start + length, window);
                self.cut_at(cut, target);
                self.restart(cut.offset, window);
            }
            Some(_) => self.cut_at(self.here(), target),
            None if self.block != Open::None => self.cut_long_block(target),
            None => {}
        }
    }

    /// Ends the text since the last cut.
    fn cut_at(&mut self, cut: KnownPosition, target: &mut Target<'_>) {
        if cut.offset == self.cut.offset {
            return;
        }
        let line = core::mem::replace(&mut self.cut, cut);
        let block = core::mem::replace(&mut self.block, Open::None);
        let is_rest = core::mem::take(&mut self.is_rest);
        let range = line.offset..cut.offset;
        let (kind, is_wanted) = match block {
            Open::Fence(..) => (Kind::Markdown, false),
            Open::Html(_) if is_rest => (Kind::Html, true),
            _ => (
                Kind::Markdown,
                is_wanted(target.window.get(range.clone()), target.finder),
            ),
        };
        if is_wanted && kind == Kind::Markdown {
            let text = target.window.get(range.clone());
            target.definitions.collect(text, range.start);
        }
        if let Some(open) = &mut self.open {
            let Sizes {
                min_section,
                max_section,
                ..
            } = self.sizes;
            let is_short = |length| length < min_section;
            let length = open.range.len();
            let continues = if is_wanted {
                length < max_section
            } else {
                is_short(length) && is_short(range.len())
            };
            if continues && kind == Kind::Markdown && !is_rest {
                open.range.end = range.end;
                return;
            }
        }
        target.sections.extend(self.open.take());
        if is_wanted {
            self.open = Some(Section { range, kind, line });
        }
        if is_rest {
            target.sections.extend(self.open.take());
        }
    }

    /// Cuts a block that is longer than a section.
    fn cut_long_block(&mut self, target: &mut Target<'_>) {
        let here = self.here();
        if here.offset - self.cut.offset < self.sizes.max_section {
            return;
        }
        target.sections.extend(self.open.take());
        let line = core::mem::replace(&mut self.cut, here);
        if let Open::Html(_) = self.block {
            let mut range = line.offset..here.offset;
            if !self.is_rest {
                let text = target.window.get(range.clone());
                range.start += text.iter().take_while(|byte| **byte == b' ').count();
            }
            target.sections.push_back(Section {
                range,
                kind: Kind::Html,
                line,
            });
        }
        self.is_rest = true;
    }

    fn next_line(&mut self, end: usize) {
        (self.next, self.searched) = (end, end);
        self.line += 1;
    }

    /// Returns true if the next line, which ends at `end`, contains a CR without an LF after it.
    fn has_return(&mut self, end: usize, window: &Window) -> bool {
        self.next_return = self.next_return.max(self.next);
        while self.next_return < end {
            let rest = window.get(self.next_return..window.end());
            match memchr(b'\r', rest) {
                None => self.next_return = window.end(),
                Some(at) => {
                    self.next_return += at;
                    if self.next_return >= end {
                        return false;
                    }
                    if rest.get(at + 1) != Some(&b'\n') {
                        return true;
                    }
                    self.next_return += 1;
                }
            }
        }
        false
    }

    /// Returns the start of the next line to read.
    const fn here(&self) -> KnownPosition {
        KnownPosition {
            offset: self.next,
            position: Position {
                line: self.line,
                column: 1,
            },
        }
    }
}

/// Returns this part of the document as one section.
pub(super) fn as_one_section(range: Range<usize>, window: &Window) -> Section {
    let start = Position { line: 1, column: 1 };
    Section {
        kind: Kind::Markdown,
        line: KnownPosition {
            offset: range.start,
            position: start.after(window.get(0..range.start)),
        },
        range,
    }
}

/// Returns true if the text may contain references or definitions.
fn is_wanted(text: &[u8], finder: &Finder) -> bool {
    if memchr3(b'[', b'<', b'&', text).is_some() {
        return true;
    }
    if !finder.needs_colon() {
        return finder.may_find(text).is_some();
    }
    // Only in quotes, a link can continue after white space.
    let mut colons = memchr_iter(b':', text).peekable();
    colons.peek().is_some() && memchr(b'"', text).is_some()
        || colons.any(|at| !text.get(at + 1).is_some_and(u8::is_ascii_whitespace))
}

/// Returns true if only spaces precede the offset in its line. After a CR without an LF, the text
/// cannot be cut, because the parser reads a part of the line before the CR up to the LF.
fn begins_line(text: &[u8], offset: usize) -> bool {
    let before = text.get(..offset).unwrap_or_default();
    let before = before.iter().rev().find(|byte| **byte != b' ');
    before == Some(&b'\n')
}

/// Returns the start of the block that is open at the end of the text, which is a cut unless such a
/// block is open.
fn open_block(text: &[u8]) -> Option<usize> {
    let text = as_text(text);
    let mut depth = 0_usize;
    let mut open = None;
    for (event, range) in Parser::new_ext(&text, options()).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                if depth == 0 {
                    let has_end = !matches!(
                        tag,
                        Tag::CodeBlock(CodeBlockKind::Fenced(_)) | Tag::HtmlBlock
                    );
                    open = (!has_end && range.end == text.len()).then_some(range.start);
                }
                depth += 1;
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            _ if depth == 0 => open = None,
            _ => {}
        }
    }
    open
}
