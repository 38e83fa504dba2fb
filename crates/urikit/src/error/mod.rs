//! Parse errors: where, what was found, what was expected, and by which production of which
//! section.
//!
//! The offset is exact: some valid reference begins with all the bytes before it, and none with
//! the byte at it too. What follows is not checked, so the text may have further errors.
//!
//! | question | method | unit |
//! |---|---|---|
//! | where | [`ParseError::offset`] | bytes from the start of the text |
//! | what is there | [`ParseError::found`] | a character; a byte if it is not UTF-8 |
//! | what could be there | [`ParseError::expected`] | a set of characters and delimiters |
//! | by which rule | [`ParseError::production`], [`ParseError::section`] | names in the RFC |
//!
//! An error borrows nothing from the text and does not contain it, so a password in the text does
//! not appear in a log of errors, except for the one character found. [`ParseError::caret`] takes
//! the text again and shows it, a password included.

mod caret;
mod expected;

#[cfg(test)]
mod tests;

pub use caret::Caret;
pub use expected::{Expected, Found};

use crate::grammar::Rule;

/// Why a text is not a reference of a standard.
///
/// ```
/// use urikit::Uri;
/// let error = Uri::parse("http://a/%4g").unwrap_err();
/// assert_eq!(error.offset(), 11);
/// assert_eq!(error.production(), Some("pct-encoded"));
/// assert_eq!(error.section(), Some("RFC 3986, 2.1"));
/// assert_eq!(
///     error.to_string(),
///     "expected a hexadecimal digit, but found `g` at byte 11 (pct-encoded, RFC 3986, 2.1)",
/// );
/// ```
///
/// The same text fails at another offset under another standard, or not at all:
///
/// ```
/// use urikit::Standard;
/// let offset = |standard: Standard| standard.parse("http://[::1]/~a").err().map(|e| e.offset());
/// assert_eq!(offset(Standard::Rfc2396), Some(7)); // no brackets before RFC 2732
/// assert_eq!(offset(Standard::Rfc2732), None);
/// assert_eq!(offset(Standard::Rfc3986), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ParseError {
    /// The text does not match the grammar.
    Syntax(SyntaxError),
    /// The text is a relative reference, and the type that it was parsed as needs a scheme: a
    /// [`Uri`](crate::Uri) or an [`Iri`](crate::Iri), but not a [`UriRef`](crate::UriRef). The
    /// offset is where the scheme breaks off.
    ///
    /// ```
    /// use urikit::{ParseError, Uri};
    /// let error = Uri::parse("/v1/").unwrap_err();
    /// assert!(matches!(error, ParseError::NoScheme(_)));
    /// assert_eq!(
    ///     error.to_string(),
    ///     "a scheme is required, and this is a relative reference: \
    ///      expected a letter, but found `/` at byte 0 (scheme, RFC 3986, 3.1)",
    /// );
    /// // This is no relative reference either.
    /// assert!(matches!(Uri::parse("/v1 "), Err(ParseError::Syntax(_))));
    /// ```
    NoScheme(SyntaxError),
    /// The text is longer than [`MAX_LEN`](crate::MAX_LEN) bytes.
    TooLong {
        /// Its length in bytes.
        length: usize,
    },
}

/// Where a text does not match the grammar of its standard.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SyntaxError {
    pub(crate) offset: u32,
    pub(crate) found: Found,
    pub(crate) expected: Expected,
    pub(crate) production: &'static Rule,
}

impl SyntaxError {
    /// The offset of the first byte at which no valid reference of the standard can continue; the
    /// length of the text if it ended too early. Under RFC 3987, whose terminals are characters,
    /// it is always the first byte of a character.
    pub const fn offset(&self) -> u32 {
        self.offset
    }

    /// What was found at the offset.
    pub const fn found(&self) -> Found {
        self.found
    }

    /// What was expected there.
    pub const fn expected(&self) -> Expected {
        self.expected
    }

