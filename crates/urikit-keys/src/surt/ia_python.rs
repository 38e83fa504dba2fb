//! The profile `ia-python`: the package `surt` 0.3.1 of PyPI, by the Internet Archive.
//!
//! Its source was read for this module, and `tests/surt.rs` compares the results with the package
//! (CPython 3.11). Its steps: the package's parser, which guesses `http://`; Google's
//! canonicalization; the archive's own; and the key.
//!
//! What it gives depends on the DNS for hosts such as `256.1`, one to four numbers that are no
//! address. Here they are names, as where the DNS does not know them.

use super::SurtError;
use super::buffers::{Buffers, push_ascii, push_reversed, set, www};
use super::idna2003::{By, to_ascii};
use super::split::{Parts, partition, scheme};
use super::{address, escapes, path, plain, query, session};
use std::io::Write as _;

/// What `bytes.strip` removes.
const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C)
}

pub(super) fn write(url: &str, buffers: &mut Buffers, out: &mut String) -> Result<(), SurtError> {
    if plain::write(url, false, buffers, out) {
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

/// Without spaces around it and line breaks and tabs in it, with a scheme, and with one `http://`
/// only; in `buffer` if it has to be changed.
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
    if has_breaks || scheme(text).is_none() {
        buffer.clear();
        buffer.extend(text.iter().filter(|byte| !is_removed(byte)));
        if !buffer.is_empty() && scheme(buffer).is_none() {
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

/// What follows `https?://`.
fn after_http(text: &[u8]) -> Option<&[u8]> {
    let rest = text.strip_prefix(b"http")?;
    rest.strip_prefix(b"s").unwrap_or(rest).strip_prefix(b"://")
}

fn key(text: &[u8], buffers: &mut Buffers, out: &mut String) -> Result<(), SurtError> {
    if text.is_empty() {
        return Err(SurtError::Empty);
    }
    let mut parts = Parts::of(text);
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
    // INVARIANT: writing to memory does not fail.
    let _ = write!(scratch, "{port}");
    str::from_utf8(scratch).unwrap_or_default()
}

/// `hostname` and the text of `port` of Python's `SplitResult`.
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

fn default_port(scheme: &[u8]) -> Option<u16> {
    if scheme.eq_ignore_ascii_case(b"http") {
        Some(80)
    } else if scheme.eq_ignore_ascii_case(b"https") {
        Some(443)
    } else {
        None
    }
}

/// The host in its canonical form, in its buffer.
fn write_host(buffers: &mut Buffers) -> Result<(), SurtError> {
    let host = &mut buffers.host;
    escapes::unescape(host, |_| true);
    if !host.is_ascii() {
        // What is not UTF-8 is left out, but only if the rest is a name.
        let text: String = host.utf8_chunks().map(|chunk| chunk.valid()).collect();
        if let Some(name) = to_ascii(&text, By::Python) {
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
    match address::python(host).map_err(|_| SurtError::Digits)? {
        Some(address) => {
            host.clear();
            // INVARIANT: writing to memory does not fail.
            let _ = write!(host, "{address}");
        }
        None => escapes::escape_python(host, &mut buffers.scratch),
    }
    host.make_ascii_lowercase();
    Ok(())
}

/// The path in its canonical form; it stays free-form without a host.
fn write_path(buffers: &mut Buffers) {
    let path = &mut buffers.path;
    escapes::unescape(path, |_| true);
    if !buffers.host.is_empty() {
        path::normalize(path, &mut buffers.scratch, &mut buffers.segments);
    }
    escapes::escape_python(path, &mut buffers.scratch);
    path.make_ascii_lowercase();
    session::strip_path(path);
    path::strip_slash(path);
}

fn write_query(buffers: &mut Buffers) {
    let query = &mut buffers.query;
    escapes::unescape(query, |_| true);
    escapes::escape_python(query, &mut buffers.scratch);
    session::strip_query(query, false);
    query.make_ascii_lowercase();
    query::sort(query, &mut buffers.scratch, &mut buffers.arguments);
}
