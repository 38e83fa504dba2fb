//! Mailboxes: messages one after another, each after a line that begins with `From ` (RFC 4155).

use core::ops::Range;
use urikit_mime::mbox::is_from_line;

/// The messages of a mailbox; the entire document if it is not one.
pub(super) fn messages(document: &[u8]) -> Vec<Range<usize>> {
    let mut messages = Vec::new();
    let mut start = 0;
    let mut at = 0;
    let mut follows_empty_line = true;
    let mut is_mailbox = false;
    while at < document.len() {
        let rest = document.get(at..).unwrap_or_default();
        let length = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
        let line = rest.get(..length).unwrap_or_default();
        let may_separate = follows_empty_line && (at == 0 || is_mailbox);
        if may_separate && is_from_line(line) {
            if at > start {
                messages.push(start..at);
            }
            is_mailbox = true;
            start = at + length;
        }
        follows_empty_line = line.trim_ascii().is_empty();
        at += length;
    }
    messages.push(start..document.len());
    messages
}

#[cfg(test)]
mod tests {
    use super::messages;

    #[test]
    fn splits_at_from_lines() {
        let from = "From a@b.example Thu Jan  1 00:00:00 1998\n";
        for (document, expected) in [
            (
                format!("{from}A: b\n\nc\n\n{from}D: e\n\nFrom here on\n{from}"),
                &["A: b\n\nc\n\n", "D: e\n\nFrom here on\n"][..],
            ),
            (format!("A: b\n\n{from}"), &[]),
            (String::new(), &[""]),
        ] {
            let found: Vec<&str> = messages(document.as_bytes())
                .into_iter()
                .map(|range| document.get(range).unwrap())
                .collect();
            match expected {
                [] => assert_eq!(found, [document.as_str()]),
                [first, second @ ..] => {
                    assert_eq!(found[0], *first);
                    assert!(second.iter().all(|second| found[1].starts_with(second)));
                    assert_eq!(found.len(), expected.len());
                }
            }
        }
    }
}
