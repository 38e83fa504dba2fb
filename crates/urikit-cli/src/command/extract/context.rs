//! Context lines: the lines of a file that precede and follow references.

use std::collections::VecDeque;
use std::ops::Range;

/// The maximum size of the kept lines in bytes. References in lines that have been dropped get no
/// context.
const KEPT: usize = 32 << 20;

/// The maximum length of a line that is kept and printed, in bytes.
const LINE: usize = 64 << 10;

/// The memory that a line needs in addition to its text.
const OVERHEAD: usize = size_of::<Line>();

/// The numbers of lines to print before and after each line that contains a reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Around {
    pub(super) before: u64,
    pub(super) after: u64,
}

/// The last lines of a file, and the references waiting to be printed.
pub(super) struct Context {
    around: Around,
    /// The last complete lines.
    lines: VecDeque<Line>,
    /// The number of the first kept line, counted from 0.
    first: u64,
    /// The size of the kept lines.
    kept: usize,
    /// The incomplete last line.
    partial: Line,
    /// The number of bytes read.
    length: usize,
    /// References whose lines are not complete.
    waiting: Vec<Waiting>,
    /// The number of lines printed or skipped.
    done: u64,
    /// The number of the first line after the context of the last reference.
    until: u64,
    /// The number of references reported without context because their lines had been dropped.
    without: u64,
}

/// A line of the file.
#[derive(Default)]
struct Line {
    start: usize,
    /// The text without the line ending, up to `LINE` bytes.
    text: Vec<u8>,
    is_cut: bool,
}

/// A reference waiting to be printed.
struct Waiting {
    /// The range of its bytes in the file.
    range: Range<usize>,
    printed: Vec<u8>,
}

