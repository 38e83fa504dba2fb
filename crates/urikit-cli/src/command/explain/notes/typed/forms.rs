//! Schemes that are missing or misspelt, and forms of other programs.

use super::text::{code, scheme};

/// Schemes that people type, the most likely first.
const TYPED: [&str; 15] = [
    "http", "https", "ftp", "file", "mailto", "ssh", "sftp", "ftps", "ws", "wss", "tel", "news",
    "data", "gopher", "telnet",
];

/// `C:/Windows/win.ini`
pub(super) fn drive(text: &str) -> Option<String> {
    let (letter, path) = scheme(text).filter(|(letter, _)| letter.len() == 1)?;
    if !path.starts_with(['/', '\\']) || path.starts_with("//") {
        return None;
    }
    let path = path.replace('\\', "/").replace(' ', "%20");
    let url = code(&format!("file:///{letter}:{path}"));
    Some(format!(
        "{} is a drive of Windows, but a URI begins with a scheme. The URL of the file is {url}.",
        code(&format!("{letter}:"))
    ))
}

/// `user@host:path`
pub(super) fn scp(text: &str) -> Option<String> {
    let (login, path) = text.split_once(':')?;
    let (user, host) = login.split_once('@')?;
    let is_word = |text: &str| {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
        !text.is_empty() && text.bytes().all(allowed)
    };
    if !is_word(user) || !is_word(host) || path.starts_with("//") || path.contains('@') {
        return None;
    }
    let path = path.trim_start_matches('/');
    let url = code(&format!("ssh://{user}@{host}/{path}"));
    Some(format!(
        "This is how scp and Git write a host and a path. The URL is {url}."
    ))
}

/// `http//a`
pub(super) fn missing_colon(text: &str) -> Option<String> {
    let (word, rest) = text.split_once("//")?;
    let scheme = TYPED.iter().find(|name| name.eq_ignore_ascii_case(word))?;
    let url = code(&format!("{word}://{rest}"));
    Some(format!(
        "The colon after `{scheme}` is missing, so this is a relative path. With it: {url}."
    ))
}

/// `http:/a/x`, `http:///a/x`
pub(super) fn slashes(text: &str) -> Option<String> {
    let (name, rest) = scheme(text)?;
    let after = rest.trim_start_matches('/');
    let how_many = match rest.len() - after.len() {
        1 => "One slash follows",
        3.. => "More than two slashes follow",
        _ => return None,
    };
    let is_web = ["http", "https", "ftp", "ws", "wss"]
        .iter()
        .any(|web| web.eq_ignore_ascii_case(name));
    if !is_web || after.is_empty() {
        return None;
    }
    let url = code(&format!("{name}://{after}"));
    Some(format!(
        "{how_many} the scheme, so there is no host, only a path. Browsers and curl read {url}."
    ))
}

/// `htp://example.com`
pub(super) fn misspelt(text: &str) -> Option<String> {
    let (name, rest) = scheme(text)?;
    let name = name.to_ascii_lowercase();
    if name.len() < 2 || urikit_schemes::known(&name).is_some() || !rest.starts_with('/') {
        return None;
    }
    let meant = TYPED.iter().find(|typed| is_near(&name, typed))?;
    Some(format!(
        "No scheme {} is known here. Is `{meant}` meant?",
        code(&name)
    ))
}

/// Whether one character more, less or other, or two that are exchanged, make `a` of `b`.
fn is_near(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (
        a.get(same..).unwrap_or_default(),
        b.get(same..).unwrap_or_default(),
    );
    match (a, b) {
        ([], [_]) | ([_], []) => true,
        ([a0, a @ ..], [b0, b @ ..]) => {
            let is_exchanged = matches!((a, b), ([a1, a @ ..], [b1, b @ ..])
                if a0 == b1 && a1 == b0 && a == b);
            let longer_a = a == [&[*b0], b].concat();
            let longer_b = b == [&[*a0], a].concat();
            a == b || longer_a || longer_b || is_exchanged
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_near;

    #[test]
    fn misspelt_words_are_near() {
        for word in ["htp", "hhttp", "htpt", "gttp", "httpp", "ttp", "htt"] {
            assert!(is_near(word, "http"), "{word}");
        }
        for word in ["http", "hp", "pttp2", "x", ""] {
            assert!(!is_near(word, "http"), "{word}");
        }
    }
}
