//! Links in plain text.
//!
//! Text passes through these stages, in this order:
//!
//! 1. **Candidates** (`text.rs`). [`Candidates`] finds the next byte that can be in a link.
//!    Candidates are colons between characters that a URL can contain; the core's vectorized
//!    scanner finds them. If guesses are enabled, a dot, an `@` or a bracket can also be a
//!    candidate. Most text has few candidates, so most bytes are examined only in this stage.
//!    `text.rs` also defines the character classes, and [`Input`], through which all later stages
//!    read.
//! 2. **Decision** (this file). [`at_colon`] decides whether the candidate is in a link. `http://`
//!    and `https://` are handled first, because nearly all links begin with one of them.
//! 3. **Start** (`start.rs`). The decision reads backwards from the colon to the start of the
//!    scheme. Without slashes after the colon, only some schemes are recognized, and only before
//!    text that fits the scheme (`opaque.rs`).
//! 4. **End** (`end.rs`). The scan for the end reads forwards from the scheme: first the authority
//!    (`authority.rs`), then the path, the query and the fragment, up to the first character that
//!    ends a link. Trailing punctuation is not part of the link, and neither is another link that
//!    follows directly ([`adjacent_link`]), or text that belongs to the surrounding markup or
//!    source code (`surroundings.rs`). A link with a placeholder is a template (`template.rs`), and
//!    is read to the end of the template.
//! 5. **Restoring** (`restore.rs`). For most links the reference is the text itself. The lines of a
//!    wrapped link (`<URL:…>`) are joined, and a defanged link (`hxxp://a[.]example`) is restored.
//!
//! The options of the [`Finder`] (`finder.rs`) determine which candidates are examined. For the
//! guesses, `guess.rs` replaces stages 2 and 3, and reads backwards to the start of a host name or
//! of a mail address.
//!
//! [`Links`] repeats these stages for complete text, and [`Stream`] for text that arrives in
//! pieces: if a stage reads past the end of the buffer, the candidate is undecided and is examined
//! again when more text has arrived.
//!
//! Two offsets recur. `floor` is the end of the previous link: no link starts before it, so that
//! links never overlap. `limit` is the last offset to which a link may extend.
//!
//! Constants such as `LOOKAHEAD` and `MAX_WRAPPER` limit how far a stage reads beyond the link,
//! which keeps the search linear.

mod authority;
mod end;
mod finder;
mod guess;
mod opaque;
mod restore;
mod start;
mod surroundings;
mod template;
#[cfg(test)]
mod tests;
mod text;
mod uts58;

use crate::link::{Link, Marks};
use authority::is_host;
use core::mem;
use end::{EndOfLink, bare_end, escaped_link, plain_link};
use opaque::{can_follow, may_be_opaque};
use restore::{after_url, in_angles, in_quotes, is_defanged_scheme};
use start::{
    Scheme, is_known, is_scheme_byte, outer_start, scheme_before, scheme_run_start, scheme_within,
    web_scheme,
};
use template::{end_of_template, has_placeholder};
use text::{Candidates, ESCAPE_LENGTH, Input, Slashes, unicode_escape};

pub use finder::{Detection, Finder};
pub use text::Colons;

// Stage 2: the decision.

/// The decision about a candidate.
enum Outcome<'t> {
    /// The candidate is not in a link.
    NoLink,
    /// The candidate is in a bare link, whose reference is the text in this range.
    Bare {
        start: usize,
        end: usize,
        marks: Marks,
    },
    /// The candidate is in this link.
    Link(Link<'t>),
    /// The candidate is in a defanged link, which is not returned. The search continues at this
    /// offset.
    Skip(usize),
}

impl<'t> Outcome<'t> {
    /// Converts [`Outcome::Bare`] to a [`Link`].
    fn with_link(self, text: &Input<'t>) -> Self {
        match self {
            Self::Bare { start, end, marks } => plain_link(text, start, end, marks).into(),
            outcome => outcome,
        }
    }
}

impl<'t> From<Option<Link<'t>>> for Outcome<'t> {
    fn from(link: Option<Link<'t>>) -> Self {
        link.map_or(Self::NoLink, Self::Link)
    }
}

/// Decides whether a colon that [`Colons`] found ends the scheme of a link. The link must not start
/// before `floor`.
#[allow(clippy::inline_always)] // on the path of nearly every link
#[inline(always)]
fn at_colon<'t>(max_length: usize, text: &Input<'t>, colon: usize, floor: usize) -> Outcome<'t> {
    if text.at(colon + 1) == Some(b'/') {
        if text.at(colon + 2) != Some(b'/') {
            return Outcome::NoLink;
        }
        if let Some(scheme) = web_scheme(text, colon, floor) {
            return link_from(max_length, text, scheme, colon, Slashes::Plain, floor);
        }
    }
    uncommon_scheme(max_length, text, colon, floor)
}

