//! Which escapes may be decoded: by standard, scheme and component.
//!
//! | standard | characters | section |
//! |---|---|---|
//! | RFC 1630 | `xalpha` except `*` and `!`; no `+` in a search | Encoding reserved characters |
//! | RFC 1738 | `unreserved`, and `reserved` where the scheme allows | 2.2; 3.2 to 3.11 |
//! | RFC 1808 | `unreserved` | 2.2 |
//! | RFC 2396, 2732 | `unreserved` | 2.3, 2.4.2 |
//! | RFC 3986 | `unreserved` | 6.2.2.2 |
//! | RFC 3987 | `iunreserved` without directional marks; `iprivate` in a query | 5.3.2.3; 4.1 |
//!
//! 5.3.2.3 names unreserved characters, which `iprivate` is not, and then says that only escapes
//! of reserved characters may make a difference, and to compare the URIs that IRIs map to. In a
//! query, the only place for `iprivate`, the character and its escape map to the same URI, so they
//! have the same normal form.
//!
//! A slash is never among them, even where RFC 1738 does not reserve it (gopher, mailto, news).

use super::piece::How;
use crate::grammar::{Beyond, ByteSet, rfc1630, rfc1738, rfc1808, rfc2396, rfc3986};
use crate::{AnyRef, Standard};

/// The place of an escape.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Userinfo,
    Host,
    Path,
    Query,
    Fragment,
}

/// RFC 1630's `xalpha` without what is "reserved for use as having special significance".
static XALPHA: ByteSet = rfc1630::XALPHA.set().without(ByteSet::of(b"*!"));
/// The same in a search, where `+` means a space.
static XALPHA_SEARCH: ByteSet = XALPHA.without(ByteSet::of(b"+"));
/// The same where an `@` is a delimiter: `news:`, `nntp:` and `mailto:`.
static XALPHA_ADDRESS: ByteSet = XALPHA.without(ByteSet::of(b"@"));
/// The same for the generic part, which does not have `+`.
static XALPHA_GENERIC: ByteSet = rfc1630::generic::XALPHA.set().without(ByteSet::of(b"*!"));
/// All of these.
static XALPHA_ANYWHERE: ByteSet = XALPHA.or(XALPHA_GENERIC);

/// RFC 1738, 3.1: "any `:`, `@`, or `/` must be encoded".
static LOGIN: ByteSet = rfc1738::UNRESERVED.set().or(ByteSet::of(b";?&="));
/// RFC 1738, 3.3: "`/`, `;`, `?` are reserved".
static HTTP: ByteSet = rfc1738::UNRESERVED.set().or(ByteSet::of(b":@&="));
/// RFC 1738, 3.2.2: "`/` and `;` are reserved"; 3.10 has the same production.
static FTP: ByteSet = rfc1738::UNRESERVED.set().or(ByteSet::of(b"?:@&="));
/// RFC 1738, 3.4.1 and 3.5: no characters are reserved.
static NOTHING_RESERVED: ByteSet = rfc1738::UNRESERVED.set().or(ByteSet::of(b";?:@&="));
/// RFC 1738, 3.6: the `@` distinguishes an article from a group.
static NEWS: ByteSet = rfc1738::UNRESERVED.set().or(ByteSet::of(b";?:&="));
/// RFC 1738, 3.11: `;` and `=` delimit fields.
static PROSPERO: ByteSet = rfc1738::UNRESERVED.set().or(ByteSet::of(b"?:@&"));

/// The schemes of RFC 1630 that have a production, in which `+` is allowed.
const SPECIFIC: [&str; 14] = [
    "http", "ftp", "news", "nntp", "mid", "cid", "mailto", "wais", "prospero", "telnet", "rlogin",
    "tn3270", "gopher", "file",
];

/// The octets of US-ASCII that some component decodes, whatever the scheme.
pub(super) const fn somewhere(standard: Standard) -> &'static ByteSet {
    match standard {
        Standard::Rfc1630 => &XALPHA_ANYWHERE,
        Standard::Rfc1738 => &NOTHING_RESERVED,
        Standard::Rfc1808 => rfc1808::UNRESERVED.set(),
        Standard::Rfc2396 | Standard::Rfc2732 => rfc2396::UNRESERVED.set(),
        Standard::Rfc3986 | Standard::Rfc3987 => rfc3986::UNRESERVED.set(),
    }
}

