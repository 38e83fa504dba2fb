//! Parse errors: the offset, what was found there, what was expected, and the production that
//! failed.
//!
//! The offset is exact: some valid reference begins with the bytes before the offset, but no valid
//! reference continues with the byte at the offset. The rest of the text is not checked and may
//! have more errors.
//!
//! | question | method | unit |
//! |---|---|---|
//! | Where? | [`ParseError::offset`] | bytes from the start of the text |
//! | What is there? | [`ParseError::found`] | a character, or a byte that is not UTF-8 |
//! | What would be valid? | [`ParseError::expected`] | a set of characters and delimiters |
//! | By which rule? | [`ParseError::production`], [`ParseError::section`] | names in the RFC |
//!
//! An error does not contain the text, apart from the one character found, so logging it does not
//! reveal a password. [`ParseError::caret`] needs the text again and shows it, including passwords.

mod caret;
mod expected;

#[cfg(test)]
mod tests;

pub use caret::Caret;
pub use expected::{Expected, Found};

use crate::grammar::Rule;

/// The error for text that is not a valid reference.
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
/// The offset depends on the standard, and another standard may accept the text:
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
    /// The text is a relative reference, but the type requires a scheme, as [`Uri`](crate::Uri) and
    /// [`Iri`](crate::Iri) do. [`UriRef`](crate::UriRef) does not. The offset is where the scheme
    /// would have to continue.
    ///
    /// ```
    /// use urikit::{ParseError, Uri};
    /// let error = Uri::parse("/v1/").unwrap_err();
    /// assert!(matches!(error, ParseError::NoScheme(_)));
    /// assert_eq!(
    ///     error.to_string(),
    ///     "a scheme is required, but this is a relative reference: \
    ///      expected a letter, but found `/` at byte 0 (scheme, RFC 3986, 3.1)",
    /// );
    /// // This is not a relative reference either.
    /// assert!(matches!(Uri::parse("/v1 "), Err(ParseError::Syntax(_))));
    /// ```
    NoScheme(SyntaxError),
    /// The text is longer than [`MAX_LEN`](crate::MAX_LEN) bytes.
    TooLong {
        /// The length in bytes.
        length: usize,
    },
}

/// The point at which the text does not match the grammar of its standard.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SyntaxError {
    pub(crate) offset: u32,
    pub(crate) found: Found,
    pub(crate) expected: Expected,
    pub(crate) production: &'static Rule,
}

impl SyntaxError {
    /// Returns the offset of the first byte at which no valid reference of the standard can
    /// continue, or the length of the text if it ends too early. The terminals of RFC 3987 are
    /// characters, so its offsets are always at the first byte of a character.
    pub const fn offset(&self) -> u32 {
        self.offset
    }

    /// Returns what was found at the offset.
    pub const fn found(&self) -> Found {
        self.found
    }

    /// Returns what was expected at the offset.
    pub const fn expected(&self) -> Expected {
        self.expected
    }

    /// Returns the production that does not match.
    pub const fn production(&self) -> &'static Rule {
        self.production
    }

    /// Combines the errors of two alternatives: returns the error with the larger offset, or joins
    /// the expectations if both errors have the same offset.
    ///
    /// The offset of the result is exact, because the longest viable prefix of a union is the
    /// longest viable prefix of its alternatives.
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
    /// Returns the offset of the error in bytes; see [`SyntaxError::offset`].
    pub const fn offset(&self) -> usize {
        match self {
            Self::Syntax(error) | Self::NoScheme(error) => error.offset as usize,
            Self::TooLong { .. } => crate::MAX_LEN,
        }
    }

    /// Returns what was found at the offset. Returns `None` if the text ends too early.
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

    /// Returns what was expected at the offset. Returns `None` only for [`TooLong`](Self::TooLong).
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

    /// Returns the name of the production that does not match, as its RFC spells it.
    pub const fn production(&self) -> Option<&'static str> {
        match self {
            Self::Syntax(error) | Self::NoScheme(error) => Some(error.production.name()),
            Self::TooLong { .. } => None,
        }
    }

    /// Returns the document and section of the production, such as `RFC 2396, 3.3`.
    pub const fn section(&self) -> Option<&'static str> {
        match self {
            Self::Syntax(error) | Self::NoScheme(error) => Some(error.production.section()),
            Self::TooLong { .. } => None,
        }
    }

    /// Returns a `Display` of the text with a caret under the error, for terminals.
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
                "a scheme is required, but this is a relative reference: {error}"
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
