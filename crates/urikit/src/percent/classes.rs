//! Which characters are written unescaped in each component of each standard: those of its
//! production in [`grammar`], without the delimiters in that place.
//!
//! Each constant names the section that makes a character a delimiter. Where a standard does not
//! define the inner structure of a component, the delimiters of its successors and of HTML forms
//! are escaped too: an unnecessary escape changes nothing once it is decoded, while an unescaped
//! delimiter changes the structure.
//!
//! [`grammar`]: crate::grammar

use super::Place;
use crate::Standard;
use crate::grammar::{
    ByteSet, Class, rfc1630, rfc1738, rfc1808, rfc2396, rfc2732, rfc3986, rfc3987,
};

/// The class without some of its characters, with the same rule.
const fn without(class: &Class, delimiters: &[u8]) -> Class {
    with_set(class, class.set().without(ByteSet::of(delimiters)))
}

/// The class with another set, with the same rule.
const fn with_set(class: &Class, set: ByteSet) -> Class {
    let changed =
        Class::new(class.rule().name(), class.rule().section(), set).or_beyond(class.beyond());
    if class.has_escapes() {
        changed.or_escape()
    } else {
        changed
    }
}

/// The characters of a standard, by component; `None` if the standard does not have the component.
#[derive(Clone, Copy)]
struct Classes {
    /// `Userinfo`, in which the first colon is kept too; `User`; `Password`.
    user: &'static Class,
    host: &'static Class,
    path: &'static Class,
    segment: &'static Class,
    first_segment: &'static Class,
    params: Option<&'static Class>,
    parameter: Option<&'static Class>,
    query: &'static Class,
    /// `QueryName`, `QueryValue`.
    query_piece: &'static Class,
    fragment: &'static Class,
}

