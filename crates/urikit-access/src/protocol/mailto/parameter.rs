//! Writes parameters of MIME fields (RFC 2045, 5.1; RFC 2231).

use urikit::grammar::rfc3986::UNRESERVED;
use urikit::percent::encode_with;

/// The longest line, in octets, where it can be folded (RFC 5322, 2.1.1).
const LINE: usize = 78;

/// A parameter that follows `used` octets of its line, with the space or the line break before it.
///
/// In US-ASCII, the value is a quoted string in one line. Any other one is percent-encoded in UTF-8
/// (RFC 2231, 4): an encoded word is not allowed here (RFC 2047, 5). No second parameter with a
/// similar value in US-ASCII is written, as in HTTP (RFC 6266, Appendix D): RFC 2231 does not say
/// which one counts, and there are readers that take that one.
///
/// The value has no control characters.
pub(super) fn written(name: &str, value: &str, used: usize) -> String {
    let parameter = if value.is_ascii() {
        quoted(name, value)
    } else {
        let encoded = encode_with(value, UNRESERVED.set());
        format!("{name}*=utf-8''{encoded}")
    };
    if used + 1 + parameter.len() <= LINE {
        format!(" {parameter}")
    } else if value.is_ascii() || parameter.len() < LINE {
        // A tab is before it.
        format!("\r\n\t{parameter}")
    } else {
        sections(name, value)
    }
}

fn quoted(name: &str, value: &str) -> String {
    let mut text = format!("{name}=\"");
    for character in value.chars() {
        if matches!(character, '"' | '\\') {
            text.push('\\');
        }
        text.push(character);
    }
    text.push('"');
    text
}

/// The value in parts of a line each (RFC 2231, 3 and 4.1), of which none splits a character.
fn sections(name: &str, value: &str) -> String {
    let mut text = String::new();
    let mut line = format!("\t{name}*0*=utf-8''");
    let mut number = 0;
    let mut octets = [0; 4];
    for character in value.chars() {
        let encoded = encode_with(character.encode_utf8(&mut octets), UNRESERVED.set()).to_string();
        // A semicolon follows it.
        if line.len() + encoded.len() + 1 > LINE {
            number += 1;
            let next = format!("\t{name}*{number}*=");
            let done = std::mem::replace(&mut line, next);
            text.extend(["\r\n", &done, ";"]);
        }
        line.push_str(&encoded);
    }
    text.push_str("\r\n");
    text + &line
}
