//! The escapes that normalizing decodes, by standard, scheme and component.
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
//! Section 5.3.2.3 mentions only unreserved characters, which exclude `iprivate`. The same section
//! says that only escapes of reserved characters may make a difference, and recommends comparing
//! the URIs that IRIs map to. An `iprivate` character can appear only in a query, where it and its
//! escape map to the same URI. The character and its escape therefore have the same normal form.
//!
//! An escaped slash is never decoded, even in schemes of RFC 1738 that do not reserve it (gopher,
//! mailto, news).

use super::piece::Rules;
use crate::Standard;
use crate::grammar::component::unreserved;
use crate::grammar::{Beyond, ByteSet, rfc1630, rfc1738};
use crate::reference::{Known, Standards};

/// The component that contains an escape.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Userinfo,
    Host,
    Path,
    Query,
    Fragment,
}

// RFC 1630: `xalpha` without the characters that are "reserved for use as having special
// significance".
static XALPHA: ByteSet = rfc1630::XALPHA.set().without(ByteSet::of(b"*!"));
/// `XALPHA` in a search, where `+` means a space.
static XALPHA_SEARCH: ByteSet = XALPHA.without(ByteSet::of(b"+"));
/// `XALPHA` where an `@` is a delimiter: `news:`, `nntp:` and `mailto:`.
static XALPHA_ADDRESS: ByteSet = XALPHA.without(ByteSet::of(b"@"));
/// The characters whose escapes are decoded in some component of an RFC 1630 scheme.
static XALPHA_ANYWHERE: ByteSet = XALPHA.or(*unreserved(Standard::Rfc1630));

// RFC 1738: the characters of the scheme's production, except the slash and those that the scheme
// reserves.
/// 3.3: "`/`, `;`, `?` are reserved".
static HTTP: ByteSet = rfc1738::HSEGMENT.set().without(ByteSet::of(b";"));
/// 3.4.1 and 3.5: no characters are reserved.
static NOTHING_RESERVED: ByteSet = rfc1738::XCHAR.set().without(ByteSet::of(b"/"));
/// 3.6: the `@` distinguishes an article from a group.
static NEWS: ByteSet = rfc1738::ARTICLE.set().without(ByteSet::of(b"/"));

/// Returns the US-ASCII octets that are decoded in some component, regardless of the scheme.
pub(super) const fn somewhere(standard: Standard) -> &'static ByteSet {
    match standard {
        Standard::Rfc1630 => &XALPHA_ANYWHERE,
        Standard::Rfc1738 => &NOTHING_RESERVED,
        _ => unreserved(standard),
    }
}

/// Returns the rules for escapes at `place` in `reference`.
pub(super) fn rules<S: Standards>(reference: Known<'_, S>, place: Place) -> Rules {
    let standard = reference.standard();
    let decode = match standard {
        Standard::Rfc1630 => xalpha(reference, place),
        Standard::Rfc1738 => not_reserved(reference, place),
        _ => unreserved(standard),
    };
    let rules = Rules {
        lower: false,
        decode: (!is_closed(reference, place)).then_some(decode),
        beyond: match (standard, place) {
            (Standard::Rfc3987, Place::Query) => Beyond::UcscharAndIprivate,
            (Standard::Rfc3987, _) => Beyond::Ucschar,
            _ => Beyond::None,
        },
        keep_dots: false,
    };
    // Resolving removes literal dot segments, and only RFC 3986 gives escaped dots the same
    // meaning. RFC 1630 reserves escaped dots. RFC 1738 has no relative references, and an opaque
    // part is never resolved.
    let dots_matter = match standard {
        Standard::Rfc1630 | Standard::Rfc1808 => true,
        Standard::Rfc2396 | Standard::Rfc2732 => !reference.is_opaque(),
        Standard::Rfc1738 | Standard::Rfc3986 | Standard::Rfc3987 => false,
    };
    rules.keep_dots(place == Place::Path && dots_matter)
}

/// Returns whether the escapes in `place` must be kept because the text would parse differently
/// without them.
fn is_closed<S: Standards>(reference: Known<'_, S>, place: Place) -> bool {
    let Some(authority) = reference.authority() else {
        // Under RFC 1738, a URL has an authority only if `ip-schemepart` matches: `x://a-b` has an
        // authority, and `x://a%2Db` does not. Under RFC 1808, a scheme ends at the first colon:
        // `a%41:b` has no scheme.
        return place == Place::Path
            && match reference.standard() {
                Standard::Rfc1738 => reference.path().as_str().starts_with("//"),
                Standard::Rfc1808 => reference.scheme().is_none() && has_colon_in_front(reference),
                _ => false,
            };
    };
    match (place, reference.standard()) {
        // RFC 1630: an unescaped `@` or hyphen can turn the authority into a login. RFC 1808: only
        // a name that is not a hostname can contain escapes, and decoding them could make it a
        // hostname.
        (Place::Userinfo | Place::Host, Standard::Rfc1630) | (Place::Host, Standard::Rfc1808) => {
            true
        }
        // A decoded registry-based name could also become a hostname.
        (Place::Host, Standard::Rfc2396 | Standard::Rfc2732) => authority.is_registry_based(),
        _ => false,
    }
}

/// Returns whether the first segment contains a colon.
fn has_colon_in_front<S: Standards>(reference: Known<'_, S>) -> bool {
    let path = reference.path().as_str();
    path.split('/')
        .next()
        .is_some_and(|first| first.contains(':'))
}

/// Returns the characters whose escapes may be decoded under RFC 1630, to bring URIs "to the same
/// encoding level".
fn xalpha<S: Standards>(reference: Known<'_, S>, place: Place) -> &'static ByteSet {
    let scheme = reference.scheme().unwrap_or_default();
    if reference.is_generic() || !rfc1630::has_production(scheme.as_bytes()) {
        unreserved(Standard::Rfc1630)
    } else if place == Place::Query {
        &XALPHA_SEARCH
    } else if place == Place::Path && matches!(scheme, "news" | "nntp" | "mailto") {
        &XALPHA_ADDRESS
    } else {
        &XALPHA
    }
}

/// Returns the characters that the scheme does not reserve. RFC 1738, 2.2: "a URL has the same
/// interpretation when an octet is represented by a character and when it encoded", except for
/// reserved characters.
fn not_reserved<S: Standards>(reference: Known<'_, S>, place: Place) -> &'static ByteSet {
    let scheme = reference.scheme().unwrap_or_default();
    let is = |name: &str| scheme.eq_ignore_ascii_case(name);
    let own = match place {
        _ if reference.is_generic() => None,
        // 3.1: "any `:`, `@`, or `/` must be encoded".
        Place::Userinfo if is("ftp") || is("telnet") => Some(rfc1738::USER.set()),
        Place::Path | Place::Query if is("http") => Some(&HTTP),
        Place::Query if is("wais") => Some(&HTTP),
        // 3.2.2 and 3.10: "`/` and `;` are reserved".
        Place::Path if is("ftp") || is("file") => Some(rfc1738::FSEGMENT.set()),
        Place::Path if is("gopher") || is("mailto") => Some(&NOTHING_RESERVED),
        Place::Path if is("news") => Some(&NEWS),
        // 3.11: `;` and `=` delimit fields.
        Place::Path if is("prospero") => Some(rfc1738::FIELDNAME.set()),
        _ => None,
    };
    own.unwrap_or(unreserved(Standard::Rfc1738))
}
