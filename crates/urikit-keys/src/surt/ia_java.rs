//! The profile `ia-java`: `WaybackURLKeyMaker` of `webarchive-commons`, by which the Wayback Machine
//! and OpenWayback make their keys.
//!
//! Written from its source (`URLParser`, `BasicURLCanonicalizer`, `IAURLCanonicalizer` with the rules
//! for aggressive canonicalization, `URLRegexTransformer` and `HandyURL`, as of 2024), which is what
//! it was compared with: the program itself was not run.
//!
//! It differs from Python's port: a scheme that is not one of six is taken for a host; all prefixes
//! `www` are removed; an authority ends its userinfo at the first `@` and its host at the first
//! colon, so that an IPv6 address is an error; octets that are not UTF-8 stay escapes; numbers are
//! addresses if there are one or four.

use super::SurtError;
use super::buffers::{Buffers, push_ascii, push_reversed, set, www};
use super::idna2003::{By, to_ascii};
use super::split::{Parts, partition};
use super::{address, escapes, path, plain, query, session};
use std::fmt::Write as _;
use std::io;

pub(super) fn write(url: &str, buffers: &mut Buffers, out: &mut String) -> Result<(), SurtError> {
    if plain::write(url, true, buffers, out) {
        return Ok(());
    }
    if url.is_empty() {
        out.push('-');
        return Ok(());
    }
    if url.starts_with("filedesc") || url.starts_with("warcinfo") {
        out.push_str(url);
        return Ok(());
    }
    if let Some(host) = url.strip_prefix("dns:") {
        push_reversed(out, host.as_bytes());
        out.push(')');
        return Ok(());
    }
    let mut text = std::mem::take(&mut buffers.text);
    prepare(url, &mut text);
    let outcome = if is_opaque(&text) {
        // The key begins after a parenthesis, if there is one.
        let opaque = str::from_utf8(&text).unwrap_or_default();
        out.push_str(opaque.split_once('(').map_or(url, |(_, key)| key));
        Ok(())
    } else {
        key(&text, buffers, out)
    };
    buffers.text = text;
    outcome
}

fn is_opaque(text: &[u8]) -> bool {
    [&b"dns:"[..], b"filedesc:", b"warcinfo:"]
        .iter()
        .any(|scheme| text.starts_with(scheme))
}

/// Without spaces and control characters around it and line breaks and tabs in it, and with one of
/// the schemes that the program knows.
fn prepare(url: &str, buffer: &mut Vec<u8>) {
    const SCHEMES: [&str; 6] = ["http", "https", "ftp", "mms", "rtsp", "wais"];
    let is_break = |c: char| matches!(c, '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' | '\u{85}');
    let trimmed = url.trim_matches(|c: char| c <= ' ');
    buffer.clear();
    if trimmed.contains(is_break) {
        for part in trimmed.split(is_break) {
            buffer.extend_from_slice(part.as_bytes());
        }
    } else {
        buffer.extend_from_slice(trimmed.as_bytes());
    }
    if is_opaque(buffer) {
        return;
    }
    let has_scheme = SCHEMES.iter().any(|scheme| {
        let (name, rest) = buffer.split_at_checked(scheme.len()).unwrap_or_default();
        name.eq_ignore_ascii_case(scheme.as_bytes()) && rest.starts_with(b"://")
    });
    if !has_scheme {
        buffer.splice(..0, *b"http://");
    }
    for scheme in [&b"http://"[..], b"https://"] {
        if buffer.starts_with(scheme) {
            let rest = buffer.iter().skip(scheme.len());
            let slashes = rest.take_while(|byte| **byte == b'/').count();
            buffer.drain(scheme.len()..scheme.len() + slashes);
        }
    }
}

