//! Schemes, and what follows them.

use super::characters::is_invisible;
use super::shape::Shape;
use crate::escape::decoded;
use crate::finding::{Code, Findings};

/// Schemes that the WHATWG calls special, without `file`.
const SPECIAL: [&str; 5] = ["http", "https", "ws", "wss", "ftp"];
/// Schemes whose URLs contain a program or a document.
const SCRIPTS: [&str; 3] = ["javascript:", "data:", "vbscript:"];
/// RFC 9110, 4.1: at least 8000 octets should be supported.
const LONGEST: usize = 8000;
/// What curl accepts.
const LONGEST_SCHEME: usize = 40;

pub(super) fn find(shape: &Shape<'_>, found: &mut Findings) {
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

fn file(shape: &Shape<'_>, found: &mut Findings) {
    if !shape.host.is_empty() && !shape.host.eq_ignore_ascii_case("localhost") {
        found.add(Code::FileHost, shape.offset(shape.host));
    }
    let word = shape.rest.trim_start_matches(['/', '\\']);
    let slashes = shape.rest.len() - word.len();
    // `\\server\share` is a name of Windows, and so are four slashes (RFC 8089, E.3.2).
    if !word.is_empty() && (slashes > 3 || slashes == 2 && shape.authority.is_none()) {
        found.add(Code::FileHost, shape.offset(word));
    }
    let is_drive = match word.as_bytes() {
        [letter, b':' | b'|', after @ ..] => {
            letter.is_ascii_alphabetic() && matches!(after, [] | [b'/' | b'\\', ..])
        }
        _ => false,
    };
    if is_drive {
        found.add(Code::DriveLetter, shape.offset(word));
    }
}

/// A scheme of [`SCRIPTS`], as it is or once blanks, control characters and escapes are gone.
fn script(shape: &Shape<'_>, found: &mut Findings) {
    if SCRIPTS.iter().any(|scheme| shape.input.starts_with(scheme)) {
        found.add(Code::ScriptScheme, 0);
        return;
    }
    // Long enough for the longest scheme with an escape and a blank for each character.
    let begin: String = shape.input.chars().take(256).collect();
    let is_kept = |c: &char| *c > ' ' && !is_invisible(*c);
    let plain: String = decoded(&begin).chars().filter(is_kept).collect();
    let plain = plain.to_ascii_lowercase();
    if SCRIPTS.iter().any(|scheme| plain.starts_with(scheme)) {
        found.add(Code::DisguisedScript, 0);
    }
}