/// Decides whether a colon begins a link with a scheme other than `http` and `https`.
#[inline(never)]
fn uncommon_scheme<'t>(
    max_length: usize,
    text: &Input<'t>,
    colon: usize,
    floor: usize,
) -> Outcome<'t> {
    // A number, as in `12:34:56`, is not a scheme.
    if let [before, b'0'..=b'9', b'0'..=b'9'] = text.slice(colon.saturating_sub(3), colon)
        && !is_scheme_byte(*before)
    {
        return Outcome::NoLink;
    }
    let next = text.at(colon + 1);
    if colon <= floor || next.is_none() {
        return Outcome::NoLink;
    }
    let slashes = match next {
        Some(b'/' | b'\\') => Slashes::at(text, colon + 1),
        _ => Slashes::None,
    };
    if slashes == Slashes::None {
        if next == Some(b'\\') {
            return Outcome::NoLink;
        }
        if !may_be_opaque(text, colon) {
            return only_wrapped(text, colon, floor).into();
        }
    }
    let Some(scheme) = scheme_before(text, colon, floor, slashes) else {
        return Outcome::NoLink;
    };
    if text.slice(scheme.start, colon).eq_ignore_ascii_case(b"url") {
        // In `<URL:…`, this colon precedes the scheme of the link.
        return Outcome::NoLink;
    }
    if slashes == Slashes::None && !scheme.is_known {
        return only_wrapped(text, colon, floor).into();
    }
    if colon == scheme.start + 1 {
        // A single letter is a scheme only after `URL:`, which accepts any scheme.
        return after_url(text, scheme.start, floor).into();
    }
    link_from(max_length, text, scheme, colon, slashes, floor)
}

/// Returns a link without slashes that is recognized only in a wrapper, such as `<URL:x-y:z>` or
/// `<dns:example.org?a>`.
fn only_wrapped<'t>(text: &Input<'t>, colon: usize, floor: usize) -> Option<Link<'t>> {
    let start = scheme_run_start(text, colon, floor);
    match text.before(start)? {
        b'<' if start > floor && is_known(text.slice(start, colon)) => {
            in_angles(text, start, floor)
        }
        // Most of these colons follow a word in a sentence.
        b'\n' | b' ' if text.before(start - 1).is_some_and(is_scheme_byte) => None,
        b':' | b'/' | b'\t'..=b'\r' | b' ' => after_url(text, start, floor),
        _ => None,
    }
}

/// Returns the link that starts with this scheme, wrapped or bare.
#[allow(clippy::inline_always)] // one of the two callers is on the path of nearly every link
#[inline(always)]
fn link_from<'t>(
    max_length: usize,
    text: &Input<'t>,
    scheme: Scheme,
    colon: usize,
    slashes: Slashes,
    floor: usize,
) -> Outcome<'t> {
    let before = text.before(scheme.start).filter(|_| scheme.start > floor);
    if matches!(before, Some(b'<' | b':' | b'/' | b'\t'..=b'\r' | b' '))
        && let Some(link) = in_angles(text, scheme.start, floor)
    {
        return Outcome::Link(marked_as_template(link));
    }
    let bare = bare_end(text, scheme, colon, slashes, max_length);
    if slashes != Slashes::None {
        let rest = colon + 1 + slashes.len();
        let limit = scheme.start.saturating_add(max_length);
        if let Some(end) = end_of_template(text, rest, bare.ends(), limit) {
            return template(text, scheme.start, end).into();
        }
    }
    if let EndOfLink::At(ends) = bare
        && !scheme.is_common
        && is_defanged_scheme(text.slice(scheme.start, colon))
    {
        return Outcome::Skip(ends.end.max(colon + 1));
    }
    if before == Some(b'"')
        && may_continue(text, bare)
        && let Some(link) = in_quotes(text, scheme.start)
    {
        return Outcome::Link(link);
    }
    let EndOfLink::At(mut ends) = bare else {
        return Outcome::NoLink;
    };
    let mut start = scheme.start;
    if before == Some(b':') {
        start = outer_start(text, start, floor);
        ends.is_suspect |= start < scheme.start;
    }
    if ends.is_escaped {
        return escaped_link(text, start, ends).into();
    }
    Outcome::Bare {
        start,
        end: ends.end,
        marks: ends.marks(),
    }
}

/// Returns the template between two offsets.
#[cold]
fn template<'t>(text: &Input<'t>, start: usize, end: usize) -> Option<Link<'t>> {
    let marks = Marks {
        is_suspect: true,
        is_template: true,
        ..Marks::default()
    };
    plain_link(text, start, end, marks)
}

