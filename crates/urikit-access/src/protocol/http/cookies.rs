//! Cookies (RFC 6265), and cookie files in Netscape's format, which curl and wget use.
//!
//! `cookie_store` applies the rules of sections 5.1 to 5.4. This module also refuses cookies for
//! public suffixes (5.3, step 5), limits the number and the size of cookies to the values in
//! section 6.1, and removes excess cookies in the order of section 5.3. Three rules come from RFC
//! 6265's successor, draft-ietf-httpbis-rfc6265bis, 5.7: name prefixes require certain attributes,
//! `http` can neither set nor replace a cookie with `Secure`, and excess cookies without `Secure`
//! are removed before those with it.

use crate::command::Secret;
use crate::error::Result;
use cookie_store::{Cookie, CookieDomain, CookieExpiration, CookieStore, RawCookie};
use jiff::Timestamp;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use urikit_domains::List;
use url::Url;

/// The maximum combined length of a cookie's name and value, in octets (RFC 6265, 6.1).
const MAX_COOKIE: usize = 4096;
/// The maximum number of cookies for a domain.
const MAX_PER_DOMAIN: usize = 50;
/// The maximum number of cookies in the store.
const MAX_COOKIES: usize = 3000;
/// The maximum length of a `Cookie` field in octets.
const MAX_FIELD: usize = 8190;

/// A store of cookies. Clones share their cookies, so several clients can use one store.
///
/// ```
/// use urikit_access::protocol::HttpProtocol;
/// use urikit_access::protocol::http::Cookies;
/// use urikit_access::{Client, Policy};
/// let cookies = Cookies::new();
/// cookies.read_netscape("www.example.org\tFALSE\t/\tTRUE\t0\tid\t31d4d96e407aad42\n");
/// let client = Client::new(Policy::new()).protocol(HttpProtocol::new().cookies(cookies.clone()));
/// assert!(cookies.to_netscape().ends_with("\tid\t31d4d96e407aad42\n"));
/// ```
#[derive(Clone, Default)]
pub struct Cookies(Arc<Mutex<Jar>>);

#[derive(Default)]
struct Jar {
    store: CookieStore,
    /// The cookies that the caller set as `name=value` pairs, which are sent only to the server of
    /// the reference.
    pairs: String,
    /// The value of `uses` when each cookie in the store was last used.
    last_used: HashMap<Identity, u64>,
    uses: u64,
}

/// The domain, the path and the name, which identify a cookie (RFC 6265, 5.3, step 11).
type Identity = (String, String, String);

fn identity(cookie: &Cookie<'_>) -> Identity {
    let domain = String::from(&cookie.domain);
    let path: &str = &cookie.path;
    (domain, path.to_owned(), cookie.name().to_owned())
}

impl Jar {
    /// Records that a cookie was stored or sent.
    fn used(&mut self, cookie: Identity) {
        self.uses += 1;
        self.last_used.insert(cookie, self.uses);
    }

    /// Removes cookies of this domain, and then any cookies, until the limits are met. The order is
    /// that of RFC 6265, 5.3: expired cookies come first, and those used last come last.
    fn remove_excess(&mut self, domain: &str) {
        for (domain, max) in [(Some(domain), MAX_PER_DOMAIN), (None, MAX_COOKIES)] {
            let is_counted = |cookie: &&Cookie<'_>| {
                let own = cookie.domain.as_cow();
                domain.is_none_or(|domain| own.is_some_and(|own| own == domain))
            };
            let counted = || self.store.iter_any().filter(is_counted);
            let excess = counted().count().saturating_sub(max);
            if excess == 0 {
                continue;
            }
            let cookies = counted().map(|cookie| {
                let is_secure = cookie.secure() == Some(true);
                (!cookie.is_expired(), is_secure, identity(cookie))
            });
            let mut cookies: Vec<_> = cookies.collect();
            cookies.sort_by_cached_key(|(is_unexpired, is_secure, it)| {
                (*is_unexpired, *is_secure, self.last_used.get(it).copied())
            });
            for (.., cookie) in cookies.into_iter().take(excess) {
                self.store.remove(&cookie.0, &cookie.1, &cookie.2);
                self.last_used.remove(&cookie);
            }
        }
    }
}

