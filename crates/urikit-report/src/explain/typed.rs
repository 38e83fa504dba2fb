//! Notes on typical typing mistakes, in valid and invalid references.

use crate::mask::mask;
use crate::safe::safe;
use std::net::{Ipv4Addr, Ipv6Addr};
use urikit::grammar::rfc3986::is_scheme;
use urikit_audit::{Code, audit};

/// Text longer than this, in bytes, was probably not typed by a person.
const LONGEST: usize = 4096;

/// Returns the notes on a reference.
pub(super) fn notes(text: &str) -> Vec<String> {
    if text.len() > LONGEST {
        return Vec::new();
    }
    let (mark, text) = match text.strip_prefix('\u{FEFF}') {
        Some(rest) => {
            let mark = "The text begins with a byte-order mark (U+FEFF), which is not part of the \
                        reference: remove it.";
            (Some(mark.to_owned()), rest)
        }
        None => (None, text),
    };
    let form = drive(text)
        .or_else(|| scp(text))
        .or_else(|| missing_colon(text))
        .or_else(|| slashes(text))
        .or_else(|| host_alone(text))
        .or_else(|| address_alone(text))
        .or_else(|| misspelt(text));
    let others = [several_hosts(text), zone(text), look_alike(text)];
    [mark, form].into_iter().chain(others).flatten().collect()
}

/// Returns true if the advice from [`notes`] is better than a note on the invalid character.
pub(super) fn is_typed(text: &str) -> bool {
    text.starts_with(['\u{FEFF}', '['])
        || drive(text).is_some()
        || scp(text).is_some()
        || host_alone(text).is_some()
        || several_hosts(text).is_some()
        || zone(text).is_some()
}

/// The schemes that people type, from most to least likely.
const TYPED: [&str; 15] = [
    "http", "https", "ftp", "file", "mailto", "ssh", "sftp", "ftps", "ws", "wss", "tel", "news",
    "data", "gopher", "telnet",
];

/// Recognizes `C:/Windows/win.ini`.
fn drive(text: &str) -> Option<String> {
    let (letter, path) = scheme(text).filter(|(letter, _)| letter.len() == 1)?;
    if !path.starts_with(['/', '\\']) || path.starts_with("//") {
        return None;
    }
    let path = path.replace('\\', "/").replace(' ', "%20");
    let url = code(&format!("file:///{letter}:{path}"));
    Some(format!(
        "{} is a Windows drive, but a URI begins with a scheme. The URL of the file is {url}.",
        code(&format!("{letter}:"))
    ))
}

/// Recognizes `user@host:path`.
fn scp(text: &str) -> Option<String> {
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
        "scp and Git write a host and a path like this. The URL is {url}."
    ))
}

/// Recognizes `http//a`.
fn missing_colon(text: &str) -> Option<String> {
    let (word, rest) = text.split_once("//")?;
    let scheme = TYPED.iter().find(|name| name.eq_ignore_ascii_case(word))?;
    let url = code(&format!("{word}://{rest}"));
    Some(format!(
        "The colon after `{scheme}` is missing, so this is a relative path. The URL is {url}."
    ))
}

/// Recognizes `http:/a/x` and `http:///a/x`.
fn slashes(text: &str) -> Option<String> {
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
        "{how_many} the scheme, so the URL has a path, but no host. Browsers and curl interpret it as {url}."
    ))
}

/// Recognizes `htp://example.com`.
fn misspelt(text: &str) -> Option<String> {
    let (name, rest) = scheme(text)?;
    let name = name.to_ascii_lowercase();
    if name.len() < 2 || urikit_schemes::known(&name).is_some() || !rest.starts_with('/') {
        return None;
    }
    let meant = TYPED.iter().find(|typed| is_near(&name, typed))?;
    Some(format!(
        "The scheme {} is unknown. Did you mean `{meant}`?",
        code(&name)
    ))
}

/// Returns true if one inserted, deleted, replaced or transposed character turns `b` into `a`.
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

/// Words after the last dot that are more likely to be file extensions than top-level domains.
const FILES: [&str; 32] = [
    "asp", "aspx", "bmp", "cgi", "conf", "css", "csv", "doc", "docx", "exe", "gif", "gz", "htm",
    "html", "ico", "ini", "jpeg", "jpg", "js", "json", "jsp", "log", "md", "mp3", "mp4", "pdf",
    "php", "png", "svg", "toml", "txt", "xml",
];

