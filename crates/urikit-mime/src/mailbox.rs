//! Splits mailboxes into messages (mbox, RFC 4155, Appendix A).
//!
//! ```text
//! mailbox   = 1*( separator message )
//! separator = "From " address, and a date with a time; after an empty line, or first in the file
//! ```
//!
//! In the `mboxcl` and `mboxcl2` variants, a `Content-Length` field gives the length of the body
//! in octets, and lines in the body need no `>` before `From `. The field is used only if the
//! resulting body ends at a separator or at the end of the file, and has at most
//! [`MAX_CONTENT_LENGTH`] octets.

use crate::header;
use core::ops::Range;
use memchr::memmem;

/// The maximum `Content-Length` that is used, in octets. The entire body must be in memory to
/// check its end.
pub const MAX_CONTENT_LENGTH: usize = 64 << 20;

/// The maximum length of a separator line, including its line ending, in octets.
const MAX_LINE: usize = 1000;

/// Returns true if a line separates the messages in a mailbox. Such a line contains `From `, an
/// address, and a date with a time in the format of `asctime` (RFC 4155, Appendix A). Other words
/// may follow, such as a time zone. A line of text that merely begins with `From` contains no such
/// time.
///
/// ```
/// use urikit_mime::mailbox::is_separator;
/// assert!(is_separator(b"From jim@a.example Thu Jan  1 00:00:00 1998\n"));
/// assert!(is_separator(b"From - Mon Feb  3 14:25:10 2003 +0100\r\n"));
/// assert!(!is_separator(b"From here on it is text\n"));
/// ```
pub fn is_separator(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"From ") else {
        return false;
    };
    let words = rest
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    let is_time = |word: &[u8]| {
        let is_part = |octet: &u8| octet.is_ascii_digit() || *octet == b':';
        word.contains(&b':') && word.iter().all(is_part)
    };
    let (mut count, mut has_time) = (0, false);
    for word in words.take(12) {
        count += 1;
        has_time |= is_time(word);
    }
    line.len() <= MAX_LINE && has_time && count >= 5
}

/// The number of octets after a body that [`is_end`] needs to examine.
pub const LOOK_AHEAD: usize = MAX_LINE + 16;

/// Removes the first `>` from a quoted line: `>From `, `>>From ` and so on. Returns `None` if the
/// line is not quoted.
///
/// ```
/// use urikit_mime::mailbox::unquoted;
/// assert_eq!(unquoted(b">From here on"), Some(&b"From here on"[..]));
/// assert_eq!(unquoted(b">>From here on"), Some(&b">From here on"[..]));
/// assert_eq!(unquoted(b"> From here on"), None);
/// ```
pub fn unquoted(line: &[u8]) -> Option<&[u8]> {
    let rest = line.strip_prefix(b">")?;
    let quotes = rest.iter().take_while(|octet| **octet == b'>').count();
    let is_from = rest.get(quotes..)?.starts_with(b"From ");
    is_from.then_some(rest)
}

/// Parses the value of a `Content-Length` field. Returns `None` if the value is not a number.
///
/// ```
/// use urikit_mime::mailbox::content_length;
/// assert_eq!(content_length(b"1024"), Some(1024));
/// assert_eq!(content_length(b"-1"), None);
/// assert_eq!(content_length(b"99999999999999999999"), None);
/// ```
pub fn content_length(value: &[u8]) -> Option<u64> {
    let digit = |octet: &u8| octet.is_ascii_digit().then(|| u64::from(octet - b'0'));
    let mut digits = value.trim_ascii().iter();
    let first = digit(digits.next()?)?;
    digits.try_fold(first, |number, octet| {
        number.checked_mul(10)?.checked_add(digit(octet)?)
    })
}

/// Returns true if a message may end before `rest`: if `rest` begins with optional empty lines,
/// followed by a [separator](is_separator) or the end of the mailbox. `rest` contains the next
/// [`LOOK_AHEAD`] octets of the mailbox, or fewer at its end.
///
/// ```
/// use urikit_mime::mailbox::is_end;
/// assert!(is_end(b"\nFrom tim@w3.example Thu Jan  1 00:00:00 1998\nA: b\n"));
/// assert!(is_end(b"\r\n"));
/// assert!(!is_end(b"\nmore of the body\n"));
/// ```
pub fn is_end(rest: &[u8]) -> bool {
    let blank = rest
        .iter()
        .take_while(|octet| matches!(octet, b'\r' | b'\n'));
    let rest = rest.get(blank.count()..).unwrap_or_default();
    let line = rest.split_inclusive(|octet| *octet == b'\n').next();
    rest.is_empty() || line.is_some_and(is_separator)
}

/// The range of a message in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// The message, without the separator line before it.
    pub range: Range<usize>,
    /// The start of the next separator line, or the length of the text after the last message.
    pub end: usize,
}

