//! Paths.

use crate::escape::octets;
use crate::reading::Reading;
use urikit::internal::escape;
use urikit::op::remove_dot_segments;

/// Whether both have the same path: as written, or else after normalization (RFC 3986, 6.2.2 and
/// 6.2.3), with everything escaped that a path cannot contain.
pub(crate) fn same_path(a: &Reading<'_>, b: &Reading<'_>) -> bool {
    let is_root = |reading: &Reading<'_>| {
        matches!(&*reading.path, "" | "/") && (reading.host.is_some() || reading.has_null_host)
    };
    a.path == b.path || is_root(a) && is_root(b) || normal(a) == normal(b)
}

fn normal(reading: &Reading<'_>) -> String {
    let escaped = escaped(&reading.path);
    let is_hierarchical = reading.host.is_some() || reading.has_null_host;
    match &*escaped {
        "" if is_hierarchical => "/".to_owned(),
        path if path.starts_with('/') => remove_dot_segments(path).into_owned(),
        _ => escaped,
    }
}

/// The path with unreserved characters literal, and all others that are not delimiters as escapes
/// in upper case.
fn escaped(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for octet in octets(path) {
        let is_unreserved = octet.value.is_ascii_alphanumeric() || b"-._~".contains(&octet.value);
        let is_delimiter = !octet.is_escaped && b"!$&'()*+,;=:@/".contains(&octet.value);
        if is_unreserved || is_delimiter {
            out.push(char::from(octet.value));
        } else {
            out.push_str(escape(octet.value));
        }
    }
    out
}