/// Recognizes `www.example.com`, `example.com/x`, `localhost:8080` and `example.com:80/x`.
fn host_alone(text: &str) -> Option<String> {
    let (host, rest) = first(text);
    let (name, port) = host
        .split_once(':')
        .map_or((host, None), |(name, port)| (name, Some(port)));
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let is_name = name
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '-' | '.'));
    let is_host = match top_label(name) {
        _ if name.eq_ignore_ascii_case("localhost") => port.is_some() || !rest.is_empty(),
        Some(top) => {
            let is_file = FILES.iter().any(|end| end.eq_ignore_ascii_case(top));
            !name.starts_with('.')
                && top.chars().count() > 1
                && top.chars().all(char::is_alphabetic)
                && (!is_file || name.starts_with("www."))
        }
        None => false,
    };
    if !is_name || !is_host || !port.is_none_or(|port| !port.is_empty() && is_port(port)) {
        return None;
    }
    let web = match top_label(name) {
        None => "http",
        Some(_) => "https",
    };
    let url = code(&format!("{web}://{text}"));
    let name = code(name);
    Some(if port.is_some() {
        format!(
            "{name} is parsed as a scheme, and the text after the colon as a path. A URL begins \
             with its scheme: {url}."
        )
    } else {
        format!(
            "{name} is the first segment of a relative path, not a host. A URL begins with its \
             scheme: {url}."
        )
    })
}

/// Recognizes `::1`, `[fe80::1]` and `127.0.0.1:80`.
fn address_alone(text: &str) -> Option<String> {
    let (host, _) = first(text);
    let host = match host.strip_prefix('[') {
        Some(rest) => format!("[{}]", rest.split_once(']')?.0.split('%').next()?),
        None if host.parse::<Ipv6Addr>().is_ok() => format!("[{host}]"),
        None => {
            let (address, _) = host.split_once(':').unwrap_or((host, ""));
            address.parse::<Ipv4Addr>().ok()?;
            host.to_owned()
        }
    };
    let url = code(&format!("http://{host}/"));
    Some(format!(
        "An address is a host only after a scheme and two slashes: {url}."
    ))
}

/// Recognizes `mongodb://a:1,b:2/`.
fn several_hosts(text: &str) -> Option<String> {
    let authority = authority(text)?;
    let hosts = authority.rsplit('@').next()?;
    let mut hosts = hosts.split(',');
    let is_host = |host: &str| {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._-:[]".contains(&byte);
        !host.is_empty() && host.bytes().all(allowed)
    };
    let is_several = hosts.clone().count() > 1 && hosts.all(is_host);
    is_several.then(|| {
        "A URI has one host and one port (RFC 3986, 3.2). Only a client of this scheme can read a \
         list of hosts, as in MongoDB URLs."
            .to_owned()
    })
}

/// Recognizes `[fe80::1%25eth0]` and `[fe80::1%eth0]`.
fn zone(text: &str) -> Option<String> {
    let host = authority(text).unwrap_or(text);
    let (_, bracketed) = host.split_once('[')?;
    let (address, zone) = bracketed.split_once(']')?.0.split_once('%')?;
    address.parse::<Ipv6Addr>().ok()?;
    let zone = code(&format!("%{zone}"));
    Some(format!(
        "The zone {zone} names a network interface of one machine. URIs have no zones: RFC 9844 \
         obsoleted RFC 6874, which browsers never implemented."
    ))
}

/// Recognizes `exаmple.com` with a Cyrillic letter.
fn look_alike(text: &str) -> Option<String> {
    let authority = authority(text).unwrap_or_else(|| first(text).0);
    let host = authority.rsplit('@').next()?.split(':').next()?;
    if host.is_ascii() {
        return None;
    }
    let url = format!("http://{host}/");
    let report = audit(&url);
    let codes = [Code::LookAlike, Code::MixedScript];
    if !codes.iter().any(|code| report.findings().contains(*code)) {
        return None;
    }
    let mut others: Vec<char> = host.chars().filter(|c| !c.is_ascii()).collect();
    others.dedup();
    let others = others.into_iter().take(4);
    let others: Vec<_> = others
        .map(|c| {
            format!(
                "{} (U+{:04X})",
                code(c.encode_utf8(&mut [0; 4])),
                u32::from(c)
            )
        })
        .collect();
    Some(format!(
        "The name contains {}, which may look like ASCII letters. A name with these \
         letters may belong to somebody else.",
        others.join(", ")
    ))
}

/// Returns the text after the last dot of a name.
fn top_label(name: &str) -> Option<&str> {
    Some(name.rsplit_once('.')?.1)
}

/// Puts text between backquotes, masked and safe to print.
fn code(text: &str) -> String {
    format!("`{}`", safe(&mask(text, false)))
}

/// Splits a reference into its scheme and the text after the colon.
fn scheme(text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    is_scheme(scheme.as_bytes()).then_some((scheme, rest))
}

/// Splits a string before the first `/`, `?`, `#` or `\`.
fn first(text: &str) -> (&str, &str) {
    let end = text.find(['/', '?', '#', '\\']).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// Returns the authority after a scheme.
fn authority(text: &str) -> Option<&str> {
    Some(first(scheme(text)?.1.strip_prefix("//")?).0)
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
