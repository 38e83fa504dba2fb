//! The characters that each component of a reference may contain unescaped, by standard and
//! scheme.
//!
//! Encoding, editing and normalizing start with these tables, and then exclude the delimiters of
//! their context.

use super::{ByteSet, Class, rfc1630, rfc1738, rfc1808, rfc2396, rfc2732, rfc3986, rfc3987};
use crate::Standard;

/// A component for which a standard defines a set of characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(not(feature = "alloc"), allow(dead_code))] // used by editing
pub(crate) enum Component {
    User,
    Password,
    /// A host that is a name, not an address in brackets.
    Host,
    Path,
    /// Everything after the colon of an opaque reference.
    Opaque,
    Params,
    Query,
    Fragment,
}

/// Returns the characters allowed in a component: those of its production, except the delimiters
/// that end the component.
///
/// In RFC 1630 and RFC 1738, the scheme selects the production. The generic production applies to
/// schemes without a production, and to `Some("")`. `None` means a partial form, which has no
/// scheme.
pub(crate) const fn class(
    standard: Standard,
    scheme: Option<&str>,
    component: Component,
) -> &'static Class {
    match standard {
        Standard::Rfc1630 => of_rfc1630(scheme, component),
        Standard::Rfc1738 => of_rfc1738(scheme, component),
        Standard::Rfc1808 => of_rfc1808(component),
        Standard::Rfc2396 => of_rfc2396(component),
        Standard::Rfc2732 => match component {
            Component::Opaque => &rfc2732::OPAQUE_PART,
            Component::Query => &rfc2732::QUERY,
            Component::Fragment => &rfc2732::FRAGMENT,
            _ => of_rfc2396(component),
        },
        Standard::Rfc3986 => of_rfc3986(component),
        Standard::Rfc3987 => of_rfc3987(component),
    }
}

/// Returns the characters that have the same meaning escaped and unescaped, in every component and
/// scheme.
///
/// RFC 1630 has no production for these characters. The result is the `xalpha` of the generic BNF
/// without `*` and `!`, which are "reserved for use as having special significance".
pub(crate) const fn unreserved(standard: Standard) -> &'static ByteSet {
    match standard {
        Standard::Rfc1630 => const { &rfc1630::generic::XALPHA.set().without(ByteSet::of(b"*!")) },
        Standard::Rfc1738 => rfc1738::UNRESERVED.set(),
        Standard::Rfc1808 => rfc1808::UNRESERVED.set(),
        Standard::Rfc2396 | Standard::Rfc2732 => rfc2396::UNRESERVED.set(),
        Standard::Rfc3986 | Standard::Rfc3987 => rfc3986::UNRESERVED.set(),
    }
}

const fn of_rfc1630(scheme: Option<&str>, component: Component) -> &'static Class {
    let is_partial = scheme.is_none();
    let scheme = match scheme {
        Some(scheme) => scheme.as_bytes(),
        None => b"",
    };
    let is_specific = rfc1630::has_production(scheme);
    match component {
        Component::User => &rfc1630::USER,
        Component::Password => &rfc1630::PASSWORD,
        // An `@` would make the text before it the user.
        Component::Host => const { &rfc1630::HOSTNAME.without(b"@") },
        Component::Query if is_specific || is_partial => &rfc1630::SEARCH,
        Component::Query => const { &rfc1630::generic::SEARCH.with(b"+") },
        Component::Fragment if is_specific || is_partial => &rfc1630::FRAGMENTID,
        Component::Fragment => &rfc1630::generic::FRAGMENTID,
        Component::Path | Component::Opaque | Component::Params => match scheme {
            b"wais" => const { &rfc1630::PATH.with(b"=;") },
            b"mid" | b"cid" => &rfc1630::ADDRESS,
            _ if is_specific => &rfc1630::PATH,
            _ => &rfc1630::generic::PATH,
        },
    }
}

const fn of_rfc1738(scheme: Option<&str>, component: Component) -> &'static Class {
    match component {
        Component::User => &rfc1738::USER,
        Component::Password => &rfc1738::PASSWORD,
        // The host consists of labels, separated by dots. Escapes are not allowed.
        Component::Host => {
            const { &Class::new("hostname", "RFC 1738, 5", *rfc1738::ALPHADIGIT.set()).with(b"-.") }
        }
        Component::Query => &rfc1738::SEARCH,
        Component::Fragment => &rfc1738::FRAGMENT,
        Component::Path | Component::Opaque | Component::Params => {
            let scheme = match scheme {
                Some(scheme) => scheme,
                None => "",
            };
            if scheme.eq_ignore_ascii_case("http") {
                &rfc1738::HPATH
            } else if scheme.eq_ignore_ascii_case("ftp") || scheme.eq_ignore_ascii_case("file") {
                &rfc1738::FPATH
            } else if scheme.eq_ignore_ascii_case("wais") {
                const { &rfc1738::DATABASE.with(b"/") }
            } else if scheme.eq_ignore_ascii_case("prospero") {
                const { &rfc1738::PPATH.with(b";") }
            } else {
                &rfc1738::URLPATH
            }
        }
    }
}

/// RFC 1808: `net_loc` contains RFC 1738's login (2.3).
const fn of_rfc1808(component: Component) -> &'static Class {
    match component {
        Component::User => &rfc1738::USER,
        Component::Password => &rfc1738::PASSWORD,
        Component::Host => const { &rfc1808::NET_LOC.without(b":@") },
        Component::Params => &rfc1808::PARAMS,
        Component::Query => &rfc1808::QUERY,
        Component::Fragment => &rfc1808::FRAGMENT,
        Component::Path | Component::Opaque => &rfc1808::PATH,
    }
}

const fn of_rfc2396(component: Component) -> &'static Class {
    match component {
        Component::User => const { &rfc2396::USERINFO.without(b":") },
        Component::Password => &rfc2396::USERINFO,
        Component::Host => const { &rfc2396::REG_NAME.without(b":@") }, // 3.2
        Component::Opaque => &rfc2396::OPAQUE_PART,
        Component::Query => &rfc2396::QUERY,
        Component::Fragment => &rfc2396::FRAGMENT,
        Component::Path | Component::Params => &rfc2396::ABS_PATH,
    }
}

/// RFC 3986: a colon begins the password (3.2.1).
const fn of_rfc3986(component: Component) -> &'static Class {
    match component {
        Component::User => const { &rfc3986::USERINFO.without(b":") },
        Component::Password => &rfc3986::USERINFO,
        Component::Host => &rfc3986::REG_NAME,
        Component::Query => &rfc3986::QUERY,
        Component::Fragment => &rfc3986::FRAGMENT,
        Component::Path | Component::Opaque | Component::Params => &rfc3986::PATH_ABEMPTY,
    }
}

const fn of_rfc3987(component: Component) -> &'static Class {
    match component {
        Component::User => const { &rfc3987::IUSERINFO.without(b":") },
        Component::Password => &rfc3987::IUSERINFO,
        Component::Host => &rfc3987::IREG_NAME,
        Component::Query => &rfc3987::IQUERY,
        Component::Fragment => &rfc3987::IFRAGMENT,
        Component::Path | Component::Opaque | Component::Params => &rfc3987::IPATH_ABEMPTY,
    }
}
