//! The scope of a copy: the URLs under the first one, and the names of their files.
//!
//! URLs are compared in normal form (RFC 3986, 6.2.2), where `%2e%2e` becomes `..` and can leave
//! the scope. For ftp and gopher, URLs with the segment `..` or with a slash inside a segment are
//! not in scope either: the server could interpret these names as paths outside the folder (RFC
//! 1738, 3.2.2).

use crate::command::fetch::names::{os_string, visible_name};
use std::ffi::OsString;
use std::sync::{Mutex, PoisonError};
use urikit::component::Encoded;
use urikit::op::Level;
use urikit::{AnyRef, Standard};
use urikit_access::Redirects;
use urikit_schemes::Gopher;

/// The schemes that can be copied.
const SCHEMES: [&str; 5] = ["ftp", "ftps", "gopher", "http", "https"];

/// The names of the folders and of the file for a URL. Each name is a single, safe file name
/// without a leading dot, because the links of the server choose the names.
#[derive(Clone, Default, Debug)]
pub(super) struct Names {
    /// The last name is empty for a directory.
    pub(super) names: Vec<OsString>,
    /// True if the names differ from those in the URL.
    pub(super) are_changed: bool,
}

impl Names {
    fn push(&mut self, in_url: Vec<u8>) {
        let name = if in_url.is_empty() {
            OsString::new()
        } else {
            visible_name(in_url.clone())
        };
        self.are_changed |= name != os_string(in_url);
        self.names.push(name);
    }
}

/// The server and the directory of the first URL.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    origin: Origin,
    /// The decoded user and password of the URL.
    login: (Option<Vec<u8>>, Option<Vec<u8>>),
    /// The decoded segments of the path up to its last slash.
    directory: Vec<Vec<u8>>,
}

type Origin = (String, String, Option<String>);

impl Scope {
    /// Returns the scope of a URL; `None` if its scheme cannot be copied.
    pub(super) fn of(reference: AnyRef<'_>) -> Option<Self> {
        let normal = normal(reference);
        let reference = parsed(&normal, reference);
        let origin = origin(reference)?;
        let mut directory = segments(reference)?;
        directory.pop();
        let login = login(reference);
        Some(Self {
            origin,
            login,
            directory,
        })
    }

    /// Returns the scope of the URL after redirects, if that scope is different.
    pub(super) fn moved(&self, url: &str) -> Option<Self> {
        let scope = Self::of(Standard::Rfc3986.parse(url).ok()?)?;
        (scope.origin != self.origin || scope.directory != self.directory).then_some(scope)
    }

    /// Returns the name of the folder for a copy: the host, and the port if it is not the default.
    pub(super) fn folder(&self) -> OsString {
        let (_, host, port) = &self.origin;
        let port = port
            .as_ref()
            .map_or_else(String::new, |port| format!("_{port}"));
        visible_name([host.as_str(), &port].concat().into_bytes())
    }

    /// Returns true if scheme, host and port are equal.
    pub(super) fn has_origin_of(&self, other: &Self) -> bool {
        self.origin == other.origin
    }

    /// Returns the names for a URL in scope; `None` for other URLs.
    pub(super) fn path(&self, reference: AnyRef<'_>) -> Option<Names> {
        let normal = normal(reference);
        let reference = parsed(&normal, reference);
        // The user and password in a link, if any, must be those of the first URL.
        let is_own = match login(reference) {
            (None, None) => true,
            (user, None) => user == self.login.0,
            both => both == self.login,
        };
        if origin(reference)? != self.origin || !is_own {
            return None;
        }
        let segments = segments(reference)?;
        let mut names = segments.strip_prefix(&self.directory[..])?.to_vec();
        let is_ftp = self.origin.0.starts_with("ftp");
        let leads_out =
            |name: &Vec<u8>| matches!(&name[..], b"." | b"..") || is_ftp && name.contains(&b'/');
        if names.iter().any(leads_out) {
            return None;
        }
        let last = names.pop()?;
        let is_directory = last.is_empty();
        let mut path = Names::default();
        for name in names {
            path.push(name);
        }
        path.push(match reference.query() {
            Some(query) => {
                let name = if is_directory {
                    b"index.html"
                } else {
                    &last[..]
                };
                [name, b"?", query.as_str().as_bytes()].concat()
            }
            None => last,
        });
        Some(path)
    }
}

/// Parses a reference in normal form, under RFC 3986 or else under the standard of the original.
fn parsed<'a>(normal: &'a str, reference: AnyRef<'a>) -> AnyRef<'a> {
    let standards = [Standard::Rfc3986, reference.standard()];
    let mut parsed = standards.iter().map(|standard| standard.parse(normal));
    parsed.find_map(Result::ok).unwrap_or(reference)
}

fn login(reference: AnyRef<'_>) -> (Option<Vec<u8>>, Option<Vec<u8>>) {
    let decoded = |part: Encoded<'_>| part.to_bytes().into_owned();
    (
        reference.user().map(decoded),
        reference.password().map(decoded),
    )
}