/// Finds the messages in text that arrives in pieces. Text that does not begin with a separator
/// line is a single message.
///
/// ```
/// use urikit_mime::mailbox::Splitter;
/// let text = b"From a@b Thu Jan  1 00:00:00 1998\nA: b\n\n\n\
///     From a@b Fri Jan  2 00:00:00 1998\nC: d\n";
/// let mut splitter = Splitter::new();
/// let first = splitter.next(text, true).unwrap();
/// assert_eq!(&text[first.range], b"A: b\n\n\n");
/// let rest = &text[first.end..];
/// assert_eq!(&rest[splitter.next(rest, true).unwrap().range], b"C: d\n");
/// ```
#[derive(Clone, Default, Debug)]
pub struct Splitter {
    state: FileKind,
    /// The length of the text that has already been searched for a separator.
    searched: usize,
    claim: ClaimedEnd,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum FileKind {
    #[default]
    Begin,
    Mailbox,
    OneMessage,
}

/// The end of the message according to its `Content-Length` field.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum ClaimedEnd {
    #[default]
    Unread,
    None,
    At(usize),
}

/// The result of looking for a separator at an offset.
enum SeparatorCheck {
    Separator,
    Other,
    /// The result depends on text that has not arrived yet.
    Undecided,
}

impl Splitter {
    /// Creates a splitter for the start of a file.
    pub const fn new() -> Self {
        Self {
            state: FileKind::Begin,
            searched: 0,
            claim: ClaimedEnd::Unread,
        }
    }

    /// Returns the first message of `text`, which begins at the start of the file or at the
    /// [end](Message::end) of the last message. Returns `None` if the text does not contain the
    /// end of the message. In that case, pass the same text again with more text appended.
    /// `is_complete` means that the text extends to the end of the file.
    ///
    /// The total time is linear in the length of the text, even if it arrives in small pieces.
    pub fn next(&mut self, text: &[u8], is_complete: bool) -> Option<Message> {
        if self.state == FileKind::Begin {
            self.state = match check_separator(text, 0, is_complete) {
                SeparatorCheck::Undecided => return None,
                SeparatorCheck::Separator => FileKind::Mailbox,
                SeparatorCheck::Other => FileKind::OneMessage,
            };
        }
        let (start, end) = match self.state {
            FileKind::Mailbox => {
                let start = header::line_length(text);
                (start, self.end(text, start, is_complete)?)
            }
            _ if is_complete => (0, text.len()),
            _ => return None,
        };
        (self.searched, self.claim) = (0, ClaimedEnd::Unread);
        Some(Message {
            range: start..end,
            end,
        })
    }

    /// Returns the end of the message whose header begins at `start`.
    fn end(&mut self, text: &[u8], start: usize, is_complete: bool) -> Option<usize> {
        let mut at = self.searched.max(start);
        while let Some(found) = text
            .get(at..)
            .and_then(|rest| memmem::find(rest, b"\nFrom "))
        {
            let line = at + found + 1;
            self.searched = line - 1;
            let before = text.get(start..line).unwrap_or_default();
            if follows_empty_line(before) {
                match check_separator(text, line, is_complete) {
                    SeparatorCheck::Undecided => return None,
                    SeparatorCheck::Separator => match self.claimed(text, start, line, is_complete)
                    {
                        ClaimedEnd::At(end) => return Some(end),
                        ClaimedEnd::None => return Some(line),
                        ClaimedEnd::Unread => return None,
                    },
                    SeparatorCheck::Other => {}
                }
            }
            at = line;
        }
        // The last octets may be the beginning of a separator.
        self.searched = at.max(text.len().saturating_sub(6)).max(self.searched);
        is_complete.then_some(text.len())
    }

    /// Returns the end of the message according to its `Content-Length`, if the message can end
    /// there and this end is after the separator at `line`. Returns `Unread` if the result depends
    /// on more text.
    fn claimed(&mut self, text: &[u8], start: usize, line: usize, is_complete: bool) -> ClaimedEnd {
        if self.claim == ClaimedEnd::Unread {
            let (head, body) = header::split(text.get(start..line).unwrap_or_default());
            let length = header::value(head, "Content-Length").and_then(content_length);
            let length = length.and_then(|length| usize::try_from(length).ok());
            self.claim = match length {
                Some(length) if length <= MAX_CONTENT_LENGTH && length > body.len() => {
                    ClaimedEnd::At(line - body.len() + length)
                }
                _ => ClaimedEnd::None,
            };
        }
        let ClaimedEnd::At(mut end) = self.claim else {
            return ClaimedEnd::None;
        };
        // Skip the line ending after the body, and an empty line.
        let after = text.get(end..).unwrap_or_default().iter().take(4);
        end += after
            .take_while(|octet| matches!(octet, b'\r' | b'\n'))
            .count();
        let begins_line = end.checked_sub(1).and_then(|last| text.get(last)) == Some(&b'\n');
        match check_separator(text, end, is_complete) {
            _ if end > text.len() && is_complete => self.claim = ClaimedEnd::None,
            SeparatorCheck::Undecided => return ClaimedEnd::Unread,
            _ if end == text.len() => return ClaimedEnd::At(end),
            SeparatorCheck::Separator if begins_line => return ClaimedEnd::At(end),
            _ => self.claim = ClaimedEnd::None,
        }
        self.claim
    }
}

