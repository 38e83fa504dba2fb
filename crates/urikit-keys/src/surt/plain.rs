//! Ordinary URLs, of which both programs of the Internet Archive make the same but for prefixes
//! `www`: nothing in them is decoded, repaired, an address or a session in a path.

use super::buffers::{Buffers, push_ascii, set, www};
use super::escapes::octet;
use super::{query, session};

/// Appends the key; `false` if the URL is not ordinary, and then nothing is appended.
pub(super) fn write(url: &str, is_java: bool, buffers: &mut Buffers, out: &mut String) -> bool {
    let Some((host, path, query)) = split(url) else {
        return false;
    };
    let mut skipped = 0;
    while let Some(length) = host.as_bytes().get(skipped..).and_then(www) {
        skipped += length;
        if !is_java {
            break;
        }
    }
    let start = out.len();
    out.reserve(url.len() + 2);
    let host = host.get(skipped..).unwrap_or_default();
    let mut labels = host;
    while let Some(dot) = labels.bytes().rposition(|byte| byte == b'.') {
        out.push_str(labels.get(dot + 1..).unwrap_or_default());
        out.push(',');
        labels = labels.get(..dot).unwrap_or_default();
    }
    out.push_str(labels);
    out.push(')');
    match path {
        "" | "/" => out.push('/'),
        path => out.push_str(path.strip_suffix('/').unwrap_or(path)),
    }
    if !query.is_empty() {
        set(&mut buffers.query, query.as_bytes());
        session::strip_query(&mut buffers.query, is_java);
        buffers.query.make_ascii_lowercase();
        query::sort(
            &mut buffers.query,
            &mut buffers.scratch,
            &mut buffers.arguments,
        );
        if !buffers.query.is_empty() {
            out.push('?');
            push_ascii(out, &buffers.query);
        }
    }
    if let Some(key) = out.get_mut(start..) {
        key.make_ascii_lowercase();
    }
    true
}

/// Host, path and query of an ordinary URL.
fn split(url: &str) -> Option<(&str, &str, &str)> {
    let rest = url.strip_prefix("http")?;
    let rest = rest.strip_prefix("s").unwrap_or(rest).strip_prefix("://")?;
    let is_host = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    let end = rest.bytes().position(|byte| !is_host(byte));
    let (host, rest) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
    if !matches!(rest.as_bytes(), [] | [b'/' | b'?', ..]) {
        return None;
    }
    // A name that ends in a letter is no address, and not empty.
    let is_name = host.as_bytes().last().is_some_and(u8::is_ascii_alphabetic)
        && !host.starts_with('.')
        && !host.as_bytes().windows(2).any(|two| two == b"..");
    let is_literal = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'#' | b'(');
    if !is_name || !rest.bytes().fold(true, |all, byte| all & is_literal(byte)) {
        return None;
    }
    if !keeps_escapes(rest.as_bytes()) {
        return None;
    }
    let question = rest.bytes().position(|byte| byte == b'?');
    let path = rest.get(..question.unwrap_or(rest.len()))?;
    let mut doubles = path.as_bytes().windows(2);
    if doubles.any(|two| matches!(two, b"//" | b"/.")) {
        return None;
    }
    let query = question.and_then(|at| rest.get(at + 1..));
    Some((host, path, query.unwrap_or_default()))
}

/// Whether all escapes are left as they are, but for their case: those of octets that both programs
/// escape again after decoding. They make no other escape with what is around them.
fn keeps_escapes(text: &[u8]) -> bool {
    if !text.contains(&b'%') {
        return true;
    }
    text.split(|byte| *byte == b'%').skip(1).all(|rest| {
        matches!(rest, [high, low, ..]
            if matches!(octet(*high, *low), Some(0..=b' ' | b'#' | 0x80..)))
    })
}
