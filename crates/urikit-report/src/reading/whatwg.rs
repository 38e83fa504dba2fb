//! Parses references as browsers do (WHATWG URL Standard), using the `url` crate. Browsers repair
//! their input, so the components are those of the serialized URL record.

use super::Components;
use crate::input::Unparsed;
use std::error::Error;
use std::fmt;
use urikit::{Form, HostKind, Standard};
use urikit_audit::{Rejection, Whatwg};
use url::Position;
pub use url::Url;

/// The reason why browsers reject an input.
#[derive(Clone, Copy, Debug)]
pub enum Refusal {
    /// The parser's error, which has no offset.
    Url(url::ParseError),
    /// The input is not UTF-8.
    NotUtf8,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(error) => error.fmt(f),
            Self::NotUtf8 => f.write_str("the input is not UTF-8"),
        }
    }
}

impl Error for Refusal {}

/// Resolves an input against a base. Returns the target, and whether it differs from the base only
/// in its fragment.
///
/// # Errors
///
/// Returns the reason why browsers reject the reference.
pub fn resolve(base: &Url, input: Unparsed<'_>) -> Result<(String, bool), Refusal> {
    let text = input.text.ok_or(Refusal::NotUtf8)?;
    let target = join(base, text)?;
    let same_document = base[..Position::AfterQuery] == target[..Position::AfterQuery];
    Ok((target.into(), same_document))
}

/// Resolves a reference against the base of a document. Without a base, resolves the reference
/// against a placeholder, so the result only shows that browsers accept the reference.
///
/// # Errors
///
/// Returns the reason why browsers reject the reference.
pub fn target(text: &str, base: Option<&str>) -> Result<String, Refusal> {
    let base = Whatwg.parse(base.unwrap_or("http://base.invalid/"));
    let base = base.map_err(refusal)?;
    join(&base, text).map(String::from)
}

/// Resolves a reference as the standard requires, without the bugs of `Url::join`.
fn join(base: &Url, text: &str) -> Result<Url, Refusal> {
    Whatwg.join(base, text).map_err(refusal)
}

/// Converts an error of the `whatwg` reader.
fn refusal(rejection: Rejection) -> Refusal {
    match rejection {
        Rejection::Whatwg(error) => Refusal::Url(error),
        // INVARIANT: this reader returns only errors of the URL parser.
        _ => Refusal::Url(url::ParseError::Overflow),
    }
}

/// Returns the shortest reference that resolves to an input against a base, if there is one.
///
/// # Errors
///
/// Returns the reason why browsers reject the input.
pub fn relativize(base: &Url, input: Unparsed<'_>) -> Result<Option<String>, Refusal> {
    let target = parse(input)?;
    let mut all = candidates(base, &target);
    all.sort_by_key(String::len); // stable: of equal length, the more relative one stays first
    Ok(all
        .into_iter()
        .find(|candidate| join(base, candidate).is_ok_and(|joined| joined == target)))
}

/// Returns references that may resolve to the target, the more relative ones first.
/// `Url::make_relative` is not used, because its results often resolve to another URL, for example
/// if a segment is empty or contains a colon.
fn candidates(base: &Url, target: &Url) -> Vec<String> {
    let (fragment, query) = (
        &target[Position::AfterQuery..],
        &target[Position::AfterPath..],
    );
    let mut all = Vec::from(["", fragment, query].map(str::to_owned));
    if base.scheme() == target.scheme() {
        if base[..Position::BeforePath] == target[..Position::BeforePath] {
            relative_paths(base.path(), target.path(), query, &mut all);
            let path = &target[Position::BeforePath..];
            // A path that begins with two slashes would be parsed as a host.
            all.extend([path.to_owned(), ["/.", path].concat()]);
        }
        let rest = &target[Position::AfterScheme..];
        all.extend(rest.strip_prefix(':').map(str::to_owned));
    }
    all.push(target.as_str().to_owned());
    all
}

/// Adds the relative paths from the directory of a base to a path: as many `../` as needed, and
/// the rest of the path. `end` follows the path.
fn relative_paths(base: &str, path: &str, end: &str, all: &mut Vec<String>) {
    let Some((directory, _)) = base.rsplit_once('/') else {
        return;
    };
    let pairs = directory.split('/').zip(path.split('/'));
    let same = pairs.take_while(|(a, b)| a == b).map(|(a, _)| a.len() + 1);
    // The path may end in the directory, without the slash.
    let same = same.sum::<usize>().min(path.len());
    let up = directory
        .get(same..)
        .map_or(0, |rest| rest.split('/').count());
    let up = "../".repeat(up);
    let rest = path.get(same..).unwrap_or_default();
    if rest.is_empty() {
        let dots = if up.is_empty() { "." } else { &up };
        all.push([dots.trim_end_matches('/'), end].concat());
    }
    // The `./` is needed if the rest begins with a slash or could be parsed as a scheme.
    all.extend(["", "./"].map(|dot| [&up, dot, rest, end].concat()));
}

