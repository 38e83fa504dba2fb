//! Finds the scheme of a URL, without checking the rest of it.

use urikit::grammar::rfc3986::is_scheme;

/// Returns the scheme of an absolute URL.
pub(crate) fn scheme_of(url: &str) -> Option<&str> {
    let (scheme, _) = url.split_once(':')?;
    is_scheme(scheme.as_bytes()).then_some(scheme)
}
