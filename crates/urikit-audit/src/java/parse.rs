//! From a text to its components, one function for each production.

use super::JavaUri;
use super::authority::authority;
use super::class::{ALPHA, Class, PATH, SCHEME, URIC, is_other};
use super::error::{JavaError, JavaExpected};

/// `URI-reference = [ scheme ":" ] scheme-specific-part [ "#" fragment ]`
pub(super) fn uri(text: &str) -> Result<JavaUri<'_>, JavaError> {
    let scheme = scheme(text)?;
    let rest = match scheme {
        Some(scheme) => text.get(scheme.len() + 1..).unwrap_or_default(),
        None => text,
    };
    let begin = text.len() - rest.len();
    let uri = if scheme.is_some() && !rest.starts_with('/') {
        opaque(rest, begin)?
    } else {
        hierarchical(rest, begin)?
    };
    Ok(JavaUri { scheme, ..uri })
}

/// A colon before any `/`, `?` and `#` ends a scheme, which is then checked.
fn scheme(text: &str) -> Result<Option<&str>, JavaError> {
    let is_end = |byte: &u8| matches!(byte, b':' | b'/' | b'?' | b'#');
    let bytes = text.as_bytes();
    let Some(end) = bytes.iter().position(is_end) else {
        return Ok(None);
    };
    if bytes.get(end) != Some(&b':') {
        return Ok(None);
    }
    let is_part = |(at, byte): (usize, &u8)| match at {
        0 => ALPHA.contains(*byte),
        _ => SCHEME.contains(*byte),
    };
    let mut parts = bytes.iter().take(end).enumerate();
    match parts.position(|part| !is_part(part)) {
        None if end > 0 => Ok(text.get(..end)),
        wrong => Err(JavaError {
            offset: wrong.unwrap_or(0),
            expected: JavaExpected::Scheme,
        }),
    }
}

/// `opaque_part = 1*uric`, where the first character may also be a `?`. `begin` is the offset of
/// `text` in the reference.
fn opaque(text: &str, begin: usize) -> Result<JavaUri<'_>, JavaError> {
    let (part, after) = component(text, begin, URIC, JavaExpected::OpaqueCharacter, b"#")?;
    if part.is_empty() {
        return Err(JavaError {
            offset: begin,
            expected: JavaExpected::SchemeSpecificPart,
        });
    }
    Ok(JavaUri {
        scheme: None,
        scheme_specific_part: part,
        authority: None,
        path: None,
        query: None,
        fragment: fragment(after, begin + part.len())?,
    })
}

/// `[ "//" [ authority ] ] path [ "?" query ]`
fn hierarchical(text: &str, begin: usize) -> Result<JavaUri<'_>, JavaError> {
    let (found, path_begin) = match text.strip_prefix("//") {
        None => (None, 0),
        Some("") => {
            return Err(JavaError {
                offset: begin + 2,
                expected: JavaExpected::Authority,
            });
        }
        Some(rest) => {
            let is_end = |byte: u8| matches!(byte, b'/' | b'?' | b'#');
            let end = rest.bytes().position(is_end).unwrap_or(rest.len());
            let text = rest.get(..end).unwrap_or_default();
            let found = match end {
                0 => None,
                _ => Some(authority(text, begin + 2)?),
            };
            (found, 2 + end)
        }
    };
    let rest = text.get(path_begin..).unwrap_or_default();
    let path_at = begin + path_begin;
    let (path, after) = component(rest, path_at, PATH, JavaExpected::PathCharacter, b"?#")?;
    let (query, after) = match after.strip_prefix('?') {
        None => (None, after),
        Some(rest) => {
            let at = path_at + path.len() + 1;
            let (query, after) = component(rest, at, URIC, JavaExpected::QueryCharacter, b"#")?;
            (Some(query), after)
        }
    };
    let length = text.len() - after.len();
    Ok(JavaUri {
        scheme: None,
        scheme_specific_part: text.get(..length).unwrap_or_default(),
        authority: found,
        path: Some(path),
        query,
        fragment: fragment(after, begin + length)?,
    })
}

/// `"#" fragment`, or nothing.
fn fragment(text: &str, begin: usize) -> Result<Option<&str>, JavaError> {
    let Some(rest) = text.strip_prefix('#') else {
        return Ok(None);
    };
    let expected = JavaExpected::FragmentCharacter;
    let (fragment, _) = component(rest, begin + 1, URIC, expected, b"")?;
    Ok(Some(fragment))
}

/// The characters of a component up to one of `ends`, and the rest.
fn component<'a>(
    text: &'a str,
    begin: usize,
    class: Class,
    expected: JavaExpected,
    ends: &[u8],
) -> Result<(&'a str, &'a str), JavaError> {
    let at = run(text, class).map_err(|offset| JavaError {
        offset: begin + offset,
        expected: JavaExpected::HexDigits,
    })?;
    match text.as_bytes().get(at) {
        Some(byte) if !ends.contains(byte) => Err(JavaError {
            offset: begin + at,
            expected,
        }),
        _ => Ok(text.split_at_checked(at).unwrap_or((text, ""))),
    }
}

/// How long the run of characters of `class`, of escapes and of other characters at the beginning
/// of `text` is.
///
/// # Errors
///
/// The offset after a `%` that two hexadecimal digits do not follow.
pub(super) fn run(text: &str, class: Class) -> Result<usize, usize> {
    let mut rest = text.as_bytes();
    let length = |rest: &[u8]| text.len() - rest.len();
    loop {
        match rest {
            [byte, tail @ ..] if class.contains(*byte) => rest = tail,
            [b'%', a, b, tail @ ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => {
                rest = tail;
            }
            [b'%', ..] => return Err(length(rest) + 1),
            [0x80..=0xFF, ..] => {
                let at = length(rest);
                match text.get(at..).and_then(|text| text.chars().next()) {
                    Some(c) if is_other(c) => rest = rest.get(c.len_utf8()..).unwrap_or_default(),
                    _ => return Ok(at),
                }
            }
            _ => return Ok(length(rest)),
        }
    }
}
