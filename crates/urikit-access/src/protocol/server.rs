//! Server names in settings.

use urikit::UriRef;

/// Reads `host [ ":" port ]`, with the host as written in a URL.
pub(super) fn read(text: &str, default: u16) -> Option<(String, u16)> {
    let reference = format!("//{text}");
    let parsed = UriRef::parse(&reference).ok()?;
    let authority = parsed.authority().filter(|it| it.as_str() == text)?;
    let host = authority.host().as_str();
    let port = match authority.port() {
        None | Some("") => default,
        Some(port) => port.parse().ok()?,
    };
    let is_server = !host.is_empty() && authority.userinfo().is_none();
    is_server.then(|| (host.to_owned(), port))
}
