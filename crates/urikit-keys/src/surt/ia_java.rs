//! The `ia-java` profile: `WaybackURLKeyMaker` of `webarchive-commons`, which the Wayback Machine
//! and OpenWayback use.
//!
//! This module follows the program's source (`URLParser`, `BasicURLCanonicalizer`,
//! `IAURLCanonicalizer` with the rules for aggressive canonicalization, `URLRegexTransformer` and
//! `HandyURL`, as of 2024). The results were checked only against the source; the program itself
//! was not run.
//!
//! The program differs from the Python port as follows:
//!
//! - Only six schemes are known; any other scheme is treated as a host.
//! - All prefixes like `www.` are removed, not just the first.
//! - The userinfo ends at the first `@` and the host at the first colon, so an IPv6 address is an
//!   error.
//! - Escapes that do not decode to UTF-8 are kept.
//! - A host that consists of one number or four numbers is an address.

use super::components::{self, Components, partition};
use super::host::{Idna, java_address, to_ascii};
use super::{Buffers, SurtError, default_port, fast, push_ascii, push_reversed, set, www};
use std::fmt::Write as _;
use std::io;

pub(super) fn write(url: &str, buffers: &mut Buffers, out: &mut String) -> Result<(), SurtError> {
    if fast::write(url, true, buffers, out) {
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
        // The key begins after the first parenthesis, if any.
        let opaque = str::from_utf8(&text).unwrap_or_default();
        out.push_str(opaque.split_once('(').map_or(url, |(_, key)| key));
        Ok(())
    } else {
        key(&text, buffers, out)
    };
    buffers.text = text;
    outcome
}

/// Returns whether text begins with one of the schemes that the program does not parse.
fn is_opaque(text: &[u8]) -> bool {
    [&b"dns:"[..], b"filedesc:", b"warcinfo:"]
        .iter()
        .any(|scheme| text.starts_with(scheme))
}

/// Removes surrounding spaces and control characters, line breaks and tabs, and adds `http://`
/// unless the program recognizes the scheme.
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
    let parts = Components::of(text);
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
    // In the Java program, -1 means that the URL has no port. The default port of schemes other
    // than `http` and `https` is 0.
    let default = default_port(parts.scheme).map_or(0, i32::from);
    let is_default = |port: &i32| *port == -1 || *port == default;
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

/// Parses a port as `Integer.parseInt` does, which accepts a sign. Java also accepts non-ASCII
/// digits, which this function rejects.
fn port(digits: &[u8]) -> Result<i32, SurtError> {
    let text = str::from_utf8(digits).ok();
    text.and_then(|text| text.parse().ok())
        .ok_or(SurtError::Port)
}

/// Decodes escapes until nothing changes. Non-ASCII octets are decoded only if they form UTF-8.
fn unescape(text: &mut Vec<u8>, scratch: &mut Vec<u8>, run: &mut Vec<u8>) {
    components::unescape(text, |octet| octet < 0x80);
    components::decode_utf8(text, scratch, run);
}

/// Canonicalizes the host in its buffer.
fn write_host(buffers: &mut Buffers) {
    let Buffers {
        host, scratch, run, ..
    } = buffers;
    unescape(host, scratch, run);
    if !host.is_ascii() {
        // INVARIANT: only octets that form UTF-8 were decoded.
        let text = str::from_utf8(host).unwrap_or_default();
        let name = to_ascii(text, Idna::Java).unwrap_or_else(|| text.to_owned());
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
    if let Some(address) = java_address(host) {
        host.clear();
        // INVARIANT: writing to a vector does not fail.
        let _ = io::Write::write_fmt(host, format_args!("{address}"));
    } else {
        if !host.is_ascii() {
            let lower = str::from_utf8(host).unwrap_or_default().to_lowercase();
            set(host, lower.as_bytes());
        }
        components::escape_java(host, scratch);
    }
    host.make_ascii_lowercase();
    let mut prefixes = 0;
    while let Some(length) = host.get(prefixes..).and_then(www) {
        prefixes += length;
    }
    host.drain(..prefixes);
}

/// Canonicalizes the path in its buffer.
fn write_path(buffers: &mut Buffers) {
    let Buffers {
        path,
        scratch,
        run,
        segments,
        ..
    } = buffers;
    unescape(path, scratch, run);
    components::normalize_path(path, scratch, segments);
    components::escape_java(path, scratch);
    path.make_ascii_lowercase();
    components::strip_path_sessions(path);
    components::strip_slash(path);
}

/// Canonicalizes the query in its buffer.
fn write_query(buffers: &mut Buffers) {
    let Buffers {
        query,
        scratch,
        run,
        arguments,
        ..
    } = buffers;
    unescape(query, scratch, run);
    components::escape_java(query, scratch);
    components::strip_query_sessions(query, true);
    query.make_ascii_lowercase();
    components::sort_query(query, scratch, arguments);
}
