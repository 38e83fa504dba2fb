//! Findings about characters, escapes, schemes and paths.

use super::Shape;
use crate::finding::{Code, Findings};
use crate::split::{any, begins_with_drive, decoded, octets};
use urikit::grammar::rfc3986::is_scheme_char;
use urikit::octet::Octet;
use urikit::visible::is_ignorable;

/// Finds spaces, control characters, invisible characters and backslashes, and characters at the
/// ends of the input that some parsers remove.
pub(super) fn find_in_characters(shape: &Shape<'_>, found: &mut Findings) {
    let input = shape.input;
    // Most inputs have only visible US-ASCII characters.
    if !any(input, |byte| !byte.is_ascii_graphic() || byte == b'\\') {
        return;
    }
    let begin = shape.offset(shape.trimmed);
    let end = begin + shape.trimmed.len();
    if end < input.len() {
        found.add(Code::SurroundingBlank, end);
    }
    if begin > 0 {
        found.add(Code::SurroundingBlank, 0);
    }
    for (at, c) in input.char_indices() {
        let is_inside = (begin..end).contains(&at);
        match c {
            '\t' | '\r' | '\n' => found.add(Code::StrippedCharacter, at),
            ' ' if is_inside => found.add(Code::Space, at),
            ' ' => {}
            _ if c.is_control() => found.add(Code::ControlCharacter, at),
            _ if is_invisible(c) => found.add(Code::InvisibleCharacter, at),
            _ => {}
        }
        if !c.is_ascii() {
            found.add(Code::NotAscii, at);
        }
    }
    backslash(shape, found);
}

/// Finds backslashes in the authority and after it.
///
/// Browsers read a backslash as a slash only in URLs whose schemes they know. In the authority of a
/// URL with any other scheme, readers still disagree about a backslash.
fn backslash(shape: &Shape<'_>, found: &mut Findings) {
    let is_other = shape.scheme.is_some_and(|scheme| {
        scheme.bytes().all(is_scheme_char) && !(shape.is_one_of(&SPECIAL) || shape.is("file"))
    });
    let end = shape.rest.find(['?', '#']).unwrap_or(shape.rest.len());
    let hierarchy = shape.rest.get(..end).unwrap_or(shape.rest);
    let slashes = hierarchy.len() - hierarchy.trim_start_matches(['/', '\\']).len();
    for (at, _) in hierarchy.match_indices('\\') {
        let offset = shape.offset(hierarchy) + at;
        let in_authority = match shape.authority {
            Some(authority) => offset < shape.offset(authority) + authority.len(),
            // If the authority is absent, only a backslash among the leading slashes counts as part
            // of an authority.
            None if is_other => continue,
            None => at < slashes,
        };
        match in_authority {
            true => found.add(Code::Backslash, offset),
            false if is_other => {}
            false => found.add(Code::BackslashInRest, offset),
        }
    }
}

/// Returns whether a character is invisible, changes the direction of text, or is a non-ASCII
/// space.
// This test differs from the core's `!is_visible(c)`, which also covers combining marks. Many
// languages need combining marks.
pub(super) fn is_invisible(c: char) -> bool {
    !c.is_ascii() && (is_ignorable(c) || c.is_whitespace())
}

/// The schemes of line-based protocols, whose clients decode components and send them as lines.
const LINE_PROTOCOLS: [&str; 23] = [
    "acap", "dict", "finger", "ftp", "ftps", "gopher", "gophers", "imap", "imaps", "irc", "ircs",
    "news", "nntp", "pop", "pop3", "pop3s", "pops", "rlogin", "smtp", "smtps", "snews", "telnet",
    "wais",
];

/// Finds dangerous escapes.
pub(super) fn find_in_escapes(shape: &Shape<'_>, found: &mut Findings) {
    let input = shape.input;
    if !any(input, |byte| byte == b'%') {
        return;
    }
    // A zone of an IPv6 address may contain a `%` that does not begin an escape.
    let zone = if shape.host.starts_with('[') {
        shape.offset(shape.host)..shape.offset(shape.host) + shape.host.len()
    } else {
        0..0
    };
    let fragment = input.find('#').unwrap_or(input.len());
    for octet in octets(input).filter(|octet| !zone.contains(&octet.offset)) {
        let at = octet.offset;
        match (octet.value, octet.is_escaped) {
            (b'%', false) => found.add(Code::BadEscape, at),
            (b'%', true) => {
                let begins_escape = input.as_bytes().get(at + 3..at + 5);
                if begins_escape.is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit)) {
                    found.add(Code::DoubleEncoding, at);
                }
            }
            (b'\r' | b'\n', true) => {
                found.add(Code::EscapedLineBreak, at);
                if at < fragment && shape.is_one_of(&LINE_PROTOCOLS) {
                    found.add(Code::ProtocolInjection, at);
                }
            }
            (0, true) => found.add(Code::EscapedNull, at),
            (..b' ' | 0x7F, true) => found.add(Code::EscapedControl, at),
            _ => {}
        }
    }
    if let Some(at) = invisible(input) {
        found.add(Code::EscapedInvisible, at);
    }
}

/// Returns the offset of the first escaped character that is invisible.
fn invisible(input: &str) -> Option<usize> {
    let mut run = Vec::new();
    let mut begin = 0;
    // An extra unescaped octet ends the last run.
    let end = octets("a");
    for octet in octets(input).chain(end) {
        if octet.is_escaped && octet.value >= 0x80 {
            if run.is_empty() {
                begin = octet.offset;
            }
            run.push(octet.value);
        } else if !run.is_empty() {
            let text = String::from_utf8_lossy(&run);
            if let Some((at, _)) = text.char_indices().find(|(_, c)| is_invisible(*c)) {
                return Some(begin + 3 * at);
            }
            run.clear();
        }
    }
    None
}

