//! What may stand unescaped in each place of a reference: the standard's own class, and what delimits the place.

use crate::Standard;
use crate::grammar::{
    Beyond, Class, rfc1630, rfc1738, rfc1808, rfc2396, rfc2732, rfc3986, rfc3987,
};

/// A place in a reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    User,
    Password,
    Host,
    /// A whole path.
    Path,
    /// All that follows the colon of an opaque reference.
    Opaque,
    Segment,
    Params,
    Query,
    /// The name or value of a pair.
    Name,
    Value,
    Fragment,
}

/// The characters that need no escape in a place.
#[derive(Clone, Copy)]
pub(super) struct Allowed {
    class: &'static Class,
    /// More of them.
    also: &'static [u8],
    /// Those that would end the place.
    but: &'static [u8],
    /// One more that would.
    pub(super) separator: Option<char>,
    /// Whether a plus sign would be taken for a space.
    pub(super) plus_is_space: bool,
}

impl Allowed {
    const fn of(class: &'static Class) -> Self {
        Self {
            class,
            also: b"",
            but: b"",
            separator: None,
            plus_is_space: false,
        }
    }

    const fn and(mut self, also: &'static [u8]) -> Self {
        self.also = also;
        self
    }

    const fn but(mut self, but: &'static [u8]) -> Self {
        self.but = but;
        self
    }

    /// Whether `c` may stand there as itself.
    pub(super) fn contains(&self, c: char) -> bool {
        if self.separator == Some(c) || self.plus_is_space && c == '+' {
            return false;
        }
        match u8::try_from(c) {
            Ok(byte) if c.is_ascii() => {
                let in_class = self.class.set().contains(byte) || self.also.contains(&byte);
                in_class && !self.but.contains(&byte)
            }
            _ => self.class.beyond() != Beyond::None && self.class.beyond().contains(c),
        }
    }
}

/// The characters that need no escape in `place` of a reference with this scheme.
pub(super) fn allowed(
    standard: Standard,
    scheme: Option<&str>,
    generic: bool,
    place: Place,
) -> Allowed {
    let whole = match place {
        Place::Segment => Place::Path,
        Place::Name | Place::Value => Place::Query,
        other => other,
    };
    let mut allowed = match standard {
        Standard::Rfc1630 => of_rfc1630(scheme.filter(|_| !generic), whole),
        Standard::Rfc1738 => of_rfc1738(scheme.filter(|_| !generic), whole),
        Standard::Rfc1808 => of_rfc1808(whole),
        Standard::Rfc2396 | Standard::Rfc2732 => of_rfc2396(standard, whole),
        Standard::Rfc3986 => of_rfc3986(whole),
        Standard::Rfc3987 => of_rfc3987(whole),
    };
    match place {
        Place::Segment => allowed.but = b"/",
        Place::Name => allowed.but = b"=",
        _ => {}
    }
    allowed
}

fn of_rfc3986(place: Place) -> Allowed {
    match place {
        Place::User => Allowed::of(&rfc3986::USERINFO).but(b":"),
        Place::Password => Allowed::of(&rfc3986::USERINFO),
        Place::Host => Allowed::of(&rfc3986::REG_NAME),
        Place::Query => Allowed::of(&rfc3986::QUERY),
        Place::Fragment => Allowed::of(&rfc3986::FRAGMENT),
        _ => Allowed::of(&rfc3986::PATH_ABEMPTY),
    }
}

fn of_rfc3987(place: Place) -> Allowed {
    match place {
        Place::User => Allowed::of(&rfc3987::IUSERINFO).but(b":"),
        Place::Password => Allowed::of(&rfc3987::IUSERINFO),
        Place::Host => Allowed::of(&rfc3987::IREG_NAME),
        Place::Query => Allowed::of(&rfc3987::IQUERY),
        Place::Fragment => Allowed::of(&rfc3987::IFRAGMENT),
        _ => Allowed::of(&rfc3987::IPATH_ABEMPTY),
    }
}