/// What is done with the escapes in `place` of `reference`.
pub(super) fn how(reference: AnyRef<'_>, place: Place) -> How {
    let standard = reference.standard();
    let decode = match standard {
        Standard::Rfc1630 => xalpha(reference, place),
        Standard::Rfc1738 => not_reserved(reference, place),
        Standard::Rfc1808 => rfc1808::UNRESERVED.set(),
        Standard::Rfc2396 | Standard::Rfc2732 => rfc2396::UNRESERVED.set(),
        Standard::Rfc3986 | Standard::Rfc3987 => rfc3986::UNRESERVED.set(),
    };
    let how = How {
        lower: false,
        decode: (!is_closed(reference, place)).then_some(decode),
        beyond: match (standard, place) {
            (Standard::Rfc3987, Place::Query) => Beyond::UcscharAndIprivate,
            (Standard::Rfc3987, _) => Beyond::Ucschar,
            _ => Beyond::None,
        },
        keep_dots: false,
    };
    // Resolving looks for literal dots; only in RFC 3986 escaped ones mean the same. RFC 1630
    // reserves them; RFC 1738 has no relative references, and an opaque part is never resolved.
    let dots_matter = match standard {
        Standard::Rfc1630 | Standard::Rfc1808 => true,
        Standard::Rfc2396 | Standard::Rfc2732 => !reference.is_opaque(),
        Standard::Rfc1738 | Standard::Rfc3986 | Standard::Rfc3987 => false,
    };
    how.keep_dots(place == Place::Path && dots_matter)
}

/// Whether the escapes there must be kept, since the text would be parsed differently without
/// them.
fn is_closed(reference: AnyRef<'_>, place: Place) -> bool {
    let Some(authority) = reference.authority() else {
        // RFC 1738 has an authority only if `ip-schemepart` matches: `x://a%2Db` has none, and
        // `x://a-b` has one. RFC 1808 finds a scheme before the first colon: `a%41:b` has none.
        return place == Place::Path
            && match reference.standard() {
                Standard::Rfc1738 => reference.path().as_str().starts_with("//"),
                Standard::Rfc1808 => reference.scheme().is_none() && has_colon_in_front(reference),
                _ => false,
            };
    };
    match (place, reference.standard()) {
        // RFC 1630: an unescaped `@` or hyphen can turn it into a login. RFC 1808: only a name
        // that is not a hostname has escapes, and it could become one.
        (Place::Userinfo | Place::Host, Standard::Rfc1630) | (Place::Host, Standard::Rfc1808) => {
            true
        }
        // Likewise a registry-based name.
        (Place::Host, Standard::Rfc2396 | Standard::Rfc2732) => authority.is_registry_based(),
        _ => false,
    }
}

/// Whether the first segment contains a colon.
fn has_colon_in_front(reference: AnyRef<'_>) -> bool {
    let path = reference.path().as_str();
    path.split('/')
        .next()
        .is_some_and(|first| first.contains(':'))
}

/// RFC 1630: bringing URIs "to the same encoding level".
fn xalpha(reference: AnyRef<'_>, place: Place) -> &'static ByteSet {
    let scheme = reference.scheme().unwrap_or_default();
    if reference.is_generic() || !SPECIFIC.contains(&scheme) {
        &XALPHA_GENERIC
    } else if place == Place::Query {
        &XALPHA_SEARCH
    } else if place == Place::Path && matches!(scheme, "news" | "nntp" | "mailto") {
        &XALPHA_ADDRESS
    } else {
        &XALPHA
    }
}

/// RFC 1738, 2.2: "a URL has the same interpretation when an octet is represented by a character
/// and when it encoded", except for characters that the scheme reserves.
fn not_reserved(reference: AnyRef<'_>, place: Place) -> &'static ByteSet {
    let scheme = reference.scheme().unwrap_or_default();
    let is = |name: &str| scheme.eq_ignore_ascii_case(name);
    let own = match place {
        _ if reference.is_generic() => None,
        Place::Userinfo if is("ftp") || is("telnet") => Some(&LOGIN),
        Place::Path | Place::Query if is("http") => Some(&HTTP),
        Place::Query if is("wais") => Some(&HTTP),
        Place::Path if is("ftp") || is("file") => Some(&FTP),
        Place::Path if is("gopher") || is("mailto") => Some(&NOTHING_RESERVED),
        Place::Path if is("news") => Some(&NEWS),
        Place::Path if is("prospero") => Some(&PROSPERO),
        _ => None,
    };
    own.unwrap_or(rfc1738::UNRESERVED.set())
}
