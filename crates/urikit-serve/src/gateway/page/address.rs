//! The addresses of resources: as pages of the gateway, or as complete URIs for clients that use
//! it as a proxy.

use std::sync::Arc;
use urikit::grammar::rfc3986::UNRESERVED;
use urikit::percent::encode_with;

/// The form of the address in a request, and of the links in the response.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// `/gopher://host/1/`
    Prefix,
    /// `gopher://host/1/`
    Proxy,
}

/// Schemes of links that other programs open.
const EXTERNAL: [&str; 12] = [
    "http", "https", "mailto", "telnet", "rlogin", "tn3270", "tel", "irc", "ircs", "xmpp", "sip",
    "urn",
];

/// The links on a page.
#[derive(Clone, Debug)]
pub(crate) struct Links {
    pub(crate) form: Form,
    /// The schemes that the gateway fetches.
    pub(crate) schemes: Arc<[String]>,
}

impl Links {
    /// Returns the address of a URL, or `None` if the page must not link to it: browsers execute
    /// some schemes, such as `javascript`.
    pub(crate) fn address(&self, url: &str) -> Option<String> {
        let url = url.trim();
        let scheme = scheme(url)?;
        let is_it = |name: &str| name.eq_ignore_ascii_case(scheme);
        if self.schemes.iter().any(|name| is_it(name)) {
            return Some(match self.form {
                Form::Prefix => format!("/{}", clean(&without_password(url))),
                Form::Proxy => clean(&without_password(url)),
            });
        }
        EXTERNAL.into_iter().any(is_it).then(|| clean(url))
    }

    /// Returns the address of another view of a URL, or `None` in the form for proxies, in which
    /// addresses are URLs.
    pub(crate) fn view(&self, view: &str, url: &str) -> Option<String> {
        let is_prefix = self.form == Form::Prefix;
        is_prefix.then(|| format!("/{view}/{}", clean(&without_password(url))))
    }

    pub(crate) fn is_prefix(&self) -> bool {
        self.form == Form::Prefix
    }
}

/// Returns the scheme of a URL (RFC 3986, 3.1).
pub(crate) fn scheme(url: &str) -> Option<&str> {
    let (scheme, _) = url.split_once(':')?;
    let is_one = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && (scheme.bytes()).all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_one.then_some(scheme)
}

/// Escapes octets that are not allowed in an address.
fn clean(url: &str) -> String {
    let is_allowed = |c: char| c.is_ascii_graphic() && !"\"<>\\^`{|}".contains(c);
    if url.chars().all(is_allowed) {
        return url.to_owned();
    }
    let mut text = String::with_capacity(url.len());
    for c in url.chars() {
        if is_allowed(c) {
            text.push(c);
        } else {
            let mut octets = [0; 4];
            let octets: &str = c.encode_utf8(&mut octets);
            text.push_str(&escaped(octets));
        }
    }
    text
}

/// Escapes the value of a parameter.
pub(crate) fn escaped(value: &str) -> String {
    encode_with(value, UNRESERVED.set()).to_string()
}

/// Returns a URL without the password in its authority.
///
/// The text is split without parsing, so that the password of an invalid URL is removed too.
pub(crate) fn without_password(url: &str) -> String {
    let split = url.split_once("://").and_then(|(scheme, rest)| {
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at_checked(end)?;
        let (userinfo, host) = authority.rsplit_once('@')?;
        let (user, _) = userinfo.split_once(':')?;
        Some((scheme, user, host, path))
    });
    match split {
        Some((scheme, "", host, path)) => format!("{scheme}://{host}{path}"),
        Some((scheme, user, host, path)) => format!("{scheme}://{user}@{host}{path}"),
        None => url.to_owned(),
    }
}

/// Returns the last segment of a URL's path, decoded, as a readable name.
pub(crate) fn name(url: &str) -> String {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let path = path.trim_end_matches('/');
    let last = match path.split_once("://") {
        // A name may begin after a colon, unless the colon precedes the port of a server.
        Some((_, rest)) if !rest.contains('/') => rest,
        _ => path.rsplit(['/', ':']).next().unwrap_or(path),
    };
    let octets: Vec<u8> = urikit::octet::octets(last.as_bytes())
        .map(|octet| octet.value)
        .collect();
    String::from_utf8_lossy(&octets).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{Form, Links, name, without_password};

    #[test]
    fn addresses_have_no_passwords_and_no_scripts() {
        let links = |form| Links {
            form,
            schemes: ["ftp", "gopher", "news"].map(str::to_owned).into(),
        };
        for (url, prefix, proxy) in [
            (
                "gopher://h/1/a b",
                Some("/gopher://h/1/a%20b"),
                Some("gopher://h/1/a%20b"),
            ),
            (
                "FTP://u:secret@h/%41",
                Some("/FTP://u@h/%41"),
                Some("FTP://u@h/%41"),
            ),
            ("news:a@b", Some("/news:a@b"), Some("news:a@b")),
            ("http://h/", Some("http://h/"), Some("http://h/")),
            ("javascript:alert(1)", None, None),
            (" javascript:alert(1)", None, None),
            ("data:text/html,x", None, None),
            ("file:///etc/passwd", None, None),
            ("relative", None, None),
        ] {
            assert_eq!(links(Form::Prefix).address(url).as_deref(), prefix, "{url}");
            assert_eq!(links(Form::Proxy).address(url).as_deref(), proxy, "{url}");
        }
        assert_eq!(without_password("ftp://:x@h/"), "ftp://h/");
        assert_eq!(without_password("ftp://h/a:b@c"), "ftp://h/a:b@c");
        assert_eq!(without_password("ftp://a:b@c@h"), "ftp://a@h");
    }

    #[test]
    fn names_of_resources() {
        for (url, expected) in [
            ("gemini://h:1965/?a/b", "h:1965"),
            ("gopher://h:70", "h:70"),
            ("ftp://h/a/b%20c;type=i?d", "b c;type=i"),
            ("gopher://h/1/a/", "a"),
            ("news:comp.x", "comp.x"),
            ("", ""),
        ] {
            assert_eq!(name(url), expected, "{url}");
        }
    }
}
