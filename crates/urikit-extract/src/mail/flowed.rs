//! `format=flowed` (RFC 3676): joins the lines of a paragraph.

use crate::decode::OffsetMap;

/// The signature separator, which ends with a space and is never flowed (4.3).
const SIGNATURE: &[u8] = b"-- ";

/// The parts of a line.
struct Line<'a> {
    /// The number of quotation marks.
    quotes: usize,
    /// Whether the line is space-stuffed (4.4).
    is_stuffed: bool,
    content: &'a [u8],
    /// The length of the line end.
    end: usize,
}

impl<'a> Line<'a> {
    fn new(line: &'a [u8]) -> Self {
        let complete = line;
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let end = complete.len() - line.len();
        let quotes = line.iter().take_while(|byte| **byte == b'>').count();
        let stuffed = line.get(quotes..).unwrap_or_default();
        let content = stuffed.strip_prefix(b" ").unwrap_or(stuffed);
        Self {
            quotes,
            is_stuffed: content.len() < stuffed.len(),
            content,
            end,
        }
    }

    fn is_flowed(&self) -> bool {
        self.content.ends_with(b" ") && self.content != SIGNATURE
    }
}

/// Joins flowed lines of the same quote depth, and drops the space before the break if it was
/// added there (`DelSp=yes`).
pub(super) fn join(text: &[u8], deletes_space: bool) -> (Vec<u8>, OffsetMap) {
    let (mut out, mut map) = (Vec::with_capacity(text.len()), OffsetMap::new(0));
    // The quote depth of the preceding line, if that is flowed.
    let mut open = None;
    let mut rest = text;
    while !rest.is_empty() {
        let length = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
        let (complete, after) = rest.split_at(length);
        let line = Line::new(complete);
        let continues = open == Some(line.quotes) && line.content != SIGNATURE;
        let marks = line.quotes + usize::from(line.is_stuffed);
        if continues {
            map.skipped(marks);
        } else {
            if open.is_some() {
                // A flowed line at the end of its paragraph ends like any other.
                out.push(b'\n');
                map.replaced(1, 0);
            }
            out.extend(core::iter::repeat_n(b'>', line.quotes));
            map.copied(line.quotes);
            map.skipped(usize::from(line.is_stuffed));
        }
        let is_flowed = line.is_flowed() && line.end > 0;
        let kept = line.content.len() - usize::from(is_flowed && deletes_space);
        out.extend_from_slice(line.content.get(..kept).unwrap_or_default());
        map.copied(kept);
        map.skipped(line.content.len() - kept);
        if is_flowed {
            map.skipped(line.end);
            open = Some(line.quotes);
        } else {
            out.extend_from_slice(
                complete
                    .get(complete.len() - line.end..)
                    .unwrap_or_default(),
            );
            map.copied(line.end);
            open = None;
        }
        rest = after;
    }
    (out, map)
}

#[cfg(test)]
mod tests {
    use super::join;

    #[test]
    fn joins_flowed_lines() {
        for (text, deletes_space, expected) in [
            ("a \r\nb\r\nc\r\n", false, "a b\r\nc\r\n"),
            ("http://a/ \r\nb\r\n", true, "http://a/b\r\n"),
            (
                ">> a \r\n>> b\r\n> c \r\nd\r\n",
                false,
                ">>a b\r\n>c \nd\r\n",
            ),
            (" From \r\n  x\r\n", false, "From  x\r\n"),
            ("a \r\n-- \r\nb\r\n", false, "a \n-- \r\nb\r\n"),
            ("a ", false, "a "),
        ] {
            let (joined, map) = join(text.as_bytes(), deletes_space);
            assert_eq!(String::from_utf8(joined.clone()).unwrap(), expected);
            assert_eq!(map.len(), joined.len(), "{text}");
            for (index, byte) in joined
                .iter()
                .enumerate()
                .filter(|(_, byte)| byte.is_ascii_alphabetic())
            {
                assert_eq!(text.as_bytes()[map.start(index)], *byte, "{text}");
            }
        }
    }
}
