//! Why a reference has no reading as a URL of a scheme.

use crate::error::Found;
use crate::grammar::Rule;
use core::fmt;

/// Why a valid reference is no URL of a scheme.
///
/// ```
/// use urikit::UriRef;
/// use urikit::scheme::Ftp;
/// let url = UriRef::parse("ftp://host.dom/motd?now")?; // a URI; but ftp has no query
/// let error = Ftp::read(url.as_any()).unwrap_err();
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
    /// It was read by the generic production alone, whatever its scheme says (RFC 1630, RFC 1738).
    Generic,
    /// The name of the scheme is kept, and no text gives its URLs a syntax.
    NoSyntax,
    /// The text of the scheme wants something else at a place.
    Mismatch(Mismatch),
}

/// A place at which a reference leaves the text of its scheme.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mismatch {
    offset: usize,
    found: Found,
    expected: &'static str,
    production: Rule,
}

impl Mismatch {
    /// At `offset`, in bytes, of `text`, `production` wants what `expected` says, such as `a group`.
    ///
    /// An offset beyond the end or within a character is taken for the end.
    pub fn new(text: &str, offset: usize, expected: &'static str, production: Rule) -> Self {
        let behind = text.get(offset..);
        Self {
            offset: behind.map_or(text.len(), |_| offset),
            found: behind
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

    /// What stands there.
    pub const fn found(&self) -> Found {
        self.found
    }

    /// What the scheme's text wants there.
    pub const fn expected(&self) -> &'static str {
        self.expected
    }

    /// The production, and the text and section that it is from.
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
            Self::OtherScheme => f.write_str("expected a URL of another scheme"),
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
impl core::error::Error for ReadError {}
