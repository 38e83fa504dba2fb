//! The standards for parsing references: seven RFCs, and the WHATWG URL Standard.

use std::str::FromStr;
use urikit::{Standard, UnknownName};

/// The standard that defines how a reference is parsed.
///
/// ```
/// use urikit_report::Reader;
/// let reader: Reader = "whatwg".parse()?;
/// assert_eq!((reader.name(), reader.document()), ("whatwg", "WHATWG URL"));
/// # Ok::<(), urikit::UnknownName>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reader {
    /// An RFC, implemented by the `urikit` crate.
    Rfc(Standard),
    /// The WHATWG URL Standard, implemented by the `url` crate.
    Whatwg,
}

impl Reader {
    /// All standards, oldest first.
    pub const ALL: [Self; 8] = [
        Self::Rfc(Standard::Rfc1630),
        Self::Rfc(Standard::Rfc1738),
        Self::Rfc(Standard::Rfc1808),
        Self::Rfc(Standard::Rfc2396),
        Self::Rfc(Standard::Rfc2732),
        Self::Rfc(Standard::Rfc3986),
        Self::Rfc(Standard::Rfc3987),
        Self::Whatwg,
    ];

    /// Returns the name, such as `rfc3986`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rfc(standard) => standard.name(),
            Self::Whatwg => "whatwg",
        }
    }

    /// Returns the name of the document, for use in a sentence.
    pub const fn document(self) -> &'static str {
        match self {
            Self::Rfc(standard) => standard.document(),
            Self::Whatwg => "WHATWG URL",
        }
    }

    /// Describes the standard in a few words.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Rfc(Standard::Rfc1630) => "URIs in the World-Wide Web, 1994",
            Self::Rfc(Standard::Rfc1738) => "URLs, 1994: ten schemes, one grammar each",
            Self::Rfc(Standard::Rfc1808) => "relative URLs, 1995",
            Self::Rfc(Standard::Rfc2396) => "generic syntax, 1998",
            Self::Rfc(Standard::Rfc2732) => "RFC 2396 with [IPv6] addresses, 1999",
            Self::Rfc(Standard::Rfc3986) => "the current generic syntax, STD 66, 2005",
            Self::Rfc(Standard::Rfc3987) => "IRIs: RFC 3986 with all of Unicode, 2005",
            Self::Rfc(_) => "",
            Self::Whatwg => {
                "browsers' rules: input is repaired; without a base it must be absolute"
            }
        }
    }
}

impl Default for Reader {
    /// Returns RFC 3986.
    fn default() -> Self {
        Self::Rfc(Standard::Rfc3986)
    }
}

impl FromStr for Reader {
    type Err = UnknownName;

    /// Parses a [`name`](Self::name), ignoring case.
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        const NAMES: &[&str] = &urikit::names_of_all!(Reader, name);
        Self::ALL
            .into_iter()
            .find(|reader| reader.name().eq_ignore_ascii_case(text))
            .ok_or(UnknownName::new("standard", NAMES))
    }
}