/// Marks a wrapped link that contains a placeholder as a template.
#[cold]
fn marked_as_template(mut link: Link<'_>) -> Link<'_> {
    link.marks.is_template = link.marks.is_suspect && has_placeholder(&link.uri);
    link
}

/// Returns true if a link in double quotes may continue on the next line.
fn may_continue(text: &Input<'_>, bare: EndOfLink) -> bool {
    match bare {
        EndOfLink::None => true,
        EndOfLink::At(ends) => matches!(text.at(ends.stop), Some(b' ' | b'\t' | b'\r' | b'\n')),
    }
}

/// Returns the start of another link whose scheme ends with this colon, if it directly follows the
/// current link: after a separator such as a comma, or after a letter or punctuation mark in any
/// script. After other characters, such as a slash, an inner URL is part of the outer one.
fn adjacent_link(text: &Input<'_>, colon: usize, floor: usize) -> Option<usize> {
    let slashes = Slashes::at(text, colon + 1);
    if slashes == Slashes::None && !follows_separator(text, colon, floor) {
        return None;
    }
    let scheme = scheme_within(text, colon, floor)?;
    if is_within_escape(text, scheme.start) {
        return None;
    }
    let before = text.char_before(scheme.start);
    let is_separated = matches!(before, Some(',' | ';' | '|'));
    let is_another = if slashes == Slashes::None {
        let is_part = matches!(before, Some(c) if c.is_ascii()) && !is_separated;
        !is_part && scheme.is_known && can_follow(text, text.slice(scheme.start, colon), colon + 1)
    } else {
        let is_loose = match before {
            Some('!' | '*' | '\'') => true,
            Some(c) => scheme.is_glued || !c.is_ascii() || c.is_ascii_alphanumeric(),
            None => false,
        };
        (is_separated || scheme.is_known && (is_loose || scheme.start == floor))
            && is_host(text, colon + 1 + slashes.len())
    };
    (is_another && colon > scheme.start + 1).then_some(scheme.start)
}

/// Returns the end of a link that is followed by another link at `next`. In `%4ftp://…` the other
/// link starts within what looked like a percent-encoded octet, so the link ends before its `%`.
#[cold]
fn end_before(text: &Input<'_>, next: usize) -> usize {
    match text.slice(next.saturating_sub(2), next) {
        [_, b'%'] => next - 1,
        [b'%', _] => next - 2,
        _ => next,
    }
}

/// Returns true if this offset is within an escape `\u002F`. In `\u002Ftp://…` the `F` is part of a
/// slash.
fn is_within_escape(text: &Input<'_>, at: usize) -> bool {
    (at.saturating_sub(ESCAPE_LENGTH - 1)..at).any(|begin| unicode_escape(text, begin).is_some())
}

/// Returns true if a character that separates links precedes the word that ends at this colon.
fn follows_separator(text: &Input<'_>, colon: usize, floor: usize) -> bool {
    let mut at = colon;
    while at > floor && colon - at < 8 {
        match text.before(at) {
            Some(b',' | b';' | b'|' | 0x80..) => return true,
            Some(byte) if is_scheme_byte(byte) => at -= 1,
            _ => return false,
        }
    }
    false
}

// The loops that visit the candidates.

/// An iterator over the links in text, returned by [`Finder::links`].
pub struct Links<'f, 't> {
    finder: &'f Finder,
    text: Input<'t>,
    candidates: Candidates,
    /// The offset at which the search continues.
    at: usize,
    /// The end of the last link. The next link starts here or later.
    floor: usize,
}

impl<'t> Iterator for Links<'_, 't> {
    type Item = Link<'t>;

    fn next(&mut self) -> Option<Link<'t>> {
        loop {
            let candidate = self
                .finder
                .candidate(&self.text, &mut self.candidates, self.at)?;
            self.at = candidate + 1;
            match self.finder.at(&self.text, candidate, self.floor) {
                Outcome::NoLink => {}
                Outcome::Bare {
                    start,
                    end,
                    mut marks,
                } => {
                    marks.standard = self.finder.standard;
                    if let Some(link) = plain_link(&self.text, start, end, marks) {
                        self.at = end;
                        self.floor = end;
                        return Some(link);
                    }
                }
                Outcome::Link(mut link) => {
                    link.marks.standard = self.finder.standard;
                    self.at = link.range.end;
                    self.floor = self.at;
                    if self.finder.returns(&link) {
                        return Some(link);
                    }
                }
                Outcome::Skip(end) => {
                    self.at = end;
                    self.floor = end;
                }
            }
        }
    }
}

impl core::iter::FusedIterator for Links<'_, '_> {}

/// The number of bytes before a candidate that are kept because they may affect the decision:
/// quotation marks on the candidate's line, its wrapper, and its scheme.
const LOOKBEHIND: usize = 4096;

