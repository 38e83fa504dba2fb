//! Errors: why a reference cannot be read as a URL of a scheme.

use core::fmt;
use urikit::error::Found;
use urikit::grammar::Rule;

/// Why a valid reference is not a URL of a scheme.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::Ftp;
/// let url = Uri::parse("ftp://host.dom/motd?now")?; // a URI; but ftp has no query
/// let error = Ftp::read(url).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "expected no query (a `?` in a name is written `%3F`), but found `?` at byte 19 (ftpurl, RFC 1738, 3.2.2)",
/// );
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ReadError {
    /// The reference has another scheme, or none.
    OtherScheme,
    /// It was parsed by the generic production only, without the production of its scheme (RFC
    /// 1630, RFC 1738).
    Generic,
    /// The name of the scheme is reserved, and no specification defines a syntax for its URLs.
    NoSyntax,
    /// The scheme's specification requires something else at some offset.
    Mismatch(Mismatch),
}

/// Where a reference does not match the specification of its scheme.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mismatch {
    offset: usize,
    found: Found,
    expected: &'static str,
    production: Rule,
}

impl Mismatch {
    /// At `offset` of `text`, in bytes, `production` expects what `expected` says, such as
    /// `a group`.
    ///
    /// An offset beyond the end or within a character counts as the end.
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

    /// The offset in bytes; the length of the text where something is missing at its end.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// What was found there.
    pub const fn found(&self) -> Found {
        self.found
    }

    /// What was expected there.
    pub const fn expected(&self) -> &'static str {
        self.expected
    }

    /// The production, with its specification and section.
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
            Self::OtherScheme => f.write_str("it is not a URL of this scheme"),
            Self::Generic => {
                f.write_str("expected a URL by its scheme's production, found a generic one")
            }
            Self::NoSyntax => {
                f.write_str("expected a scheme whose URLs have a syntax, found a name alone")
            }
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
