//! What may be unescaped in each slot of a reference: the standard's class without the slot's
//! delimiters.

use crate::Standard;
use crate::grammar::{
    Beyond, Class, rfc1630, rfc1738, rfc1808, rfc2396, rfc2732, rfc3986, rfc3987,
};
use crate::percent::{Place, is_fit_for_iris};

/// A slot that a value is written to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slot {
    User,
    Password,
    Host,
    /// A complete path.
    Path,
    /// Everything after the colon of an opaque reference.
    Opaque,
    Segment,
    Params,
    Query,
    /// The name or value of a pair.
    Name,
    Value,
    Fragment,
}

impl Slot {
    /// The place of a leaf: a single piece of data, and not a component with delimiters inside.
    pub(super) const fn leaf(self) -> Option<Place> {
        match self {
            Self::User => Some(Place::User),
            Self::Password => Some(Place::Password),
            Self::Segment => Some(Place::Segment),
            Self::Name => Some(Place::QueryName),
            Self::Value => Some(Place::QueryValue),
            _ => None,
        }
    }
}

/// The characters that need no escape in a slot.
#[derive(Clone, Copy)]
pub(super) struct Allowed {
    class: &'static Class,
    /// More such characters.
    also: &'static [u8],
    /// Characters that would end the slot.
    but: &'static [u8],
    /// For data in a leaf: the characters that [`encode`](fn@crate::percent::encode) leaves there.
    pub(super) data: Option<&'static Class>,
    /// One more character that would end it.
    pub(super) separator: Option<char>,
    /// Whether a plus sign would be read as a space.
    pub(super) plus_is_space: bool,
}

