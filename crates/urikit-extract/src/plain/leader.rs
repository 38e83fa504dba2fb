//! What the lines of a paragraph begin with: marks of quoted mail, of comments and of lists.

use super::input::Input;
use memchr::memrchr;

/// The longest prefix of quotation marks of a line, in bytes.
const MAX_QUOTE_PREFIX: usize = 80;

/// How far before the wrapper its line may begin for its quotation marks to count, in bytes.
const MAX_LINE: usize = 1024;

/// How many bytes of white space are skipped between the wrapper and its content.
pub(super) const MAX_SPACE: usize = 80;

/// What each line of a paragraph begins with besides the text.
#[derive(Debug, Default)]
pub(super) struct Leader<'t> {
    /// The number of marks of quoted mail (`> > `).
    quotes: usize,
    /// The mark of a comment or a list (`#`, `//`, ` * `).
    comment: &'t [u8],
}

impl<'t> Leader<'t> {
    /// What the line begins with in which a wrapper opens.
    pub(super) fn of(text: &Input<'t>, open: usize) -> Self {
        let lowest = open.saturating_sub(MAX_LINE);
        let preceding = text.slice(lowest, open);
        let start = match memrchr(b'\n', preceding) {
            Some(at) => at + 1,
            None if lowest == 0 => 0,
            None => return Self::default(),
        };
        let line = preceding.get(start..).unwrap_or_default();
        let marks = line
            .iter()
            .take_while(|byte| matches!(byte, b'>' | b'|' | b' ' | b'\t'));
        let quotes = marks.filter(|byte| matches!(byte, b'>' | b'|')).count();
        let line = line.trim_ascii_start();
        let length = line
            .iter()
            .take_while(|byte| b"#/*;%-+!".contains(byte))
            .count();
        let is_mark = matches!(line.get(length), None | Some(b' ' | b'\t'));
        let comment = line.get(..length).filter(|_| quotes == 0 && is_mark);
        Self {
            quotes,
            comment: comment.unwrap_or_default(),
        }
    }

    /// Where the text of the line at `start` begins; `None` if the comment does not go on.
    pub(super) fn skip(&self, text: &Input<'_>, start: usize) -> Option<usize> {
        if self.comment.is_empty() {
            return Some(skip_quote_marks(text, start, self.quotes));
        }
        let at = space_end(text, start);
        if text.at(at) == Some(b'\n') {
            return Some(at);
        }
        // `/*` is there once, and `*`, `-`, `+` may be marks of a list.
        let (mark, is_needed): (&[u8], bool) = match self.comment {
            [b'/', b'*', ..] | [b'*', ..] => (b"*", false),
            mark @ [b'-' | b'+'] => (mark, false),
            mark => (mark, true),
        };
        if text.has(at, mark) {
            // Marks of different length are different marks.
            return (text.at(at + mark.len()) != mark.last().copied() || !is_needed)
                .then_some(at + mark.len());
        }
        (!is_needed).then_some(at)
    }
}

/// Where the content of the line that begins at `start` begins, after its quotation marks.
fn skip_quote_marks(text: &Input<'_>, start: usize, quote_marks: usize) -> usize {
    let mut at = start;
    let mut left = quote_marks;
    while left > 0 && at < start + MAX_QUOTE_PREFIX {
        match text.at(at) {
            Some(b'>' | b'|') => left -= 1,
            Some(b' ' | b'\t') => {}
            _ => break,
        }
        at += 1;
    }
    at
}

/// The end of the white space at `start`, within the line.
pub(super) fn space_end(text: &Input<'_>, start: usize) -> usize {
    let mut at = start;
    while at < start + MAX_SPACE && matches!(text.at(at), Some(b' ' | b'\t' | b'\r')) {
        at += 1;
    }
    at
}
