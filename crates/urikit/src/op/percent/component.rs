//! The places in a reference that data is put into.

use super::classes;
use crate::Standard;
use crate::grammar::Class;
use core::fmt;
use core::str::FromStr;

/// A place in a reference.
///
/// Some are whole components, in which delimiters stay what they are: [`Path`](Self::Path) keeps its
/// slashes. Others are one piece of data, in which every delimiter is data and becomes an escape.
///
/// | whole | pieces | what delimits the pieces |
/// |---|---|---|
/// | `Userinfo` | `User`, `Password` | its first `:` |
/// | `Path` | `Segment`, `FirstSegment` | `/`, and `;` `=` `,` where the text has them |
/// | `Params` | `Parameter` | `;`, `=` and `,` |
/// | `Query` | `QueryName`, `QueryValue` | `&`, `;`, `=`, and `+` for a space |
/// | `Host`, `Fragment` | | |
///
/// What is more than one character is not escaped: a segment `.` or `..` stays, and means the
/// segment or its parent to whoever resolves it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Component {
    /// User and password; the first colon parts them, and further ones are data.
    Userinfo,
    /// The userinfo before its colon.
    User,
    /// The userinfo behind its colon. A colon is escaped, though only RFC 1738 says that it must be.
    Password,
    /// A name, not an address in brackets. RFC 1738 has no escapes in it; in RFC 2396 an escape makes
    /// the authority a registry-based one; in RFC 1630 the first character must be a letter.
    Host,
    /// A path behind an authority or a first slash.
    Path,
    /// One segment of a path, without parameters.
    Segment,
    /// The first segment of a relative path, which no colon may make look like a scheme.
    FirstSegment,
    /// The parameters of a segment, or RFC 1808's params. RFC 1630 has none.
    Params,
    /// The name or the value of one parameter. RFC 1630 has none.
    Parameter,
    /// All of the query (`search` in RFC 1630 and RFC 1738).
    Query,
    /// The name in a `name=value` pair of a query.
    QueryName,
    /// The value in such a pair.
    QueryValue,
    /// The fragment.
    Fragment,
}

impl Component {
    /// All of them, in the order in which they stand in a reference.
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

    /// The characters that stand for themselves in data here: those of the standard's production that
    /// delimit nothing in this place. `None` where the standard has no such component.
    ///
    /// ```
    /// use urikit::Standard;
    /// use urikit::op::percent::Component;
    /// let class = Component::Segment.class(Standard::Rfc2396).unwrap();
    /// assert_eq!(class.rule().name(), "pchar");
    /// assert!(class.set().contains(b'@') && !class.set().contains(b'=')); // RFC 2396, 3.3
    /// assert!(Component::Params.class(Standard::Rfc1630).is_none());
    /// ```
    pub const fn class(self, standard: Standard) -> Option<&'static Class> {
        classes::of(self, standard)
    }

    /// Whether it is a query or a piece of one, where forms write `+` for a space.
    pub const fn is_query(self) -> bool {
        matches!(self, Self::Query | Self::QueryName | Self::QueryValue)
    }

    /// Whether a `+` is a space here by the standard itself: in RFC 1630's search part.
    pub const fn has_plus_for_space(self, standard: Standard) -> bool {
        matches!(standard, Standard::Rfc1630) && self.is_query()
    }
}

impl fmt::Display for Component {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A name that is no [`Component`]'s.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownComponent;

impl fmt::Display for UnknownComponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected one of")?;
        for (index, component) in Component::ALL.iter().enumerate() {
            write!(f, "{} {component}", if index == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownComponent {}

impl FromStr for Component {
    type Err = UnknownComponent;

    /// Reads a name as [`as_str`](Self::as_str) gives it, in any case.
    fn from_str(text: &str) -> Result<Self, UnknownComponent> {
        Self::ALL
            .into_iter()
            .find(|component| component.as_str().eq_ignore_ascii_case(text))
            .ok_or(UnknownComponent)
    }
}
