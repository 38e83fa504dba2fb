//! Hosts as the list has them: decoded, and in lower case.

use std::borrow::Cow;

/// The longest name that is put into lower case without an allocation; the DNS has 253 bytes.
pub(crate) const BUFFER: usize = 256;

/// The name in lower case with its escapes decoded, in a buffer where it fits; `None` if it is not
/// UTF-8.
pub(crate) fn lower<'a>(name: &'a str, buffer: &'a mut [u8; BUFFER]) -> Option<Cow<'a, str>> {
    let is_plain = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase() && byte != b'%';
    // All are looked at, so that several can be at once.
    if name.bytes().fold(true, |all, byte| all & is_plain(byte)) {
        return Some(Cow::Borrowed(name));
    }
    if name.is_ascii() && !name.contains('%') {
        if let Some(place) = buffer.get_mut(..name.len()) {
            place.copy_from_slice(name.as_bytes());
            place.make_ascii_lowercase();
            return str::from_utf8(place).ok().map(Cow::Borrowed);
        }
        return Some(Cow::Owned(name.to_ascii_lowercase()));
    }
    // Characters beyond US-ASCII, and escapes, are rare.
    let text = String::from_utf8(decode(name)).ok()?;
    Some(Cow::Owned(text.to_lowercase()))
}

fn decode(name: &str) -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let mut out = Vec::with_capacity(name.len());
    let mut rest = name.as_bytes();
    while let [byte, after @ ..] = rest {
        rest = after;
        if let (b'%', [high, low, after @ ..]) = (*byte, after)
            && let Some((high, low)) = digit(*high).zip(digit(*low))
            && let Ok(octet) = u8::try_from(high * 16 + low)
        {
            out.push(octet);
            rest = after;
        } else {
            out.push(*byte);
        }
    }
    out
}
