//! Cookies (RFC 6265): which are stored, and which are sent.
//!
//! `cookie_store` applies the rules of sections 5.1 to 5.4. Added here: a cookie for a public suffix
//! is refused (5.3, step 5), and the numbers and sizes of section 6.1 are the most that is stored.

use super::netscape;
use crate::command::Secret;
use crate::error::Result;
use cookie_store::{CookieStore, RawCookie};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use urikit_domains::List;
use url::Url;

/// The longest cookie, in octets of its name and value (RFC 6265, 6.1).
const MAX_COOKIE: usize = 4096;
/// The most cookies of a host.
const MAX_PER_HOST: usize = 50;
/// The most cookies.
const MAX_COOKIES: usize = 3000;
/// The longest `Cookie` field.
const MAX_FIELD: usize = 8190;

/// Cookies, which several clients can share: a clone has the same ones.
///
/// ```
/// use urikit_access::protocol::Http;
/// use urikit_access::protocol::http::Cookies;
/// use urikit_access::{Client, Policy};
/// let cookies = Cookies::new();
/// cookies.read_netscape("www.example.org\tFALSE\t/\tTRUE\t0\tid\t31d4d96e407aad42\n");
/// let client = Client::new(Policy::new()).protocol(Http::new().cookies(cookies.clone()));
/// assert!(cookies.to_netscape().ends_with("\tid\t31d4d96e407aad42\n"));
/// ```
#[derive(Clone, Default)]
pub struct Cookies(Arc<Mutex<Jar>>);

#[derive(Default)]
struct Jar {
    store: CookieStore,
    /// What the caller sends to the first server.
    given: String,
}

impl Cookies {
    /// No cookies.
    pub fn new() -> Self {
        Self::default()
    }

    fn jar(&self) -> MutexGuard<'_, Jar> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the cookies of a file in Netscape's format, which curl reads and writes: lines of seven
    /// cells separated by tabs. Returns how many lines are neither cookies nor comments.
    pub fn read_netscape(&self, text: &str) -> usize {
        let mut wrong = 0;
        for line in text.lines() {
            match netscape::parse(line) {
                Some(Some((host, is_secure, field))) => self.set(&host, is_secure, &field),
                Some(None) => {}
                None => wrong += 1,
            }
        }
        wrong
    }

    /// The cookies that have not expired, in the same format: those of a session have the date 0.
    pub fn to_netscape(&self) -> String {
        let jar = self.jar();
        let mut lines: Vec<String> = jar.store.iter_unexpired().map(netscape::line).collect();
        lines.sort();
        netscape::HEADING.to_owned() + &lines.concat()
    }

    /// Sends these too, as `name=value` pairs separated by `;`, to the server of the reference, and
    /// to no other that a redirect leads to.
    pub fn give(&self, pairs: &str) {
        pairs
            .trim()
            .trim_end_matches(';')
            .clone_into(&mut self.jar().given);
    }

    fn set(&self, host: &str, is_secure: bool, field: &str) {
        let scheme = if is_secure { "https" } else { "http" };
        if let Ok(url) = Url::parse(&format!("{scheme}://{host}/")) {
            self.set_for(&url, field);
        }
    }

    /// Stores the cookie of a `Set-Cookie` field, if the server at `url` may set it.
    pub(super) fn received(&self, url: &str, field: &str) {
        if let Ok(url) = Url::parse(url) {
            self.set_for(&url, field);
        }
    }

    fn set_for(&self, url: &Url, field: &str) {
        let Ok(mut cookie) = RawCookie::parse(field) else {
            return;
        };
        let is_sendable = |text: &str| !text.bytes().any(|octet| octet < b' ' || octet == 0x7F);
        let length = cookie.name().len() + cookie.value().len();
        if length > MAX_COOKIE || !is_sendable(cookie.name()) || !is_sendable(cookie.value()) {
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
            cookie.unset_domain();
        }
        let mut jar = self.jar();
        let store = &mut jar.store;
        let is_full =
            store.iter_any().count() >= MAX_COOKIES || store.matches(url).len() >= MAX_PER_HOST;
        // One that is there may be replaced, or deleted.
        let is_there = store
            .matches(url)
            .iter()
            .any(|other| other.name() == cookie.name());
        if !is_full || is_there {
            // An error is a cookie that this server may not set.
            let _ = store.insert_raw(&cookie, url);
        }
    }

    /// The value of `Cookie` for a URL; `None` if there are no cookies for it.
    pub(super) fn field(&self, url: &str, is_foreign: bool) -> Result<Option<Secret>> {
        let jar = self.jar();
        if jar.given.is_empty() && jar.store.iter_any().next().is_none() {
            return Ok(None);
        }
        let Ok(url) = Url::parse(url) else {
            return Ok(None);
        };
        let mut found = jar.store.matches(&url);
        // "Cookies with longer paths are listed before" (RFC 6265, 5.4).
        found.sort_by_key(|cookie| {
            (
                std::cmp::Reverse(cookie.path.len()),
                cookie.name().to_owned(),
            )
        });
        let mut text = if is_foreign {
            String::new()
        } else {
            jar.given.clone()
        };
        for cookie in found {
            let pair = format!("{}={}", cookie.name(), cookie.value());
            if text.len() + pair.len() + 2 > MAX_FIELD {
                break;
            }
            if !text.is_empty() {
                text.push_str("; ");
            }
            text.push_str(&pair);
        }
        let secret = (!text.is_empty()).then(|| Secret::new(text.bytes(), "cookie"));
        Ok(secret.transpose()?)
    }
}

impl fmt::Debug for Cookies {
    /// Only how many there are.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cookies({})", self.jar().store.iter_any().count())
    }
}

/// Whether anyone can register a name below it, so that a cookie for it would reach strangers.
fn is_public_suffix(domain: &str) -> bool {
    let list = List::builtin().with_private(true);
    list.domain(domain)
        .is_some_and(|domain| domain.registrable().is_none())
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
    fn cookies_are_sent_to_those_that_they_are_for() {
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
            ("no pair", "https://www.example.co.uk/a/", ""),
        ] {
            let cookies = Cookies::new();
            cookies.received(from, field);
            assert_eq!(sent(&cookies, url), expected, "{field} for {url}");
        }
    }

    /// A public suffix that is a host itself may have cookies of its own (RFC 6265, 5.3, 5).
    #[test]
    fn a_public_suffix_keeps_its_cookies_for_itself() {
        let cookies = Cookies::new();
        cookies.received("http://github.io/", "a=b; Domain=github.io");
        assert_eq!(sent(&cookies, "http://github.io/"), "a=b");
        assert_eq!(sent(&cookies, "http://someone.github.io/"), "");
    }

    #[test]
    fn there_are_limits() {
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
