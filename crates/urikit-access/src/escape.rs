//! Untrusted octets, made safe to display on one line.

use std::borrow::Cow;
use std::fmt::Write as _;
use urikit::component::{MASK, password_in};
use urikit::internal::Escaped;

/// What is displayed of a line is cut after this many octets.
const MAX_SHOWN: usize = 200;

/// An [`excerpt`] of octets as text.
pub(crate) fn escape(octets: &[u8]) -> String {
    escape_all(&excerpt(octets))
}

/// Passwords in URLs are masked, and long texts cut; `…` marks the cut.
pub(crate) fn excerpt(octets: &[u8]) -> Vec<u8> {
    let octets = masked(octets);
    match octets.get(..MAX_SHOWN) {
        Some(cut) if cut.len() < octets.len() => [cut, "…".as_bytes()].concat(),
        _ => octets.into_owned(),
    }
}

/// Octets as text: control characters, and what is not UTF-8, are escaped.
pub(crate) fn escape_all(octets: &[u8]) -> String {
    let mut text = String::new();
    for chunk in octets.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' | '\'' => text.push(c),
                // INVARIANT: writing to a string never fails.
                _ => drop(write!(text, "{}", Escaped(c))),
            }
        }
        for octet in chunk.invalid() {
            let _ = write!(text, "\\x{octet:02x}");
        }
    }
    text
}

/// Masks what may be a password in a URL, in what is sent and in what a server sends.
fn masked(octets: &[u8]) -> Cow<'_, [u8]> {
    let mut out = Vec::new();
    let mut rest = octets;
    while let Some(place) = rest.windows(2).position(|two| two == b"//") {
        let slashes = rest
            .iter()
            .skip(place)
            .take_while(|octet| **octet == b'/')
            .count();
        let (before, after) = rest.split_at(place + slashes);
        let is_end = |octet: &u8| b"/?#<>\"\\".contains(octet) || octet.is_ascii_whitespace();
        let end = after.iter().position(is_end).unwrap_or(after.len());
        let authority = after.get(..end).unwrap_or_default();
        out.extend_from_slice(before);
        rest = after;
        if let Some(secret) = password_in(authority) {
            out.extend_from_slice(after.get(..secret.start).unwrap_or_default());
            out.extend_from_slice(MASK.as_bytes());
            rest = after.get(secret.end..).unwrap_or_default();
        }
    }
    if out.is_empty() {
        return Cow::Borrowed(octets);
    }
    out.extend_from_slice(rest);
    Cow::Owned(out)
}

/// Masks each occurrence of the secret: some servers repeat a command that they do not know.
pub(crate) fn mask_secret(line: Vec<u8>, secret: &[u8]) -> Vec<u8> {
    let find = |rest: &[u8]| {
        let mut windows = rest.windows(secret.len().max(1));
        windows.position(|window| window == secret)
    };
    let (mut out, mut rest) = (Vec::new(), &line[..]);
    while let Some(at) = find(rest) {
        out.extend_from_slice(rest.get(..at).unwrap_or_default());
        out.extend_from_slice(MASK.as_bytes());
        rest = rest.get(at + secret.len()..).unwrap_or_default();
    }
    if out.is_empty() {
        return line;
    }
    out.extend_from_slice(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::{escape, mask_secret};

    #[test]
    fn a_secret_is_masked_wherever_it_occurs() {
        for (line, secret, text) in [
            ("530 PASS hunter2: hunter2", "hunter2", "530 PASS ***: ***"),
            ("hunter2", "hunter2", "***"),
            ("aaa", "aa", "***a"),
            ("530 no", "hunter2", "530 no"),
            ("530 no", "", "530 no"),
            ("", "hunter2", ""),
        ] {
            let masked = mask_secret(line.as_bytes().to_vec(), secret.as_bytes());
            assert_eq!(masked, text.as_bytes());
        }
    }

    #[test]
    fn passwords_of_urls_are_masked() {
        for (octets, text) in [
            (
                "Location: http://u:hunter2@h/a",
                "Location: http://u:***@h/a",
            ),
            ("//u:p@h //v:q@i", "//u:***@h //v:***@i"),
            (
                "GET /ftp://u:p:q@r@h/a HTTP/1.1",
                "GET /ftp://u:***@h/a HTTP/1.1",
            ),
            ("http://u@h:80/a:b@c", "http://u@h:80/a:b@c"),
            ("ftp://u:@h/", "ftp://u:@h/"),
            ("///u:p@h", "///u:***@h"),
            ("a//", "a//"),
            ("", ""),
        ] {
            assert_eq!(escape(octets.as_bytes()), text);
        }
    }
}