fn origin(reference: AnyRef<'_>) -> Option<Origin> {
    let scheme = reference.scheme()?.to_ascii_lowercase();
    let default = match &*scheme {
        "ftp" => "21",
        "ftps" => "990",
        "gopher" => "70",
        "http" => "80",
        _ => "443",
    };
    let host = reference.host()?.as_str().to_ascii_lowercase();
    let port = reference
        .port()
        .filter(|port| !port.is_empty() && *port != default);
    SCHEMES
        .contains(&&*scheme)
        .then(|| (scheme, host, port.map(str::to_owned)))
}

/// Returns the decoded segments of a path or, for gopher, of the selector.
fn segments(reference: AnyRef<'_>) -> Option<Vec<Vec<u8>>> {
    let is_gopher = reference.scheme()?.eq_ignore_ascii_case("gopher");
    let split = |path: &[u8]| {
        path.split(|octet| *octet == b'/')
            .map(<[u8]>::to_vec)
            .collect()
    };
    if is_gopher {
        let url = Gopher::read(reference).ok()?;
        if url.search().is_some() {
            return None;
        }
        let selector = url.selector().to_bytes();
        let selector = selector.strip_prefix(b"/").unwrap_or(&selector);
        let mut segments: Vec<Vec<u8>> = split(selector);
        // A menu counts as a folder even if its selector does not end in a slash.
        if url.item_type().octet() == b'1' && segments.last().is_some_and(|last| !last.is_empty()) {
            segments.push(Vec::new());
        }
        return Some(segments);
    }
    let path = reference.path().segments();
    let segments: Vec<Vec<u8>> = path
        .map(|part| part.encoded().to_bytes().into_owned())
        .collect();
    Some(if segments.is_empty() {
        vec![Vec::new()]
    } else {
        segments
    })
}

/// Returns a URL without its fragment.
pub(super) fn without_fragment(url: &str) -> &str {
    url.split_once('#').map_or(url, |(url, _)| url)
}

/// Returns the key that identifies a URL: its normal form without the fragment, or the URL itself
/// if it is invalid.
pub(super) fn key(url: &str) -> String {
    let url = without_fragment(url);
    let parsed = Standard::Rfc3986.parse(url);
    parsed.map_or_else(|_| url.to_owned(), normal)
}

/// Returns the normal form according to RFC 3986, 6.2.2: without unnecessary escapes or dot
/// segments.
fn normal(reference: AnyRef<'_>) -> String {
    // Earlier standards do not remove dot segments.
    let today = Standard::Rfc3986.parse(reference.as_str());
    let mut text = String::new();
    today
        .unwrap_or(reference)
        .normalize_into(Level::Path, &mut text);
    text
}

/// Follows redirects within a scope, or all redirects if there is no scope.
#[derive(Debug)]
pub(super) struct RedirectScope<'a> {
    scope: Option<&'a Scope>,
    /// The target of the last redirect.
    last: Mutex<Option<String>>,
}

impl<'a> RedirectScope<'a> {
    pub(super) const fn new(scope: Option<&'a Scope>) -> Self {
        let last = Mutex::new(None);
        Self { scope, last }
    }

    /// Returns true if a redirect was followed.
    pub(super) fn is_redirected(&self) -> bool {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.is_some()
    }

    /// Returns the URL after redirects, and the names of its file and folders in the scope. Without
    /// a scope, the names begin at the folder of the URL.
    pub(super) fn names(&self, reference: AnyRef<'_>) -> Option<(String, Names)> {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let target = last
            .as_deref()
            .map(|target| Standard::Rfc3986.parse(target));
        let reference = target.and_then(Result::ok).unwrap_or(reference);
        let names = match self.scope {
            Some(scope) => scope.path(reference),
            None => Scope::of(reference)?.path(reference),
        };
        Some((reference.as_str().to_owned(), names?))
    }
}

