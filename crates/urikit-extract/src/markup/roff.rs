//! roff, the language of manual pages: `.UR` and `.MT` (`man`), `.Lk` and `.Mt` (`mdoc`), `.URL`,
//! `.MTO` and `.FTP` (`www`), `.pdfhref W`, and links in text, with escapes such as `\-` replaced.
//! Comments and text that `.ig` ignores are not searched.

use super::{Prose, lines};
use crate::found::{Bases, Place, Syntax};
use crate::reader::{Context, Each, Noticed};
use core::ops::Range;
use memchr::memchr;

/// Reads a complete document.
pub(crate) fn read(
    document: &[u8],
    context: Context<'_>,
    bases: &Bases,
    each: &mut Each<'_>,
) -> Noticed {
    let mut reader = RoffReader {
        document,
        prose: Prose::new(document, context, bases, each),
    };
    let mut is_ignored = false;
    for range in lines(document) {
        let line = document.get(range.clone()).unwrap_or_default();
        if is_ignored {
            is_ignored = line != b"..";
        } else if let [b'.' | b'\'', rest @ ..] = line {
            let rest = rest.trim_ascii_start();
            is_ignored = rest == b"ig";
            reader.prose.end();
            reader.request(range.end - rest.len()..range.end);
        } else {
            reader.text(range.clone());
            reader.prose.copy(range.end..range.end + 1);
            reader.prose.may_end();
        }
    }
    reader.prose.finish()
}

struct RoffReader<'p, 'c> {
    document: &'p [u8],
    prose: Prose<'p, 'c>,
}

impl RoffReader<'_, '_> {
    /// Reads a request or macro, without its control character.
    fn request(&mut self, range: Range<usize>) {
        let line = self.document.get(range.clone()).unwrap_or_default();
        if line.starts_with(b"\\\"") || line.starts_with(b"\\#") {
            return;
        }
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
        let length = line.iter().position(is_blank).unwrap_or(line.len());
        let name = line.get(..length).unwrap_or_default();
        let mut arguments = arguments(self.document, range.start + length..range.end);
        let is_address = matches!(name, b"MT" | b"Mt" | b"MTO");
        if is_address || matches!(name, b"UR" | b"URL" | b"Lk" | b"FTP") {
            if let Some(range) = arguments.next() {
                self.link(range, is_address);
            }
        } else if name == b"pdfhref" {
            // `.pdfhref W -D url text`
            while let Some(range) = arguments.next() {
                if self.document.get(range) == Some(&b"-D"[..]) {
                    if let Some(range) = arguments.next() {
                        self.link(range, false);
                    }
                    break;
                }
            }
        }
        // Macros such as `.BR` alternate between two fonts, and join their arguments.
        let is_joined = matches!(name, b"BI" | b"BR" | b"IB" | b"IR" | b"RB" | b"RI");
        for range in arguments {
            self.text(range.clone());
            if !is_joined {
                self.prose.replace(range.end..range.end, b" ");
            }
        }
        self.prose.end();
    }

    fn link(&mut self, range: Range<usize>, is_address: bool) {
        let written = self.document.get(range.clone()).unwrap_or_default();
        let mut uri = Vec::new();
        if is_address && !written.starts_with(b"mailto:") {
            uri.extend_from_slice(b"mailto:");
        }
        let before = uri.len();
        each_piece(written, |range, piece| match piece {
            Piece::Copied => uri.extend_from_slice(written.get(range).unwrap_or_default()),
            Piece::Meaning(meaning) => uri.extend_from_slice(meaning.as_bytes()),
            Piece::Unknown => {}
        });
        if uri.len() > before {
            let place = Place::in_syntax(Syntax::Link);
            self.prose.link(range, &uri, place);
        }
    }

    fn text(&mut self, range: Range<usize>) {
        let text = self.document.get(range.clone()).unwrap_or_default();
        let prose = &mut self.prose;
        each_piece(text, |inner, piece| {
            let inner = inner.start + range.start..inner.end + range.start;
            match piece {
                Piece::Copied => prose.copy(inner),
                Piece::Meaning(meaning) => prose.replace(inner, meaning.as_bytes()),
                Piece::Unknown => prose.end(),
            }
        });
    }
}

/// Iterates over the arguments of a macro, without their quotes.
fn arguments(document: &[u8], range: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = range.start;
    core::iter::from_fn(move || {
        let rest = document.get(at..range.end)?;
        let blank = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
        at += blank.count();
        let rest = document.get(at..range.end)?;
        let first = *rest.first()?;
        if first == b'"' {
            let inner = rest.get(1..)?;
            let length = memchr(b'"', inner).unwrap_or(inner.len());
            at += length + 2;
            return Some(at - length - 1..at - 1);
        }
        let mut length = 0;
        while let Some(byte) = rest.get(length) {
            match byte {
                b' ' | b'\t' => break,
                b'\\' => length += 2,
                _ => length += 1,
            }
        }
        let length = length.min(rest.len());
        at += length;
        Some(at - length..at)
    })
}

