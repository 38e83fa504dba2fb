//! Hosts: alone, several, with a zone, or like another.

use super::text::{authority, code, first};
use std::net::{Ipv4Addr, Ipv6Addr};
use urikit_audit::{Code, audit};

/// The ends of names that are files rather than hosts.
const FILES: [&str; 32] = [
    "asp", "aspx", "bmp", "cgi", "conf", "css", "csv", "doc", "docx", "exe", "gif", "gz", "htm",
    "html", "ico", "ini", "jpeg", "jpg", "js", "json", "jsp", "log", "md", "mp3", "mp4", "pdf",
    "php", "png", "svg", "toml", "txt", "xml",
];

/// `www.example.com`, `example.com/x`, `localhost:8080`, `example.com:80/x`
pub(super) fn host_alone(text: &str) -> Option<String> {
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
            "{name} is parsed as a scheme, and what follows the colon as a path. A URL begins \
             with its scheme: {url}."
        )
    } else {
        format!(
            "{name} is the first segment of a relative path, and not a host. A URL begins with \
             its scheme: {url}."
        )
    })
}

/// `::1`, `[fe80::1]`, `127.0.0.1:80`
pub(super) fn address_alone(text: &str) -> Option<String> {
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

/// `mongodb://a:1,b:2/`
pub(super) fn several_hosts(text: &str) -> Option<String> {
    let authority = authority(text)?;
    let hosts = authority.rsplit('@').next()?;
    let mut hosts = hosts.split(',');
    let is_host = |host: &str| {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._-:[]".contains(&byte);
        !host.is_empty() && host.bytes().all(allowed)
    };
    let is_several = hosts.clone().count() > 1 && hosts.all(is_host);
    is_several.then(|| {
        "Several hosts, as MongoDB and others have them, are not a URI: it has one host and one \
         port (RFC 3986, 3.2). Only a client of this scheme can read them."
            .to_owned()
    })
}

/// `[fe80::1%25eth0]`, also without an escape
pub(super) fn zone(text: &str) -> Option<String> {
    let host = authority(text).unwrap_or(text);
    let (_, bracketed) = host.split_once('[')?;
    let (address, zone) = bracketed.split_once(']')?.0.split_once('%')?;
    address.parse::<Ipv6Addr>().ok()?;
    let zone = code(&format!("%{zone}"));
    Some(format!(
        "The zone {zone} names an interface of one machine. Only RFC 6874 had it in URIs: neither \
         RFC 3986 nor browsers accept it."
    ))
}

/// `exаmple.com` with a letter of Cyrillic
pub(super) fn look_alike(text: &str) -> Option<String> {
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
        "The name has {}, which may look like letters of US-ASCII: another name, and perhaps of \
         someone else.",
        others.join(", ")
    ))
}

/// What follows the last dot of a name.
fn top_label(name: &str) -> Option<&str> {
    Some(name.rsplit_once('.')?.1)
}
