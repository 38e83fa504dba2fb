//! `--dry-run`: the changes as a patch that `git apply` accepts.

use super::{Edit, Fixes};
use memchr::memchr;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::Range;

/// The number of unchanged lines around a change.
const CONTEXT: usize = 3;

/// Writes the changes of one file. `name` is the path of the file in the repository, with `/` as
/// the separator.
///
/// ```
/// use urikit_check::fix::{Edit, Fixes, write_patch};
/// let edit = Edit { range: 4..8, bytes: b"https".to_vec() };
/// let fixes = Fixes { edits: vec![edit], unfixed: vec![] };
/// let mut patch = Vec::new();
/// write_patch("a.txt", b"see http://a.example/\n", &fixes, &mut patch)?;
/// assert_eq!(
///     String::from_utf8_lossy(&patch),
///     "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n\
///      -see http://a.example/\n+see https://a.example/\n"
/// );
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// Fails if writing to `out` fails.
pub fn write_patch(
    name: &str,
    document: &[u8],
    fixes: &Fixes,
    out: &mut dyn Write,
) -> io::Result<()> {
    if fixes.edits.is_empty() {
        return Ok(());
    }
    let lines = lines(document);
    let (old, new) = (quoted("a/", name), quoted("b/", name));
    // In a patch, a name that contains spaces ends with a tab.
    let end = if name.contains(' ') { "\t" } else { "" };
    write!(
        out,
        "diff --git {old} {new}\n--- {old}{end}\n+++ {new}{end}\n"
    )?;
    let blocks = blocks(document, &lines, &fixes.edits);
    // The difference between line numbers before and after the changes.
    let mut shift = 0_isize;
    let mut rest = blocks.as_slice();
    while let Some(first) = rest.first() {
        // Changes with at most six unchanged lines between them share a hunk.
        let near = rest.windows(2).take_while(|pair| match pair {
            [a, b] => b.lines.start - a.lines.end <= 2 * CONTEXT,
            _ => false,
        });
        let (hunk, others) = rest.split_at(near.count() + 1);
        rest = others;
        let last = hunk.last().unwrap_or(first);
        let start = first.lines.start.saturating_sub(CONTEXT);
        let end = (last.lines.end + CONTEXT).min(lines.len());
        write_hunk(document, &lines, start..end, hunk, &mut shift, out)?;
    }
    Ok(())
}

/// Adjacent lines that change.
struct Block {
    lines: Range<usize>,
    /// The new text of the lines.
    text: Vec<u8>,
}

/// Returns the byte range of each line, including its line feed.
fn lines(document: &[u8]) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut start = 0;
    while let Some(rest) = document.get(start..).filter(|rest| !rest.is_empty()) {
        let length = memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
        lines.push(start..start + length);
        start += length;
    }
    lines
}

/// Groups the changes by line.
fn blocks(document: &[u8], lines: &[Range<usize>], edits: &[Edit]) -> Vec<Block> {
    let line_of = |offset: usize| {
        let line = lines.partition_point(|line| line.end <= offset);
        line.min(lines.len().saturating_sub(1))
    };
    let mut groups: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for (index, edit) in edits.iter().enumerate() {
        let first = line_of(edit.range.start);
        let last = line_of(edit.range.end.saturating_sub(1).max(edit.range.start));
        match groups.last_mut() {
            Some((lines, edits)) if first <= lines.end => {
                lines.end = lines.end.max(last + 1);
                edits.end = index + 1;
            }
            _ => groups.push((first..last + 1, index..index + 1)),
        }
    }
    let block = |(numbers, indexes): (Range<usize>, Range<usize>)| {
        let bytes = bytes_of(lines, &numbers);
        let shifted = edits
            .get(indexes)
            .unwrap_or_default()
            .iter()
            .map(|edit| Edit {
                range: edit.range.start - bytes.start..edit.range.end - bytes.start,
                bytes: edit.bytes.clone(),
            });
        let text = document.get(bytes.clone()).unwrap_or_default();
        let text = super::apply(text, &shifted.collect::<Vec<_>>());
        Block {
            lines: numbers,
            text,
        }
    };
    groups.into_iter().map(block).collect()
}

/// Returns the byte range of consecutive lines.
fn bytes_of(lines: &[Range<usize>], numbers: &Range<usize>) -> Range<usize> {
    let lines = lines.get(numbers.clone()).unwrap_or_default();
    let start = lines.first().map_or(0, |line| line.start);
    start..lines.last().map_or(start, |line| line.end)
}

/// Writes a hunk: the lines in `range`, with the changes in `blocks`.
fn write_hunk(
    document: &[u8],
    all: &[Range<usize>],
    range: Range<usize>,
    blocks: &[Block],
    shift: &mut isize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let removed: usize = blocks.iter().map(|block| block.lines.len()).sum();
    let added: usize = blocks.iter().map(|block| lines(&block.text).len()).sum();
    let count = range.len() - removed + added;
    let old = place(range.start + 1, range.len());
    let new = place((range.start + 1).saturating_add_signed(*shift), count);
    writeln!(out, "@@ -{old} +{new} @@")?;
    *shift += added.cast_signed() - removed.cast_signed();
    let mut at = range.start;
    for block in blocks {
        write_lines(b' ', document, all, at..block.lines.start, out)?;
        write_lines(b'-', document, all, block.lines.clone(), out)?;
        let new = lines(&block.text);
        write_lines(b'+', &block.text, &new, 0..new.len(), out)?;
        at = block.lines.end;
    }
    write_lines(b' ', document, all, at..range.end, out)
}

/// Formats the number of the first line and the number of lines, which is omitted if it is 1.
fn place(start: usize, count: usize) -> String {
    match count {
        1 => start.to_string(),
        count => format!("{start},{count}"),
    }
}

fn write_lines(
    mark: u8,
    text: &[u8],
    lines: &[Range<usize>],
    numbers: Range<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    for line in lines.get(numbers).unwrap_or_default() {
        let line = text.get(line.clone()).unwrap_or_default();
        out.write_all(&[mark])?;
        out.write_all(line)?;
        if !line.ends_with(b"\n") {
            out.write_all(b"\n\\ No newline at end of file\n")?;
        }
    }
    Ok(())
}

/// Returns a name as git writes it: in quotes if it contains a character that needs an escape.
fn quoted(prefix: &str, name: &str) -> String {
    let is_plain = |c: char| !c.is_control() && c != '"' && c != '\\';
    if name.chars().all(is_plain) {
        return format!("{prefix}{name}");
    }
    let mut quoted = format!("\"{prefix}");
    for c in name.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\t' => quoted.push_str("\\t"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            c if c.is_control() => {
                let mut bytes = [0; 4];
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    let _ = write!(quoted, "\\{byte:03o}");
                }
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