impl Cookies {
    /// Returns an empty store.
    pub fn new() -> Self {
        Self::default()
    }

    fn jar(&self) -> MutexGuard<'_, Jar> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the cookies from a file in Netscape's format, which curl reads and writes. Each line
    /// has seven fields separated by tabs. Returns the number of lines that are neither cookies
    /// nor comments.
    pub fn read_netscape(&self, text: &str) -> usize {
        let mut wrong = 0;
        for line in text.lines() {
            let is_comment = line.starts_with('#') && !line.starts_with(HTTP_ONLY);
            if is_comment || line.is_empty() {
                continue;
            }
            match parse_netscape(line) {
                Some(cookie) => self.set(&cookie),
                None => wrong += 1,
            }
        }
        wrong
    }

    /// Returns the unexpired cookies in Netscape's format. The date of session cookies is 0.
    pub fn to_netscape(&self) -> String {
        let jar = self.jar();
        let mut lines: Vec<String> = jar.store.iter_unexpired().map(netscape_line).collect();
        lines.sort();
        HEADING.to_owned() + &lines.concat()
    }

    /// Sets `name=value` pairs, separated by `;`, which are sent in addition to the stored
    /// cookies. The pairs are sent only to the server of the reference, not to the target of a
    /// redirect.
    pub fn give(&self, pairs: &str) {
        pairs
            .trim()
            .trim_end_matches(';')
            .clone_into(&mut self.jar().pairs);
    }

    /// Stores a cookie from a file.
    fn set(&self, cookie: &FileCookie) {
        let scheme = if cookie.is_secure { "https" } else { "http" };
        if let Ok(url) = Url::parse(&format!("{scheme}://{}/", cookie.host)) {
            self.set_for(&url, &cookie.field);
        }
    }

    /// Stores the cookie in a `Set-Cookie` field, if the server at `url` may set this cookie.
    pub(super) fn received(&self, url: &str, field: &str) {
        if let Ok(url) = Url::parse(url) {
            self.set_for(&url, field);
        }
    }

    /// Stores the cookie in a `Set-Cookie` field. Ignores the cookie if it is invalid, or if a
    /// server at this URL may not set it.
    fn set_for(&self, url: &Url, field: &str) {
        let Ok(mut cookie) = RawCookie::parse(field) else {
            return;
        };
        // A `Cookie` field and the path of a URL cannot contain control characters, so a cookie
        // that contains them could not be sent. In a cookie file, a tab separates fields.
        let is_sendable = |text: &str| !text.bytes().any(|octet| octet.is_ascii_control());
        let length = cookie.name().len() + cookie.value().len();
        let texts = [
            cookie.name(),
            cookie.value(),
            cookie.path().unwrap_or_default(),
        ];
        if length > MAX_COOKIE || !texts.into_iter().all(is_sendable) {
            return;
        }
        let host = url.host_str().unwrap_or_default();
        let domain = cookie.domain().map(|domain| {
            let domain = domain.strip_prefix('.').unwrap_or(domain);
            domain.to_ascii_lowercase()
        });
        if let Some(domain) = domain.filter(|domain| is_public_suffix(domain)) {
            if domain != host {
                return;
            }
            // If a public suffix is itself a host, it may set cookies for that host only (5.3,
            // step 5).
            cookie.unset_domain();
        }
        let mut jar = self.jar();
        let store = &mut jar.store;
        if !has_prefix_attributes(&cookie) || !may_set_secure(&cookie, url, store) {
            return;
        }
        let Ok(cookie) = Cookie::try_from_raw_cookie(&cookie, url) else {
            return;
        };
        let identity = identity(&cookie);
        // The result is an error if the server may not set the cookie.
        if store.insert(cookie.into_owned(), url).is_ok() {
            let domain = identity.0.clone();
            jar.used(identity);
            jar.remove_excess(&domain);
        }
    }