/// The meaning of a piece of the input.
enum Piece {
    Copied,
    Meaning(&'static str),
    /// An escape with an unknown result.
    Unknown,
}

/// Calls `each` with the pieces of a line, up to a comment.
fn each_piece(text: &[u8], mut each: impl FnMut(Range<usize>, Piece)) {
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let plain = memchr(b'\\', rest).unwrap_or(rest.len());
        if plain > 0 {
            each(at..at + plain, Piece::Copied);
        }
        at += plain;
        let Some(escape) = rest.get(plain + 1..).filter(|rest| !rest.is_empty()) else {
            return;
        };
        if matches!(escape.first(), Some(b'"' | b'#')) {
            return;
        }
        let (length, piece) = escaped(escape);
        let end = (at + 1 + length).min(text.len());
        each(at..end, piece);
        at = end;
    }
}

/// Returns the length of an escape after its backslash, and its meaning.
fn escaped(text: &[u8]) -> (usize, Piece) {
    let first = text.first().copied().unwrap_or_default();
    match first {
        b'-' => (1, Piece::Meaning("-")),
        b'e' | b'\\' => (1, Piece::Meaning("\\")),
        b'.' => (1, Piece::Meaning(".")),
        b'\'' => (1, Piece::Meaning("'")),
        b'`' => (1, Piece::Meaning("`")),
        b'_' => (1, Piece::Meaning("_")),
        b'&' | b':' | b'%' | b'/' | b',' | b'|' | b'^' | b')' | b'c' | b'{' | b'}' | b'd'
        | b'u' => (1, Piece::Meaning("")),
        b' ' | b'~' | b'0' | b't' => (1, Piece::Meaning(" ")),
        b'(' | b'[' => {
            let (length, name) = name(text);
            (
                length,
                character(name).map_or(Piece::Unknown, Piece::Meaning),
            )
        }
        b'f' | b'F' | b'm' | b'M' => {
            let (length, _) = name(text.get(1..).unwrap_or_default());
            (1 + length, Piece::Meaning(""))
        }
        b'*' | b'n' | b'g' | b'k' | b'Y' | b'V' => {
            let (length, _) = name(text.get(1..).unwrap_or_default());
            (1 + length, Piece::Unknown)
        }
        b's' => (
            1 + size(text.get(1..).unwrap_or_default()),
            Piece::Meaning(""),
        ),
        b'h' | b'v' | b'w' | b'l' | b'L' | b'D' | b'o' | b'b' | b'X' | b'N' | b'C' => {
            let rest = text.get(1..).unwrap_or_default();
            let length = rest.first().and_then(|quote| {
                let inner = rest.get(1..)?;
                Some(memchr(*quote, inner)? + 2)
            });
            (1 + length.unwrap_or_default(), Piece::Unknown)
        }
        _ => (1, Piece::Unknown),
    }
}

/// Returns the length and the name in an escape: one character, two characters after `(`, or any
/// number of characters in brackets.
fn name(text: &[u8]) -> (usize, &[u8]) {
    match text {
        [b'(', rest @ ..] => (rest.len().min(2) + 1, rest.get(..2).unwrap_or(rest)),
        [b'[', rest @ ..] => {
            let length = memchr(b']', rest).unwrap_or(rest.len());
            (length + 2, rest.get(..length).unwrap_or_default())
        }
        _ => (text.len().min(1), text.get(..1).unwrap_or_default()),
    }
}

/// Returns the length of the point size at the start of `text`.
fn size(text: &[u8]) -> usize {
    let sign = usize::from(matches!(text.first(), Some(b'+' | b'-')));
    let rest = text.get(sign..).unwrap_or_default();
    sign + match rest {
        [b'(' | b'[', ..] => name(rest).0,
        [b'\'', inner @ ..] => memchr(b'\'', inner).map_or(1, |length| length + 2),
        // Sizes from 10 to 39 have two digits.
        [b'1'..=b'3', second, ..] if sign == 0 && second.is_ascii_digit() => 2,
        [_, ..] => 1,
        [] => 0,
    }
}

/// Returns the named character (groff_char(7)). The list contains the characters that occur in or
/// next to URLs.
fn character(name: &[u8]) -> Option<&'static str> {
    const NAMES: [(&[u8], &str); 38] = [
        (b"aq", "'"),
        (b"dq", "\""),
        (b"lq", "\u{201C}"),
        (b"rq", "\u{201D}"),
        (b"oq", "\u{2018}"),
        (b"cq", "\u{2019}"),
        (b"em", "\u{2014}"),
        (b"en", "\u{2013}"),
        (b"hy", "-"),
        (b"mi", "-"),
        (b"pl", "+"),
        (b"eq", "="),
        (b"ti", "~"),
        (b"ha", "^"),
        (b"at", "@"),
        (b"sh", "#"),
        (b"Do", "$"),
        (b"rs", "\\"),
        (b"sl", "/"),
        (b"f/", "/"),
        (b"ul", "_"),
        (b"ru", "_"),
        (b"lB", "["),
        (b"rB", "]"),
        (b"lC", "{"),
        (b"rC", "}"),
        (b"la", "\u{27E8}"),
        (b"ra", "\u{27E9}"),
        (b"or", "|"),
        (b"ba", "|"),
        (b"ga", "`"),
        (b"bu", "\u{2022}"),
        (b"co", "\u{A9}"),
        (b"rg", "\u{AE}"),
        (b"tm", "\u{2122}"),
        (b"fo", "\u{2039}"),
        (b"fc", "\u{203A}"),
        (b"Fo", "\u{AB}"),
    ];
    let found = NAMES.iter().find(|(known, _)| *known == name);
    found.map(|(_, meaning)| *meaning)
}
