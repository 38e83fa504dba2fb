//! The lines of a document.

use core::ops::Range;

/// The lines of a text, as ranges without line ends.
pub(super) struct Lines<'t> {
    text: &'t [u8],
    at: usize,
}

/// The lines of a text.
pub(super) const fn lines(text: &[u8]) -> Lines<'_> {
    Lines { text, at: 0 }
}

impl Iterator for Lines<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let start = self.at;
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        self.at += length + 1;
        let line = rest.get(..length).unwrap_or_default();
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        Some(start..start + line.len())
    }
}

/// How far a line is indented, in bytes.
pub(super) fn indent(line: &[u8]) -> usize {
    line.iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count()
}

/// Whether a line is empty, or has nothing but white space.
pub(super) fn is_blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}

/// Adds a line to a paragraph, or begins one with it.
pub(super) fn add_line(paragraph: &mut Option<Range<usize>>, line: Range<usize>) {
    match paragraph {
        Some(paragraph) => paragraph.end = line.end,
        None => *paragraph = Some(line),
    }
}

/// Where this byte first is without a backslash before it.
pub(super) fn unescaped_end(text: &[u8], end: u8) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr::memchr2(end, b'\\', text.get(at..)?)?;
        if text.get(at) == Some(&end) {
            return Some(at);
        }
        at += 2;
    }
}

/// A range of a text without the white space at its ends.
pub(super) fn trim(text: &[u8], range: Range<usize>) -> Range<usize> {
    let inner = text.get(range.clone()).unwrap_or_default();
    let start = range.start + inner.len() - inner.trim_ascii_start().len();
    start..start + inner.trim_ascii().len()
}

/// Whether a text begins with a scheme and a colon (RFC 3986, 3.1). A scheme of one letter is the
/// drive of a file name.
pub(super) fn has_scheme(text: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let length = text.iter().take_while(|byte| is_part(byte)).count();
    length > 1
        && text.get(length) == Some(&b':')
        && text.first().is_some_and(u8::is_ascii_alphabetic)
}
