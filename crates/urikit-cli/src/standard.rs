//! The values of `--standard`: seven RFCs, and the WHATWG URL Standard.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use urikit::Standard;

/// The standard that defines how a reference is parsed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reader {
    /// An RFC. The crate `urikit` implements it.
    Rfc(Standard),
    /// The WHATWG URL Standard. The crate `url` implements it.
    Whatwg,
}

impl Reader {
    /// All standards, oldest first.
    pub(crate) const ALL: [Self; 8] = [
        Self::Rfc(Standard::Rfc1630),
        Self::Rfc(Standard::Rfc1738),
        Self::Rfc(Standard::Rfc1808),
        Self::Rfc(Standard::Rfc2396),
        Self::Rfc(Standard::Rfc2732),
        Self::Rfc(Standard::Rfc3986),
        Self::Rfc(Standard::Rfc3987),
        Self::Whatwg,
    ];

    /// Returns the value of `--standard`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Rfc(standard) => standard.name(),
            Self::Whatwg => "whatwg",
        }
    }

    /// Returns the name of the document, for use in a sentence.
    pub(crate) const fn document(self) -> &'static str {
        match self {
            Self::Rfc(standard) => standard.document(),
            Self::Whatwg => "WHATWG URL",
        }
    }

    const fn help(self) -> &'static str {
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

impl ValueEnum for Reader {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(self.help()))
    }
}