impl Redirects for RedirectScope<'_> {
    fn follows(&self, to: AnyRef<'_>) -> bool {
        if self.scope.is_some_and(|scope| scope.path(to).is_none()) {
            return false;
        }
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last = Some(to.as_str().to_owned());
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{Scope, key};
    use urikit::Standard;

    #[test]
    fn urls_in_scope() {
        for (first, url, path) in [
            ("ftp://h/pub/", "ftp://h/pub/a%20b", Some("a b")),
            ("ftp://h/pub/", "ftp://H:21/pub/x/y/", Some("x/y/")),
            ("ftp://u@h/pub/", "ftp://u@h/pub/a", Some("a")),
            ("ftp://u@h/pub/", "ftp://v@h/pub/a", None),
            ("ftp://u:p@h/pub/", "ftp://u@h/pub/a", Some("a")),
            ("http://h/", "http://u:p@h/a", None),
            ("http://u:p@h/", "http://u:q@h/a", None),
            ("http://u:p@h/", "http://u:p@h/a", Some("a")),
            ("ftp://h/pub", "ftp://h/pub/a", Some("pub/a")),
            ("ftp://h/pub/", "ftp://h/other/a", None),
            ("ftp://h/pub/", "ftp://h2/pub/a", None),
            ("ftp://h/pub/", "ftp://h:2121/pub/a", None),
            ("ftp://h/pub/", "http://h/pub/a", None),
            // Dot segments, escaped or not (RFC 3986, 6.2.2), and CWD commands (RFC 1738, 3.2.2).
            ("ftp://h/pub/", "ftp://h/pub/%2E%2E/a", None),
            ("ftp://h/pub/", "ftp://h/pub/..", None),
            ("ftp://h/pub/", "ftp://h/pub/%2Fetc%2Fpasswd", None),
            ("ftp://h/pub/", "ftp://h/pub/x%2F..%2F../a", None),
            ("ftp://h/%2Fpub/", "ftp://h/%2Fpub/a", Some("a")),
            ("http://h/pub/", "http://h/pub/%2e%2e/up", None),
            ("http://h/pub/", "http://h/pub/x/%2e%2E/..", None),
            ("http://h/pub/", "http://h/x/%2e./p%75b/a", Some("a")),
            ("http://h/x/../pub/", "http://h/pub/a", Some("a")),
            ("http://h/pub/", "http://h/pub/%2e%2e%2fa", Some("_.._a")),
            ("http://h/d/", "http://h/d/.bashrc", Some("_.bashrc")),
            (
                "http://h/d/",
                "http://h/d/.git/config",
                Some("_.git/config"),
            ),
            ("http://h/d/", "http://h/d/%2Essh/", Some("_.ssh/")),
            ("http://h/.d/", "http://h/.d/a", Some("a")),
            ("ftp://h/pub/", "ftp://h/pub/.profile", Some("_.profile")),
            ("gopher://h/", "gopher://h/0/.profile", Some("_.profile")),
            (
                "http://h/d/",
                "http://h/d/?q=../x",
                Some("index.html?q=.._x"),
            ),
            ("http://h/d/i.html", "http://h/d/a?b", Some("a?b")),
            ("http://h", "http://h/a", Some("a")),
            ("gopher://h/", "gopher://h/0/about.txt", Some("about.txt")),
            ("gopher://h/1/more", "gopher://h/0/more/x", Some("x")),
            ("gopher://h/1/more", "gopher://h/1/more/y", Some("y/")),
            ("gopher://h/1/more", "gopher://h/0/other", None),
            ("gopher://h/1/more", "gopher://h/0/more/../other", None),
            ("gopher://h/", "gopher://h/0%2E./other", None),
            ("gopher://h/", "gopher://h/7/find%09words", None),
        ] {
            let parse = |url| Standard::Rfc3986.parse(url).unwrap();
            let scope = Scope::of(parse(first)).unwrap();
            let found = scope.path(parse(url)).map(|path| {
                let names: Vec<_> = path.names.iter().map(|it| it.to_string_lossy()).collect();
                names.join("/")
            });
            assert_eq!(found.as_deref(), path, "{first} {url}");
        }
        assert!(Scope::of(Standard::Rfc3986.parse("news:a.b").unwrap()).is_none());
    }

    #[test]
    fn folders_are_named_after_hosts() {
        for (url, folder) in [
            ("http://A.example/b/", "a.example"),
            ("http://a.example:80/", "a.example"),
            ("https://a.example:8443/", "a.example_8443"),
            ("ftp://u@[::1]:2121/", "[__1]_2121"),
            ("http://.a/", "_.a"),
            ("http://../", "_.."),
        ] {
            let scope = Scope::of(Standard::Rfc3986.parse(url).unwrap()).unwrap();
            assert_eq!(scope.folder(), folder, "{url}");
        }
    }

    #[test]
    fn names_that_are_changed() {
        let long = "x".repeat(201);
        for (url, are_changed) in [
            ("http://h/a/b%20c/d?e=f", false),
            ("http://h/a/", false),
            ("http://h/a/?q", false),
            ("http://h/a:b", true),
            ("http://h/a:b/", true),
            ("http://h/a//b", false),
            ("http://h/-a", true),
            ("http://h/.a", true),
            ("http://h/.a/b", true),
            ("http://h/a?b/c", true),
            ("http://h/a.part", true),
            (&format!("http://h/{long}"), true),
        ] {
            let parsed = Standard::Rfc3986.parse(url).unwrap();
            let scope = Scope::of(Standard::Rfc3986.parse("http://h/").unwrap()).unwrap();
            assert_eq!(
                scope.path(parsed).unwrap().are_changed,
                are_changed,
                "{url}"
            );
        }
    }

    #[test]
    fn keys_are_normal_forms() {
        for (url, found) in [
            ("http://H/a/%2e%2E/%7eb?%7e#c", "http://h/~b?~"),
            ("gopher://h/0/a/../%62", "gopher://h/0/a/../b"),
            ("http://h/a b", "http://h/a b"),
        ] {
            assert_eq!(key(url), found);
        }
    }
}
