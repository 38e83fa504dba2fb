//! Links in a text that arrives in pieces.

use super::candidate::Candidates;
use super::finder::Finder;
use super::input::Input;
use super::outcome::Outcome;
use crate::link::Link;

/// How many bytes before a candidate may matter: the quotation marks of its line, its wrapper, its
/// scheme.
const LOOKBEHIND: usize = 4096;

/// Finds links in a text that arrives in pieces, in constant memory, made by [`Finder::stream`].
///
/// Pieces may be cut anywhere, within a link or within a character. Only what the next piece may
/// still change is kept in memory, which is never more than the longest link, the lookbehind of 4
/// KiB and the piece itself. The links are the same as those of [`Finder::links`] on the complete
/// text.
///
/// ```
/// use urikit_extract::Finder;
/// let finder = Finder::new();
/// let mut stream = finder.stream();
/// let mut found = Vec::new();
/// for piece in ["at <URL:http://a.exa", "mple/b", "c> and"] {
///     stream.push(piece, |link| found.push((link.range(), link.as_str().to_owned())));
/// }
/// stream.finish(|link| found.push((link.range(), link.as_str().to_owned())));
/// assert_eq!(found, [(3..28, "http://a.example/bc".to_owned())]);
/// ```
#[derive(Clone, Debug)]
pub struct Stream<'f> {
    finder: &'f Finder,
    buffer: Vec<u8>,
    /// The offset of the buffer in the complete text.
    offset: usize,
    /// Where the search continues, in the buffer.
    at: usize,
    /// Where the last link ended, in the buffer.
    floor: usize,
    /// The buffer length at which the search continues. An undecided candidate is looked at again
    /// when there is twice as much input after it, so that small pieces cost no more than large
    /// ones.
    wait: usize,
}

impl Finder {
    /// Begins a text that arrives in pieces.
    pub const fn stream(&self) -> Stream<'_> {
        Stream {
            finder: self,
            buffer: Vec::new(),
            offset: 0,
            at: 0,
            floor: 0,
            wait: 0,
        }
    }
}

impl Stream<'_> {
    /// Takes the next piece, and calls `each` with the links that no further input can change.
    /// Their ranges are byte offsets in the complete text.
    pub fn push<T: AsRef<[u8]> + ?Sized>(&mut self, piece: &T, mut each: impl FnMut(Link<'_>)) {
        self.push_written(piece.as_ref(), |link, _| each(link));
    }

    /// The same; `each` also gets the bytes in the link's range.
    pub(crate) fn push_written(&mut self, piece: &[u8], each: impl FnMut(Link<'_>, &[u8])) {
        self.buffer.extend_from_slice(piece);
        if self.buffer.len() >= self.wait {
            self.search(false, each);
        }
    }

    /// Ends the text, and calls `each` with the remaining links.
    pub fn finish(self, mut each: impl FnMut(Link<'_>)) {
        self.finish_written(|link, _| each(link));
    }

    /// The same; `each` also gets the bytes in the link's range.
    pub(crate) fn finish_written(mut self, each: impl FnMut(Link<'_>, &[u8])) {
        self.search(true, each);
    }

    /// Ends a part of the text, so that no link extends past it, and calls `each` with its
    /// remaining links.
    pub(crate) fn end_part(&mut self, each: impl FnMut(Link<'_>, &[u8])) {
        self.search(true, each);
        self.offset += self.buffer.len();
        self.buffer.clear();
        (self.at, self.floor, self.wait) = (0, 0, 0);
    }

    /// The offset in the complete text before which no later link can begin.
    pub(crate) const fn undecided_from(&self) -> usize {
        self.offset
    }

    fn search(&mut self, is_complete: bool, mut each: impl FnMut(Link<'_>, &[u8])) {
        let text = Input::new(&self.buffer, is_complete);
        let mut candidates = Candidates::default();
        let mut is_undecided = false;
        while let Some(candidate) = self.finder.candidate(&text, &mut candidates, self.at) {
            let found = self.finder.at(&text, candidate, self.floor);
            if text.take_ran_out() {
                self.at = candidate;
                is_undecided = true;
                break;
            }
            match found.with_link(&text) {
                Outcome::Link(mut link) => {
                    link.marks.standard = self.finder.standard;
                    self.at = link.range.end;
                    self.floor = self.at;
                    let written = text.slice(link.range.start, link.range.end);
                    link.range = link.range.start + self.offset..link.range.end + self.offset;
                    each(link, written);
                }
                Outcome::Skip(end) => {
                    self.at = end;
                    self.floor = end;
                }
                Outcome::NoLink | Outcome::Bare { .. } => self.at = candidate + 1,
            }
        }
        if !is_undecided {
            self.at = self.buffer.len();
        }
        let dropped = self.at.saturating_sub(LOOKBEHIND);
        self.buffer.drain(..dropped);
        self.offset += dropped;
        self.at -= dropped;
        self.floor = self.floor.saturating_sub(dropped);
        let undecided = self.buffer.len() - self.at;
        self.wait = self.buffer.len() + undecided;
    }
}
