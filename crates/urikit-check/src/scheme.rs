//! The scheme and the host of a URL, without checking the rest of it.

use std::borrow::Cow;
use urikit::IriRef;
use urikit::grammar::rfc3986::is_scheme;

/// Returns the scheme of an absolute URL.
pub(crate) fn scheme_of(url: &str) -> Option<&str> {
    let (scheme, _) = url.split_once(':')?;
    is_scheme(scheme.as_bytes()).then_some(scheme)
}

/// Replaces a host such as `münchen.example` with its DNS form. Both forms name the same host.
/// References with other hosts are returned as written.
pub(crate) fn with_ascii_host(reference: &str) -> Cow<'_, str> {
    let converted = || {
        let start = reference.find("//")? + 2;
        let length = reference.get(start..)?.find(['/', '?', '#', '\\']);
        let end = length.map_or(reference.len(), |length| start + length);
        let (before, after) = reference.split_at_checked(end)?;
        let url = IriRef::parse(before).ok()?;
        let host = url.host()?;
        // IDNA maps some characters to others, such as full-width letters to ASCII. Parsers that do
        // not map them find a different host.
        let is_mapped = host.to_unicode().ok()? != host.as_str().to_lowercase();
        (!is_mapped).then_some(())?;
        Some(format!("{}{after}", url.to_uri_idna().ok()?))
    };
    let converted = (!reference.is_ascii()).then(converted).flatten();
    converted.map_or(Cow::Borrowed(reference), Cow::Owned)
}