    /// Returns the value of the `Cookie` field for a URL, or `None` if no cookies are sent to this
    /// URL. `is_foreign` is true if a redirect has changed the origin of the request.
    pub(super) fn field(&self, url: &str, is_foreign: bool) -> Result<Option<Secret>> {
        let mut jar = self.jar();
        if jar.pairs.is_empty() && jar.store.iter_any().next().is_none() {
            return Ok(None);
        }
        let Ok(url) = Url::parse(url) else {
            return Ok(None);
        };
        let mut found = jar.store.matches(&url);
        // "Cookies with longer paths are listed before cookies with shorter paths" (RFC 6265,
        // 5.4).
        found.sort_by_key(|cookie| {
            (
                std::cmp::Reverse(cookie.path.len()),
                cookie.name().to_owned(),
            )
        });
        let mut text = if is_foreign {
            String::new()
        } else {
            jar.pairs.clone()
        };
        let mut sent = Vec::new();
        for cookie in found {
            let pair = format!("{}={}", cookie.name(), cookie.value());
            if text.len() + pair.len() + 2 > MAX_FIELD {
                break;
            }
            if !text.is_empty() {
                text.push_str("; ");
            }
            text.push_str(&pair);
            sent.push(identity(cookie));
        }
        for cookie in sent {
            jar.used(cookie);
        }
        let secret = (!text.is_empty()).then(|| Secret::new(text.bytes(), "cookie"));
        Ok(secret.transpose()?)
    }
}

impl fmt::Debug for Cookies {
    // Prints only the number of cookies, because cookies are secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cookies({})", self.jar().store.iter_any().count())
    }
}

