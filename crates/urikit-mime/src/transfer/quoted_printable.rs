//! Quoted-printable (RFC 2045, 6.7).

use super::{Run, copied, skipped};
use crate::hex::escaped;
use alloc::vec::Vec;

/// White space of this length or more before a line end is text: a line has at most 998 octets (RFC
/// 5322, 2.1.1). This limits what is held.
const LIMIT: usize = 998;

#[derive(Clone, Default, Debug)]
pub(super) struct Decoder {
    /// The end of the last piece, which what follows decides: white space or an escape, and a CR.
    held: Vec<u8>,
    /// Whether the last piece ends within white space of at least the limit.
    is_long: bool,
}

/// What a `=` and what follows it are.
enum Escape {
    Octet(u8),
    /// A soft line break of this length.
    Break(usize),
    Literal,
    /// Too short to say.
    Open,
}

impl Decoder {
    pub(super) fn push(&mut self, mut piece: &[u8], each: &mut impl FnMut(Run<'_>)) {
        while !self.held.is_empty() {
            let Some((octet, rest)) = piece.split_first() else {
                return;
            };
            piece = rest;
            let before = self.held.last().copied();
            self.held.push(*octet);
            // Each white space is looked at once, however small the pieces are.
            let is_white = is_blank(*octet) && before.is_some_and(|it| it == b'=' || is_blank(it));
            if !is_white || self.held.len() >= LIMIT {
                let held = core::mem::take(&mut self.held);
                self.read(&held, each);
            }
        }
        self.read(piece, each);
    }

    pub(super) fn finish(self, each: &mut impl FnMut(Run<'_>)) {
        let line = self.held.strip_suffix(b"\r").unwrap_or(&self.held);
        // White space before a CR that ends the body is not before a line end.
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

    /// Reads a piece while nothing is held, and holds what it cannot decide.
    fn read(&mut self, piece: &[u8], each: &mut impl FnMut(Run<'_>)) {
        let mut rest = piece;
        if self.is_long {
            let text;
            (text, rest) = rest.split_at(blanks(rest));
            copied(text, each);
            self.is_long = rest.is_empty();
        }
        // The octets before this one are text.
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
            // A line end, or the end of the piece.
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

/// What begins with the `=` at the beginning of a text.
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

/// How much white space a text begins with.
fn blanks(text: &[u8]) -> usize {
    text.iter().take_while(|octet| is_blank(**octet)).count()
}

/// How much white space a text ends with.
fn blanks_before(text: &[u8]) -> usize {
    let octets = text.iter().rev();
    octets.take_while(|octet| is_blank(**octet)).count()
}