/// Finds links, in constant memory, in text that arrives in pieces. Returned by
/// [`Finder::stream`].
///
/// The text may be split anywhere, even within a link or a character. The stream keeps only the
/// text that the next piece may affect. A stream never keeps more than the longest link, the 4 KiB
/// before that link, and the current piece. The stream finds the links that [`Finder::links`]
/// returns for the complete text.
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
    /// The offset in the buffer at which the search continues.
    at: usize,
    /// The end of the last link in the buffer.
    floor: usize,
    /// The buffer length at which the search continues. An undecided candidate is examined again
    /// once the input after it has doubled, so that small pieces cost no more than large ones.
    wait: usize,
}

impl Finder {
    /// Creates a stream for text that arrives in pieces.
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
    /// Reads the next piece, and calls `each` with the links that further input cannot change.
    /// Ranges are byte offsets in the complete text.
    pub fn push<T: AsRef<[u8]> + ?Sized>(&mut self, piece: &T, mut each: impl FnMut(Link<'_>)) {
        self.push_written(piece.as_ref(), |link, _| each(link));
    }

    /// Works like [`push`](Self::push), and also passes the bytes in the link's range to `each`.
    pub(crate) fn push_written(&mut self, mut piece: &[u8], mut each: impl FnMut(Link<'_>, &[u8])) {
        if !self.buffer.is_empty() {
            // After the beginning of the piece has been searched, the text that is still needed
            // usually begins within the piece. The rest of the piece is then not copied.
            let (start, rest) = piece.split_at(piece.len().min(2 * LOOKBEHIND));
            self.append(start, &mut each);
            let from = start.len().checked_sub(self.buffer.len());
            match from.and_then(|from| piece.get(from..)) {
                Some(needed) if !rest.is_empty() && needed.len() >= self.wait => piece = needed,
                _ => return self.append(rest, &mut each),
            }
            self.buffer.clear();
        }
        let dropped = self.search(piece, false, &mut each);
        let rest = piece.get(dropped..).unwrap_or_default();
        self.buffer.extend_from_slice(rest);
    }

    /// Adds text to the buffer, and searches the buffer once it is long enough.
    fn append(&mut self, piece: &[u8], each: impl FnMut(Link<'_>, &[u8])) {
        if piece.is_empty() {
            return;
        }
        self.buffer.extend_from_slice(piece);
        if self.buffer.len() >= self.wait {
            let mut buffer = mem::take(&mut self.buffer);
            let dropped = self.search(&buffer, false, each);
            buffer.drain(..dropped);
            self.buffer = buffer;
        }
    }

    /// Marks the end of the text, and calls `each` with the remaining links.
    pub fn finish(self, mut each: impl FnMut(Link<'_>)) {
        self.finish_written(|link, _| each(link));
    }

    /// Works like [`finish`](Self::finish), and also passes the bytes in the link's range to
    /// `each`.
    pub(crate) fn finish_written(mut self, each: impl FnMut(Link<'_>, &[u8])) {
        let buffer = mem::take(&mut self.buffer);
        self.search(&buffer, true, each);
    }

    /// Ends a part of the text, and calls `each` with its remaining links. No link extends past
    /// this point.
    pub(crate) fn end_part(&mut self, each: impl FnMut(Link<'_>, &[u8])) {
        let mut buffer = mem::take(&mut self.buffer);
        let dropped = self.search(&buffer, true, each);
        self.offset += buffer.len() - dropped;
        buffer.clear();
        self.buffer = buffer;
        (self.at, self.floor, self.wait) = (0, 0, 0);
    }

    /// Returns the offset in the complete text before which no later link can start.
    pub(crate) const fn undecided_from(&self) -> usize {
        self.offset
    }

    /// Searches the text that begins at `self.offset`. Returns the number of bytes that are no
    /// longer needed.
    fn search(
        &mut self,
        bytes: &[u8],
        is_complete: bool,
        mut each: impl FnMut(Link<'_>, &[u8]),
    ) -> usize {
        let text = Input::new(bytes, is_complete);
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
                    if self.finder.returns(&link) {
                        each(link, written);
                    }
                }
                Outcome::Skip(end) => {
                    self.at = end;
                    self.floor = end;
                }
                Outcome::NoLink | Outcome::Bare { .. } => self.at = candidate + 1,
            }
        }
        if !is_undecided {
            self.at = bytes.len();
        }
        let dropped = self.at.saturating_sub(LOOKBEHIND);
        self.offset += dropped;
        self.at -= dropped;
        self.floor = self.floor.saturating_sub(dropped);
        let kept = bytes.len() - dropped;
        self.wait = kept + (kept - self.at);
        dropped
    }
}