    /// The production that does not match.
    pub const fn production(&self) -> &'static Rule {
        self.production
    }

    /// If two alternatives both fail, the one that got further; if both fail at the same offset,
    /// what either expected.
    ///
    /// This makes the offset exact: the longest viable prefix of a union is the longest of its
    /// alternatives' prefixes.
    pub(crate) const fn furthest(self, other: Self) -> Self {
        if self.offset > other.offset {
            self
        } else if self.offset < other.offset {
            other
        } else {
            Self {
                expected: self.expected.or(other.expected),
                ..self
            }
        }
    }
}

impl ParseError {
    /// The offset of the error in bytes; see [`SyntaxError::offset`].
    pub const fn offset(&self) -> usize {
        match self {
            Self::Syntax(error) | Self::NoScheme(error) => error.offset as usize,
            Self::TooLong { .. } => crate::MAX_LEN,
        }
    }

    /// What was found there; `None` if the text ended too early.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit::error::Found;
    /// assert_eq!(Uri::parse("http://a/ä").unwrap_err().found(), Some(Found::Char('ä')));
    /// assert_eq!(Uri::parse("http://a/%4").unwrap_err().found(), None); // a digit is missing
    /// ```
    pub const fn found(&self) -> Option<Found> {
        match self {
            Self::Syntax(SyntaxError {
                found: Found::End, ..
            })
            | Self::NoScheme(SyntaxError {
                found: Found::End, ..
            })
            | Self::TooLong { .. } => None,
            Self::Syntax(error) | Self::NoScheme(error) => Some(error.found),
        }
    }

    /// What was expected there.
    ///
    /// `None` only for [`TooLong`](Self::TooLong).
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit::error::Expected;
    /// let expected = Uri::parse("http://a:8o/").unwrap_err().expected().unwrap();
    /// assert!(expected.contains(Expected::AT)); // `a:8o@host` would be a userinfo and a host
    /// ```
    pub const fn expected(&self) -> Option<Expected> {
        match self {
            Self::Syntax(error) | Self::NoScheme(error) => Some(error.expected),
            Self::TooLong { .. } => None,
        }
    }

    /// The name of the production that does not match, as in its RFC.
    pub const fn production(&self) -> Option<&'static str> {
        match self {
            Self::Syntax(error) | Self::NoScheme(error) => Some(error.production.name()),
            Self::TooLong { .. } => None,
        }
    }

    /// The document and section of the production, such as `RFC 2396, 3.3`.
    pub const fn section(&self) -> Option<&'static str> {
        match self {
            Self::Syntax(error) | Self::NoScheme(error) => Some(error.production.section()),
            Self::TooLong { .. } => None,
        }
    }

    /// The text with a caret under the error, for a terminal.
    ///
    /// ```
    /// use urikit::UriRef;
    /// let text = "http://a/b c";
    /// let error = UriRef::parse(text).unwrap_err();
    /// assert_eq!(error.caret(text).to_string(), "http://a/b c\n          ^");
    /// ```
    pub const fn caret<'a>(&self, text: &'a str) -> Caret<'a> {
        Caret::new(text, self.offset())
    }
}

impl core::fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "expected {}, ", self.expected)?;
        match self.found {
            Found::End => f.write_str("but the text ends")?,
            found => write!(f, "but found {found}")?,
        }
        write!(
            f,
            " at byte {} ({}, {})",
            self.offset,
            self.production.name(),
            self.production.section()
        )
    }
}

impl core::fmt::Display for ParseError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Syntax(error) => error.fmt(f),
            Self::NoScheme(error) => write!(
                f,
                "a scheme is required, and this is a relative reference: {error}"
            ),
            Self::TooLong { length } => write!(
                f,
                "expected at most {} bytes, but found {length}",
                crate::MAX_LEN
            ),
        }
    }
}

impl core::error::Error for SyntaxError {}
impl core::error::Error for ParseError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Syntax(error) | Self::NoScheme(error) => Some(error),
            Self::TooLong { .. } => None,
        }
    }
}