/// Parses an input without a base.
pub(super) fn parse(input: Unparsed<'_>) -> Result<Url, Refusal> {
    let text = input.text.ok_or(Refusal::NotUtf8)?;
    Whatwg.parse(text).map_err(refusal)
}

/// Returns the components of the URL record. Components that the serialization omits (an empty
/// userinfo, the default port) are absent.
pub(super) fn components(url: &Url) -> Components<'_> {
    let authority = url.has_authority().then(|| url.authority());
    let userinfo = authority.and_then(|text| Some(text.rsplit_once('@')?.0));
    let host = authority.map(|_| url.host_str().unwrap_or_default());
    Components {
        form: Form::Absolute,
        scheme: Some(url.scheme()),
        authority,
        userinfo,
        user: userinfo.map(|_| url.username()),
        password: url.password(),
        host,
        host_kind: host.map(|text| host_kind(url, text)),
        port: url
            .port()
            .and_then(|_| Some(authority?.rsplit_once(':')?.1)),
        path: url.path(),
        params: None,
        query: url.query(),
        fragment: url.fragment(),
        opaque: url.cannot_be_a_base(),
    }
}

/// Returns the kind of host. The `urikit` crate distinguishes host names from other registered
/// names.
fn host_kind(url: &Url, text: &str) -> HostKind {
    match url.host() {
        None => HostKind::Empty,
        Some(url::Host::Ipv4(_)) => HostKind::Ipv4,
        Some(url::Host::Ipv6(_)) => HostKind::Ipv6,
        Some(url::Host::Domain(_)) => Standard::Rfc3986
            .parse(&format!("//{text}"))
            .ok()
            .and_then(|reference| reference.host_kind())
            .unwrap_or(HostKind::RegName),
    }
}

#[cfg(test)]
mod tests {
    use super::{join, relativize};
    use crate::input::Unparsed;
    use url::Url;

    fn relative(base: &Url, target: &str) -> String {
        let input = Unparsed {
            bytes: target.as_bytes(),
            text: Some(target),
        };
        relativize(base, input).unwrap().unwrap()
    }

    #[test]
    fn relative_references_are_the_shortest() {
        for (base, target, expected) in [
            ("http://a/b/c", "http://a/b/", "."),
            ("http://a/b/c", "http://a/b/c#d", "#d"),
            ("http://a/b/c?q", "http://a/b/c", "c"),
            ("http://a/b/c?q", "http://a/b/?r", ".?r"),
            ("http://a/b/c/d", "http://a/b/e", "../e"),
            ("http://a/b/c/d", "http://a/b/", ".."),
            ("http://a/b/c/d/e", "http://a/f", "/f"),
            ("http://a/b/c", "http://a/b//d", ".//d"),
            ("http://a/b/c", "http://a/b/d:e", "./d:e"),
            ("http://a/b", "http://a//c", ".//c"),
            ("http://a/b/c", "http://a:8080/", "//a:8080/"),
            ("http://a/", "https://a/", "https://a/"),
            ("mailto:a@b", "mailto:a@b#c", "#c"),
            ("mailto:a@b", "mailto:c@d", "mailto:c@d"),
            ("file:///C:/a", "file:///C:/b", "b"),
        ] {
            let base = Url::parse(base).unwrap();
            assert_eq!(relative(&base, target), expected, "{base} {target}");
        }
    }

    #[test]
    fn relative_references_resolve_to_the_target() {
        let paths = [
            "", "/", "//", "/b", "/b/", "/b//", "/b/c", "/b/c/d", "/b//c", "/b/c:d", "/C:/b",
        ];
        let starts = [
            "http://a",
            "http://u@a:81",
            "file://",
            "file://a",
            "x:",
            "x://a",
        ];
        let ends = ["", "?", "?q", "#f", "?q#"];
        let mut urls = Vec::new();
        for start in starts {
            for path in paths {
                let text = ends.map(|end| [start, path, end].concat());
                urls.extend(text.iter().filter_map(|text| Url::parse(text).ok()));
            }
        }
        let mut checked = 0;
        for base in &urls {
            for target in &urls {
                let reference = relative(base, target.as_str());
                let joined = join(base, &reference).unwrap();
                assert_eq!(joined, *target, "{base} {reference}");
                checked += 1;
            }
        }
        assert!(checked > 50_000, "{checked}");
    }
}
