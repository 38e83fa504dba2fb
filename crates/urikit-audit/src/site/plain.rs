//! Makes the decision for ordinary targets without asking each reader.

use super::Keep;
use super::origin::{Host, Origin};
use crate::plain::is_plain_name;
use crate::split::{ends_authority, split_at};
use std::borrow::Cow;
use urikit::grammar::rfc3986::PCHAR;

/// Returns whether the target stays on the site, if both strings are plain. All readers agree if
/// the target is plain:
///
/// - A plain URL is a URL on which all readers agree: see [`origin`].
/// - A plain path has no scheme and does not begin with two slashes. No reader finds a host in a
///   plain path.
pub(super) fn passes(base: &str, target: &str, keep: Keep) -> Option<bool> {
    let base = origin(base)?;
    let (segment, _) = split_at(target, ends_authority);
    if !target.starts_with("//") && !segment.contains(':') {
        return is_rest(target).then_some(true);
    }
    Some(base.is_kept_by(&origin(target)?, keep))
}

/// Reads an http(s) URL that consists of characters that RFC 3986 allows. The scheme and the host
/// are in lower case. The host is a US-ASCII name without Punycode, and its last label begins with
/// a letter. The port has no leading zeros.
fn origin(text: &str) -> Option<Origin<'_>> {
    let (is_https, rest) = match text.strip_prefix("http")? {
        rest if rest.starts_with("s://") => (true, rest.get(4..)?),
        rest => (false, rest.strip_prefix("://")?),
    };
    let (authority, rest) = split_at(rest, ends_authority);
    let (host, port) = match authority.split_once(':') {
        None => (authority, if is_https { 443 } else { 80 }),
        Some((host, digits)) => (host, port(digits)?),
    };
    (is_plain_name(host) && is_rest(rest)).then_some(Origin {
        is_https,
        host: Host::Name(Cow::Borrowed(host)),
        port: Some(port),
    })
}

fn port(digits: &str) -> Option<u16> {
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    digits.parse().ok().filter(|_| is_plain)
}

/// Returns whether a string consists of a path, a query and a fragment as RFC 3986 defines them.
fn is_rest(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut has_fragment = false;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'%' => match bytes.get(at..at + 2) {
                Some(two) if two.iter().all(u8::is_ascii_hexdigit) => at += 2,
                _ => return false,
            },
            b'#' if !has_fragment => has_fragment = true,
            b'/' | b'?' => {}
            byte if PCHAR.set().contains(*byte) => {}
            _ => return false,
        }
    }
    true
}
