//! Finds the destination of a link or definition in the source, because `pulldown-cmark` reports
//! its text but not its range (CommonMark 0.31, 6.3 and 4.7).

use core::ops::Range;

/// Returns the destination of an inline link. `rest` is the source after the link text: `](`, white
/// space, the destination.
pub(super) fn link_destination(source: &str, rest: Range<usize>) -> Option<Range<usize>> {
    let after = source.get(rest.clone())?;
    let open = rest.start + after.find("](")? + 2;
    destination(source, open, rest.end)
}

/// Returns the destination of a definition, which follows the label's `]:`.
pub(super) fn definition_destination(source: &str, span: Range<usize>) -> Option<Range<usize>> {
    let bytes = source.as_bytes();
    let mut at = span.start;
    while at < span.end {
        match bytes.get(at)? {
            b'\\' => at += 2,
            b']' if bytes.get(at + 1) == Some(&b':') => {
                return destination(source, at + 2, span.end);
            }
            _ => at += 1,
        }
    }
    None
}

/// Returns the destination after the white space at `from`: in angle brackets, or up to white space
/// or an unmatched closing parenthesis.
fn destination(source: &str, from: usize, end: usize) -> Option<Range<usize>> {
    let bytes = source.as_bytes().get(..end)?;
    let start = skip_white_space(bytes, from);
    if bytes.get(start) == Some(&b'<') {
        let inner = start + 1;
        let mut at = inner;
        loop {
            match bytes.get(at)? {
                b'\\' => at += 2,
                b'>' => return Some(inner..at),
                _ => at += 1,
            }
        }
    }
    let (mut at, mut depth) = (start, 0_usize);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' if bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation) => at += 1,
            b'(' => depth += 1,
            b')' if depth == 0 => break,
            b')' => depth -= 1,
            0..=b' ' | 0x7F => break,
            _ => {}
        }
        at += 1;
    }
    Some(start..at.min(end))
}

/// Skips white space, and block quote markers at the start of a line.
fn skip_white_space(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    let mut begins_line = false;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\n' => begins_line = true,
            b' ' | b'\t' | b'\r' => {}
            b'>' if begins_line => {}
            _ => break,
        }
        at += 1;
    }
    at
}
