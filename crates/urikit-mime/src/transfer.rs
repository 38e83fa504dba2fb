//! Decodes transfer encodings (RFC 2045, 6), in pieces of any size.
//!
//! A [`Decoder`] accepts a body that is split into slices at any octet, and uses constant memory.
//! The decoder reports [`Run`]s of octets that were copied, replaced or skipped. The runs cover the
//! input without gaps, so a caller can add up their lengths to find the source of each octet. To
//! get only the decoded body, concatenate the octets of all runs.
//!
//! ```
//! use urikit_mime::transfer::{Decoder, Encoding, Run};
//! let mut decoder = Decoder::new(Encoding::QuotedPrintable);
//! let (mut text, mut runs) = (Vec::new(), Vec::new());
//! let mut each = |run: Run<'_>| {
//!     text.extend_from_slice(run.octets());
//!     runs.push((run.source_len(), run.octets().len()));
//! };
//! for piece in ["caf=C", "3=A9  \r", "\n="] {
//!     decoder.push(piece.as_bytes(), &mut each);
//! }
//! decoder.finish(&mut each);
//! assert_eq!(text, "café\r\n".as_bytes());
//! // `caf`, two escapes, white space before the line ending, the line ending, and a soft break
//! assert_eq!(runs, [(3, 3), (3, 1), (3, 1), (2, 0), (2, 2), (1, 0)]);
//! ```
//!
//! # Invalid input
//!
//! Bodies are often damaged in transit, and the text after the damage is still worth reading. So
//! the decoder accepts every body. For invalid bodies, and where RFC 2045 leaves a choice, the
//! decoder follows these rules:
//!
//! - base64: characters outside the alphabet are skipped (6.8).
//! - base64: an `=` in any position ends a group, and the group's complete octets are decoded.
//!   Another encoded block may follow, because some programs concatenate encoded blocks.
//! - base64: if the body ends within a group, the group's complete octets are decoded, and the
//!   remaining bits are dropped.
//! - quoted-printable: up to 997 octets of white space before a line ending or the end of the body
//!   are skipped (6.7, rule 3). White space after an `=` is part of a soft line
//!   break (6.7, rules 3 and 5).
//! - quoted-printable: an `=` is literal unless two hexadecimal digits or a soft line break
//!   follow.
//! - quoted-printable: lower-case digits, control characters and non-ASCII octets are accepted.
//!
//! A line ending is CR LF or LF.

use crate::base64::Group;
use crate::header::token;
use alloc::vec::Vec;

/// A transfer encoding.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub enum Encoding {
    /// `7bit`, `8bit` or `binary`. The body is copied unchanged. Unknown encodings are treated in
    /// the same way.
    #[default]
    Identity,
    /// `quoted-printable` (RFC 2045, 6.7).
    QuotedPrintable,
    /// `base64` (RFC 2045, 6.8).
    Base64,
}

impl Encoding {
    /// Parses the value of a `Content-Transfer-Encoding` field.
    ///
    /// ```
    /// use urikit_mime::transfer::Encoding;
    /// assert_eq!(Encoding::parse(b" BASE64 (a comment)"), Encoding::Base64);
    /// assert_eq!(Encoding::parse(b"x-uuencode"), Encoding::Identity);
    /// ```
    pub fn parse(value: &[u8]) -> Self {
        let is = |name: &[u8]| token(value).eq_ignore_ascii_case(name);
        if is(b"base64") {
            Self::Base64
        } else if is(b"quoted-printable") {
            Self::QuotedPrintable
        } else {
            Self::Identity
        }
    }
}

