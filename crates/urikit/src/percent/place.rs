//! The places in a reference for which data is encoded, and the characters that stay literal in
//! each: those of the component's production in [`grammar`](crate::grammar), except the delimiters
//! in that place.
//!
//! Each constant cites the section that makes a character a delimiter. Where a standard does not
//! define the inner structure of a component, the delimiters of its successors and of HTML forms
//! are escaped too: an unnecessary escape changes nothing once it is decoded, while an unescaped
//! delimiter changes the structure.

use crate::Standard;
use crate::grammar::component::{Component, class};
use crate::grammar::rfc1630::generic;
use crate::grammar::{ByteSet, Class, rfc1738, rfc1808, rfc2396, rfc2732, rfc3986, rfc3987};
use crate::unknown::{UnknownName, names_of_all};
use core::fmt;
use core::str::FromStr;

/// A place in a reference.
///
/// Some places are complete components, in which delimiters stay literal: [`Path`](Self::Path)
/// keeps its slashes. Other places are a single piece of data, in which delimiters become escapes.
/// Builders and setters follow the same rule when they write plain text (see `Value`).
///
/// | complete | pieces | delimiters of the pieces |
/// |---|---|---|
/// | `Userinfo` | `User`, `Password` | its first `:` |
/// | `Path` | `Segment`, `FirstSegment` | `/`, and `;` `=` `,` where the standard defines them |
/// | `Params` | `Parameter` | `;`, `=` and `,` |
/// | `Query` | `QueryName`, `QueryValue` | `&`, `;`, `=`, and `+` for a space |
/// | `Host`, `Fragment` | | |
///
/// Each character is escaped independently of its neighbours. A `.` or `..` segment is left
/// unchanged, and resolving the reference removes it as a dot segment.
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
    /// The user and the password. The first colon separates the user from the password, and
    /// further colons are data.
    Userinfo,
    /// The part of the userinfo before its first colon.
    User,
    /// The part of the userinfo after its first colon. Further colons are escaped, although only
    /// RFC 1738 requires this.
    Password,
    /// A host that is a name, not an address in brackets. RFC 1738 does not allow escapes in a
    /// host name. In RFC 2396, an escape makes the authority registry-based. In RFC 1630, the
    /// first character must be a letter.
    Host,
    /// A path after an authority or a first slash.
    Path,
    /// One segment of a path, without parameters.
    Segment,
    /// The first segment of a relative path. A colon would make this segment look like a scheme.
    FirstSegment,
    /// The parameters of a segment, or RFC 1808's params. RFC 1630 does not have parameters.
    Params,
    /// The name or the value of one parameter. RFC 1630 does not have parameters.
    Parameter,
    /// The complete query (`search` in RFC 1630 and RFC 1738).
    Query,
    /// The name in a `name=value` pair of a query.
    QueryName,
    /// The value in a `name=value` pair of a query.
    QueryValue,
    /// The fragment.
    Fragment,
}

impl Place {
    /// All places, in the order in which they appear in a reference.
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

    /// Returns the name, such as `query-value`, which [`FromStr`] accepts.
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

    /// Returns whether the place is a query or a piece of a query, in which forms write `+` for a
    /// space.
    pub const fn is_query(self) -> bool {
        matches!(self, Self::Query | Self::QueryName | Self::QueryValue)
    }

    /// Returns whether the standard defines `+` as a space here. Only RFC 1630 does so, for its
    /// search part.
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

impl FromStr for Place {
    type Err = UnknownName;

    /// Parses a name that [`as_str`](Self::as_str) returns, ignoring case.
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        const NAMES: &[&str] = &names_of_all!(Place, as_str);
        Self::ALL
            .into_iter()
            .find(|place| place.as_str().eq_ignore_ascii_case(text))
            .ok_or(UnknownName::new("component", NAMES))
    }
}

/// The characters that a standard allows in each component, or `None` if the standard does not
/// define the component.
#[derive(Clone, Copy)]
struct Classes {
    /// `Userinfo` (whose first colon stays literal too), `User` and `Password`.
    user: &'static Class,
    host: &'static Class,
    path: &'static Class,
    segment: &'static Class,
    first_segment: &'static Class,
    params: Option<&'static Class>,
    parameter: Option<&'static Class>,
    query: &'static Class,
    /// `QueryName` and `QueryValue`.
    query_piece: &'static Class,
    fragment: &'static Class,
}

impl Classes {
    /// Returns the standard's character classes for complete components. For the pieces of a
    /// component, the class is that of the component.
    const fn of(standard: Standard) -> Self {
        // RFC 1738 has a path and a query only in the productions of its schemes. RFC 1630's
        // generic production suits every scheme.
        let scheme = match standard {
            Standard::Rfc1630 => Some(""),
            Standard::Rfc1738 => Some("http"),
            _ => None,
        };
        let path = class(standard, scheme, Component::Path);
        let query = class(standard, scheme, Component::Query);
        Self {
            user: class(standard, scheme, Component::User),
            host: class(standard, scheme, Component::Host),
            path,
            segment: path,
            first_segment: path,
            params: None,
            parameter: None,
            query,
            query_piece: query,
            fragment: class(standard, scheme, Component::Fragment),
        }
    }
}

