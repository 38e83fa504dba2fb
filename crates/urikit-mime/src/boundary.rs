//! The parts of a multipart body (RFC 2046, 5.1.1).
//!
//! ```text
//! delimiter line = "--" boundary, or "--" boundary "--" for the last one; white space; line end
//! ```
//!
//! The line end before it belongs to it. A line end is CR LF or LF, the last delimiter line may end
//! the body without one, and a delimiter line has at most 998 octets (RFC 5322, 2.1.1): longer ones
//! are text. A body that comes in pieces is split at [`delimiter`]s line by line, and a body in
//! memory into [`parts`].
//!
//! In nested multiparts, the delimiter lines of an outer one end the inner ones (RFC 2046, 5.1.2).

use crate::header::line_length;
use alloc::vec::Vec;
use core::iter::FusedIterator;
use core::ops::Range;
use memchr::memmem::Finder;

/// The longest boundary that is read, in octets. RFC 2046 allows 70; this is what fits into a line.
pub const MAX_LENGTH: usize = MAX_LINE - 4;

/// The longest delimiter line, without its line end (RFC 5322, 2.1.1).
const MAX_LINE: usize = 998;

/// A line between parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delimiter {
    /// A part follows.
    Part,
    /// Nothing that counts follows.
    Last,
}

/// Whether a line, with its line end, is a delimiter line of a multipart.
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
        // Without its line end, it may be the beginning of a longer line.
        _ if is_blank(rest) && rest.ends_with(b"\n") => Some(Delimiter::Part),
        _ => None,
    }
}

/// The ranges of the parts in a body. A last part without a closing delimiter line extends to the
/// end.
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

/// The ranges of parts; see [`parts`].
#[derive(Clone, Debug)]
pub struct Parts<'a> {
    body: &'a [u8],
    /// Finds the boundary after two hyphens.
    finder: Finder<'static>,
    /// The octets before this one were read.
    at: usize,
    /// Where the current part begins.
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
