//! Reads the lines that a patch adds.

use std::io::{self, BufRead, Read};
use std::ops::Range;

/// Reads a patch without context, and calls `each` with the name of a file and added lines.
pub(super) fn read_patch(
    mut patch: impl BufRead,
    each: &mut dyn FnMut(&[u8], Range<usize>),
) -> io::Result<()> {
    let mut line = Vec::new();
    let mut name: Option<Vec<u8>> = None;
    // The number of lines in the hunk that have not been read yet.
    let mut rest = 0;
    loop {
        line.clear();
        // A line of a file may be very long, but the lines that matter here are short.
        if patch.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        if line.last() != Some(&b'\n') {
            patch.skip_until(b'\n')?;
        }
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        if rest > 0 {
            // `\ No newline at end of file` belongs to the line before it.
            rest -= usize::from(!text.starts_with(b"\\"));
        } else if let Some(new) = text.strip_prefix(b"+++ ") {
            name = unquoted(new).strip_prefix(b"b/").map(<[u8]>::to_vec);
        } else if let Some((removed, added)) = hunk(text) {
            rest = removed + added.len();
            if let Some(name) = &name
                && !added.is_empty()
            {
                each(name, added);
            }
        }
    }
}

/// The maximum number of bytes that are read from each line of a patch. A name has at most 4,096
/// bytes, each of which may be escaped with four bytes.
const MAX_LINE: u64 = 32 << 10;

/// Reads the header of a hunk. Returns the number of removed lines, and the range of added lines.
fn hunk(text: &[u8]) -> Option<(usize, Range<usize>)> {
    let text = std::str::from_utf8(
        text.strip_prefix(b"@@ -")?
            .split(|byte| *byte == b'@')
            .next()?,
    );
    let (old, new) = text.ok()?.trim_end().split_once(" +")?;
    let (_, removed) = line_range(old)?;
    let (start, added) = line_range(new)?;
    Some((removed, start..start.checked_add(added)?))
}

/// Reads `START,COUNT` or `START`.
fn line_range(text: &str) -> Option<(usize, usize)> {
    match text.split_once(',') {
        Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    }
}

/// Reads a name that git may have quoted. A name that contains spaces ends with a tab.
fn unquoted(name: &[u8]) -> Vec<u8> {
    let Some(quoted) = name.strip_prefix(b"\"") else {
        return name.strip_suffix(b"\t").unwrap_or(name).to_vec();
    };
    let mut bytes = Vec::new();
    let mut rest = quoted.iter().copied();
    while let Some(byte) = rest.next().filter(|byte| *byte != b'"') {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next() {
            Some(b'a') => 7,
            Some(b'b') => 8,
            Some(b't') => b'\t',
            Some(b'n') => b'\n',
            Some(b'v') => 11,
            Some(b'f') => 12,
            Some(b'r') => b'\r',
            Some(digit @ b'0'..=b'3') => {
                let digits = [
                    digit,
                    rest.next().unwrap_or(b'0'),
                    rest.next().unwrap_or(b'0'),
                ];
                digits
                    .iter()
                    .fold(0, |value: u8, digit| value << 3 | digit & 7)
            }
            Some(other) => other,
            None => break,
        });
    }
    bytes
}
