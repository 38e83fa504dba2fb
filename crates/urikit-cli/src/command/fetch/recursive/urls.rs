//! Texts of URLs.

use std::path::Path;
use urikit::grammar::rfc3986::UNRESERVED;
use urikit::op::Level;
use urikit::percent::encode_with;
use urikit::{AnyRef, Standard};

/// A URL without its fragment.
pub(super) fn without_fragment(url: &str) -> &str {
    url.split_once('#').map_or(url, |(url, _)| url)
}

/// The normal form of a URL without its fragment, by which it is known whether it was copied; or the
/// URL itself, if it is not valid.
pub(super) fn key(url: &str) -> String {
    let url = without_fragment(url);
    let parsed = Standard::Rfc3986.parse(url);
    parsed.map_or_else(|_| url.to_owned(), normal)
}

/// The normal form in which what needs no escape is decoded, and dot segments are removed where they
/// are levels (RFC 3986, 6.2.2).
pub(super) fn normal(reference: AnyRef<'_>) -> String {
    // Earlier standards remove no dot segments.
    let today = Standard::Rfc3986.parse(reference.as_str());
    let mut text = String::new();
    today
        .unwrap_or(reference)
        .normalize_into(Level::Path, &mut text);
    text
}

/// The path of one file as seen from the folder of another, as a reference.
pub(super) fn relative(from: &Path, to: &Path) -> String {
    let from: Vec<_> = from
        .parent()
        .into_iter()
        .flat_map(Path::components)
        .collect();
    let to: Vec<_> = to.components().collect();
    let same = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from.iter().skip(same).map(|_| "..".to_owned());
    let down = to.iter().skip(same).map(|part| {
        let name = part.as_os_str().as_encoded_bytes();
        encode_with(name, UNRESERVED.set()).to_string()
    });
    let path = up.chain(down).collect::<Vec<_>>().join("/");
    // The first segment must not look like a scheme.
    if path.starts_with("..") {
        path
    } else {
        format!("./{path}")
    }
}

#[cfg(test)]
mod tests {
    use super::{key, relative};
    use std::path::Path;

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

    #[test]
    fn relative_references() {
        for (from, to, reference) in [
            ("m/a.html", "m/b.html", "./b.html"),
            ("m/x/a.html", "m/b c.html", "../b%20c.html"),
            ("m/a.html", "m/x/y:z", "./x/y%3Az"),
            ("m/a.html", "m/a.html", "./a.html"),
        ] {
            assert_eq!(relative(Path::new(from), Path::new(to)), reference);
        }
    }
}
