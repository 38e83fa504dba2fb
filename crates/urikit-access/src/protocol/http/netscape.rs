//! Netscape's format of cookie files, which curl and wget read and write: seven cells in a line,
//! separated by tabs.

use cookie_store::{Cookie, CookieDomain, CookieExpiration};
use jiff::Timestamp;

/// The first line of such a file.
pub(super) const HEADING: &str = "# Netscape HTTP Cookie File\n";

/// What curl writes before a cookie that scripts of a page may not read.
const HTTP_ONLY: &str = "#HttpOnly_";

/// The host of a line, whether the cookie is for `https` only, and the cookie as a `Set-Cookie`
/// field; `Some(None)` for a comment, `None` for anything else.
#[allow(clippy::option_option)] // a comment, and no cookie
pub(super) fn parse(line: &str) -> Option<Option<(String, bool, String)>> {
    let (line, is_http_only) = match line.strip_prefix(HTTP_ONLY) {
        Some(line) => (line, true),
        None if line.is_empty() || line.starts_with('#') => return Some(None),
        None => (line, false),
    };
    let mut cells = line.splitn(7, '\t');
    let mut cell = || cells.next();
    let (domain, tail, path, secure) = (cell()?, cell()?, cell()?, cell()?);
    let (expires, name, value) = (cell()?, cell()?, cell().unwrap_or_default());
    if [domain, path, name, value]
        .iter()
        .any(|cell| cell.contains(';'))
    {
        return None;
    }
    let host = domain.strip_prefix('.').unwrap_or(domain);
    let mut field = format!("{name}={value}; Path={path}");
    if tail.eq_ignore_ascii_case("TRUE") {
        field = field + "; Domain=" + host;
    }
    let is_secure = secure.eq_ignore_ascii_case("TRUE");
    if is_secure {
        field.push_str("; Secure");
    }
    if is_http_only {
        field.push_str("; HttpOnly");
    }
    let expires: i64 = expires.parse().ok()?;
    if expires != 0 {
        let date = Timestamp::from_second(expires).ok()?;
        let date = date.strftime("%a, %d %b %Y %H:%M:%S GMT");
        field = format!("{field}; Expires={date}");
    }
    Some(Some((host.to_owned(), is_secure, field)))
}

/// The line of a cookie.
pub(super) fn line(cookie: &Cookie<'_>) -> String {
    let (domain, tail) = match &cookie.domain {
        CookieDomain::HostOnly(host) => (host.clone(), "FALSE"),
        CookieDomain::Suffix(domain) => (format!(".{domain}"), "TRUE"),
        CookieDomain::NotPresent | CookieDomain::Empty => return String::new(),
    };
    let expires = match cookie.expires {
        CookieExpiration::AtUtc(time) => time.unix_timestamp(),
        CookieExpiration::SessionEnd => 0,
    };
    let http_only = if cookie.http_only() == Some(true) {
        HTTP_ONLY
    } else {
        ""
    };
    let secure = if cookie.secure() == Some(true) {
        "TRUE"
    } else {
        "FALSE"
    };
    let path: &str = &cookie.path;
    let (name, value) = cookie.name_value();
    format!("{http_only}{domain}\t{tail}\t{path}\t{secure}\t{expires}\t{name}\t{value}\n")
}
