//! The parts that all pages of the gateway share.

use super::address::Links;
use askama::Template;

/// Schemes whose URL paths consist of folders.
const WITH_PATHS: [&str; 5] = ["ftp", "ftps", "gemini", "nex", "spartan"];

/// The style of all pages.
pub(crate) const STYLE: &str = include_str!("../../../assets/gateway.css");

/// The icon of all pages.
pub(crate) const ICON: &str = include_str!("../../../assets/icon.svg");

/// The beginning and the end of a page.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) links: Links,
    /// The heading.
    pub(crate) title: String,
    /// The URL of the resource, without its password; empty on pages without a resource.
    pub(crate) url: String,
    /// True if the page has an Atom feed.
    pub(crate) has_feed: bool,
}

/// The part of a page that precedes the content.
#[derive(Template)]
#[template(path = "gateway/begin.html")]
struct Begin<'a> {
    frame: &'a Frame,
    parent: Option<String>,
    raw: Option<String>,
    feed: Option<String>,
}

/// The part of a page that follows the content.
#[derive(Template)]
#[template(path = "gateway/end.html")]
struct End<'a> {
    failed: Option<&'a str>,
}

impl Frame {
    pub(crate) fn begin(&self, out: &mut Vec<u8>) {
        let view = |view| self.links.view(view, &self.url);
        let has_url = !self.url.is_empty();
        let begin = Begin {
            frame: self,
            parent: parent(&self.url).and_then(|url| self.links.address(&url)),
            raw: view("raw").filter(|_| has_url),
            feed: view("feed").filter(|_| has_url && self.has_feed),
        };
        write(&begin, out);
    }

    /// Writes the end. `failed` is the reason why the page is incomplete.
    #[allow(clippy::unused_self)] // as `begin`
    pub(crate) fn end(&self, failed: Option<&str>, out: &mut Vec<u8>) {
        write(&End { failed }, out);
    }
}

/// Writes a template.
pub(super) fn write(template: &impl Template, out: &mut Vec<u8>) {
    // Writing to memory does not fail.
    let _ = Template::write_into(template, out);
}

/// Returns the URL of the folder that contains a resource, or of the top folder of its server.
fn parent(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let (server, path) = rest.split_once('/')?;
    if path.is_empty() {
        return None;
    }
    // Gopher selectors and WAIS identifiers only look like paths.
    let is_path = WITH_PATHS
        .iter()
        .any(|name| scheme.eq_ignore_ascii_case(name));
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let folder = path.trim_end_matches('/').rsplit_once('/');
    Some(match folder {
        Some((folder, _)) if is_path => format!("{scheme}://{server}/{folder}/"),
        _ => format!("{scheme}://{server}/"),
    })
}

#[cfg(test)]
mod tests {
    use super::parent;

    #[test]
    fn folders() {
        for (url, expected) in [
            ("ftp://h/a/b/", Some("ftp://h/a/")),
            ("ftp://h/a", Some("ftp://h/")),
            ("ftp://h/", None),
            ("gemini://h/a/b?c/d", Some("gemini://h/a/")),
            ("gemini://h/?c", Some("gemini://h/")),
            ("gopher://h/0/a/b", Some("gopher://h/")),
            ("news:a", None),
        ] {
            assert_eq!(parent(url).as_deref(), expected, "{url}");
        }
    }
}