/// Returns true if a cookie has the attributes that its name prefix requires (rfc6265bis, 5.7):
/// `__Secure-` requires `Secure`, and `__Host-` requires `Secure`, `Path=/` and no `Domain`. The
/// value of a cookie without a name must not begin with one of these prefixes.
fn has_prefix_attributes(cookie: &RawCookie<'_>) -> bool {
    let starts = |text: &str, prefix: &str| {
        let start = text.get(..prefix.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    };
    let (name, value) = cookie.name_value();
    if name.is_empty() {
        return !starts(value, "__Secure-") && !starts(value, "__Host-");
    }
    let is_secure = cookie.secure() == Some(true);
    if starts(name, "__Host-") {
        return is_secure && cookie.path() == Some("/") && cookie.domain().is_none();
    }
    is_secure || !starts(name, "__Secure-")
}

/// Returns true if a server at `url` may set this cookie (rfc6265bis, 5.7). If the cookie has
/// `Secure`, or would be sent in place of a stored cookie with `Secure`, only `https` servers may
/// set it.
fn may_set_secure(cookie: &RawCookie<'_>, url: &Url, store: &CookieStore) -> bool {
    if url.scheme() == "https" {
        return true;
    }
    if cookie.secure() == Some(true) {
        return false;
    }
    let host = url.host_str().unwrap_or_default();
    let domain = cookie.domain().unwrap_or(host).trim_start_matches('.');
    let path = match cookie.path() {
        Some(path) if path.starts_with('/') => path,
        // The default path (RFC 6265, 5.1.4).
        _ => match url.path().rsplit_once('/') {
            Some((before, _)) if !before.is_empty() => before,
            _ => "/",
        },
    };
    !store.iter_unexpired().any(|stored| {
        let stored_domain = match &stored.domain {
            CookieDomain::HostOnly(domain) | CookieDomain::Suffix(domain) => domain,
            CookieDomain::NotPresent | CookieDomain::Empty => return false,
        };
        stored.secure() == Some(true)
            && stored.name() == cookie.name()
            && (is_within(domain, stored_domain) || is_within(stored_domain, domain))
            && path_matches(path, &stored.path)
    })
}

/// Returns true if `host` is `domain` or a subdomain of it, ignoring case (RFC 6265, 5.1.3).
fn is_within(host: &str, domain: &str) -> bool {
    let (host, domain) = (host.to_ascii_lowercase(), domain.to_ascii_lowercase());
    let before = host.strip_suffix(domain.as_str());
    before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// Returns true if `path` is `prefix` or a path under it (RFC 6265, 5.1.4).
fn path_matches(path: &str, prefix: &str) -> bool {
    let rest = path.strip_prefix(prefix);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || prefix.ends_with('/'))
}

/// Returns true if anyone can register a name under this domain. A cookie for a public suffix would
/// be sent to unrelated servers.
fn is_public_suffix(domain: &str) -> bool {
    let list = List::builtin().with_private(true);
    list.domain(domain)
        .is_some_and(|domain| domain.registrable().is_none())
}

/// The first line of a file in Netscape's format.
const HEADING: &str = "# Netscape HTTP Cookie File\n";

/// The prefix that curl writes before a cookie that scripts must not read.
const HTTP_ONLY: &str = "#HttpOnly_";

/// A cookie from a cookie file.
struct FileCookie {
    host: String,
    /// True if the cookie may be sent to `https` servers only.
    is_secure: bool,
    /// The cookie, in the form of a `Set-Cookie` value.
    field: String,
}

/// Parses a line. Returns `None` if the line is not a cookie.
fn parse_netscape(line: &str) -> Option<FileCookie> {
    let without_mark = line.strip_prefix(HTTP_ONLY);
    let is_http_only = without_mark.is_some();
    let line = without_mark.unwrap_or(line);
    let mut cells = line.splitn(7, '\t');
    let mut cell = || cells.next();
    let (domain, subdomains, path, secure) = (cell()?, cell()?, cell()?, cell()?);
    let (expires, name, value) = (cell()?, cell()?, cell().unwrap_or_default());
    if [domain, path, name, value]
        .iter()
        .any(|cell| cell.contains(';'))
    {
        return None;
    }
    let host = domain.strip_prefix('.').unwrap_or(domain);
    let mut field = format!("{name}={value}; Path={path}");
    if subdomains.eq_ignore_ascii_case("TRUE") {
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
    Some(FileCookie {
        host: host.to_owned(),
        is_secure,
        field,
    })
}

/// Returns the line for a cookie, or an empty string for a cookie without a domain.
fn netscape_line(cookie: &Cookie<'_>) -> String {
    let (domain, subdomains) = match &cookie.domain {
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
    format!("{http_only}{domain}\t{subdomains}\t{path}\t{secure}\t{expires}\t{name}\t{value}\n")
}

#[cfg(test)]
mod tests {
    use super::Cookies;

    fn sent(cookies: &Cookies, url: &str) -> String {
        let field = cookies.field(url, false).unwrap();
        field.map_or_else(String::new, |secret| {
            String::from_utf8(secret.octets().to_vec()).unwrap()
        })
    }

    /// RFC 6265, 5.1.3, 5.1.4, 5.3 and 5.4.
    #[test]
    fn cookies_are_sent_to_matching_urls() {
        let from = "https://www.example.co.uk/a/b";
        for (field, url, expected) in [
            (
                "SID=31d4d96e407aad42",
                "https://www.example.co.uk/a/c",
                "SID=31d4d96e407aad42",
            ),
            ("a=b", "https://www.example.co.uk/", ""),
            ("a=b; Path=/", "https://www.example.co.uk/", "a=b"),
            ("a=b; Path=/", "https://example.co.uk/", ""),
            (
                "a=b; Path=/; Domain=example.co.uk",
                "https://x.example.co.uk/",
                "a=b",
            ),
            (
                "a=b; Path=/; Domain=.Example.co.uk",
                "https://example.co.uk/",
                "a=b",
            ),
            (
                "a=b; Path=/; Domain=example.co.uk",
                "https://anexample.co.uk/",
                "",
            ),
            (
                "a=b; Path=/; Domain=co.uk",
                "https://www.example.co.uk/",
                "",
            ),
            ("a=b; Path=/; Domain=uk", "https://www.example.co.uk/", ""),
            (
                "a=b; Path=/; Domain=other.example",
                "https://other.example/",
                "",
            ),
            ("a=b; Path=/; Secure", "http://www.example.co.uk/", ""),
            ("a=b; Path=/; Secure", "https://www.example.co.uk/", "a=b"),
            ("a=b; Path=/x", "https://www.example.co.uk/xy", ""),
            ("a=b; Path=/x", "https://www.example.co.uk/x/y", "a=b"),
            ("a=b; Path=/; Max-Age=0", "https://www.example.co.uk/", ""),
            ("a=b\x01c; Path=/", "https://www.example.co.uk/", ""),
            ("a=b; Path=/a\tc", "https://www.example.co.uk/a%09c", ""),
            ("no pair", "https://www.example.co.uk/a/", ""),
        ] {
            let cookies = Cookies::new();
            cookies.received(from, field);
            assert_eq!(sent(&cookies, url), expected, "{field} for {url}");
        }
    }

    /// draft-ietf-httpbis-rfc6265bis, 4.1.3 and 5.7.
    #[test]
    fn prefixes_require_their_attributes() {
        for (field, from, is_stored) in [
            ("__Secure-a=b; Secure", "https://h.example/", true),
            ("__Secure-a=b", "https://h.example/", false),
            ("__sEcUrE-a=b", "https://h.example/", false),
            ("__Secure-a=b; Secure", "http://h.example/", false),
            ("__Host-a=b; Secure; Path=/", "https://h.example/", true),
            ("__Host-a=b; Secure", "https://h.example/", false),
            ("__Host-a=b; Secure; Path=/x", "https://h.example/x", false),
            ("__Host-a=b; Path=/", "https://h.example/", false),
            (
                "__host-a=b; Secure; Path=/; Domain=h.example",
                "https://h.example/",
                false,
            ),
            ("__Hosta=b", "http://h.example/", true),
            ("a=b; Secure", "http://h.example/", false),
            ("a=b; Secure", "https://h.example/", true),
        ] {
            let cookies = Cookies::new();
            cookies.received(from, field);
            let lines = cookies.to_netscape().lines().count() - 1;
            assert_eq!(lines == 1, is_stored, "{field} from {from}");
        }
    }

    /// "Leave secure cookies alone": draft-ietf-httpbis-rfc6265bis, 5.7.
    #[test]
    fn http_does_not_replace_a_secure_cookie() {
        for (field, from, replaces) in [
            ("a=x; Path=/", "http://h.example/", true),
            ("a=x; Path=/p", "http://h.example/", false),
            ("a=x; Path=/p/q", "http://h.example/", false),
            ("a=x", "http://h.example/p/q", false),
            (
                "a=x; Path=/p; Domain=h.example",
                "http://www.h.example/",
                false,
            ),
            ("a=x; Path=/other", "http://h.example/", true),
            ("a=x; Path=/px", "http://h.example/", true),
            ("b=x; Path=/p", "http://h.example/", true),
            ("a=x; Path=/p", "http://other.example/", true),
            ("a=x; Path=/p", "https://h.example/", true),
        ] {
            let cookies = Cookies::new();
            cookies.received("https://h.example/", "a=b; Secure; Path=/p");
            let before = cookies.to_netscape();
            cookies.received(from, field);
            assert_eq!(
                cookies.to_netscape() != before,
                replaces,
                "{field} from {from}"
            );
        }
    }

    /// A public suffix that is a host may set cookies for itself (RFC 6265, 5.3, 5).
    #[test]
    fn a_public_suffix_keeps_its_cookies_for_itself() {
        let cookies = Cookies::new();
        cookies.received("http://github.io/", "a=b; Domain=github.io");
        assert_eq!(sent(&cookies, "http://github.io/"), "a=b");
        assert_eq!(sent(&cookies, "http://someone.github.io/"), "");
    }

    #[test]
    fn numbers_and_sizes_are_limited() {
        let cookies = Cookies::new();
        for number in 0..100 {
            cookies.received("http://h.example/", &format!("a{number}=b"));
        }
        assert_eq!(sent(&cookies, "http://h.example/").split("; ").count(), 50);
        cookies.received("http://h.example/", "a1=c");
        assert!(sent(&cookies, "http://h.example/").contains("a1=c"));
        cookies.received("http://i.example/", &format!("a={}", "b".repeat(4096)));
        assert_eq!(sent(&cookies, "http://i.example/"), "");
    }

    /// Cookies with other paths, or with the same name, count too (RFC 6265, 5.3 and 6.1).
    #[test]
    fn the_limits_apply_to_all_paths_of_a_domain() {
        for name in ["a", "n"] {
            let cookies = Cookies::new();
            cookies.received("http://other.example/", "kept=1");
            for number in 0..4000 {
                let suffix = if name == "n" {
                    number.to_string()
                } else {
                    String::new()
                };
                let field = format!("{name}{suffix}=b; Path=/p{number}");
                cookies.received("http://h.example/", &field);
            }
            let written = cookies.to_netscape();
            assert_eq!(written.lines().count(), 1 + 50 + 1, "{written}");
            assert!(written.contains("\t/p3999\t") && !written.contains("\t/p3949\t"));
            assert_eq!(sent(&cookies, "http://other.example/"), "kept=1");
        }
    }

    /// The order of RFC 6265, 5.3, and draft-ietf-httpbis-rfc6265bis, 5.7.
    #[test]
    fn excess_cookies_are_removed_in_order() {
        let cookies = Cookies::new();
        let from = "https://h.example/";
        cookies.received(from, "secure=1; Secure");
        cookies.received(from, "expired=1; Path=/expired");
        for number in 2..50 {
            cookies.received(from, &format!("a{number}=1; Path=/{number}"));
        }
        cookies.received(from, "expired=1; Path=/expired; Max-Age=0");
        assert_eq!(sent(&cookies, "https://h.example/2"), "a2=1; secure=1");
        // The expired cookie is removed first, then the one that was neither stored nor sent
        // recently.
        cookies.received(from, "b=1; Path=/b");
        assert_eq!(sent(&cookies, "https://h.example/3"), "a3=1; secure=1");
        cookies.received(from, "c=1; Path=/c");
        for (path, expected) in [
            ("2", "a2=1; secure=1"),
            ("3", "a3=1; secure=1"),
            ("4", "secure=1"),
            ("5", "a5=1; secure=1"),
        ] {
            assert_eq!(sent(&cookies, &format!("{from}{path}")), expected, "{path}");
        }
        // Hosts that fill the store cannot keep other cookies out.
        for host in 0..62 {
            for number in 0..50 {
                let url = format!("http://h{host}.example/");
                cookies.received(&url, &format!("a{number}=1"));
            }
        }
        cookies.received("http://new.example/", "a=1");
        assert_eq!(sent(&cookies, "http://new.example/"), "a=1");
        assert_eq!(cookies.to_netscape().lines().count(), 1 + 3000);
        assert_eq!(sent(&cookies, from), "secure=1");
    }

    #[test]
    fn files_of_curl_are_read_and_written() {
        let text = "# Netscape HTTP Cookie File\n\n\
            #HttpOnly_.example.org\tTRUE\t/\tFALSE\t4102444800\tid\tx y\n\
            www.example.org\tFALSE\t/a\tTRUE\t0\ts\tt\n\
            old.example.org\tFALSE\t/\tFALSE\t1\tgone\tt\nwrong line\n";
        let cookies = Cookies::new();
        assert_eq!(cookies.read_netscape(text), 1);
        assert_eq!(sent(&cookies, "http://b.example.org/"), "id=x y");
        assert_eq!(sent(&cookies, "https://www.example.org/a/"), "s=t; id=x y");
        let written = cookies.to_netscape();
        assert!(written.contains("#HttpOnly_.example.org\tTRUE\t/\tFALSE\t4102444800\tid\tx y\n"));
        assert!(written.contains("\nwww.example.org\tFALSE\t/a\tTRUE\t0\ts\tt\n"));
        assert!(!written.contains("gone"));
        let again = Cookies::new();
        again.read_netscape(&written);
        assert_eq!(again.to_netscape(), written);
    }
}
