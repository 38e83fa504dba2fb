//! Passwords in what only looks like an authority.

use core::fmt;

/// A path or a host whose `Debug` hides what may be a password: what stands between the first colon
/// and the last `@` before a slash (two may come first).
///
/// RFC 2396's registry-based authorities, RFC 1808's `net_loc` and the generic productions of RFC
/// 1630 and RFC 1738 have no userinfo; the person who wrote one may have meant it.
pub(crate) struct Masked<'a>(pub(crate) &'a str);

impl fmt::Debug for Masked<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let begin = if self.0.starts_with("//") { 2 } else { 0 };
        let place = self.0.get(begin..).unwrap_or_default();
        let authority = place.split('/').next().unwrap_or_default();
        let secret = authority
            .split_once(':')
            .and_then(|(user, rest)| Some((user, rest.rsplit_once('@')?.1)));
        match secret {
            Some((user, host)) => {
                let before = self.0.get(..begin + user.len()).unwrap_or_default();
                let behind = authority.len() - host.len();
                let behind = place.get(behind..).unwrap_or_default();
                write!(f, "{:?}", format_args!("{before}:***@{behind}"))
            }
            None => self.0.fmt(f),
        }
    }
}