impl Place {
    /// Returns the characters that data may contain unescaped in this place: those of the
    /// standard's production, except the delimiters in this place. Returns `None` if the standard
    /// does not define the component.
    ///
    /// ```
    /// use urikit::Standard;
    /// use urikit::percent::Place;
    /// let class = Place::Segment.class(Standard::Rfc2396).unwrap();
    /// assert_eq!(class.rule().name(), "pchar");
    /// assert!(class.set().contains(b'@') && !class.set().contains(b'=')); // RFC 2396, 3.3
    /// assert!(Place::Params.class(Standard::Rfc1630).is_none());
    /// ```
    pub const fn class(self, standard: Standard) -> Option<&'static Class> {
        let classes = match standard {
            Standard::Rfc1630 => &RFC1630,
            Standard::Rfc1738 => &RFC1738,
            Standard::Rfc1808 => &RFC1808,
            Standard::Rfc2396 => &RFC2396,
            Standard::Rfc2732 => &RFC2732,
            Standard::Rfc3986 => &RFC3986,
            Standard::Rfc3987 => &RFC3987,
        };
        Some(match self {
            Place::Userinfo | Place::User | Place::Password => classes.user,
            Place::Host => classes.host,
            Place::Path => classes.path,
            Place::Segment => classes.segment,
            Place::FirstSegment => classes.first_segment,
            Place::Params => return classes.params,
            Place::Parameter => return classes.parameter,
            Place::Query => classes.query,
            Place::QueryName | Place::QueryValue => classes.query_piece,
            Place::Fragment => classes.fragment,
        })
    }
}

/// The characters of an address in brackets, including the brackets.
pub(super) static ADDRESS_LITERAL: Class = Class::new(
    "IP-literal",
    "RFC 3986, 3.2.2",
    rfc3986::IPVFUTURE.set().or(ByteSet::of(b"[]")),
);

/// RFC 1630. The user and the password cannot contain escapes (`alphanum2`). `*` and `!` are
/// "reserved for use as having special significance within specific schemes", and so are escaped
/// in pieces. `+` is escaped where the two BNFs disagree about it: in searches, where a "real
/// plus" must be escaped, and in fragments.
static RFC1630: Classes = Classes {
    params: None,
    parameter: None,
    segment: &generic::XPALPHA.without(b"*!"),
    first_segment: &generic::XPALPHA.without(b"*!"),
    query: &generic::SEARCH,
    query_piece: &generic::SEARCH.without(b"&*!"),
    ..Classes::of(Standard::Rfc1630)
};

/// RFC 1738. In the user and password, `:`, `@` and `/` are escaped (3.1). Escapes are not allowed
/// in a host. In HTTP's path and search, `/`, `;` and `?` are reserved (3.3). In the names of an
/// FTP path, `/` and `;` are reserved (3.2.2). Our set for a segment suits both HTTP and FTP. A
/// parameter is FTP's type or Prospero's field (3.11).
static RFC1738: Classes = Classes {
    segment: &rfc1738::HSEGMENT.without(b";"),
    first_segment: &rfc1738::HSEGMENT.without(b";:"),
    params: Some(&rfc1738::HSEGMENT),
    parameter: Some(&rfc1738::FIELDVALUE.without(b"?,")),
    query_piece: &rfc1738::SEARCH.without(b";&=+"),
    ..Classes::of(Standard::Rfc1738)
};

/// RFC 1808. The first `;` ends the path (2.4.5), and a colon before the first slash ends a scheme
/// (2.2, 2.4.2).
static RFC1808: Classes = Classes {
    host: &class(Standard::Rfc1808, None, Component::Host).without(b";?&="),
    segment: &rfc1808::PCHAR,
    first_segment: &rfc1808::PCHAR.without(b":"),
    params: Some(&rfc1808::PARAMS),
    parameter: Some(&rfc1808::PARAMS.without(b";=,/")),
    query_piece: &rfc1808::QUERY.without(b";&=+"),
    ..Classes::of(Standard::Rfc1808)
};

/// RFC 2396. These characters are reserved: `;`, `:`, `@`, `?` and `/` in an authority (3.2), `/`,
/// `;`, `=` and `?` in a segment (3.3), and all of `reserved` in a query (3.4).
static RFC2396: Classes = Classes {
    user: &class(Standard::Rfc2396, None, Component::User).without(b";"),
    host: &class(Standard::Rfc2396, None, Component::Host).without(b";"),
    segment: &rfc2396::PCHAR.without(b"="),
    first_segment: &rfc2396::REL_SEGMENT.without(b";="),
    params: Some(&rfc2396::PARAM.with(b";")),
    parameter: Some(&rfc2396::PARAM.without(b"=,")),
    query_piece: &rfc2396::QUERY.without(b";/?:@&=+,$"),
    ..Classes::of(Standard::Rfc2396)
};

/// RFC 2732 allows brackets in queries and fragments. Brackets are reserved, so a name or value in
/// a query must escape them.
static RFC2732: Classes = Classes {
    query: &rfc2732::QUERY,
    fragment: &rfc2732::FRAGMENT,
    ..RFC2396
};

/// RFC 3986. `;`, `=` and `,` delimit the parameters of a segment (3.3), and `=` and `&` delimit
/// the pairs of a query (3.4).
static RFC3986: Classes = Classes {
    segment: &rfc3986::PCHAR.without(b";=,"),
    first_segment: &rfc3986::SEGMENT_NZ_NC.without(b";=,"),
    params: Some(&rfc3986::PCHAR),
    parameter: Some(&rfc3986::PCHAR.without(b";=,")),
    query_piece: &rfc3986::QUERY.without(b"&;=+"),
    ..Classes::of(Standard::Rfc3986)
};

/// RFC 3987 follows RFC 3986, and adds the non-ASCII characters of each production.
static RFC3987: Classes = Classes {
    segment: &rfc3987::IPCHAR.without(b";=,"),
    first_segment: &rfc3987::ISEGMENT_NZ_NC.without(b";=,"),
    params: Some(&rfc3987::IPCHAR),
    parameter: Some(&rfc3987::IPCHAR.without(b";=,")),
    query_piece: &rfc3987::IQUERY.without(b"&;=+"),
    ..Classes::of(Standard::Rfc3987)
};