/// Returns true if the text ends with an empty line, which may contain white space.
fn follows_empty_line(text: &[u8]) -> bool {
    let Some(line_end) = text.strip_suffix(b"\n") else {
        return true;
    };
    let blank = line_end.trim_ascii_end();
    blank.is_empty()
        || line_end
            .get(blank.len()..)
            .is_some_and(|end| end.contains(&b'\n'))
}

fn check_separator(text: &[u8], at: usize, is_complete: bool) -> SeparatorCheck {
    let rest = text.get(at..).unwrap_or_default();
    let beginning = b"From ".get(..rest.len()).unwrap_or(b"From ");
    if !rest.starts_with(beginning) {
        return SeparatorCheck::Other;
    }
    let length = memchr::memchr(b'\n', rest.get(..MAX_LINE).unwrap_or(rest));
    match length.and_then(|length| rest.get(..length)) {
        None if !is_complete && rest.len() < MAX_LINE => SeparatorCheck::Undecided,
        line if is_separator(line.unwrap_or(rest)) => SeparatorCheck::Separator,
        _ => SeparatorCheck::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::Splitter;
    use alloc::string::{String, ToString as _};
    use alloc::vec::Vec;
    use alloc::{format, vec};

    /// Returns the messages of `text`, which arrives in pieces of `size` octets.
    fn messages(text: &[u8], size: usize) -> Vec<String> {
        let (mut splitter, mut found) = (Splitter::new(), Vec::new());
        let (mut buffer, mut is_complete) = (Vec::new(), false);
        let mut pieces = text.chunks(size);
        while !is_complete {
            match pieces.next() {
                Some(piece) => buffer.extend_from_slice(piece),
                None => is_complete = true,
            }
            while let Some(message) = splitter.next(&buffer, is_complete) {
                let text = core::str::from_utf8(&buffer[message.range]).unwrap();
                found.push(text.to_string());
                buffer.drain(..message.end);
                if buffer.is_empty() && is_complete {
                    return found;
                }
            }
        }
        found
    }

    #[test]
    fn splits_at_separators() {
        let from = "From a@b.example Thu Jan  1 00:00:00 1998\n";
        let long = "x".repeat(2000);
        for (text, expected) in [
            (
                format!("{from}A: b\n\nc\n\n{from}D: e\n\nFrom here on\n{from}"),
                vec![
                    "A: b\n\nc\n\n".to_string(),
                    format!("D: e\n\nFrom here on\n{from}"),
                ],
            ),
            (format!("A: b\n\n{from}"), vec![format!("A: b\n\n{from}")]),
            (String::new(), vec![String::new()]),
            ("From ".to_string(), vec!["From ".to_string()]),
            (from.to_string(), vec![String::new()]),
            (
                format!("{from}A: b\n\n\nFrom {long} 00:00:00 a b c\n"),
                vec![format!("A: b\n\n\nFrom {long} 00:00:00 a b c\n")],
            ),
            // mboxcl2: the separator in the body is text.
            (
                format!("{from}Content-Length: 49\n\nabcd\n\n{from}\n\n{from}D: e\n"),
                vec![
                    format!("Content-Length: 49\n\nabcd\n\n{from}\n\n"),
                    "D: e\n".to_string(),
                ],
            ),
            // The body does not end at a separator, so the length is ignored.
            (
                format!("{from}Content-Length: 47\n\nabcd\n\n{from}x\n\n{from}D: e\n"),
                vec![
                    "Content-Length: 47\n\nabcd\n\n".to_string(),
                    "x\n\n".to_string(),
                    "D: e\n".to_string(),
                ],
            ),
            // The body ends at the end of the file.
            (
                format!("{from}Content-Length: 48\n\nabcd\n\n{from}"),
                vec![format!("Content-Length: 48\n\nabcd\n\n{from}")],
            ),
            (
                format!("{from}Content-Length: 4800\n\nabcd\n\n{from}"),
                vec![
                    "Content-Length: 4800\n\nabcd\n\n".to_string(),
                    String::new(),
                ],
            ),
        ] {
            for size in [1, 2, 3, 7, 50, 100_000] {
                assert_eq!(messages(text.as_bytes(), size), expected, "{size}: {text}");
            }
        }
    }
}
