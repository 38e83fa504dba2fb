//! Which specification the URLs of a scheme are read by.

use urikit::Standard;

/// Which specification a scheme's URLs are read by: the original one or its successor.
///
/// The standard of a reference says which characters are allowed where. What the parts mean is
/// defined by the specification of the scheme, and that has editions too: a `mailto` of RFC 1738
/// has no header fields, one of RFC 6068 has.
///
/// ```
/// use urikit_schemes::Edition;
/// use urikit::Standard;
/// assert_eq!(Edition::of(Standard::Rfc1738), Edition::Original);
/// assert_eq!(Edition::of(Standard::Rfc3986), Edition::Successor);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Edition {
    /// RFC 1630 for a reference of RFC 1630; for all others RFC 1738, or the first specification
    /// of a younger scheme.
    Original,
    /// The specification that replaced it, if there is one: RFC 9110 for http, RFC 4266 for
    /// gopher, RFC 5538 for news and nntp, RFC 6068 for mailto, RFC 8089 for file, RFC 8141 for
    /// urn.
    Successor,
}

impl Edition {
    /// The edition that goes with a standard: the successors build on RFC 3986.
    pub const fn of(standard: Standard) -> Self {
        match standard {
            Standard::Rfc3986 | Standard::Rfc3987 => Self::Successor,
            _ => Self::Original,
        }
    }
}
