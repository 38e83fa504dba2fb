//! `quote` and `unquote`: octets to escapes and back.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::borrow::Cow;

/// Characters that are never escaped: letters, digits and `_.-~`.
const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b'~')
}

/// Escapes all octets but the unreserved characters and those in `safe`. With `plus`, a space
/// becomes `+`.
#[pyfunction]
pub(crate) fn quote(octets: &[u8], safe: &[u8], plus: bool) -> String {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let digit = |value: u8| char::from(DIGITS.get(usize::from(value)).copied().unwrap_or(b'0'));
    let mut literal: [bool; 256] =
        std::array::from_fn(|byte| u8::try_from(byte).is_ok_and(is_unreserved));
    for &byte in safe.iter().filter(|byte| byte.is_ascii()) {
        if let Some(one) = literal.get_mut(usize::from(byte)) {
            *one = true;
        }
    }
    let mut out = String::with_capacity(octets.len() + octets.len() / 2);
    for &byte in octets {
        if plus && byte == b' ' {
            out.push('+');
        } else if literal.get(usize::from(byte)).copied().unwrap_or(false) {
            out.push(char::from(byte));
        } else {
            out.extend(['%', digit(byte >> 4), digit(byte & 15)]);
        }
    }
    out
}

/// The octets, with escapes decoded; a `%` without two hexadecimal digits stays.
pub(super) fn octets(text: &[u8]) -> Cow<'_, [u8]> {
    if !text.contains(&b'%') {
        return Cow::Borrowed(text);
    }
    let hex = |byte: u8| {
        char::from(byte)
            .to_digit(16)
            .and_then(|one| u8::try_from(one).ok())
    };
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [byte, after @ ..] = rest {
        if let (b'%', [high, low, after @ ..]) = (*byte, after)
            && let (Some(high), Some(low)) = (hex(*high), hex(*low))
        {
            out.push(high << 4 | low);
            rest = after;
        } else {
            out.push(*byte);
            rest = after;
        }
    }
    Cow::Owned(out)
}

#[pyfunction]
pub(crate) fn unquote_to_bytes<'py>(py: Python<'py>, text: &[u8]) -> Bound<'py, PyBytes> {
    PyBytes::new(py, &octets(text))
}

/// Decodes escapes as UTF-8, with U+FFFD for what is not. A sequence of UTF-8 ends where a
/// character beyond US-ASCII follows.
#[pyfunction]
pub(crate) fn unquote(text: &str) -> String {
    decoded(text).into_owned()
}

pub(super) fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let ascii = rest
            .bytes()
            .position(|byte| !byte.is_ascii())
            .unwrap_or(rest.len());
        let (run, after) = rest.split_at(ascii);
        out.push_str(&String::from_utf8_lossy(&octets(run.as_bytes())));
        let other = after
            .bytes()
            .position(|byte| byte.is_ascii())
            .unwrap_or(after.len());
        let (literal, after) = after.split_at(other);
        out.push_str(literal);
        rest = after;
    }
    Cow::Owned(out)
}
