//! The ends of texts that are not made of tags: raw text, scripts, comments and CDATA sections
//! (HTML living standard, 13.2.5.9 to 13.2.5.31, 13.2.5.41 to 13.2.5.71).

use super::seek::word;
use memchr::{memchr, memchr_iter, memchr3};

/// Where a text ends, in the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// The text ends here, and what ends it ends there.
    At(usize, usize),
    /// It extends up to here at least.
    NotBefore(usize),
}

/// The end of RCDATA or raw text in the element of this name: its end tag, which is not included.
pub(super) fn raw_text(input: &[u8], from: usize, name: &str) -> End {
    let mut at = from;
    while let Some(open) = memchr(b'<', input.get(at..).unwrap_or_default()) {
        at += open;
        match end_tag(input, at, name) {
            Some(true) => return End::At(at, at),
            None => return End::NotBefore(at),
            Some(false) => at += 1,
        }
    }
    End::NotBefore(input.len())
}

/// Whether this is the end tag of an element; `None` if that depends on what follows.
fn end_tag(input: &[u8], at: usize, name: &str) -> Option<bool> {
    match input.get(at + 1) {
        Some(b'/') => word(input, at + 2, name),
        Some(_) => Some(false),
        None => None,
    }
}

/// The state of a script: how many dashes came last, within `<!--`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Script {
    #[default]
    Plain,
    Escaped(u8),
    /// Within `<script>` after `<!--`.
    DoubleEscaped(u8),
}

/// The end of a script: its end tag, which is not included.
pub(super) fn script(input: &[u8], from: usize, state: &mut Script) -> End {
    let mut at = from;
    loop {
        let rest = input.get(at..).unwrap_or_default();
        let dashes = match *state {
            Script::Plain => {
                let Some(open) = memchr(b'<', rest) else {
                    return End::NotBefore(input.len());
                };
                at += open;
                let tail = input.get(at + 1..).unwrap_or_default();
                if tail.starts_with(b"!--") {
                    *state = Script::Escaped(2);
                    at += 4;
                    continue;
                }
                match end_tag(input, at, "script") {
                    Some(true) => return End::At(at, at),
                    Some(false) if !b"!--".starts_with(tail) => at += 1,
                    _ => return End::NotBefore(at),
                }
                continue;
            }
            Script::Escaped(dashes) | Script::DoubleEscaped(dashes) => dashes,
        };
        let Some(next) = memchr3(b'<', b'-', b'>', rest) else {
            let none = if rest.is_empty() { dashes } else { 0 };
            state.set_dashes(none);
            return End::NotBefore(input.len());
        };
        let dashes = if next == 0 { dashes } else { 0 };
        at += next;
        match input.get(at) {
            Some(b'-') => {
                state.set_dashes(2.min(dashes + 1));
                at += 1;
            }
            Some(b'>') => {
                state.set_dashes(0);
                if dashes == 2 {
                    *state = Script::Plain;
                }
                at += 1;
            }
            _ => {
                state.set_dashes(0);
                let is_double = matches!(state, Script::DoubleEscaped(_));
                let ends = end_tag(input, at, "script");
                let begins = word(input, at + 1, "script");
                match (is_double, ends, begins) {
                    (false, Some(true), _) => return End::At(at, at),
                    (true, Some(true), _) => {
                        *state = Script::Escaped(0);
                        at += 9;
                    }
                    (false, _, Some(true)) => {
                        *state = Script::DoubleEscaped(0);
                        at += 8;
                    }
                    (_, Some(false), Some(false)) | (true, Some(false), _) => at += 1,
                    _ => return End::NotBefore(at),
                }
            }
        }
    }
}

impl Script {
    fn set_dashes(&mut self, count: u8) {
        match self {
            Self::Plain => {}
            Self::Escaped(dashes) | Self::DoubleEscaped(dashes) => *dashes = count,
        }
    }
}

/// The end of a comment, whose text begins at `from` in the document, as does the input. `-->`
/// may overlap with the `--` of `<!--`, which is `before`.
pub(super) fn comment(input: &[u8], from: usize, is_begin: bool) -> End {
    for close in memchr_iter(b'>', input.get(from..).unwrap_or_default()) {
        let close = from + close;
        let text = input.get(from..close).unwrap_or_default();
        let length = match text {
            [.., b'-', b'-'] => 2,
            [.., b'-', b'-', b'!'] => 3,
            // `<!-->` and `<!--->`
            [] | [b'-'] if is_begin => text.len(),
            _ => continue,
        };
        return End::At(close - length, close + 1);
    }
    End::NotBefore(input.len().saturating_sub(3).max(from))
}

/// The end of a bogus comment, or of a document type.
pub(super) fn bogus(input: &[u8], from: usize) -> End {
    match memchr(b'>', input.get(from..).unwrap_or_default()) {
        Some(close) => End::At(from + close, from + close + 1),
        None => End::NotBefore(input.len()),
    }
}

/// The end of a CDATA section.
pub(super) fn cdata(input: &[u8], from: usize) -> End {
    match memchr::memmem::find(input.get(from..).unwrap_or_default(), b"]]>") {
        Some(close) => End::At(from + close, from + close + 3),
        None => End::NotBefore(input.len().saturating_sub(2).max(from)),
    }
}
