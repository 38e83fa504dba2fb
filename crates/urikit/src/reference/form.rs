//! The forms of a reference.

use core::fmt;

/// What a reference begins with, and so what it leaves to its base (RFC 3986, 4.2; RFC 2396, 5;
/// RFC 1808, 4).
///
/// ```
/// use urikit::{Form, UriRef};
/// let form = |text| UriRef::parse(text).unwrap().form();
/// assert_eq!(form("mailto:a@b"), Form::Absolute);
/// assert_eq!(form("/.//a"), Form::AbsolutePath);
/// assert_eq!(form("a?b"), Form::RelativePath);
/// assert_eq!(form("#").to_string(), "fragment-only");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// It has a scheme: `http://a/b`, `mailto:a@b`.
    Absolute,
    /// It begins with an authority: `//a/b`.
    NetworkPath,
    /// It begins with a slash: `/b`.
    AbsolutePath,
    /// It begins with a segment: `b`, `../b`. (Under RFC 1808, `;x` too.)
    RelativePath,
    /// It begins with a query: `?q`.
    QueryOnly,
    /// It is a fragment: `#f`.
    FragmentOnly,
    /// It is empty.
    Empty,
}

impl Form {
    /// The form as a word: `absolute`, `network-path`, `absolute-path`, `relative-path`,
    /// `query-only`, `fragment-only` or `empty`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Absolute => "absolute",
            Self::NetworkPath => "network-path",
            Self::AbsolutePath => "absolute-path",
            Self::RelativePath => "relative-path",
            Self::QueryOnly => "query-only",
            Self::FragmentOnly => "fragment-only",
            Self::Empty => "empty",
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
