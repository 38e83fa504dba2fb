//! `--guess`: the scheme of what people type without one, as browsers guess it.

use super::changed::Change;

/// The scheme that is missing, as a change to the text; `None` if there is nothing to guess.
///
/// A name with a dot, `localhost` or an address, up to a port, `/`, `?`, `#` or the end, is a host.
/// So `example.com:8080` has no scheme here, although `example.com` could be one. As in browsers,
/// the scheme is `https`, but `http` for `localhost`, for addresses, and for port 80.
pub(super) fn guess(text: &str) -> Option<Change> {
    let rest = text.trim_start();
    let (authority, slashes) = match rest.strip_prefix("//") {
        Some(authority) => (authority, ""),
        None => (rest, "//"),
    };
    let end = authority.find(['/', '?', '#']).unwrap_or(authority.len());
    let authority = authority.get(..end)?.trim_end();
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (authority, None),
    };
    if port.is_some_and(|port| !is_digits(port)) {
        return None;
    }
    let is_plain = match kind(host)? {
        Kind::Local => true,
        Kind::Public => port == Some("80"),
    };
    let scheme = if is_plain { "http" } else { "https" };
    Some(Change {
        offset: text.len() - rest.len(),
        found: String::new(),
        became: format!("{scheme}:{slashes}"),
    })
}

/// What a host is to browsers.
enum Kind {
    /// `localhost`, or an address.
    Local,
    /// A name with a dot.
    Public,
}

fn kind(host: &str) -> Option<Kind> {
    let name = host.strip_suffix('.').unwrap_or(host);
    let top = name.rsplit('.').next()?;
    if top.eq_ignore_ascii_case("localhost") && name.split('.').all(is_label) {
        return Some(Kind::Local);
    }
    let address = host.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    let is_v6 = address.is_some_and(|it| it.parse::<std::net::Ipv6Addr>().is_ok());
    if is_v6 || host.parse::<std::net::Ipv4Addr>().is_ok() {
        return Some(Kind::Local);
    }
    // A number is the end of a version or of an address, and no top-level domain.
    let is_name = name.contains('.')
        && name.split('.').all(is_label)
        && !top.bytes().all(|byte| byte.is_ascii_digit());
    is_name.then_some(Kind::Public)
}

fn is_label(label: &str) -> bool {
    !label.is_empty()
        && label
            .chars()
            .all(|c| c.is_alphanumeric() || c == '-' || c == '_')
}
