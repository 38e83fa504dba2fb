//! Splits a multipart body into its parts (RFC 2046, 5.1.1).
//!
//! ```text
//! delimiter line = "--" boundary, or "--" boundary "--" for the last one; white space; line ending
//! ```
//!
//! The line ending before a delimiter line belongs to the delimiter. A line ending is CR LF or LF,
//! but the last delimiter line may lack a line ending. A delimiter line has at most 998 octets
//! (RFC 5322, 2.1.1), and longer lines are text. [`delimiter`] checks single lines of a body that
//! arrives in pieces, and [`parts`] splits a body in memory.
//!
//! In nested multiparts, the delimiter lines of an outer multipart also end the inner multiparts
//! (RFC 2046, 5.1.2).

use crate::header::line_length;
use alloc::vec::Vec;
use core::iter::FusedIterator;
use core::ops::Range;
use memchr::memmem::Finder;

/// The maximum length of a boundary, in octets. RFC 2046 allows only 70 octets, but a boundary of
/// this length still fits on a line.
pub const MAX_LENGTH: usize = MAX_LINE - 4;

/// The maximum length of a delimiter line without its line ending, in octets (RFC 5322, 2.1.1).
const MAX_LINE: usize = 998;

/// The kind of a delimiter line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delimiter {
    /// A part follows.
    Part,
    /// The last delimiter line. The text after this line is ignored.
    Last,
}

/// Returns the kind of a delimiter line, or `None` for any other line. `line` includes its line
/// ending.
///
/// ```
/// use urikit_mime::boundary::{Delimiter, delimiter};
/// assert_eq!(delimiter(b"--simple boundary \r\n", b"simple boundary"), Some(Delimiter::Part));
/// assert_eq!(delimiter(b"--simple boundary--", b"simple boundary"), Some(Delimiter::Last));
/// assert_eq!(delimiter(b"--simple boundary 2\r\n", b"simple boundary"), None);
/// ```
pub fn delimiter(line: &[u8], boundary: &[u8]) -> Option<Delimiter> {
    let rest = line.strip_prefix(b"--")?.strip_prefix(boundary)?;
    let content = line.strip_suffix(b"\n").unwrap_or(line);
    if content.strip_suffix(b"\r").unwrap_or(content).len() > MAX_LINE {
        return None;
    }
    let is_blank = |text: &[u8]| text.iter().all(u8::is_ascii_whitespace);
    match rest.strip_prefix(b"--") {
        Some(rest) if is_blank(rest) => Some(Delimiter::Last),
        // A line without a line ending may be incomplete.
        _ if is_blank(rest) && rest.ends_with(b"\n") => Some(Delimiter::Part),
        _ => None,
    }
}

/// Returns the ranges of the parts in a body. If the closing delimiter line is missing, the last
/// part extends to the end of the body.
///
/// ```
/// use urikit_mime::boundary::parts;
/// let body = b"preamble\r\n--b\r\n\r\none\r\n--b\r\n\r\ntwo\r\n--b--\r\nepilogue";
/// let parts: Vec<_> = parts(body, b"b").map(|range| &body[range]).collect();
/// assert_eq!(parts, [b"\r\none", b"\r\ntwo"]);
/// ```
pub fn parts<'a>(body: &'a [u8], boundary: &[u8]) -> Parts<'a> {
    let prefixed: Vec<u8> = [b"--", boundary].concat();
    Parts {
        body,
        finder: Finder::new(&prefixed).into_owned(),
        at: 0,
        start: None,
    }
}

/// Iterates over the ranges of the parts in a body; see [`parts`].
#[derive(Clone, Debug)]
pub struct Parts<'a> {
    body: &'a [u8],
    /// Searches for two hyphens and the boundary.
    finder: Finder<'static>,
    /// The number of octets that have been read.
    at: usize,
    /// The start of the current part.
    start: Option<usize>,
}

impl Iterator for Parts<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let prefixed = self.finder.needle().len();
        loop {
            let rest = self.body.get(self.at..).unwrap_or_default();
            let Some(found) = self.finder.find(rest) else {
                self.at = self.body.len();
                return self.start.take().map(|start| start..self.body.len());
            };
            let at = self.at + found;
            let (before, line) = self.body.split_at(at);
            self.at += found + prefixed;
            if !(before.is_empty() || before.ends_with(b"\n")) {
                continue;
            }
            let line = line.get(..line_length(line)).unwrap_or_default();
            let boundary = self.finder.needle().get(2..).unwrap_or_default();
            let next = match delimiter(line, boundary) {
                Some(Delimiter::Part) => Some(at + line.len()),
                Some(Delimiter::Last) => None,
                None => continue,
            };
            self.at = next.unwrap_or(self.body.len());
            let start = core::mem::replace(&mut self.start, next);
            if let Some(start) = start {
                let end = before.strip_suffix(b"\n").unwrap_or(before);
                let end = end.strip_suffix(b"\r").unwrap_or(end).len();
                return Some(start..end.max(start));
            }
        }
    }
}

impl FusedIterator for Parts<'_> {}