fn of_rfc2396(standard: Standard, place: Place) -> Allowed {
    let brackets = standard == Standard::Rfc2732;
    match place {
        Place::User => Allowed::of(&rfc2396::USERINFO).but(b":"),
        Place::Password => Allowed::of(&rfc2396::USERINFO),
        Place::Host => Allowed::of(&rfc2396::REG_NAME).but(b":@"),
        Place::Query if brackets => Allowed::of(&rfc2732::QUERY),
        Place::Query => Allowed::of(&rfc2396::QUERY),
        Place::Fragment if brackets => Allowed::of(&rfc2732::FRAGMENT),
        Place::Fragment => Allowed::of(&rfc2396::FRAGMENT),
        Place::Opaque if brackets => Allowed::of(&rfc2732::OPAQUE_PART),
        Place::Opaque => Allowed::of(&rfc2396::OPAQUE_PART),
        _ => Allowed::of(&rfc2396::ABS_PATH),
    }
}

fn of_rfc1808(place: Place) -> Allowed {
    match place {
        Place::User => Allowed::of(&rfc1738::USER),
        Place::Password => Allowed::of(&rfc1738::PASSWORD),
        Place::Host => Allowed::of(&rfc1808::NET_LOC).but(b":@"),
        Place::Params => Allowed::of(&rfc1808::PARAMS),
        Place::Query => Allowed::of(&rfc1808::QUERY),
        Place::Fragment => Allowed::of(&rfc1808::FRAGMENT),
        _ => Allowed::of(&rfc1808::PATH),
    }
}

/// The classes of the scheme's production; those of `genericurl` where it has none.
fn of_rfc1738(scheme: Option<&str>, place: Place) -> Allowed {
    match place {
        Place::User => Allowed::of(&rfc1738::USER),
        Place::Password => Allowed::of(&rfc1738::PASSWORD),
        // No host has an escape.
        Place::Host => Allowed::of(&rfc1738::ALPHADIGIT).and(b".-"),
        Place::Query => Allowed::of(&rfc1738::SEARCH),
        Place::Fragment => Allowed::of(&rfc1738::FRAGMENT),
        _ => {
            let scheme = scheme.unwrap_or_default();
            let is = |name: &str| scheme.eq_ignore_ascii_case(name);
            if is("http") {
                Allowed::of(&rfc1738::HPATH)
            } else if is("ftp") || is("file") {
                Allowed::of(&rfc1738::FPATH)
            } else if is("wais") {
                Allowed::of(&rfc1738::DATABASE).and(b"/")
            } else if is("prospero") {
                Allowed::of(&rfc1738::PPATH).and(b";")
            } else {
                Allowed::of(&rfc1738::URLPATH)
            }
        }
    }
}

/// The classes of the scheme's production; those of the generic part where it has none.
fn of_rfc1630(scheme: Option<&str>, place: Place) -> Allowed {
    let scheme = scheme.unwrap_or_default();
    let specific = SPECIFIC.contains(&scheme);
    match place {
        Place::User => Allowed::of(&rfc1630::USER),
        Place::Password => Allowed::of(&rfc1630::PASSWORD),
        Place::Host => Allowed::of(&rfc1630::HOSTNAME).but(b"@"),
        Place::Query if specific => Allowed::of(&rfc1630::SEARCH),
        Place::Query => Allowed::of(&rfc1630::generic::SEARCH).and(b"+"),
        Place::Fragment if specific => Allowed::of(&rfc1630::FRAGMENTID),
        Place::Fragment => Allowed::of(&rfc1630::generic::FRAGMENTID),
        _ if scheme == "wais" => Allowed::of(&rfc1630::PATH).and(b"=;"),
        _ if scheme == "mid" || scheme == "cid" => Allowed::of(&rfc1630::XALPHA).and(b"=;/?:"),
        _ if specific => Allowed::of(&rfc1630::PATH),
        _ => Allowed::of(&rfc1630::generic::PATH),
    }
}

/// The schemes with a production of their own (names are matched by the letter).
const SPECIFIC: [&str; 14] = [
    "http", "ftp", "news", "nntp", "mid", "cid", "mailto", "wais", "prospero", "telnet", "rlogin",
    "tn3270", "gopher", "file",
];

/// Whether the path of such a reference may end in `;type=` and a code.
pub(super) fn has_type(standard: Standard, scheme: Option<&str>) -> bool {
    let scheme = scheme.unwrap_or_default();
    match standard {
        Standard::Rfc1630 => scheme == "ftp",
        Standard::Rfc1738 => scheme.eq_ignore_ascii_case("ftp"),
        _ => false,
    }
}

/// Whether `c` delimits components somewhere, so that it is no part of a host by accident.
pub(super) const fn is_delimiter(c: char) -> bool {
    matches!(c, ':' | '/' | '?' | '#' | '@' | '[' | ']' | '\\')
}
