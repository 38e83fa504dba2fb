//! The fast path for ordinary URLs: nothing in them needs to be decoded or repaired, the host is
//! not an address, and the path contains no session identifier.
//!
//! For these URLs, both programs of the Internet Archive write the same key, except that the Java
//! program removes more than one `www`.

use super::components::{may_have_session, sort_query_into, strip_query_sessions};
use super::{Buffers, push_ascii, set, www};
use urikit::octet::octet;

/// Appends the key of an ordinary URL. For any other URL, appends nothing and returns `false`.
pub(super) fn write(url: &str, is_java: bool, buffers: &mut Buffers, out: &mut String) -> bool {
    let Some((host, path, query)) = split(url) else {
        return false;
    };
    let start = out.len();
    out.reserve(url.len() + 2);
    push_host(without_www(host, is_java), out);
    out.push(')');
    match path {
        "" | "/" => out.push('/'),
        path => out.push_str(path.strip_suffix('/').unwrap_or(path)),
    }
    if let Some(key) = out.get_mut(start..) {
        key.make_ascii_lowercase();
    }
    if !query.is_empty() {
        push_query(query, is_java, buffers, out);
    }
    true
}

/// Removes the `www` prefix, or for the Java program all such prefixes.
fn without_www(host: &str, is_java: bool) -> &str {
    let mut rest = host;
    while let Some(shorter) = www(rest.as_bytes()).and_then(|length| rest.get(length..)) {
        rest = shorter;
        if !is_java {
            break;
        }
    }
    rest
}

/// Appends the labels of a host in reverse order, separated by commas.
fn push_host(host: &str, out: &mut String) {
    let mut end = host.len();
    for (at, byte) in host.bytes().enumerate().rev() {
        if byte == b'.' {
            out.push_str(host.get(at + 1..end).unwrap_or_default());
            out.push(',');
            end = at;
        }
    }
    out.push_str(host.get(..end).unwrap_or_default());
}

/// Appends a `?` and the query: in lower case, sorted, and without session identifiers. Appends
/// nothing if the query is empty.
fn push_query(query: &str, is_java: bool, buffers: &mut Buffers, out: &mut String) {
    let mut query = query;
    if may_have_session(query.as_bytes()) {
        set(&mut buffers.query, query.as_bytes());
        strip_query_sessions(&mut buffers.query, is_java);
        // INVARIANT: the URL was US-ASCII.
        query = str::from_utf8(&buffers.query).unwrap_or_default();
    }
    if query.is_empty() {
        return;
    }
    out.push('?');
    let start = out.len();
    out.push_str(query);
    let Some(query) = out.get_mut(start..) else {
        return;
    };
    query.make_ascii_lowercase();
    let (scratch, arguments) = (&mut buffers.scratch, &mut buffers.arguments);
    if sort_query_into(query.as_bytes(), scratch, arguments) {
        out.truncate(start);
        push_ascii(out, scratch);
    }
}

/// Splits an ordinary URL into host, path and query.
fn split(url: &str) -> Option<(&str, &str, &str)> {
    let rest = url.strip_prefix("http")?;
    let rest = rest.strip_prefix("s").unwrap_or(rest).strip_prefix("://")?;
    let (host, rest) = rest.split_at_checked(host_length(rest.as_bytes())?)?;
    if !is_plain(rest.as_bytes()) {
        return None;
    }
    let question = memchr::memchr(b'?', rest.as_bytes()).unwrap_or(rest.len());
    let (path, query) = rest.split_at_checked(question)?;
    if has_pair(path.as_bytes()) {
        return None;
    }
    Some((host, path, query.get(1..).unwrap_or_default()))
}

/// Returns the length of the host name if it ends in a letter (and so cannot be an address) and is
/// followed by a path, a query or nothing.
fn host_length(text: &[u8]) -> Option<usize> {
    let mut previous = b'.';
    let mut length = 0;
    for byte in text {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => {}
            b'.' if previous != b'.' => {}
            b'/' | b'?' => break,
            _ => return None,
        }
        previous = *byte;
        length += 1;
    }
    previous.is_ascii_alphabetic().then_some(length)
}

/// The number of bytes that one step of [`any`] combines.
const BLOCK: usize = 16;

/// Combines the results of `bits` for all bytes. The last block may overlap the one before it.
fn any(text: &[u8], bits: impl Fn(u8) -> u8) -> u8 {
    let Some(last) = text.last_chunk::<BLOCK>() else {
        return text.iter().fold(0, |all, byte| all | bits(*byte));
    };
    let mut all = [0; BLOCK];
    for block in text.as_chunks::<BLOCK>().0.iter().chain([last]) {
        for (all, byte) in all.iter_mut().zip(block) {
            *all |= bits(*byte);
        }
    }
    all.iter().fold(0, |all, bits| all | bits)
}

/// Returns whether all characters are printable and decoding would change only the case of escapes.
/// Escapes are allowed here only for octets that both programs escape again after decoding.
#[allow(clippy::needless_bitwise_bool)]
fn is_plain(text: &[u8]) -> bool {
    const OTHER: u8 = 1;
    const PERCENT: u8 = 2;
    let bits = any(text, |byte| {
        let is_literal = byte.is_ascii_graphic() & (byte != b'#') & (byte != b'(');
        (u8::from(!is_literal) * OTHER) | (u8::from(byte == b'%') * PERCENT)
    });
    let stays = |at: usize| {
        matches!(text.get(at + 1..), Some([high, low, ..])
            if matches!(octet(*high, *low), Some(0..=b' ' | b'#' | 0x80..)))
    };
    bits == 0 || bits == PERCENT && memchr::memchr_iter(b'%', text).all(stays)
}

/// Returns whether a path has an empty segment before its end, or a segment that begins with a
/// dot.
// The loop has no branches, so the compiler can vectorize it.
#[allow(clippy::needless_bitwise_bool)]
fn has_pair(path: &[u8]) -> bool {
    let nexts = path.get(1..).unwrap_or_default();
    let pairs = path.iter().zip(nexts);
    pairs.fold(false, |any, (byte, next)| {
        any | (*byte == b'/') & matches!(next, b'/' | b'.')
    })
}
