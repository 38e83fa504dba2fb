//! The steps that all productions share: runs of a character class, escapes, literals, errors.
//!
//! All functions are `const`, so a program can have its constant references checked when it is
//! compiled.

pub(crate) use crate::bytes::byte_at;
use crate::bytes::char_at;
use crate::error::{Expected, Found, SyntaxError};
use crate::grammar::{Beyond, ByteSet, Class, HEX_DIGITS, LETTERS, Rule, rfc3986};
use crate::layout::offset_u32;

/// The result of parsing a production: the offset at which it ends, or an error.
pub(crate) type Parsed<T = usize> = Result<T, SyntaxError>;

/// Works like the `?` operator, which constant functions cannot use.
macro_rules! tri {
    ($outcome:expr) => {
        match $outcome {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}
pub(crate) use tri;

/// Returns whether the byte at `at` is `byte`.
#[inline]
pub(crate) const fn is_at(text: &[u8], at: usize, byte: u8) -> bool {
    matches!(byte_at(text, at), Some(b) if b == byte)
}

/// Returns whether the byte at `at` is in `set`.
#[inline]
pub(crate) const fn is_in(text: &[u8], at: usize, set: &ByteSet) -> bool {
    matches!(byte_at(text, at), Some(b) if set.contains(b))
}

/// Returns whether the text at `at` is a `#` or the end of the input.
#[inline]
pub(crate) const fn is_end(text: &[u8], at: usize) -> bool {
    at >= text.len() || is_at(text, at, b'#')
}

/// Returns the error at `at`, where one of `expected` would have continued `production`.
#[cold]
pub(crate) const fn fail<T: Copy>(
    text: &[u8],
    at: usize,
    expected: Expected,
    production: &'static Rule,
) -> Parsed<T> {
    Err(syntax_error(text, at, expected, production))
}

// Kept out of line, so that all result types share this code.
#[inline(never)]
const fn syntax_error(
    text: &[u8],
    at: usize,
    expected: Expected,
    production: &'static Rule,
) -> SyntaxError {
    SyntaxError {
        offset: offset_u32(at),
        found: Found::at(text, at),
        expected,
        production,
    }
}

/// Returns the end of the run of bytes in `set` that begins at `at`.
#[inline]
pub(crate) const fn skip(text: &[u8], mut at: usize, set: &ByteSet) -> usize {
    while is_in(text, at, set) {
        at += 1;
    }
    at
}

/// Returns the end of the run of characters in `class`, including escapes, that begins at `at`.
///
/// `escape` is the standard's rule for an escape. A `%` without two hexadecimal digits is an error
/// at the first byte that is not a digit: no standard allows `%` except in an escape.
#[inline]
pub(crate) const fn run(
    text: &[u8],
    mut at: usize,
    class: &'static Class,
    escape: &'static Rule,
) -> Parsed {
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

/// Returns the end of the character or escape at `at` if it is in `class`.
pub(crate) const fn one(
    text: &[u8],
    at: usize,
    class: &'static Class,
    escape: &'static Rule,
) -> Parsed<Option<usize>> {
    if is_in(text, at, class.set()) {
        return Ok(Some(at + 1));
    }
    if class.has_escapes() && is_at(text, at, b'%') {
        return Ok(Some(tri!(escaped(text, at, escape))));
    }
    Ok(None)
}

/// Parses `"%" hex hex`. The `%` is at `at`.
pub(crate) const fn escaped(text: &[u8], at: usize, escape: &'static Rule) -> Parsed {
    if !is_in(text, at + 1, &HEX_DIGITS) {
        return fail(text, at + 1, Expected::HEX_DIGIT, escape);
    }
    if !is_in(text, at + 2, &HEX_DIGITS) {
        return fail(text, at + 2, Expected::HEX_DIGIT, escape);
    }
    Ok(at + 3)
}

/// Checks that two hexadecimal digits follow each `%`, as in RFC 3986's `pct-encoded`.
pub(crate) const fn escapes(text: &[u8]) -> Parsed<()> {
    const NO_PERCENT: ByteSet = ByteSet::range(0, 255).without(ByteSet::of(b"%"));
    let mut at = skip(text, 0, &NO_PERCENT);
    while at < text.len() {
        at = skip(
            text,
            tri!(escaped(text, at, &rfc3986::PCT_ENCODED)),
            &NO_PERCENT,
        );
    }
    Ok(())
}

/// Finds `scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )` and its colon at the start of the
/// input, for RFC 2396 and its successors. Returns the offset of the colon.
#[inline(never)]
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

/// Does the same as [`scheme`], but reports an error at the first byte that cannot continue a
/// scheme.
pub(crate) const fn scheme_colon(text: &[u8]) -> Parsed {
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

/// Parses the literal `word`, which is case-sensitive. The error gives the offset of the first
/// byte that differs.
pub(crate) const fn literal(
    text: &[u8],
    mut at: usize,
    word: &[u8],
    expected: Expected,
    production: &'static Rule,
) -> Parsed {
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

/// Returns whether the bytes from `start` to `end` are `word`, ignoring case. `word` must be in
/// lower case.
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
