//! RFC 3986, Appendix B: the components of any text, valid or not.

use core::ops::Range;

/// The components of any text, as ranges of bytes, according to the regular expression in Appendix
/// B of RFC 3986 and RFC 2396. Every string is accepted.
///
/// ```text
/// ^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?
/// ```
///
/// ```
/// use urikit::parse::Parts;
/// let text = "http://a b/c^?d#e";
/// let parts = Parts::of(text.as_bytes());
/// assert_eq!(text.get(parts.authority.unwrap()), Some("a b"));
/// assert_eq!(text.get(parts.path), Some("/c^"));
/// assert_eq!(parts.fragment, Some(16..17));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parts {
    /// The scheme, without its colon.
    pub scheme: Option<Range<usize>>,
    /// The authority, without its `//`.
    pub authority: Option<Range<usize>>,
    /// The path, which may be empty.
    pub path: Range<usize>,
    /// The query, without its `?`.
    pub query: Option<Range<usize>>,
    /// The fragment, without its `#`.
    pub fragment: Option<Range<usize>>,
}

impl Parts {
    /// Splits text into its components.
    pub fn of(text: &[u8]) -> Self {
        let end = end_of(text, 0, b":/?#");
        let scheme = (end > 0 && text.get(end) == Some(&b':')).then_some(0..end);
        Self::after_scheme(text, scheme)
    }

    /// Splits text as a relative reference, even if it contains a colon.
    ///
    /// Programs that accept only the characters of RFC 3986's `scheme` use this function if the
    /// scheme contains other characters ([`is_scheme`](crate::grammar::rfc3986::is_scheme)).
    pub fn of_relative(text: &[u8]) -> Self {
        Self::after_scheme(text, None)
    }

    fn after_scheme(text: &[u8], scheme: Option<Range<usize>>) -> Self {
        let start = scheme.as_ref().map_or(0, |scheme| scheme.end + 1);
        let has_authority = text
            .get(start..)
            .is_some_and(|rest| rest.starts_with(b"//"));
        let authority = has_authority.then(|| start + 2..end_of(text, start + 2, b"/?#"));
        let start = authority.as_ref().map_or(start, |authority| authority.end);
        let path = start..end_of(text, start, b"?#");
        let query = (text.get(path.end) == Some(&b'?'))
            .then(|| path.end + 1..end_of(text, path.end + 1, b"#"));
        let end = query.as_ref().map_or(path.end, |query| query.end);
        let fragment = (end < text.len()).then_some(end + 1..text.len());
        Self {
            scheme,
            authority,
            path,
            query,
            fragment,
        }
    }
}

/// Returns the offset of the first of `delimiters` at or after `start`, or the end of the text if
/// none occurs.
fn end_of(text: &[u8], start: usize, delimiters: &[u8]) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    let length = rest.iter().position(|byte| delimiters.contains(byte));
    start + length.unwrap_or(rest.len())
}
