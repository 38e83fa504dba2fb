//! Moving over a text byte by byte: runs of a class, digits, literals, and failing at a place.
//!
//! Everything here is `const`, so that a reference can be checked while a program is compiled.

pub(crate) use crate::bytes::byte_at;
use crate::bytes::char_at;
use crate::error::{Expected, Found, SyntaxError};
use crate::grammar::{Beyond, ByteSet, Class, HEX_DIGITS, LETTERS, Rule, rfc3986};
use crate::layout::offset_u32;

/// The outcome of a production: an offset behind it, or where it breaks.
pub(crate) type Scan<T = usize> = Result<T, SyntaxError>;

/// `?` for constant functions, where the operator is not to be had.
macro_rules! tri {
    ($outcome:expr) => {
        match $outcome {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}
pub(crate) use tri;

/// Whether the byte at `at` is `byte`.
#[inline]
pub(crate) const fn is_at(text: &[u8], at: usize, byte: u8) -> bool {
    matches!(byte_at(text, at), Some(b) if b == byte)
}

/// Whether the byte at `at` is in `set`.
#[inline]
pub(crate) const fn is_in(text: &[u8], at: usize, set: &ByteSet) -> bool {
    matches!(byte_at(text, at), Some(b) if set.contains(b))
}

/// Whether what a fragment may follow ends at `at`: the text does, or a `#` stands there.
#[inline]
pub(crate) const fn is_end(text: &[u8], at: usize) -> bool {
    at >= text.len() || is_at(text, at, b'#')
}

/// Fails at `at`.
#[cold]
pub(crate) const fn fail<T: Copy>(
    text: &[u8],
    at: usize,
    expected: Expected,
    production: &'static Rule,
) -> Scan<T> {
    Err(SyntaxError {
        offset: offset_u32(at),
        found: Found::at(text, at),
        expected,
        production,
    })
}

/// The end of the run of bytes from `at` on that are in `set`.
#[inline]
pub(crate) const fn skip(text: &[u8], mut at: usize, set: &ByteSet) -> usize {
    while is_in(text, at, set) {
        at += 1;
    }
    at
}

/// The end of the run of characters from `at` on that `class` has, escapes among them.
///
/// `escape` is the standard's rule for an escape. A `%` that begins none fails at the byte that
/// is no hexadecimal digit: no production of any standard has a `%` otherwise.
#[inline]
pub(crate) const fn run(
    text: &[u8],
    mut at: usize,
    class: &'static Class,
    escape: &'static Rule,
) -> Scan {
    loop {
        at = skip(text, at, class.set());
        match byte_at(text, at) {
            Some(b'%') if class.has_escapes() => at = tri!(escaped(text, at, escape)),
            Some(0x80..) if !matches!(class.beyond(), Beyond::None) => match char_at(text, at) {
                Some((c, length)) if class.beyond().contains(c) => at += length,
                _ => return Ok(at),
            },
            _ => return Ok(at),
        }
    }
}

/// The end of the one character of `class` at `at`, an escape or not; `None` where there is none.
pub(crate) const fn one(
    text: &[u8],
    at: usize,
    class: &'static Class,
    escape: &'static Rule,
) -> Scan<Option<usize>> {
    if is_in(text, at, class.set()) {
        return Ok(Some(at + 1));
    }
    if class.has_escapes() && is_at(text, at, b'%') {
        return Ok(Some(tri!(escaped(text, at, escape))));
    }
    Ok(None)
}

/// `"%" hex hex`, where the `%` is at `at`.
pub(crate) const fn escaped(text: &[u8], at: usize, escape: &'static Rule) -> Scan {
    if !is_in(text, at + 1, &HEX_DIGITS) {
        return fail(text, at + 1, Expected::HEX_DIGIT, escape);
    }
    if !is_in(text, at + 2, &HEX_DIGITS) {
        return fail(text, at + 2, Expected::HEX_DIGIT, escape);
    }
    Ok(at + 3)
}

/// `scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )` and its colon at the start, which RFC 2396
/// and its successors have alike: where the colon is; `None` where there is none.
pub(crate) const fn scheme(text: &[u8]) -> Option<usize> {
    if !is_in(text, 0, &LETTERS) {
        return None;
    }
    let colon = skip(text, 1, rfc3986::SCHEME.set());
    if is_at(text, colon, b':') {
        Some(colon)
    } else {
        None
    }
}

/// As [`scheme`]: where the colon is, or the first byte at which there can be no scheme.
pub(crate) const fn scheme_colon(text: &[u8]) -> Scan {
    let rule = rfc3986::SCHEME.rule();
    if !is_in(text, 0, &LETTERS) {
        return fail(text, 0, Expected::LETTER, rule);
    }
    let colon = skip(text, 1, rfc3986::SCHEME.set());
    if is_at(text, colon, b':') {
        Ok(colon)
    } else {
        fail(text, colon, Expected::SCHEME_CHAR.or(Expected::COLON), rule)
    }
}

/// The literal `word`, by the letter. Fails at its first byte that is not there.
pub(crate) const fn literal(
    text: &[u8],
    mut at: usize,
    word: &[u8],
    expected: Expected,
    production: &'static Rule,
) -> Scan {
    let mut rest = word;
    while let [byte, tail @ ..] = rest {
        if !is_at(text, at, *byte) {
            return fail(text, at, expected, production);
        }
        at += 1;
        rest = tail;
    }
    Ok(at)
}

/// Whether the bytes of `text` from `start` to `end` are `word`, which is in lower case, in any case.
pub(crate) const fn is_word(text: &[u8], start: usize, end: usize, word: &[u8]) -> bool {
    if end - start != word.len() {
        return false;
    }
    let mut at = start;
    let mut rest = word;
    while let [byte, tail @ ..] = rest {
        match byte_at(text, at) {
            Some(b) if b.to_ascii_lowercase() == *byte => {}
            _ => return false,
        }
        at += 1;
        rest = tail;
    }
    true
}
