//! Defanging: writing a reference so that no program turns it into a link.

use std::ops::Range;
use urikit::parse::Parts;

/// The schemes that have a defanged form, each with that form.
const SCHEMES: [(&str, &str); 4] = [
    ("https", "hxxps"),
    ("http", "hxxp"),
    ("ftps", "fxps"),
    ("ftp", "fxp"),
];

/// Writes a reference, a host or a mail address so that no program turns it into a link.
///
/// - The schemes `http`, `https`, `ftp` and `ftps` become `hxxp`, `hxxps`, `fxp` and `fxps`, even
///   in the path, the query and the fragment. For other schemes, `://` becomes `[://]`.
/// - The dots of the host become `[.]`. Without an authority, the host is the text up to the first
///   `/`, `?` or `#`.
/// - In a `mailto` URL and in a mail address, `@` becomes `[@]`.
///
/// [`Finder::refang`](crate::Finder::refang) finds the result and restores the reference, unless
/// the reference is relative or its scheme is in upper case.
///
/// ```
/// use urikit_extract::defang;
/// assert_eq!(defang("https://a.example:8080/b.c"), "hxxps://a[.]example:8080/b.c");
/// assert_eq!(defang("mailto:jo@a.example"), "mailto:jo[@]a[.]example");
/// assert_eq!(defang("192.0.2.1"), "192[.]0[.]2[.]1");
/// assert_eq!(defang("http://a/?u=http://b.example/"), "hxxp://a/?u=hxxp://b.example/");
/// ```
pub fn defang(text: &str) -> String {
    let parts = Parts::of(text.as_bytes());
    let scheme = parts.scheme.and_then(|range| text.get(range));
    let host = match parts.authority {
        Some(authority) => {
            let start = text.get(authority.clone()).and_then(|text| text.rfind('@'));
            start.map_or(authority.start, |at| authority.start + at + 1)..authority.end
        }
        None => parts.path.start..host_end(text, &parts.path, scheme),
    };
    let is_address = scheme.is_none_or(|scheme| scheme.eq_ignore_ascii_case("mailto"));
    let has_authority = text
        .get(..host.start)
        .is_some_and(|before| before.contains("//"));
    let mut out = String::with_capacity(text.len() + 16);
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if let Some((name, defanged)) = scheme_at(text, at) {
            out.push_str(defanged);
            at += name.len();
            continue;
        }
        let is_other_scheme = scheme.is_some_and(|scheme| at == scheme.len())
            && rest.starts_with("://")
            && !out.starts_with("hxxp")
            && !out.starts_with("fxp");
        if is_other_scheme {
            out.push_str("[://]");
            at += 3;
            continue;
        }
        let Some(c) = rest.chars().next() else { break };
        let is_in_host = host.contains(&at);
        match c {
            '.' if is_in_host => out.push_str("[.]"),
            '@' if is_in_host && is_address && !has_authority => out.push_str("[@]"),
            _ => out.push(c),
        }
        at += c.len_utf8();
    }
    out
}

/// Returns the offset at which the host ends in a reference without an authority. In a mail address
/// and in text without a scheme, the host ends at the first slash of the path.
fn host_end(text: &str, path: &Range<usize>, scheme: Option<&str>) -> usize {
    let is_host = scheme.is_none_or(|scheme| scheme.eq_ignore_ascii_case("mailto"));
    if !is_host {
        return path.start;
    }
    let slash = text.get(path.clone()).and_then(|path| path.find('/'));
    slash.map_or(path.end, |at| path.start + at)
}

/// Returns the scheme at this offset and its defanged form, if a link begins here.
fn scheme_at(text: &str, at: usize) -> Option<(&'static str, &'static str)> {
    let bytes = text.as_bytes();
    let before = at.checked_sub(1).and_then(|before| bytes.get(before));
    if before.is_some_and(u8::is_ascii_alphanumeric) {
        return None;
    }
    let rest = text.get(at..)?;
    SCHEMES.into_iter().find(|(name, _)| {
        let begin = rest.get(..name.len());
        let follows = rest.get(name.len()..).unwrap_or_default();
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(name)) && follows.starts_with("://")
    })
}

#[cfg(test)]
mod tests {
    use super::defang;
    use crate::{Finder, Kind};

    #[test]
    fn the_finder_restores_what_was_defanged() {
        let finder = Finder::new().refang(true);
        for url in [
            "http://evil.example/a.b?c=d.e#f.g",
            "https://evil.example.com:8443/",
            "ftp://evil.example/c",
            "https://192.0.2.1/x",
            "http://evil.example/?u=http://b.example/",
        ] {
            let defanged = defang(url);
            assert!(
                !defanged.contains("http:") && !defanged.contains("https:"),
                "{defanged}"
            );
            let text = format!("see {defanged} there");
            let links: Vec<_> = finder.links(&text).collect();
            assert_eq!(links.len(), 1, "{defanged}");
            assert_eq!(links[0].as_str(), url);
            assert_eq!(links[0].kind(), Kind::Defanged);
        }
    }

    #[test]
    fn every_kind_of_text_has_a_form() {
        for (text, expected) in [
            ("", ""),
            ("a.example", "a[.]example"),
            ("a.example/b.c?d.e", "a[.]example/b.c?d.e"),
            ("//a.example/b.c", "//a[.]example/b.c"),
            ("jo@a.example", "jo[@]a[.]example"),
            ("http://u.v@a.example/", "hxxp://u.v@a[.]example/"),
            ("HTTP://a.example/", "hxxp://a[.]example/"),
            ("ssh://git@a.example/b", "ssh[://]git@a[.]example/b"),
            ("http://[::1]/", "hxxp://[::1]/"),
            ("urn:a.b", "urn:a.b"),
            ("http://ü.example/", "hxxp://ü[.]example/"),
            ("xhttp://a.b/", "xhttp[://]a[.]b/"),
        ] {
            assert_eq!(defang(text), expected, "{text}");
        }
    }

    #[test]
    fn hostile_text_takes_linear_time() {
        let text = "http://".repeat(100_000) + &".@".repeat(100_000);
        assert!(defang(&text).len() >= text.len());
    }
}