fn key(text: &[u8], buffers: &mut Buffers, out: &mut String) -> Result<(), SurtError> {
    let parts = Parts::of(text);
    let hostinfo = partition(parts.authority, b'@').map_or(parts.authority, |(_, host)| host);
    let (host, port) = match partition(hostinfo, b':') {
        Some((host, b"")) => (host, None),
        Some((host, digits)) => (host, Some(port(digits)?)),
        None => (hostinfo, None),
    };
    set(&mut buffers.host, host);
    write_host(buffers);
    set(&mut buffers.path, parts.path);
    write_path(buffers);
    set(&mut buffers.query, parts.query.unwrap_or_default());
    write_query(buffers);

    push_reversed(out, &buffers.host);
    // -1 is how the program says that there is none.
    let is_default = |port: &i32| *port == -1 || *port == default_port(parts.scheme);
    if let Some(port) = port.filter(|port| !is_default(port)) {
        // INVARIANT: writing to a string does not fail.
        let _ = write!(out, ":{port}");
    }
    out.push(')');
    push_ascii(out, &buffers.path);
    if !buffers.query.is_empty() {
        out.push('?');
        push_ascii(out, &buffers.query);
    }
    Ok(())
}

/// `Integer.parseInt`, which takes a sign; of digits, those of US-ASCII only here.
fn port(digits: &[u8]) -> Result<i32, SurtError> {
    let text = str::from_utf8(digits).ok();
    text.and_then(|text| text.parse().ok())
        .ok_or(SurtError::Port)
}

fn default_port(scheme: &[u8]) -> i32 {
    if scheme.eq_ignore_ascii_case(b"http") {
        80
    } else if scheme.eq_ignore_ascii_case(b"https") {
        443
    } else {
        0
    }
}

/// Decodes as often as something changes; octets beyond US-ASCII only where they are UTF-8.
fn unescape(text: &mut Vec<u8>, scratch: &mut Vec<u8>, run: &mut Vec<u8>) {
    escapes::unescape(text, |octet| octet < 0x80);
    escapes::decode_utf8(text, scratch, run);
}

fn write_host(buffers: &mut Buffers) {
    let Buffers {
        host, scratch, run, ..
    } = buffers;
    unescape(host, scratch, run);
    if !host.is_ascii() {
        // INVARIANT: it is UTF-8, since only UTF-8 was decoded.
        let text = str::from_utf8(host).unwrap_or_default();
        let name = to_ascii(text, By::Java).unwrap_or_else(|| text.to_owned());
        set(host, name.as_bytes());
    }
    scratch.clear();
    for byte in host.iter() {
        if *byte != b'.' || !matches!(scratch.last(), None | Some(b'.')) {
            scratch.push(*byte);
        }
    }
    if scratch.last() == Some(&b'.') {
        scratch.pop();
    }
    std::mem::swap(host, scratch);
    if let Some(address) = address::java(host) {
        host.clear();
        // INVARIANT: writing to memory does not fail.
        let _ = io::Write::write_fmt(host, format_args!("{address}"));
    } else {
        if !host.is_ascii() {
            let lower = str::from_utf8(host).unwrap_or_default().to_lowercase();
            set(host, lower.as_bytes());
        }
        escapes::escape_java(host, scratch);
    }
    host.make_ascii_lowercase();
    let mut prefixes = 0;
    while let Some(length) = host.get(prefixes..).and_then(www) {
        prefixes += length;
    }
    host.drain(..prefixes);
}

fn write_path(buffers: &mut Buffers) {
    let Buffers {
        path,
        scratch,
        run,
        segments,
        ..
    } = buffers;
    unescape(path, scratch, run);
    path::normalize(path, scratch, segments);
    escapes::escape_java(path, scratch);
    path.make_ascii_lowercase();
    session::strip_path(path);
    path::strip_slash(path);
}

fn write_query(buffers: &mut Buffers) {
    let Buffers {
        query,
        scratch,
        run,
        arguments,
        ..
    } = buffers;
    unescape(query, scratch, run);
    escapes::escape_java(query, scratch);
    session::strip_query(query, true);
    query.make_ascii_lowercase();
    query::sort(query, scratch, arguments);
}
