//! The lines of messages, in pieces, so that memory does not depend on the length of lines.

use std::io::{self, BufRead, Read as _};
use urikit_mime::header::is_empty_line;

/// The longest piece of a line, in octets.
const PIECE: u64 = 8 << 10;

/// The messages in a file: one, or those of a mailbox.
pub(super) struct Lines<R> {
    input: R,
    is_mailbox: bool,
    /// The current piece.
    piece: Vec<u8>,
    begins_line: bool,
    /// An empty line in a mailbox. Before the next message, it belongs to the mailbox.
    blank: Option<Vec<u8>>,
    /// The piece after an empty line that belongs to the message.
    next: Option<(Vec<u8>, bool)>,
    /// Whether the next octet in the file begins a line.
    at_line_start: bool,
    place: Place,
}

/// Where in the file the current piece is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Begin,
    Message,
    Between,
    End,
}

impl<R: BufRead> Lines<R> {
    pub(super) const fn of(input: R, is_mailbox: bool) -> Self {
        Self {
            input,
            is_mailbox,
            piece: Vec::new(),
            begins_line: true,
            blank: None,
            next: None,
            at_line_start: true,
            place: Place::Begin,
        }
    }

    /// Skips the rest of this message, and goes to the next; false if there is none.
    pub(super) fn next_message(&mut self) -> io::Result<bool> {
        while self.advance()? {}
        if self.place == Place::Begin && self.is_mailbox {
            // The `From ` line at the beginning of the file.
            self.read()?;
            self.skip_line()?;
        }
        if self.place == Place::End {
            return Ok(false);
        }
        self.place = Place::Message;
        Ok(true)
    }

    /// Goes to the next piece of the message; false at its end.
    pub(super) fn advance(&mut self) -> io::Result<bool> {
        if self.place != Place::Message {
            return Ok(false);
        }
        if let Some((piece, begins_line)) = self.next.take() {
            self.piece = piece;
            self.begins_line = begins_line;
            return Ok(true);
        }
        loop {
            if !self.read()? {
                self.place = Place::End;
                self.blank = None;
                return Ok(false);
            }
            if self.is_mailbox && self.begins_line {
                if self.piece.starts_with(b"From ") && self.blank.take().is_some() {
                    self.skip_line()?;
                    self.place = Place::Between;
                    return Ok(false);
                }
                let depth = self
                    .piece
                    .iter()
                    .take_while(|octet| **octet == b'>')
                    .count();
                let quoted = self.piece.get(depth..).unwrap_or_default();
                if depth > 0 && quoted.starts_with(b"From ") {
                    self.piece.remove(0);
                }
                if is_empty_line(&self.piece) {
                    let line = std::mem::take(&mut self.piece);
                    match self.blank.replace(line) {
                        Some(before) => {
                            self.piece = before;
                            return Ok(true);
                        }
                        None => continue,
                    }
                }
            }
            if let Some(blank) = self.blank.take() {
                let piece = std::mem::replace(&mut self.piece, blank);
                self.next = Some((piece, self.begins_line));
                self.begins_line = true;
            }
            return Ok(true);
        }
    }

    /// The current piece: a line with its line end, or a part of a long line.
    pub(super) fn piece(&self) -> &[u8] {
        &self.piece
    }

    /// Whether the current piece begins a line.
    pub(super) const fn begins_line(&self) -> bool {
        self.begins_line
    }

    fn read(&mut self) -> io::Result<bool> {
        self.piece.clear();
        self.begins_line = self.at_line_start;
        let mut input = (&mut self.input).take(PIECE);
        let count = input.read_until(b'\n', &mut self.piece)?;
        self.at_line_start = self.piece.last() == Some(&b'\n');
        Ok(count > 0)
    }

    fn skip_line(&mut self) -> io::Result<()> {
        while !self.at_line_start && self.read()? {}
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

    fn messages(file: &[u8], is_mailbox: bool) -> Vec<String> {
        let mut lines = Lines::of(file, is_mailbox);
        let mut all = Vec::new();
        while lines.next_message().unwrap() {
            let mut text = Vec::new();
            while lines.advance().unwrap() {
                text.extend_from_slice(lines.piece());
            }
            all.push(String::from_utf8(text).unwrap());
        }
        all
    }

    #[test]
    fn mailboxes() {
        let file = b"From a x\nA: b\n\nx\nFrom x\n>From x\n>>From y\n> From\n\n\n\n\
            From b x\r\nA: c\r\n\r\nx\r\n\r\n";
        let first = "A: b\n\nx\nFrom x\nFrom x\n>From y\n> From\n\n\n";
        assert_eq!(messages(file, true), [first, "A: c\r\n\r\nx\r\n"]);
        // In a single message, nothing is unquoted.
        let text = "A: b\n\n>From x\n\nFrom y\n\n";
        assert_eq!(messages(text.as_bytes(), false), [text]);
        assert_eq!(messages(b"", false), [""]);
        assert_eq!(messages(b"From ", true), [""]);
        assert_eq!(
            messages(b"From a\n\nFrom b\n\nFrom c\nx", true),
            ["", "", "x"]
        );
    }

    #[test]
    fn long_lines_come_in_pieces() {
        let long = "x".repeat(20_000);
        let file = format!("From {long}\nA: {long}\n\n{long}From x\n\nFrom {long}\nB: c\n");
        let first = format!("A: {long}\n\n{long}From x\n");
        assert_eq!(messages(file.as_bytes(), true), [&first, "B: c\n"]);
    }
}
