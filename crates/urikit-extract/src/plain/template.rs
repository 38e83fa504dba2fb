//! Templates: links with placeholders, as in documentation and source code
//! (`https://api-{env}.a.example/%s`). A template does not identify a resource, and neither does
//! the text before its placeholder.

use super::adjacent_link;
use super::end::Ends;
use super::text::{Brackets, Input, Term, can_end, is_pct_encoded, term};

/// The maximum length of a placeholder, in bytes.
const MAX_PLACEHOLDER: usize = 64;

/// HTML elements that may follow a link in text, in lower case.
const TAGS: [&[u8]; 33] = [
    b"a", b"b", b"big", b"br", b"cite", b"code", b"dd", b"del", b"div", b"dl", b"dt", b"em", b"h2",
    b"h3", b"hr", b"i", b"img", b"ins", b"kbd", b"li", b"ol", b"p", b"pre", b"s", b"small",
    b"span", b"strong", b"sub", b"sup", b"td", b"tr", b"tt", b"ul",
];

/// Returns the end of the template whose authority begins at `rest`, if the scan for a bare link
/// encountered a placeholder.
#[inline]
pub(super) fn end_of_template(
    text: &Input<'_>,
    rest: usize,
    ends: Option<Ends>,
    limit: usize,
) -> Option<usize> {
    let may_begin = |at| matches!(text.at(at), Some(b'{' | b'$' | b'%' | b'<'));
    match ends {
        None if may_begin(rest) => scan(text, rest, rest, limit),
        // In `http://a.example:%s/`, the scan stops before the port.
        Some(Ends { stop, .. }) if text.at(stop) == Some(b':') && may_begin(stop + 1) => {
            scan(text, rest, stop + 1, limit)
        }
        Some(ends) if ends.is_suspect || may_begin(ends.stop) => scan(text, rest, ends.stop, limit),
        _ => None,
    }
}

/// Returns the end of the link, if its first placeholder begins no later than `last`. Text after
/// `last` is read only if a placeholder precedes it. The text after `last` is then part of the
/// link, so the search remains linear.
#[cold]
fn scan(text: &Input<'_>, rest: usize, last: usize, limit: usize) -> Option<usize> {
    let mut at = rest;
    let mut end = None;
    let mut brackets = Brackets::new();
    while at <= limit && (at <= last || end.is_some()) {
        if let Some(next) = placeholder(text, at) {
            at = next;
            end = Some(at);
            continue;
        }
        let Some((c, length)) = text.char_at(at) else {
            break;
        };
        let is_part = match term(c) {
            Term::Soft if c == ':' => adjacent_link(text, at, rest).is_none(),
            Term::Include | Term::Soft => true,
            Term::Open(close) => brackets.open(close),
            Term::Close => brackets.close(c),
            Term::Hard => matches!(c, '|' | '[' | ']' | '^'),
        };
        if !is_part {
            break;
        }
        at += length;
        if end.is_some() && can_end(c) {
            end = Some(at);
        }
    }
    end
}

/// Returns true if the text contains a placeholder.
pub(super) fn has_placeholder(text: &str) -> bool {
    let input = Input::new(text.as_bytes(), true);
    let mut candidates = text.bytes().enumerate();
    candidates.any(|(at, byte)| b"{$%<".contains(&byte) && placeholder(&input, at).is_some())
}

/// Returns the end of the placeholder that begins at this offset: `{name}`, `{{ name }}`, `{%…%}`,
/// `${name}`, `%{name}`, `%(name)s`, `%s`, `%NAME%`, or `<name>` within a link.
fn placeholder(text: &Input<'_>, at: usize) -> Option<usize> {
    match text.at(at)? {
        b'{' => braced(text, at),
        b'$' => match text.at(at + 1)? {
            b'{' => braced(text, at + 1),
            _ => None,
        },
        b'%' => match text.at(at + 1)? {
            b'{' => braced(text, at + 1),
            b'(' => {
                let end = enclosed(text, at + 1, b')')?;
                text.at(end)?.is_ascii_alphabetic().then_some(end + 1)
            }
            _ if is_pct_encoded(text, at) => None,
            b's' | b'd' | b'i' | b'u' | b'v' | b'q' | b'@'
                if !text
                    .at(at + 2)
                    .is_some_and(|byte| byte.is_ascii_alphanumeric()) =>
            {
                Some(at + 2)
            }
            _ => {
                let is_name = |byte: u8| byte.is_ascii_uppercase() || byte == b'_';
                let end = text.run(at + 1, at + MAX_PLACEHOLDER, is_name);
                (end > at + 1 && text.at(end) == Some(b'%')).then_some(end + 1)
            }
        },
        b'<' => {
            let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_- ".contains(&byte);
            let end = text.run(at + 1, at + MAX_PLACEHOLDER, is_name) + 1;
            let begins = text.at(at + 1)?.is_ascii_alphabetic();
            if !begins || text.at(end - 1) != Some(b'>') {
                return None;
            }
            let continues = match text.at(end) {
                Some(b'/' | b'?' | b'&' | b':' | b'=' | b'@' | b'#' | b'_') => true,
                Some(b'.' | b'-') => text.at(end + 1)?.is_ascii_alphanumeric(),
                _ => false,
            };
            // At the end of a link, `<br>` is markup and `<id>` is not.
            let follows = || {
                text.before(at)
                    .is_some_and(|byte| b"/=.-@:_".contains(&byte))
            };
            let name = text.slice(at + 1, end - 1).to_ascii_lowercase();
            (continues || follows() && !TAGS.contains(&&*name)).then_some(end)
        }
        _ => None,
    }
}

/// Returns the end of a placeholder in single or double braces.
fn braced(text: &Input<'_>, open: usize) -> Option<usize> {
    let double = match text.at(open + 1)? {
        mark @ (b'{' | b'%') => Some(if mark == b'{' { b'}' } else { mark }),
        _ => None,
    };
    let Some(mark) = double else {
        return enclosed(text, open, b'}');
    };
    let end = enclosed(text, open + 1, mark)?;
    (text.at(end) == Some(b'}')).then_some(end + 1)
}

/// Returns the end of a name in brackets, whose opening bracket is at `open`.
fn enclosed(text: &Input<'_>, open: usize, close: u8) -> Option<usize> {
    let start = open + 1;
    let is_part = |byte: u8| {
        byte.is_ascii_alphanumeric() || byte >= 0x80 || b" _-.,:*|+#/;?&$@!='()[]".contains(&byte)
    };
    let end = text.run(start, start + MAX_PLACEHOLDER, |byte| {
        byte != close && is_part(byte)
    });
    let name = text.slice(start, end).trim_ascii();
    let is_name = match name.first()? {
        b'_' | b'+' | b'#' | b'.' | b'/' | b';' | b'?' | b'&' | b'$' | b'@' | b'!' | 0x80.. => true,
        first if first.is_ascii_digit() => name.iter().all(u8::is_ascii_digit),
        first => first.is_ascii_alphabetic(),
    };
    (text.at(end) == Some(close) && is_name && !is_guid(name)).then_some(end + 1)
}

/// Returns true for the identifiers that some servers write in braces (RFC 9562, 4).
fn is_guid(name: &[u8]) -> bool {
    name.len() == 36
        && name
            .iter()
            .all(|byte| byte.is_ascii_hexdigit() || *byte == b'-')
}
