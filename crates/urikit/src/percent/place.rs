//! The places in a reference that data is written to.

use crate::Standard;
use core::fmt;
use core::str::FromStr;

/// A place in a reference.
///
/// Some are complete components, in which delimiters are kept: [`Path`](Self::Path) keeps its
/// slashes. Others are a single piece of data, in which every delimiter is data and becomes an
/// escape; builders and setters write plain text by the same rule (see `Value`).
///
/// | complete | pieces | delimiters of the pieces |
/// |---|---|---|
/// | `Userinfo` | `User`, `Password` | its first `:` |
/// | `Path` | `Segment`, `FirstSegment` | `/`, and `;` `=` `,` where the standard has them |
/// | `Params` | `Parameter` | `;`, `=` and `,` |
/// | `Query` | `QueryName`, `QueryValue` | `&`, `;`, `=`, and `+` for a space |
/// | `Host`, `Fragment` | | |
///
/// Escaping works on single characters: a segment `.` or `..` is unchanged, and is a dot segment
/// when the reference is resolved.
///
/// ```
/// use urikit::Standard;
/// use urikit::percent::{Place, encode};
/// let written = |place| encode("a/b;c=d", place, Standard::Rfc3986).unwrap().to_string();
/// assert_eq!(written(Place::Path), "a/b;c=d"); // complete: delimiters are kept
/// assert_eq!(written(Place::Segment), "a%2Fb%3Bc%3Dd"); // a piece: they are data
/// assert_eq!(written(Place::QueryValue), "a/b%3Bc%3Dd"); // RFC 3986, 3.4: `/` is allowed
/// assert_eq!("query-value".parse(), Ok(Place::QueryValue));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Place {
    /// User and password; the first colon separates them, and further ones are data.
    Userinfo,
    /// The userinfo before its colon.
    User,
    /// The userinfo after its colon. A colon is escaped, though only RFC 1738 says that it must
    /// be.
    Password,
    /// A name, not an address in brackets. RFC 1738 does not allow escapes in it. In RFC 2396 an
    /// escape makes the authority a registry-based one. In RFC 1630 the first character must be a
    /// letter.
    Host,
    /// A path after an authority or a first slash.
    Path,
    /// One segment of a path, without parameters.
    Segment,
    /// The first segment of a relative path, in which a colon would make it look like a scheme.
    FirstSegment,
    /// The parameters of a segment, or RFC 1808's params. RFC 1630 does not have parameters.
    Params,
    /// The name or the value of one parameter. RFC 1630 does not have parameters.
    Parameter,
    /// The complete query (`search` in RFC 1630 and RFC 1738).
    Query,
    /// The name in a `name=value` pair of a query.
    QueryName,
    /// The value in such a pair.
    QueryValue,
    /// The fragment.
    Fragment,
}

impl Place {
    /// All of them, in the order of a reference.
    pub const ALL: [Self; 13] = [
        Self::Userinfo,
        Self::User,
        Self::Password,
        Self::Host,
        Self::Path,
        Self::Segment,
        Self::FirstSegment,
        Self::Params,
        Self::Parameter,
        Self::Query,
        Self::QueryName,
        Self::QueryValue,
        Self::Fragment,
    ];

    /// The name, such as `query-value`: what [`FromStr`] takes.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Userinfo => "userinfo",
            Self::User => "user",
            Self::Password => "password",
            Self::Host => "host",
            Self::Path => "path",
            Self::Segment => "segment",
            Self::FirstSegment => "first-segment",
            Self::Params => "params",
            Self::Parameter => "parameter",
            Self::Query => "query",
            Self::QueryName => "query-name",
            Self::QueryValue => "query-value",
            Self::Fragment => "fragment",
        }
    }

    /// Whether it is a query or a piece of one, where forms write `+` for a space.
    pub const fn is_query(self) -> bool {
        matches!(self, Self::Query | Self::QueryName | Self::QueryValue)
    }

    /// Whether the standard makes a `+` a space here: in RFC 1630's search part.
    ///
    /// ```
    /// use urikit::Standard;
    /// use urikit::percent::Place;
    /// assert!(Place::Query.has_plus_for_space(Standard::Rfc1630)); // Query strings
    /// assert!(!Place::Query.has_plus_for_space(Standard::Rfc3986));
    /// assert!(!Place::Path.has_plus_for_space(Standard::Rfc1630));
    /// ```
    pub const fn has_plus_for_space(self, standard: Standard) -> bool {
        matches!(standard, Standard::Rfc1630) && self.is_query()
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The error for a name that is not a [`Place`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownPlace;

impl fmt::Display for UnknownPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected one of")?;
        for (index, component) in Place::ALL.iter().enumerate() {
            write!(f, "{} {component}", if index == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownPlace {}

impl FromStr for Place {
    type Err = UnknownPlace;

    /// Reads a name as returned by [`as_str`](Self::as_str), in any case.
    fn from_str(text: &str) -> Result<Self, UnknownPlace> {
        Self::ALL
            .into_iter()
            .find(|component| component.as_str().eq_ignore_ascii_case(text))
            .ok_or(UnknownPlace)
    }
}
