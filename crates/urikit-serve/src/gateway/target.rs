//! The target of a request: a resource of the gateway itself, or the URL of another server.

use super::page::{Form, Order, View, escaped, scheme};

/// The subject of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// `/`
    Start,
    /// `/-/style.css`
    Style,
    /// `/-/icon.svg`, or the address at which browsers look for the icon of other documents
    Icon,
    /// `/-/go?url=…`: an address that the user typed.
    Go(String),
    /// `/-/search?url=…&words=…`
    Search(String),
    /// `/healthz`
    Health,
    /// A resource of another server.
    Resource { form: Form, view: View, url: String },
}

/// Schemes whose URLs do not begin with a host.
const WITHOUT_HOST: [&str; 3] = ["news", "urn", "data"];

impl Target {
    /// Reads the target of a request line. Returns `None` if it is neither a path of the gateway
    /// nor a URL.
    pub(super) fn parse(target: &str) -> Option<Self> {
        let Some(path) = target.strip_prefix('/') else {
            scheme(target)?;
            return Some(Self::Resource {
                form: Form::Proxy,
                view: View::Page,
                url: target.to_owned(),
            });
        };
        if let Some(own) = path.strip_prefix("-/") {
            let (name, query) = own.split_once('?').unwrap_or((own, ""));
            return match name {
                "style.css" => Some(Self::Style),
                "icon.svg" => Some(Self::Icon),
                "go" => Some(Self::Go(query.to_owned())),
                "search" => Some(Self::Search(query.to_owned())),
                _ => None,
            };
        }
        match path {
            "" => return Some(Self::Start),
            "healthz" => return Some(Self::Health),
            "favicon.ico" => return Some(Self::Icon),
            _ => {}
        }
        let (view, url) = if let Some(url) = path.strip_prefix("raw/") {
            (View::Raw, url)
        } else if let Some(url) = path.strip_prefix("feed/") {
            (View::Feed, url)
        } else if let Some(rest) = path.strip_prefix("sort/") {
            let (order, url) = rest.split_once('/')?;
            (View::Sorted(Order::parse(order)?), url)
        } else {
            (View::Page, path)
        };
        Some(Self::Resource {
            form: Form::Prefix,
            view,
            url: restored(url)?,
        })
    }
}

/// Returns the URL after the prefix. Reverse proxies merge slashes, and browsers add `web+` to
/// schemes that they do not know.
fn restored(text: &str) -> Option<String> {
    let url = text.strip_prefix("web+").unwrap_or(text);
    let scheme = scheme(url)?;
    let after = url.get(scheme.len() + 1..)?;
    let is_merged = after.starts_with('/') && !after.starts_with("//");
    let has_host = !WITHOUT_HOST.contains(&scheme.to_ascii_lowercase().as_str());
    Some(if is_merged && has_host {
        format!("{scheme}:/{after}")
    } else {
        url.to_owned()
    })
}

/// Returns the address of a URL that the user typed. Text without a scheme is taken to be the name
/// of a gopher server.
pub(crate) fn typed(text: &str) -> String {
    let text = text.trim();
    let text = text.strip_prefix("web+").unwrap_or(text);
    let url = match scheme(text) {
        Some(name) if !is_port(text.get(name.len() + 1..).unwrap_or_default()) => text.to_owned(),
        _ => format!("gopher://{text}"),
    };
    let octets = url.bytes().map(|byte| match byte {
        0x21..=0x7E => char::from(byte).to_string(),
        b' ' => "%20".to_owned(),
        _ => format!("%{byte:02X}"),
    });
    format!("/{}", octets.collect::<String>())
}

/// Returns true if the text after a colon is a port, as in `host:70/1/`.
fn is_port(text: &str) -> bool {
    let port = text.split('/').next().unwrap_or_default();
    !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the URL of a search in gopher, without the words of an earlier search.
pub(super) fn gopher_search(url: &str, words: &str) -> String {
    let index = url.split("%09").next().unwrap_or(url);
    format!("{index}%09{}", escaped(words))
}

/// Returns a URL with words as its query: a search in wais (RFC 1738, 3.9), the input of a gemini
/// server, or the data for a spartan server.
pub(super) fn with_query(url: &str, words: &str) -> String {
    let index = url.split(['?', '#']).next().unwrap_or(url);
    format!("{index}?{}", escaped(words))
}

#[cfg(test)]
mod tests {
    use super::{Target, gopher_search, typed, with_query};
    use crate::gateway::page::{Form, View};

    #[test]
    fn targets() {
        for (target, form, view, url) in [
            (
                "/gopher://h/1/a?b",
                Form::Prefix,
                View::Page,
                "gopher://h/1/a?b",
            ),
            ("/gopher:/h/1/", Form::Prefix, View::Page, "gopher://h/1/"),
            ("/raw/ftp:/h/", Form::Prefix, View::Raw, "ftp://h/"),
            ("/feed/nntp://h/g", Form::Prefix, View::Feed, "nntp://h/g"),
            ("/web+gopher://h/", Form::Prefix, View::Page, "gopher://h/"),
            ("/news:comp.x", Form::Prefix, View::Page, "news:comp.x"),
            (
                "/urn:isbn:0451450523",
                Form::Prefix,
                View::Page,
                "urn:isbn:0451450523",
            ),
            ("news:comp.x", Form::Proxy, View::Page, "news:comp.x"),
            (
                "urn:isbn:0451450523",
                Form::Proxy,
                View::Page,
                "urn:isbn:0451450523",
            ),
            ("wais://h/db?w", Form::Proxy, View::Page, "wais://h/db?w"),
        ] {
            let url = url.to_owned();
            let expected = Target::Resource { form, view, url };
            assert_eq!(Target::parse(target), Some(expected), "{target}");
        }
        for target in [
            "",
            "*",
            "//h/",
            "/x",
            "/-/x",
            "/sort/x/ftp://h/",
            "/raw/",
            "h:443",
        ] {
            let parsed = Target::parse(target);
            // `h:443` looks like a URL. Only the method tells that it is a host.
            assert!(
                parsed.is_none() || target == "h:443",
                "{target}: {parsed:?}"
            );
        }
        assert_eq!(Target::parse("/"), Some(Target::Start));
    }

    #[test]
    fn addresses_of_searches() {
        assert_eq!(
            gopher_search("gopher://h/7a%09b", "c d"),
            "gopher://h/7a%09c%20d"
        );
        assert_eq!(with_query("wais://h/db?b", "c&d"), "wais://h/db?c%26d");
        assert_eq!(
            with_query("gemini://h/a#b", "50 % \u{e9}?"),
            "gemini://h/a?50%20%25%20%C3%A9%3F"
        );
        assert_eq!(typed(" h:70/1/a b"), "/gopher://h:70/1/a%20b");
        assert_eq!(typed("gopher://\u{e9}/"), "/gopher://%C3%A9/");
    }
}
