//! The `ia-python` profile: version 0.3.1 of the `surt` package from PyPI, by the Internet Archive.
//!
//! This module follows the package's source, and `tests/surt.rs` compares the results with the
//! package (CPython 3.11). The package parses the URL and adds `http://` if it is missing, applies
//! Google's canonicalization and then its own, and writes the key.
//!
//! For hosts such as `256.1`, with up to four numbers that do not form an address, the package's
//! result depends on the DNS. This module treats such a host as a name, as the package does on a
//! machine whose DNS does not know it.

use super::components::{self, Components, has_scheme, partition};
use super::host::{Idna, python_address, to_ascii};
use super::{Buffers, SurtError, default_port, fast, push_ascii, push_reversed, set, www};
use std::io::Write as _;

/// Returns whether `bytes.strip` removes a byte.
const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C)
}

pub(super) fn write(url: &str, buffers: &mut Buffers, out: &mut String) -> Result<(), SurtError> {
    if fast::write(url, false, buffers, out) {
        return Ok(());
    }
    if url.is_empty() {
        out.push('-');
        return Ok(());
    }
    if url.starts_with("filedesc") {
        out.push_str(url);
        return Ok(());
    }
    let mut text = std::mem::take(&mut buffers.text);
    let outcome = key(prepared(url, &mut text), buffers, out);
    buffers.text = text;
    outcome
}

/// Removes surrounding spaces, line breaks, tabs and repeated `http://`, and adds a missing
/// scheme. Uses `buffer` only if the text changes.
fn prepared<'a>(url: &'a str, buffer: &'a mut Vec<u8>) -> &'a [u8] {
    let mut text = url.as_bytes();
    while let [first, rest @ ..] = text
        && is_space(*first)
    {
        text = rest;
    }
    while let [rest @ .., last] = text
        && is_space(*last)
    {
        text = rest;
    }
    let is_removed = |byte: &u8| matches!(byte, b'\n' | b'\r' | b'\t');
    let has_breaks = text.iter().any(is_removed);
    if has_breaks || !has_scheme(text) {
        buffer.clear();
        buffer.extend(text.iter().filter(|byte| !is_removed(byte)));
        if !buffer.is_empty() && !has_scheme(buffer) {
            buffer.splice(..0, *b"http://");
        }
        text = buffer;
    }
    while let Some(rest) = after_http(text)
        && after_http(rest).is_some()
    {
        text = rest;
    }
    text
}

/// Removes `https?://` from the beginning.
fn after_http(text: &[u8]) -> Option<&[u8]> {
    let rest = text.strip_prefix(b"http")?;
    rest.strip_prefix(b"s").unwrap_or(rest).strip_prefix(b"://")
}

fn key(text: &[u8], buffers: &mut Buffers, out: &mut String) -> Result<(), SurtError> {
    if text.is_empty() {
        return Err(SurtError::Empty);
    }
    let mut parts = Components::of(text);
    while let Some(rest) = parts.authority.strip_suffix(b":") {
        parts.authority = rest;
    }
    let (mut host, digits) = host_and_port(parts.authority);
    let port = digits.map(port).transpose()?.filter(|port| *port > 0);
    buffers.path.clear();
    let mut path = parts.path;
    if host.is_empty() && parts.scheme.starts_with(b"http") && !path.is_empty() {
        while let Some(rest) = path.strip_prefix(b"/") {
            path = rest;
        }
        (host, path) = partition(path, b'/').unwrap_or((path, b""));
        buffers.path.push(b'/');
    }
    buffers.path.extend_from_slice(path);
    set(&mut buffers.host, host);
    write_host(buffers)?;
    write_path(buffers);
    set(&mut buffers.query, parts.query.unwrap_or_default());
    write_query(buffers);

    let host = match www(&buffers.host) {
        Some(length) if parts.scheme != b"dns" => buffers.host.get(length..).unwrap_or_default(),
        _ => &buffers.host,
    };
    if host.is_empty() {
        push_ascii(out, parts.scheme);
        out.push(':');
    } else {
        push_reversed(out, host);
        if let Some(port) = port.filter(|port| Some(*port) != default_port(parts.scheme)) {
            out.push(':');
            out.push_str(port_text(port, &mut buffers.scratch));
        }
        out.push(')');
    }
    match (buffers.path.is_empty(), buffers.query.is_empty()) {
        (true, false) => out.push('/'),
        _ => push_ascii(out, &buffers.path),
    }
    if !buffers.query.is_empty() {
        out.push('?');
        push_ascii(out, &buffers.query);
    }
    Ok(())
}

