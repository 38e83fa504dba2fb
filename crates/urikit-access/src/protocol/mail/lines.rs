//! The lines of messages, in pieces, so that memory does not depend on the length of lines.

use std::io::{self, BufRead, Read as _};
use urikit_mime::header::is_empty_line;
use urikit_mime::mailbox::{self, LOOK_AHEAD, is_separator, unquoted};

/// The longest piece of a line, in octets.
const PIECE: u64 = 8 << 10;

/// What the file has at an offset, to check a `Content-Length`: as many octets as there are.
pub(super) type Peek<'f> = dyn Fn(u64, &mut [u8]) -> io::Result<usize> + 'f;

/// The messages in a file: one, or those of a mailbox.
pub(super) struct Lines<'f, R> {
    input: R,
    /// For a mailbox, how to look ahead in it.
    mailbox: Option<&'f Peek<'f>>,
    /// How many octets were read.
    offset: u64,
    /// The body's length, by the header that is being read; `None` if it has no valid one.
    content_length: Option<u64>,
    /// Where the current message is.
    body: Body,
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

/// How the end of a message in a mailbox is found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Body {
    /// Its header has not ended.
    Header,
    /// By a line that begins with `From `.
    Lines,
    /// By its length: it ends at this offset.
    Until(u64),
}

impl<'f, R: BufRead> Lines<'f, R> {
    /// One message, or the messages of a mailbox.
    pub(super) const fn of(input: R, mailbox: Option<&'f Peek<'f>>) -> Self {
        Self {
            input,
            mailbox,
            offset: 0,
            content_length: None,
            body: Body::Header,
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
        if self.place == Place::Begin && self.mailbox.is_some() {
            // The `From ` line at the beginning of the file.
            self.read()?;
            self.skip_line()?;
        }
        if self.place == Place::End {
            return Ok(false);
        }
        self.place = Place::Message;
        self.body = Body::Header;
        self.content_length = None;
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
        if let Body::Until(end) = self.body {
            return self.advance_until(end);
        }
        loop {
            if !self.read()? {
                self.place = Place::End;
                self.blank = None;
                return Ok(false);
            }
            if let Some(peek) = self.mailbox
                && self.begins_line
            {
                if self.blank.is_some() && is_separator(&self.piece) {
                    self.blank = None;
                    self.skip_line()?;
                    self.place = Place::Between;
                    return Ok(false);
                }
                if unquoted(&self.piece).is_some() {
                    self.piece.remove(0);
                }
                if self.body == Body::Header {
                    self.header_line(peek)?;
                    if matches!(self.body, Body::Until(_)) {
                        return Ok(true);
                    }
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

    /// A line of a header in a mailbox. After the last, decides how its body ends.
    fn header_line(&mut self, peek: &Peek<'_>) -> io::Result<()> {
        if !is_empty_line(&self.piece) {
            let colon = self.piece.iter().position(|octet| *octet == b':');
            let (name, value) = self.piece.split_at(colon.unwrap_or(0));
            if name.eq_ignore_ascii_case(b"Content-Length") && self.content_length.is_none() {
                self.content_length = mailbox::content_length(value.get(1..).unwrap_or_default());
            }
            return Ok(());
        }
        self.body = Body::Lines;
        let end = |length| self.offset.checked_add(length);
        if let Some(end) = self.content_length.and_then(end) {
            let mut ahead = [0; LOOK_AHEAD];
            // Past the end of the file, a `Content-Length` is wrong.
            let is_within = end == self.offset || peek(end - 1, &mut [0])? == 1;
            let length = peek(end, &mut ahead)?;
            if is_within && mailbox::is_end(ahead.get(..length).unwrap_or_default()) {
                self.body = Body::Until(end);
            }
        }
        Ok(())
    }

    /// [`advance`](Self::advance) in a body that ends at this offset.
    fn advance_until(&mut self, end: u64) -> io::Result<bool> {
        if self.offset < end {
            return self.read_at_most(end - self.offset);
        }
        self.place = Place::End;
        while self.read()? {
            if !is_empty_line(&self.piece) {
                self.skip_line()?;
                self.place = Place::Between;
                break;
            }
        }
        Ok(false)
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
        self.read_at_most(PIECE)
    }

    fn read_at_most(&mut self, length: u64) -> io::Result<bool> {
        self.piece.clear();
        self.begins_line = self.at_line_start;
        let mut input = (&mut self.input).take(length.min(PIECE));
        let count = input.read_until(b'\n', &mut self.piece)?;
        self.offset += count as u64;
        self.at_line_start = self.piece.last() == Some(&b'\n');
        Ok(count > 0)
    }

    fn skip_line(&mut self) -> io::Result<()> {
        while !self.at_line_start && self.read()? {}
        Ok(())
    }
}

#[cfg(test)]
mod tests;
