//! The directory of a base: what every resolution against it has in common.

use super::path::{self, Writer};
use super::{AboveRoot, rfc1630, rfc1808};
use crate::component::Authority;
use crate::{AnyRef, Standard};
use alloc::string::String;

/// Appends the text to which a relative path is appended, without the dot segments that resolving
/// removes, and returns where the path begins there. `None` if no path can be relative.
///
/// `http://a/b/./c/../d;p?q` gives `http://a/b/`.
pub(in super::super) fn directory(base: AnyRef<'_>, out: &mut String) -> Option<usize> {
    let standard = base.standard();
    let own = base.authority().map(Authority::as_str);
    let (authority, above_root, or_slash, slash_for_first) = match standard {
        Standard::Rfc1630 => return Some(rfc1630::directory(base, out)),
        Standard::Rfc1738 => return None,
        Standard::Rfc1808 => {
            let authority = rfc1808::present(own);
            (authority, AboveRoot::Keep, authority.is_some(), false)
        }
        Standard::Rfc2396 | Standard::Rfc2732 if base.is_opaque() => return None,
        Standard::Rfc2396 | Standard::Rfc2732 => (own, AboveRoot::Keep, true, false),
        Standard::Rfc3986 | Standard::Rfc3987 => (own, AboveRoot::Drop, own.is_some(), true),
    };
    path::beginning(out, base.scheme(), authority);
    let start = out.len();
    let mut writer = Writer::new(out, above_root, slash_for_first);
    writer.base(base.path(), or_slash).ok()?;
    Some(start)
}

/// The text of a base of RFC 1630 in which slashes are counted.
pub(in super::super) fn before_search(base: AnyRef<'_>) -> &str {
    rfc1630::without_search(base)
}
