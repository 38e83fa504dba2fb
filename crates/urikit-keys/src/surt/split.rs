//! The regular expression of RFC 2396, Appendix B, with a scheme of its characters only, by which
//! both programs split: `^(([a-zA-Z][a-zA-Z0-9+.-]*):)?((//([^/?#]*))?([^?#]*)(\?([^#]*))?)?(#(.*))?$`.

/// The parts, as slices; the fragment is left out.
pub(super) struct Parts<'a> {
    pub(super) scheme: &'a [u8],
    pub(super) authority: &'a [u8],
    pub(super) path: &'a [u8],
    pub(super) query: Option<&'a [u8]>,
}

/// The length of the scheme with its colon.
pub(super) fn scheme(text: &[u8]) -> Option<usize> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    let length = text.iter().take_while(|byte| is_part(byte)).count();
    let is_scheme =
        text.first().is_some_and(u8::is_ascii_alphabetic) && text.get(length) == Some(&b':');
    is_scheme.then_some(length + 1)
}

impl<'a> Parts<'a> {
    pub(super) fn of(text: &'a [u8]) -> Self {
        let (scheme, rest) = scheme(text)
            .and_then(|length| Some((text.get(..length - 1)?, text.get(length..)?)))
            .unwrap_or((b"", text));
        let until = |text: &'a [u8], ends: fn(u8) -> bool| {
            let end = text.iter().position(|byte| ends(*byte));
            text.split_at(end.unwrap_or(text.len()))
        };
        let (authority, rest) = match rest.strip_prefix(b"//") {
            Some(rest) => until(rest, |byte| matches!(byte, b'/' | b'?' | b'#')),
            None => (&b""[..], rest),
        };
        let (path, rest) = until(rest, |byte| matches!(byte, b'?' | b'#'));
        let (query, _) = until(rest, |byte| byte == b'#');
        Self {
            scheme,
            authority,
            path,
            query: query.strip_prefix(b"?"),
        }
    }
}

/// The parts before and after the first delimiter.
pub(super) fn partition(text: &[u8], delimiter: u8) -> Option<(&[u8], &[u8])> {
    let at = text.iter().position(|byte| *byte == delimiter)?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}