fn port_text(port: u16, scratch: &mut Vec<u8>) -> &str {
    scratch.clear();
    // INVARIANT: writing to a vector does not fail.
    let _ = write!(scratch, "{port}");
    str::from_utf8(scratch).unwrap_or_default()
}

/// Returns the `hostname` of Python's `SplitResult`, and the text that Python parses as the
/// `port`.
fn host_and_port(authority: &[u8]) -> (&[u8], Option<&[u8]>) {
    let at = authority.iter().rposition(|byte| *byte == b'@');
    let hostinfo = at
        .and_then(|at| authority.get(at + 1..))
        .unwrap_or(authority);
    if let Some((_, bracketed)) = partition(hostinfo, b'[') {
        let (host, after) = partition(bracketed, b']').unwrap_or((bracketed, b""));
        return (host, partition(after, b':').map(|(_, digits)| digits));
    }
    match partition(hostinfo, b':') {
        Some((host, digits)) => (host, Some(digits)),
        None => (hostinfo, None),
    }
}

fn port(digits: &[u8]) -> Result<u16, SurtError> {
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let text = str::from_utf8(digits).ok().filter(|_| is_number);
    text.and_then(|text| text.parse().ok())
        .ok_or(SurtError::Port)
}

/// Canonicalizes the host in its buffer.
fn write_host(buffers: &mut Buffers) -> Result<(), SurtError> {
    let host = &mut buffers.host;
    components::unescape(host, |_| true);
    if !host.is_ascii() {
        // The package drops octets that are not UTF-8, but only if the remaining host is a name.
        let text: String = host.utf8_chunks().map(|chunk| chunk.valid()).collect();
        if let Some(name) = to_ascii(&text, Idna::Python) {
            set(host, name.as_bytes());
        }
    }
    if host.windows(2).any(|two| two == b"..") {
        buffers.scratch.clear();
        let mut rest: &[u8] = host;
        while let [byte, after @ ..] = rest {
            buffers.scratch.push(*byte);
            rest = match (byte, after) {
                (b'.', [b'.', after @ ..]) => after,
                _ => after,
            };
        }
        std::mem::swap(host, &mut buffers.scratch);
    }
    while host.last() == Some(&b'.') {
        host.pop();
    }
    let dots = host.iter().take_while(|byte| **byte == b'.').count();
    host.drain(..dots);
    match python_address(host).map_err(|_| SurtError::Digits)? {
        Some(address) => {
            host.clear();
            // INVARIANT: writing to a vector does not fail.
            let _ = write!(host, "{address}");
        }
        None => components::escape_python(host, &mut buffers.scratch),
    }
    host.make_ascii_lowercase();
    Ok(())
}

/// Canonicalizes the path in its buffer. If the URL has no host, dot segments are kept.
fn write_path(buffers: &mut Buffers) {
    let path = &mut buffers.path;
    components::unescape(path, |_| true);
    if !buffers.host.is_empty() {
        components::normalize_path(path, &mut buffers.scratch, &mut buffers.segments);
    }
    components::escape_python(path, &mut buffers.scratch);
    path.make_ascii_lowercase();
    components::strip_path_sessions(path);
    components::strip_slash(path);
}

/// Canonicalizes the query in its buffer.
fn write_query(buffers: &mut Buffers) {
    let query = &mut buffers.query;
    components::unescape(query, |_| true);
    components::escape_python(query, &mut buffers.scratch);
    components::strip_query_sessions(query, false);
    query.make_ascii_lowercase();
    components::sort_query(query, &mut buffers.scratch, &mut buffers.arguments);
}
