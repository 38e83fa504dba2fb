//! Transfer encodings (RFC 2045, 6), decoded in pieces of any size.
//!
//! A [`Decoder`] takes a body in slices, cut anywhere, and needs the same memory for any length.
//! For each slice it reports [`Run`]s: octets that were copied, replaced or left out. Together the
//! runs are the input from its beginning, without gaps, so that a caller who adds up their lengths
//! knows where in the input each octet comes from. Who needs only the result joins their octets.
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
//! // `caf`, two escapes, white space before the line end, the line end, and a soft line break
//! assert_eq!(runs, [(3, 3), (3, 1), (3, 1), (2, 0), (2, 2), (1, 0)]);
//! ```
//!
//! # What is accepted
//!
//! Everything: bodies are often damaged on their way, and what follows the damage can still be
//! read. Where RFC 2045 leaves the choice, or a body is not valid:
//!
//! | encoding | in the body | result |
//! |---|---|---|
//! | base64 | characters outside the alphabet | left out (6.8) |
//! | base64 | `=` anywhere | ends the group, of which complete octets count; after it a new text may begin, since some programs join encoded texts |
//! | base64 | the end within a group | its complete octets; bits that are left are ignored |
//! | quoted-printable | white space before a line end, or before the end | left out (6.7, rule 3), if less than 998 octets |
//! | quoted-printable | `=`, such white space, and a line end, or the end | a soft line break (6.7, rules 3 and 5) |
//! | quoted-printable | `=` and anything else that is not two hexadecimal digits | literal |
//! | quoted-printable | lower-case digits, control characters, octets beyond US-ASCII | accepted |
//!
//! A line end is CR LF or LF.

mod base64;
mod quoted_printable;

use crate::header::token;

/// A transfer encoding.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub enum Encoding {
    /// `7bit`, `8bit` or `binary`; unknown encodings are left as they are too.
    #[default]
    Identity,
    /// `quoted-printable` (RFC 2045, 6.7).
    QuotedPrintable,
    /// `base64` (RFC 2045, 6.8).
    Base64,
}

impl Encoding {
    /// The encoding that the value of a `Content-Transfer-Encoding` field names.
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

/// What became of the next octets of the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Run<'a> {
    /// They are copied.
    Copied(&'a [u8]),
    /// This many were replaced by these octets, all together.
    Replaced(usize, &'a [u8]),
    /// They are complete groups of base64: four characters for every three of these octets.
    Groups(&'a [u8]),
    /// This many decode to nothing.
    Skipped(usize),
}

impl<'a> Run<'a> {
    /// The decoded octets.
    pub const fn octets(self) -> &'a [u8] {
        match self {
            Self::Copied(octets) | Self::Replaced(_, octets) | Self::Groups(octets) => octets,
            Self::Skipped(_) => &[],
        }
    }

    /// How many octets of the input it is.
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
    QuotedPrintable(quoted_printable::Decoder),
    Base64(base64::Decoder),
}

impl Decoder {
    /// A decoder at the beginning of a body.
    pub fn new(encoding: Encoding) -> Self {
        Self(match encoding {
            Encoding::Identity => State::Identity,
            Encoding::QuotedPrintable => {
                State::QuotedPrintable(quoted_printable::Decoder::default())
            }
            Encoding::Base64 => State::Base64(base64::Decoder::default()),
        })
    }

    /// Takes the next piece, and calls `each` with what is decided by it.
    pub fn push(&mut self, piece: &[u8], mut each: impl FnMut(Run<'_>)) {
        match &mut self.0 {
            State::Identity => copied(piece, &mut each),
            State::QuotedPrintable(decoder) => decoder.push(piece, &mut each),
            State::Base64(decoder) => decoder.push(piece, &mut each),
        }
    }

    /// Ends the body, and calls `each` with what is left.
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
