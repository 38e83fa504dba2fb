//! Texts of URLs.

use std::fmt::Write as _;
use std::path::Path;

/// A URL without its fragment.
pub(super) fn without_fragment(url: &str) -> &str {
    url.split_once('#').map_or(url, |(url, _)| url)
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
        let mut text = String::new();
        for octet in part.as_os_str().as_encoded_bytes() {
            if octet.is_ascii_alphanumeric() || b"-._~".contains(octet) {
                text.push(char::from(*octet));
            } else {
                let _ = write!(text, "%{octet:02X}");
            }
        }
        text
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
    use super::relative;
    use std::path::Path;

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
