//! Escapes of characters that mean something else where they are decoded.

use super::characters::is_invisible;
use super::shape::Shape;
use crate::escape::octets;
use crate::finding::{Code, Findings};

/// Schemes whose parts a client sends as lines, after decoding.
const LINE_PROTOCOLS: [&str; 23] = [
    "acap", "dict", "finger", "ftp", "ftps", "gopher", "gophers", "imap", "imaps", "irc", "ircs",
    "news", "nntp", "pop", "pop3", "pop3s", "pops", "rlogin", "smtp", "smtps", "snews", "telnet",
    "wais",
];

pub(super) fn find(shape: &Shape<'_>, found: &mut Findings) {
    let input = shape.input;
    if !input.contains('%') {
        return;
    }
    // The zone of an IPv6 address has other escapes, or none.
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

/// The offset of the first escaped character that is invisible.
fn invisible(input: &str) -> Option<usize> {
    let mut run = Vec::new();
    let mut begin = 0;
    // one more octet ends the last run
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
