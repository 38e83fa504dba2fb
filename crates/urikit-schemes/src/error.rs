//! Errors that occur when a reference is read as a URL of a scheme.

use core::fmt;
use urikit::error::Found;
use urikit::grammar::Rule;

/// The reason why a valid reference is not a URL of a scheme.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::Ftp;
/// let url = Uri::parse("ftp://host.dom/motd?now")?; // a URI; but ftp has no query
/// let error = Ftp::read(url).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "expected no query (a `?` in a name is written `%3F`), but found `?` at byte 19 \
///      (ftpurl, RFC 1738, 3.2.2)",
/// );
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ReadError {
    /// The reference has a different scheme, or no scheme.
    OtherScheme,
    /// The reference was parsed only with the generic production, not with the production of its
    /// scheme (RFC 1630, RFC 1738).
    Generic,
    /// The name of the scheme is reserved, but no RFC defines a syntax for its URLs.
    NoSyntax,
    /// The reference does not follow the scheme's specification.
    Mismatch(Mismatch),
}

/// The point at which a reference departs from the specification of its scheme.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mismatch {
    offset: usize,
    found: Found,
    expected: &'static str,
    production: Rule,
}

impl Mismatch {
    /// Creates an error for `text` that does not match `production` at the byte `offset`.
    /// `expected` completes the sentence "expected …", such as `a group`.
    ///
    /// An offset after the end or within a character is treated as the end.
    pub fn new(text: &str, offset: usize, expected: &'static str, production: Rule) -> Self {
        let after = text.get(offset..);
        Self {
            offset: after.map_or(text.len(), |_| offset),
            found: after
                .and_then(|text| text.chars().next())
                .map_or(Found::End, Found::Char),
            expected,
            production,
        }
    }

    /// Returns the offset in bytes. If the text ends too early, the offset is the length of the
    /// text.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// Returns what was found at the offset: a character, or the end of the text.
    pub const fn found(&self) -> Found {
        self.found
    }

    /// Returns a description of the text that the production expects at the offset.
    pub const fn expected(&self) -> &'static str {
        self.expected
    }

    /// Returns the production, with its RFC and section.
    pub const fn production(&self) -> Rule {
        self.production
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, ", self.expected)?;
        match self.found {
            Found::End => f.write_str("but the text ends")?,
            found => write!(f, "but found {found}")?,
        }
        let (name, section) = (self.production.name(), self.production.section());
        write!(f, " at byte {} ({name}, {section})", self.offset)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherScheme => f.write_str("the reference has a different scheme"),
            Self::Generic => f.write_str("the URL was parsed without the production of its scheme"),
            Self::NoSyntax => f.write_str("no RFC defines a syntax for URLs of this scheme"),
            Self::Mismatch(mismatch) => mismatch.fmt(f),
        }
    }
}

impl core::error::Error for Mismatch {}
impl core::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Mismatch(error) => Some(error),
            _ => None,
        }
    }
}