/// The result of decoding the next octets of the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Run<'a> {
    /// The octets were copied.
    Copied(&'a [u8]),
    /// This number of encoded octets forms one unit, which decodes to these octets.
    Replaced(usize, &'a [u8]),
    /// Complete groups of base64, with four characters for every three of these octets.
    Groups(&'a [u8]),
    /// This number of encoded octets was skipped.
    Skipped(usize),
}

impl<'a> Run<'a> {
    /// Returns the decoded octets.
    pub const fn octets(self) -> &'a [u8] {
        match self {
            Self::Copied(octets) | Self::Replaced(_, octets) | Self::Groups(octets) => octets,
            Self::Skipped(_) => &[],
        }
    }

    /// Returns the number of encoded octets in the input.
    pub const fn source_len(self) -> usize {
        match self {
            Self::Copied(octets) => octets.len(),
            Self::Groups(octets) => octets.len() / 3 * 4,
            Self::Replaced(length, _) | Self::Skipped(length) => length,
        }
    }
}

/// Decodes a body.
#[derive(Clone, Debug)]
pub struct Decoder(State);

#[derive(Clone, Debug)]
enum State {
    Identity,
    QuotedPrintable(QuotedPrintableDecoder),
    Base64(Base64Decoder),
}

impl Decoder {
    /// Creates a decoder for the start of a body.
    pub fn new(encoding: Encoding) -> Self {
        Self(match encoding {
            Encoding::Identity => State::Identity,
            Encoding::QuotedPrintable => State::QuotedPrintable(QuotedPrintableDecoder::default()),
            Encoding::Base64 => State::Base64(Base64Decoder::default()),
        })
    }

    /// Decodes the next piece, and calls `each` with the runs that later pieces cannot change.
    pub fn push(&mut self, piece: &[u8], mut each: impl FnMut(Run<'_>)) {
        match &mut self.0 {
            State::Identity => copied(piece, &mut each),
            State::QuotedPrintable(decoder) => decoder.push(piece, &mut each),
            State::Base64(decoder) => decoder.push(piece, &mut each),
        }
    }

    /// Ends the body, and calls `each` with the remaining runs.
    pub fn finish(self, mut each: impl FnMut(Run<'_>)) {
        match self.0 {
            State::Identity => {}
            State::QuotedPrintable(decoder) => decoder.finish(&mut each),
            State::Base64(decoder) => decoder.finish(&mut each),
        }
    }
}

fn copied(octets: &[u8], each: &mut impl FnMut(Run<'_>)) {
    if !octets.is_empty() {
        each(Run::Copied(octets));
    }
}

fn skipped(length: usize, each: &mut impl FnMut(Run<'_>)) {
    if length > 0 {
        each(Run::Skipped(length));
    }
}

/// White space of this length or more before a line ending is kept as text, because a line has at
/// most 998 octets (RFC 5322, 2.1.1). This limits the memory that a decoder uses.
const LIMIT: usize = 998;

#[derive(Clone, Default, Debug)]
struct QuotedPrintableDecoder {
    /// The end of the last piece, if its meaning depends on later octets: white space or an escape,
    /// and possibly a CR.
    held: Vec<u8>,
    /// True if the last piece ends in white space that is longer than the limit.
    is_long: bool,
}

/// The meaning of an `=` and the octets that follow it.
enum Escape {
    Octet(u8),
    /// A soft line break of this length.
    Break(usize),
    Literal,
    /// The input is too short to determine the meaning.
    Open,
}

impl QuotedPrintableDecoder {
    fn push(&mut self, mut piece: &[u8], each: &mut impl FnMut(Run<'_>)) {
        while !self.held.is_empty() {
            let Some((octet, rest)) = piece.split_first() else {
                return;
            };
            piece = rest;
            let before = self.held.last().copied();
            self.held.push(*octet);
            // Each white space character is examined only once, even if the pieces are small.
            let is_white = is_blank(*octet) && before.is_some_and(|it| it == b'=' || is_blank(it));
            if !is_white || self.held.len() >= LIMIT {
                let held = core::mem::take(&mut self.held);
                self.read(&held, each);
            }
        }
        self.read(piece, each);
    }

    fn finish(self, each: &mut impl FnMut(Run<'_>)) {
        let line = self.held.strip_suffix(b"\r").unwrap_or(&self.held);
        // A CR at the end of the body is not a line ending, so white space before it is kept.
        let is_text = match line {
            [b'=', rest @ ..] => blanks(rest) < rest.len(),
            _ => line.len() < self.held.len(),
        };
        if is_text {
            copied(&self.held, each);
        } else {
            skipped(self.held.len(), each);
        }
    }

    /// Reads a piece when no octets are being held back. Holds back any octets at its end whose
    /// meaning depends on later octets.
    fn read(&mut self, piece: &[u8], each: &mut impl FnMut(Run<'_>)) {
        let mut rest = piece;
        if self.is_long {
            let text;
            (text, rest) = rest.split_at(blanks(rest));
            copied(text, each);
            self.is_long = rest.is_empty();
        }
        // The offset in `rest` up to which the text contains no escapes and no white space to
        // skip.
        let mut end = 0;
        loop {
            let unread = rest.get(end..).unwrap_or_default();
            let found = memchr::memchr2(b'=', b'\n', unread).unwrap_or(unread.len());
            let (text, after) = rest.split_at(end + found);
            if after.starts_with(b"=") {
                let escape = escape(after);
                if let Escape::Literal = escape {
                    end = text.len() + 1;
                    continue;
                }
                copied(text, each);
                let length = match escape {
                    Escape::Octet(octet) => {
                        each(Run::Replaced(3, &[octet]));
                        3
                    }
                    Escape::Break(length) => {
                        each(Run::Skipped(length));
                        length
                    }
                    Escape::Open | Escape::Literal => return self.held.extend_from_slice(after),
                };
                (rest, end) = (after.get(length..).unwrap_or_default(), 0);
                continue;
            }
            // Otherwise, the white space is before a line ending or at the end of the piece.
            let line = text.strip_suffix(b"\r").unwrap_or(text);
            let blanks = blanks_before(line);
            let is_deleted = blanks > 0 && blanks < LIMIT;
            let kept = if is_deleted {
                line.len() - blanks
            } else {
                text.len()
            };
            if after.is_empty() {
                self.is_long |= blanks >= LIMIT && line.len() == text.len();
                let (text, held) = text.split_at(kept);
                copied(text, each);
                return self.held.extend_from_slice(held);
            }
            end = text.len() + 1;
            if is_deleted {
                copied(text.get(..kept).unwrap_or_default(), each);
                each(Run::Skipped(blanks));
                rest = rest.get(line.len()..).unwrap_or_default();
                end -= line.len();
            }
        }
    }
}

/// Decodes the escape at the start of `text`, which begins with `=`.
fn escape(text: &[u8]) -> Escape {
    let rest = text.get(1..).unwrap_or_default();
    match rest {
        [high, low, ..] if high.is_ascii_hexdigit() => {
            return escaped(*high, *low).map_or(Escape::Literal, Escape::Octet);
        }
        [high] if high.is_ascii_hexdigit() => return Escape::Open,
        _ => {}
    }
    let blanks = blanks(rest.get(..LIMIT).unwrap_or(rest));
    match rest.get(blanks..).unwrap_or_default() {
        _ if blanks == LIMIT => Escape::Literal,
        [] | [b'\r'] => Escape::Open,
        [b'\n', ..] => Escape::Break(blanks + 2),
        [b'\r', b'\n', ..] => Escape::Break(blanks + 3),
        _ => Escape::Literal,
    }
}

fn is_blank(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t')
}

/// Returns the length of the white space at the start of the text.
fn blanks(text: &[u8]) -> usize {
    text.iter().take_while(|octet| is_blank(**octet)).count()
}

/// Returns the length of the white space at the end of the text.
fn blanks_before(text: &[u8]) -> usize {
    let octets = text.iter().rev();
    octets.take_while(|octet| is_blank(**octet)).count()
}

/// The maximum number of octets in a reported run: the number that 64 base64 characters encode.
const PIECE: usize = 48;

#[derive(Clone, Default, Debug)]
struct Base64Decoder {
    group: Group,
    /// The number of characters since the group began, including characters outside the alphabet.
    span: usize,
}

impl Base64Decoder {
    fn push(&mut self, mut piece: &[u8], each: &mut impl FnMut(Run<'_>)) {
        loop {
            if self.group.count == 0 {
                piece = groups(piece, each);
            }
            let Some((character, rest)) = piece.split_first() else {
                return;
            };
            self.character(*character, each);
            piece = rest;
        }
    }

    /// Adds a character that does not begin a complete group.
    fn character(&mut self, character: u8, each: &mut impl FnMut(Run<'_>)) {
        if self.group.push(character) {
            self.span += 1;
            if self.group.count == 4 {
                self.end(each);
            }
        } else if self.group.count == 0 {
            each(Run::Skipped(1));
        } else if character == b'=' {
            self.end(each);
            each(Run::Skipped(1));
        } else {
            self.span += 1;
        }
    }

    /// Ends a group.
    fn end(&mut self, each: &mut impl FnMut(Run<'_>)) {
        let (octets, count) = self.group.take();
        match octets.get(..count) {
            Some(octets) if count > 0 => each(Run::Replaced(self.span, octets)),
            _ => skipped(self.span, each),
        }
        self.span = 0;
    }

    fn finish(mut self, each: &mut impl FnMut(Run<'_>)) {
        self.end(each);
    }
}

/// Decodes the complete groups at the start of a piece, and returns the rest of the piece.
fn groups<'a>(mut piece: &'a [u8], each: &mut impl FnMut(Run<'_>)) -> &'a [u8] {
    loop {
        let (mut octets, mut count) = ([0; PIECE], 0);
        for out in octets.as_chunks_mut::<3>().0 {
            let Some((characters, rest)) = piece.split_first_chunk::<4>() else {
                break;
            };
            let Some(group) = Group::read(*characters) else {
                break;
            };
            *out = group;
            count += 3;
            piece = rest;
        }
        if count > 0 {
            each(Run::Groups(octets.get(..count).unwrap_or_default()));
        }
        if count < PIECE {
            return piece;
        }
    }
}

/// Returns the octet that two hexadecimal digits encode.
pub(crate) fn escaped(high: u8, low: u8) -> Option<u8> {
    let digit = |octet| char::from(octet).to_digit(16);
    u8::try_from(digit(high)? << 4 | digit(low)?).ok()
}
