//! The standards that this crate parses.

use crate::unknown::{UnknownName, names_of_all};
use core::fmt;
use core::str::FromStr;

/// A standard that defines the syntax of references.
///
/// ```
/// use urikit::Standard;
/// let standard: Standard = "rfc2396".parse()?;
/// assert_eq!(standard.document(), "RFC 2396");
/// assert!(standard.parse("http://[::1]/").is_err()); // RFC 2732 added the brackets
/// # Ok::<(), urikit::UnknownName>(())
/// ```
///
/// The standards differ. This table shows which standards, oldest first, accept each string:
///
/// ```
/// use urikit::Standard;
/// let rows = [
///     ("http://a/~b", "no no no yes yes yes yes"),
///     ("../g", "yes no yes yes yes yes yes"),
///     ("//g", "yes no yes yes yes yes yes"),
///     ("http:a", "no no yes yes yes yes yes"),
///     ("http://[::1]/", "no no no no yes yes yes"),
///     ("http://a/?[]", "no no no no yes no no"),
///     ("http://a/\u{E9}", "no no no no no no yes"),
/// ];
/// for (text, row) in rows {
///     let valid = Standard::ALL.map(|s| if s.parse(text).is_ok() { "yes" } else { "no" });
///     assert_eq!(valid.join(" "), row, "{text}");
/// }
/// ```
///
/// Standards are ordered by date of publication, so `standard >= Standard::Rfc2396` holds for
/// RFC 2396 and its successors.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Standard {
    /// RFC 1630, *Universal Resource Identifiers in WWW* (June 1994).
    Rfc1630,
    /// RFC 1738, *Uniform Resource Locators* (December 1994).
    Rfc1738,
    /// RFC 1808, *Relative Uniform Resource Locators* (June 1995).
    Rfc1808,
    /// RFC 2396, *URI: Generic Syntax* (August 1998); TS X 0097:2004 is its Japanese translation.
    Rfc2396,
    /// RFC 2732, *Format for Literal IPv6 Addresses in URL's* (December 1999), which amends RFC
    /// 2396.
    Rfc2732,
    /// RFC 3986, *URI: Generic Syntax* (January 2005), STD 66.
    #[default]
    Rfc3986,
    /// RFC 3987, *Internationalized Resource Identifiers* (January 2005).
    Rfc3987,
}

impl Standard {
    /// All standards, oldest first.
    pub const ALL: [Self; 7] = [
        Self::Rfc1630,
        Self::Rfc1738,
        Self::Rfc1808,
        Self::Rfc2396,
        Self::Rfc2732,
        Self::Rfc3986,
        Self::Rfc3987,
    ];

    /// Returns the short name, such as `rfc3986`, which [`FromStr`] accepts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rfc1630 => "rfc1630",
            Self::Rfc1738 => "rfc1738",
            Self::Rfc1808 => "rfc1808",
            Self::Rfc2396 => "rfc2396",
            Self::Rfc2732 => "rfc2732",
            Self::Rfc3986 => "rfc3986",
            Self::Rfc3987 => "rfc3987",
        }
    }

    /// Returns the name of the document, such as `RFC 3986`.
    pub const fn document(self) -> &'static str {
        match self {
            Self::Rfc1630 => "RFC 1630",
            Self::Rfc1738 => "RFC 1738",
            Self::Rfc1808 => "RFC 1808",
            Self::Rfc2396 => "RFC 2396",
            Self::Rfc2732 => "RFC 2732",
            Self::Rfc3986 => "RFC 3986",
            Self::Rfc3987 => "RFC 3987",
        }
    }

    /// Returns the year of publication.
    pub const fn year(self) -> u16 {
        match self {
            Self::Rfc1630 | Self::Rfc1738 => 1994,
            Self::Rfc1808 => 1995,
            Self::Rfc2396 => 1998,
            Self::Rfc2732 => 1999,
            Self::Rfc3986 | Self::Rfc3987 => 2005,
        }
    }
}

impl fmt::Display for Standard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Standard {
    type Err = UnknownName;

    /// Parses a [`name`](Self::name), ignoring case.
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        const NAMES: &[&str] = &names_of_all!(Standard, name);
        Self::ALL
            .into_iter()
            .find(|standard| standard.name().eq_ignore_ascii_case(text))
            .ok_or(UnknownName::new("standard", NAMES))
    }
}
