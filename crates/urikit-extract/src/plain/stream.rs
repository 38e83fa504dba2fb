//! Links in a text that comes in pieces.

use super::candidate::Candidates;
use super::finder::Finder;
use super::input::Input;
use super::outcome::Outcome;
use crate::link::Link;

/// What stands before a candidate and may be looked at: the marks of its line, its wrapper, its scheme.
const BEHIND: usize = 4096;

/// Finds links in a text that comes in pieces, in constant memory: what is kept is what the next piece may still
/// change, which is never more than a link may be long, and the piece.
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
    /// Where the buffer begins in the whole text.
    offset: usize,
    /// Where the search goes on, in the buffer.
    at: usize,
    /// Where the last link ended, in the buffer.
    floor: usize,
    /// How long the buffer must be before it is looked at again: what is undecided is looked at when there is twice as
    /// much of it, so that small pieces cost no more than large ones.
    wait: usize,
}

impl Finder {
    /// Begins a text that comes in pieces.
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
    /// Takes the next piece, and gives the links that nothing behind it can change; their ranges are those in the whole
    /// text.
    pub fn push<T: AsRef<[u8]> + ?Sized>(&mut self, piece: &T, mut each: impl FnMut(Link<'_>)) {
        self.push_written(piece.as_ref(), |link, _| each(link));
    }

    /// The same, which gives each link with what is written in its range.
    pub(crate) fn push_written(&mut self, piece: &[u8], each: impl FnMut(Link<'_>, &[u8])) {
        self.buffer.extend_from_slice(piece);
        if self.buffer.len() >= self.wait {
            self.search(false, each);
        }
    }

    /// Ends the text, and gives the links that are left.
    pub fn finish(self, mut each: impl FnMut(Link<'_>)) {
        self.finish_written(|link, _| each(link));
    }

    /// The same, which gives each link with what is written in its range.
    pub(crate) fn finish_written(mut self, each: impl FnMut(Link<'_>, &[u8])) {
        self.search(true, each);
    }

    /// Ends a part of the text: what follows is none of its links'. Gives those that are left.
    pub(crate) fn end_part(&mut self, each: impl FnMut(Link<'_>, &[u8])) {
        self.search(true, each);
        self.offset += self.buffer.len();
        self.buffer.clear();
        (self.at, self.floor, self.wait) = (0, 0, 0);
    }

    /// Where in the whole text that begins which links to come can begin in.
    pub(crate) const fn kept_from(&self) -> usize {
        self.offset
    }

    fn search(&mut self, is_whole: bool, mut each: impl FnMut(Link<'_>, &[u8])) {
        let text = Input::new(&self.buffer, is_whole);
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
                    self.at = link.range.end;
                    self.floor = self.at;
                    let written = text.slice(link.range.start, link.range.end);
                    link.range = link.range.start + self.offset..link.range.end + self.offset;
                    each(link, written);
                }
                Outcome::TooLong(end) => {
                    self.at = end;
                    self.floor = end;
                }
                Outcome::NoLink | Outcome::Bare { .. } => self.at = candidate + 1,
            }
        }
        if !is_undecided {
            self.at = self.buffer.len();
        }
        let gone = self.at.saturating_sub(BEHIND);
        self.buffer.drain(..gone);
        self.offset += gone;
        self.at -= gone;
        self.floor = self.floor.saturating_sub(gone);
        let undecided = self.buffer.len() - self.at;
        self.wait = self.buffer.len() + undecided;
    }
}
