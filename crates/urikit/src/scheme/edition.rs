//! Which texts the URLs of a scheme are read by.

use crate::Standard;

/// Which texts a scheme's URL is read by: the first ones, or those that came after.
///
/// The standard of a reference says which characters may stand where. What the parts mean is said by
/// the text of its scheme, and that has editions too: RFC 1738 has no headers in a `mailto`, RFC 6068 has.
///
/// ```
/// use urikit::scheme::Edition;
/// use urikit::Standard;
/// assert_eq!(Edition::of(Standard::Rfc1738), Edition::Original);
/// assert_eq!(Edition::of(Standard::Rfc3986), Edition::Successor);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Edition {
    /// RFC 1630 for a reference of RFC 1630; for all others RFC 1738, or the first text of a scheme that is
    /// younger.
    Original,
    /// The text that replaced it, where there is one: RFC 9110 for http, RFC 4266 for gopher, RFC 5538 for
    /// news and nntp, RFC 6068 for mailto, RFC 8089 for file, RFC 8141 for urn.
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
