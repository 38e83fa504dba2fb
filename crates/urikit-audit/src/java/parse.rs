//! From a text to its components, one function for each production.

use super::JavaUri;
use super::authority::authority;
use super::class::{ALPHA, Class, PATH, SCHEME, URIC, run};
use super::error::{JavaError, JavaExpected};
use super::plain;
use crate::split::{ends_authority, split_at};

impl<'a> JavaUri<'a> {
    /// Reads `text` as the constructor `URI(String)` does.
    ///
    /// # Errors
    ///
    /// If the constructor throws an exception.
    #[inline]
    pub fn parse(text: &'a str) -> Result<Self, JavaError> {
        match plain::uri(text) {
            Some(uri) => Ok(uri),
            None => uri(text),
        }
    }
}

/// `URI-reference = [ scheme ":" ] scheme-specific-part [ "#" fragment ]`
fn uri(text: &str) -> Result<JavaUri<'_>, JavaError> {
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
    let (scheme, rest) = split_at(text, |byte| !SCHEME.contains(byte));
    let begins = scheme
        .bytes()
        .next()
        .is_some_and(|byte| ALPHA.contains(byte));
    let (before, end) = split_at(rest, |byte| byte == b':' || ends_authority(byte));
    if !end.starts_with(':') {
        Ok(None)
    } else if begins && before.is_empty() {
        Ok(Some(scheme))
    } else {
        Err(JavaError {
            offset: if begins { scheme.len() } else { 0 },
            expected: JavaExpected::Scheme,
        })
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
            let (text, _) = split_at(rest, ends_authority);
            let end = text.len();
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