impl Place {
    /// The characters of data that are not escaped here: those of the standard's production,
    /// without the delimiters in this place. `None` if the standard does not have the component.
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

/// The characters of an address in brackets, and the brackets, which delimit only the address.
pub(super) static ADDRESS_LITERAL: Class = Class::new(
    "IP-literal",
    "RFC 3986, 3.2.2",
    rfc3986::IPVFUTURE.set().or(ByteSet::of(b"[]")),
);

/// RFC 1630. User and password have no escapes (`alphanum2`). `*` and `!` are "reserved for use as
/// having special significance within specific schemes", and so are escaped in pieces. An `@` in a
/// host would end a user. Where the two BNFs differ in `+`, it is escaped: in searches, where a
/// "real plus" must be, and in fragments.
static RFC1630: Classes = Classes {
    user: &rfc1630::USER,
    host: &without(&rfc1630::HOSTNAME, b"@"),
    path: &rfc1630::generic::PATH,
    segment: &without(&rfc1630::generic::XPALPHA, b"*!"),
    first_segment: &without(&rfc1630::generic::XPALPHA, b"*!"),
    params: None,
    parameter: None,
    query: &rfc1630::generic::SEARCH,
    query_piece: &without(&rfc1630::generic::SEARCH, b"&*!"),
    fragment: &rfc1630::generic::FRAGMENTID,
};

/// RFC 1738. In the user and password `:`, `@` and `/` are escaped (3.1), in a host no character
/// can be. In HTTP's path and search `/`, `;` and `?` are reserved (3.3), in a name of an FTP path
/// `/` and `;` (3.2.2); a segment here suits both. A parameter is FTP's type or Prospero's field
/// (3.11).
static RFC1738: Classes = Classes {
    user: &rfc1738::USER,
    host: &Class::new("hostname", "RFC 1738, 5", HOSTNAME),
    path: &rfc1738::HPATH,
    segment: &without(&rfc1738::HSEGMENT, b";"),
    first_segment: &without(&rfc1738::HSEGMENT, b";:"),
    params: Some(&rfc1738::HSEGMENT),
    parameter: Some(&without(&rfc1738::FIELDVALUE, b"?,")),
    query: &rfc1738::SEARCH,
    query_piece: &without(&rfc1738::SEARCH, b";&=+"),
    fragment: &rfc1738::FRAGMENT,
};

/// The characters of RFC 1738's `hostname`: `domainlabel` and `toplabel`, separated by dots.
const HOSTNAME: ByteSet = rfc1738::ALPHADIGIT.set().or(ByteSet::of(b"-."));

/// RFC 1808. `net_loc` holds RFC 1738's login (2.3), so a host has no reserved characters. The
/// first `;` ends the path (2.4.5), a `:` before the first slash a scheme (2.2, 2.4.2).
static RFC1808: Classes = Classes {
    user: &rfc1738::USER,
    host: &without(&rfc1808::NET_LOC, b";?:@&="),
    path: &rfc1808::PATH,
    segment: &rfc1808::PCHAR,
    first_segment: &without(&rfc1808::PCHAR, b":"),
    params: Some(&rfc1808::PARAMS),
    parameter: Some(&without(&rfc1808::PARAMS, b";=,/")),
    query: &rfc1808::QUERY,
    query_piece: &without(&rfc1808::QUERY, b";&=+"),
    fragment: &rfc1808::FRAGMENT,
};

/// RFC 2396. Reserved: in an authority `;`, `:`, `@`, `?` and `/` (3.2), in a segment `/`, `;`,
/// `=` and `?` (3.3), in a query all of `reserved` (3.4).
static RFC2396: Classes = Classes {
    user: &without(&rfc2396::USERINFO, b";:"),
    host: &without(&rfc2396::REG_NAME, b";:@"),
    path: &rfc2396::ABS_PATH,
    segment: &without(&rfc2396::PCHAR, b"="),
    first_segment: &without(&rfc2396::REL_SEGMENT, b";="),
    params: Some(&with_set(
        &rfc2396::PARAM,
        rfc2396::PARAM.set().or(ByteSet::of(b";")),
    )),
    parameter: Some(&without(&rfc2396::PARAM, b"=,")),
    query: &rfc2396::QUERY,
    query_piece: &without(&rfc2396::QUERY, b";/?:@&=+,$"),
    fragment: &rfc2396::FRAGMENT,
};

/// RFC 2732: brackets in queries and fragments. They are reserved, so not in a name or value of a
/// query.
static RFC2732: Classes = Classes {
    query: &rfc2732::QUERY,
    fragment: &rfc2732::FRAGMENT,
    ..RFC2396
};

/// RFC 3986. `;`, `=` and `,` delimit parameters of a segment (3.3), `=` and `&` the pairs of a
/// query (3.4). A colon begins the password (3.2.1).
static RFC3986: Classes = Classes {
    user: &without(&rfc3986::USERINFO, b":"),
    host: &rfc3986::REG_NAME,
    path: &rfc3986::PATH_ABEMPTY,
    segment: &without(&rfc3986::PCHAR, b";=,"),
    first_segment: &without(&rfc3986::SEGMENT_NZ_NC, b";=,"),
    params: Some(&rfc3986::PCHAR),
    parameter: Some(&without(&rfc3986::PCHAR, b";=,")),
    query: &rfc3986::QUERY,
    query_piece: &without(&rfc3986::QUERY, b"&;=+"),
    fragment: &rfc3986::FRAGMENT,
};

/// RFC 3987: as RFC 3986, with the characters beyond US-ASCII of each production.
static RFC3987: Classes = Classes {
    user: &without(&rfc3987::IUSERINFO, b":"),
    host: &rfc3987::IREG_NAME,
    path: &rfc3987::IPATH_ABEMPTY,
    segment: &without(&rfc3987::IPCHAR, b";=,"),
    first_segment: &without(&rfc3987::ISEGMENT_NZ_NC, b";=,"),
    params: Some(&rfc3987::IPCHAR),
    parameter: Some(&without(&rfc3987::IPCHAR, b";=,")),
    query: &rfc3987::IQUERY,
    query_piece: &without(&rfc3987::IQUERY, b"&;=+"),
    fragment: &rfc3987::IFRAGMENT,
};