impl Allowed {
    const fn of(class: &'static Class) -> Self {
        Self {
            class,
            also: b"",
            but: b"",
            data: None,
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

    /// Whether `c` may be literal there.
    pub(super) fn contains(&self, c: char) -> bool {
        if self.separator == Some(c) || self.plus_is_space && c == '+' {
            return false;
        }
        match u8::try_from(c) {
            Ok(byte) if c.is_ascii() => {
                let in_class = self.class.set().contains(byte) || self.also.contains(&byte);
                let is_literal = self.data.is_none_or(|data| data.set().contains(byte));
                in_class && is_literal && !self.but.contains(&byte)
            }
            _ => {
                let is_literal = self.data.is_none() || is_fit_for_iris(c);
                let beyond = self.class.beyond();
                is_literal && beyond != Beyond::None && beyond.contains(c)
            }
        }
    }
}

/// The characters that need no escape in `slot` of a reference with this scheme.
pub(super) fn allowed(
    standard: Standard,
    scheme: Option<&str>,
    generic: bool,
    slot: Slot,
) -> Allowed {
    let whole = match slot {
        Slot::Segment => Slot::Path,
        Slot::Name | Slot::Value => Slot::Query,
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
    match slot {
        Slot::Segment => allowed.but = b"/",
        Slot::Name => allowed.but = b"=",
        _ => {}
    }
    allowed
}

fn of_rfc3986(slot: Slot) -> Allowed {
    match slot {
        Slot::User => Allowed::of(&rfc3986::USERINFO).but(b":"),
        Slot::Password => Allowed::of(&rfc3986::USERINFO),
        Slot::Host => Allowed::of(&rfc3986::REG_NAME),
        Slot::Query => Allowed::of(&rfc3986::QUERY),
        Slot::Fragment => Allowed::of(&rfc3986::FRAGMENT),
        _ => Allowed::of(&rfc3986::PATH_ABEMPTY),
    }
}

fn of_rfc3987(slot: Slot) -> Allowed {
    match slot {
        Slot::User => Allowed::of(&rfc3987::IUSERINFO).but(b":"),
        Slot::Password => Allowed::of(&rfc3987::IUSERINFO),
        Slot::Host => Allowed::of(&rfc3987::IREG_NAME),
        Slot::Query => Allowed::of(&rfc3987::IQUERY),
        Slot::Fragment => Allowed::of(&rfc3987::IFRAGMENT),
        _ => Allowed::of(&rfc3987::IPATH_ABEMPTY),
    }
}

fn of_rfc2396(standard: Standard, slot: Slot) -> Allowed {
    let brackets = standard == Standard::Rfc2732;
    match slot {
        Slot::User => Allowed::of(&rfc2396::USERINFO).but(b":"),
        Slot::Password => Allowed::of(&rfc2396::USERINFO),
        Slot::Host => Allowed::of(&rfc2396::REG_NAME).but(b":@"),
        Slot::Query if brackets => Allowed::of(&rfc2732::QUERY),
        Slot::Query => Allowed::of(&rfc2396::QUERY),
        Slot::Fragment if brackets => Allowed::of(&rfc2732::FRAGMENT),
        Slot::Fragment => Allowed::of(&rfc2396::FRAGMENT),
        Slot::Opaque if brackets => Allowed::of(&rfc2732::OPAQUE_PART),
        Slot::Opaque => Allowed::of(&rfc2396::OPAQUE_PART),
        _ => Allowed::of(&rfc2396::ABS_PATH),
    }
}

fn of_rfc1808(slot: Slot) -> Allowed {
    match slot {
        Slot::User => Allowed::of(&rfc1738::USER),
        Slot::Password => Allowed::of(&rfc1738::PASSWORD),
        Slot::Host => Allowed::of(&rfc1808::NET_LOC).but(b":@"),
        Slot::Params => Allowed::of(&rfc1808::PARAMS),
        Slot::Query => Allowed::of(&rfc1808::QUERY),
        Slot::Fragment => Allowed::of(&rfc1808::FRAGMENT),
        _ => Allowed::of(&rfc1808::PATH),
    }
}

/// The classes of the scheme's production, or those of `genericurl` if it has none.
fn of_rfc1738(scheme: Option<&str>, slot: Slot) -> Allowed {
    match slot {
        Slot::User => Allowed::of(&rfc1738::USER),
        Slot::Password => Allowed::of(&rfc1738::PASSWORD),
        // A host has no escapes.
        Slot::Host => Allowed::of(&rfc1738::ALPHADIGIT).and(b".-"),
        Slot::Query => Allowed::of(&rfc1738::SEARCH),
        Slot::Fragment => Allowed::of(&rfc1738::FRAGMENT),
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

/// The classes of the scheme's production, or those of the generic part if it has none.
fn of_rfc1630(scheme: Option<&str>, slot: Slot) -> Allowed {
    let scheme = scheme.unwrap_or_default();
    let specific = SPECIFIC.contains(&scheme);
    match slot {
        Slot::User => Allowed::of(&rfc1630::USER),
        Slot::Password => Allowed::of(&rfc1630::PASSWORD),
        Slot::Host => Allowed::of(&rfc1630::HOSTNAME).but(b"@"),
        Slot::Query if specific => Allowed::of(&rfc1630::SEARCH),
        Slot::Query => Allowed::of(&rfc1630::generic::SEARCH).and(b"+"),
        Slot::Fragment if specific => Allowed::of(&rfc1630::FRAGMENTID),
        Slot::Fragment => Allowed::of(&rfc1630::generic::FRAGMENTID),
        _ if scheme == "wais" => Allowed::of(&rfc1630::PATH).and(b"=;"),
        _ if scheme == "mid" || scheme == "cid" => Allowed::of(&rfc1630::XALPHA).and(b"=;/?:"),
        _ if specific => Allowed::of(&rfc1630::PATH),
        _ => Allowed::of(&rfc1630::generic::PATH),
    }
}

/// The schemes that have a production (names are case-sensitive).
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

/// Whether `c` delimits components somewhere, so it is not part of a host by accident.
pub(super) const fn is_delimiter(c: char) -> bool {
    matches!(c, ':' | '/' | '?' | '#' | '@' | '[' | ']' | '\\')
}