/// The special schemes of the URL Standard except `file`.
const SPECIAL: [&str; 5] = ["http", "https", "ws", "wss", "ftp"];
/// The schemes whose URLs contain a program or a document.
const SCRIPTS: [&str; 3] = ["javascript:", "data:", "vbscript:"];
/// The length of URLs that all recipients should support (RFC 9110, 4.1).
const LONGEST: usize = 8000;
/// The length of the longest scheme that curl accepts.
const LONGEST_SCHEME: usize = 40;

/// Finds dangers in the scheme and the slashes after it, and overlong input.
pub(super) fn find_in_scheme(shape: &Shape<'_>, found: &mut Findings) {
    script(shape, found);
    let rest = shape.offset(shape.rest);
    if shape.input.len() > LONGEST {
        found.add(Code::Overlong, LONGEST);
    }
    if let Some(scheme) = shape.scheme {
        let at = shape.offset(scheme);
        if scheme.len() > LONGEST_SCHEME {
            found.add(Code::Overlong, at + LONGEST_SCHEME);
        }
        let is_port = shape.rest.starts_with(|c: char| c.is_ascii_digit());
        if is_port && (scheme.contains('.') || scheme.eq_ignore_ascii_case("localhost")) {
            found.add(Code::HostLikeScheme, at);
        }
        if scheme.len() == 1 && shape.rest.starts_with(['/', '\\']) && shape.authority.is_none() {
            found.add(Code::DriveLetter, at);
        }
    }
    if shape.is_one_of(&SPECIAL) {
        let after = shape.rest.trim_start_matches(['/', '\\']);
        if shape.rest.len() - after.len() != 2 {
            found.add(Code::UnusualSlashes, rest);
        }
        if shape.authority.is_none() || shape.host.is_empty() {
            found.add(Code::MissingHost, rest);
        }
    }
    if shape.is("file") {
        file(shape, found);
    }
}

/// Finds hosts and drive letters in a `file` URL.
fn file(shape: &Shape<'_>, found: &mut Findings) {
    if !shape.host.is_empty() && !shape.host.eq_ignore_ascii_case("localhost") {
        found.add(Code::FileHost, shape.offset(shape.host));
    }
    let word = shape.rest.trim_start_matches(['/', '\\']);
    let slashes = shape.rest.len() - word.len();
    // Windows finds a host in `\\server\share` and after four slashes (RFC 8089, E.3.2).
    if !word.is_empty() && (slashes > 3 || slashes == 2 && shape.authority.is_none()) {
        found.add(Code::FileHost, shape.offset(word));
    }
    if begins_with_drive(word) {
        found.add(Code::DriveLetter, shape.offset(word));
    }
}

/// Finds a scheme from [`SCRIPTS`], whether plain or disguised with spaces, control characters or
/// escapes.
fn script(shape: &Shape<'_>, found: &mut Findings) {
    if SCRIPTS.iter().any(|scheme| shape.input.starts_with(scheme)) {
        found.add(Code::ScriptScheme, 0);
        return;
    }
    // Removing disguises changes the first character only if it is a space, invisible or escaped.
    let is_other = |byte: &u8| byte.is_ascii_graphic() && !b"DJVdjv%".contains(byte);
    if shape.input.as_bytes().first().is_some_and(is_other) {
        return;
    }
    // This length is enough for the longest scheme, even if each character is escaped and followed
    // by a space.
    let begin: String = shape.input.chars().take(256).collect();
    let is_kept = |c: &char| *c > ' ' && !is_invisible(*c);
    let plain: String = decoded(&begin).chars().filter(is_kept).collect();
    let plain = plain.to_ascii_lowercase();
    if SCRIPTS.iter().any(|scheme| plain.starts_with(scheme)) {
        found.add(Code::DisguisedScript, 0);
    }
}

/// Finds dot segments, escaped slashes and brackets in the path.
pub(super) fn find_in_path(shape: &Shape<'_>, found: &mut Findings) {
    let path = shape.path;
    let begin = shape.offset(path);
    let mut depth = 0_usize;
    for segment in path.split('/') {
        let at = shape.offset(segment);
        // Some servers first remove parameters, so they read `..;x` as a dot segment.
        let name = decoded(segment.split(';').next().unwrap_or_default());
        match &*name {
            "." | ".." => {
                let is_plain = segment == name;
                let code = if is_plain {
                    Code::DotSegment
                } else {
                    Code::EscapedDotSegment
                };
                found.add(code, at);
                if name == ".." {
                    match depth.checked_sub(1) {
                        Some(less) => depth = less,
                        None if path.starts_with('/') => found.add(Code::AboveRoot, at),
                        None => {}
                    }
                }
            }
            "" => {}
            _ => depth += 1,
        }
    }
    let is_slash = |octet: &Octet| octet.is_escaped && matches!(octet.value, b'/' | b'\\');
    if any(path, |byte| byte == b'%')
        && let Some(octet) = octets(path).find(is_slash)
    {
        found.add(Code::EscapedSlash, begin + octet.offset);
    }
    if let Some(at) = path.find(['[', ']']) {
        found.add(Code::MisplacedBracket, begin + at);
    }
}