/// A piece of the output.
pub(super) enum Piece<'c> {
    /// A separator between lines that are not adjacent.
    Gap,
    /// A line: its number (counted from 1), its text, and true if the text is cut off.
    Line(u64, &'c [u8], bool),
    /// A reference.
    Reference(&'c [u8]),
}

impl Context {
    pub(super) fn new(around: Around) -> Self {
        Self {
            around,
            lines: VecDeque::new(),
            first: 0,
            kept: 0,
            partial: Line::default(),
            length: 0,
            waiting: Vec::new(),
            done: 0,
            until: 0,
            without: 0,
        }
    }

    /// Accepts the next bytes of the file.
    pub(super) fn read(&mut self, piece: &[u8]) {
        for part in piece.split_inclusive(|byte| *byte == b'\n') {
            self.length += part.len();
            let text = part.strip_suffix(b"\n");
            self.partial.push(text.unwrap_or(part));
            if text.is_some() {
                self.end_line();
            }
        }
    }

    /// Keeps the complete line, and drops the oldest lines if the kept lines exceed `KEPT`.
    fn end_line(&mut self) {
        let next = Line {
            start: self.length,
            ..Line::default()
        };
        let line = std::mem::replace(&mut self.partial, next);
        self.kept += line.text.len() + OVERHEAD;
        self.lines.push_back(line);
        while self.kept > KEPT
            && let Some(line) = self.lines.pop_front()
        {
            self.kept -= line.text.len() + OVERHEAD;
            self.first += 1;
        }
    }

    /// Accepts a reference, given the range of its bytes in the file, and its printed form.
    pub(super) fn found(&mut self, range: Range<usize>, printed: Vec<u8>) {
        self.waiting.push(Waiting { range, printed });
    }

    /// Passes on all output that can no longer change.
    pub(super) fn settle(&mut self, each: &mut dyn FnMut(Piece<'_>)) {
        let mut waiting = std::mem::take(&mut self.waiting);
        // The sort is stable, so references at the same position keep their order.
        waiting.sort_by_key(|it| it.range.start);
        let complete = self.partial.start;
        let ready = waiting.partition_point(|it| it.range.end <= complete);
        self.waiting = waiting.split_off(ready);
        for it in waiting {
            self.reference(&it, each);
        }
        let end = self.first + self.lines.len() as u64;
        self.lines_before(self.until.min(end), each);
    }

    /// Handles the end of the file, and passes on the remaining output. Returns the number of
    /// references without context.
    pub(super) fn finish(mut self, each: &mut dyn FnMut(Piece<'_>)) -> u64 {
        if self.length > self.partial.start {
            self.end_line();
        }
        self.partial.start = usize::MAX;
        self.settle(each);
        self.without
    }

    /// Passes on a reference after its lines.
    fn reference(&mut self, it: &Waiting, each: &mut dyn FnMut(Piece<'_>)) {
        let last = it.range.end.saturating_sub(1).max(it.range.start);
        match (self.line_of(it.range.start), self.line_of(last)) {
            (Some(first), Some(last)) => {
                // The context after the previous reference.
                self.lines_before(self.until.min(first), each);
                let from = first.saturating_sub(self.around.before).max(self.first);
                if from > self.done {
                    if self.done > 0 && self.until > 0 {
                        each(Piece::Gap);
                    }
                    self.done = from;
                }
                self.lines_before(last + 1, each);
                self.until = last.saturating_add(1).saturating_add(self.around.after);
            }
            _ => self.without += 1,
        }
        each(Piece::Reference(&it.printed));
    }

    /// Returns the number of the line that contains this byte, counted from 0.
    fn line_of(&self, at: usize) -> Option<u64> {
        let next = self.lines.partition_point(|line| line.start <= at);
        let nth = next.checked_sub(1)?;
        Some(self.first + nth as u64)
    }

    /// Passes on all remaining lines before `end`.
    fn lines_before(&mut self, end: u64, each: &mut dyn FnMut(Piece<'_>)) {
        while self.done < end {
            let nth = self.done.checked_sub(self.first);
            let nth = nth.and_then(|nth| usize::try_from(nth).ok());
            self.done += 1;
            if let Some(line) = nth.and_then(|nth| self.lines.get(nth)) {
                let text = line.text.strip_suffix(b"\r").unwrap_or(&line.text);
                each(Piece::Line(self.done, text, line.is_cut));
            }
        }
    }
}

impl Line {
    /// Appends bytes to the text, which is cut off after `LINE` bytes.
    fn push(&mut self, part: &[u8]) {
        let room = LINE - self.text.len();
        let part_kept = part.get(..room).unwrap_or(part);
        self.is_cut |= part_kept.len() < part.len();
        self.text.extend_from_slice(part_kept);
    }
}

#[cfg(test)]
mod tests {
    use super::{Around, Context, Piece};
    use std::fmt::Write as _;

    /// Returns the output for `text` with a reference at each `*`, read `length` bytes at a time.
    fn shown(text: &str, before: u64, after: u64, length: usize) -> String {
        let mut out = String::new();
        let mut each = |piece: Piece<'_>| {
            let _ = match piece {
                Piece::Gap => write!(out, "-- "),
                Piece::Line(number, text, _) => {
                    write!(out, "{number}{} ", String::from_utf8_lossy(text))
                }
                Piece::Reference(text) => write!(out, "{} ", String::from_utf8_lossy(text)),
            };
        };
        let mut context = Context::new(Around { before, after });
        let mut at = 0;
        for piece in text.as_bytes().chunks(length) {
            context.read(piece);
            for (nth, _) in piece.iter().enumerate().filter(|(_, byte)| **byte == b'*') {
                context.found(at + nth..at + nth + 1, b"*".to_vec());
            }
            at += piece.len();
            context.settle(&mut each);
        }
        assert_eq!(context.finish(&mut each), 0);
        out.trim_end().to_owned()
    }

    #[test]
    fn lines_around_references() {
        for (text, before, after, expected) in [
            ("*", 0, 0, "1* *"),
            ("a\n*\nb\n", 0, 0, "2* *"),
            ("a\n*\nb\n", 1, 0, "1a 2* *"),
            ("a\n*\nb\nc", 0, 1, "2* * 3b"),
            ("a\r\n**\r\nb", 1, 1, "1a 2** * * 3b"),
            ("*\na\n*\n", 0, 0, "1* * -- 3* *"),
            ("*\na\n*\n", 1, 0, "1* * 2a 3* *"),
            ("*\na\nb\nc\n*\nd\n", 1, 1, "1* * 2a -- 4c 5* * 6d"),
            ("\n\n*\n\n\n*", 1, 1, "2 3* * 4 5 6* *"),
            ("*\na\n", 0, u64::MAX, "1* * 2a"),
        ] {
            for length in 1..=text.len() {
                let found = shown(text, before, after, length);
                assert_eq!(found, expected, "{text:?} -B{before} -A{after} by {length}");
            }
        }
    }
}
