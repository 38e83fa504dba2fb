//! Reads messages line by line. Long lines are split into pieces, so memory use is constant.

use std::io::{self, BufRead, Read as _};
use urikit_mime::header::is_empty_line;
use urikit_mime::mailbox::{self, LOOK_AHEAD, is_separator, unquoted};

/// The maximum length of a piece, in octets.
const PIECE: u64 = 8 << 10;

/// Fills a buffer with the octets at an offset in the file, to check a `Content-Length`. Returns
/// the number of octets read, which is less than the length of the buffer if the file ends first.
pub(super) type ReadAt<'f> = dyn Fn(u64, &mut [u8]) -> io::Result<usize> + 'f;

/// Reads the messages in a file, which is a mailbox or a single message.
pub(super) struct Lines<'f, R> {
    input: R,
    /// Reads the file at any offset, if the file is a mailbox.
    mailbox: Option<&'f ReadAt<'f>>,
    /// The number of octets that have been read from the file.
    offset: u64,
    /// The length of the body, if the current header states a valid length.
    content_length: Option<u64>,
    /// Determines how the end of the current message is found.
    body: BodyEnd,
    /// The current piece.
    piece: Vec<u8>,
    begins_line: bool,
    /// The last line, if it is an empty line. In a mailbox, the empty line before the next message
    /// is not part of a message.
    blank: Option<Vec<u8>>,
    /// The next piece, and whether it begins a line. The piece was read ahead to determine whether
    /// the empty line before it belongs to the message.
    next: Option<(Vec<u8>, bool)>,
    /// True if the next octet of the file is at the beginning of a line.
    at_line_start: bool,
    place: Place,
}

/// The position of the current piece in the file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Begin,
    Message,
    Between,
    End,
}

/// Determines how the end of a message in a mailbox is found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BodyEnd {
    /// The end is not known yet, because the header is incomplete.
    Unknown,
    /// The next line that begins with `From ` ends the message.
    FromLine,
    /// The message ends at this offset in the file.
    Offset(u64),
}

impl<'f, R: BufRead> Lines<'f, R> {
    /// Creates a reader for a mailbox or, if `mailbox` is `None`, for a single message.
    pub(super) const fn new(input: R, mailbox: Option<&'f ReadAt<'f>>) -> Self {
        Self {
            input,
            mailbox,
            offset: 0,
            content_length: None,
            body: BodyEnd::Unknown,
            piece: Vec::new(),
            begins_line: true,
            blank: None,
            next: None,
            at_line_start: true,
            place: Place::Begin,
        }
    }

    /// Skips the rest of the current message, and moves to the next message. Returns false at the
    /// end of the file.
    pub(super) fn next_message(&mut self) -> io::Result<bool> {
        while self.advance()? {}
        if self.place == Place::Begin && self.mailbox.is_some() {
            // Skip the `From ` line at the beginning of the file.
            self.read()?;
            self.skip_line()?;
        }
        if self.place == Place::End {
            return Ok(false);
        }
        self.place = Place::Message;
        self.body = BodyEnd::Unknown;
        self.content_length = None;
        Ok(true)
    }

    /// Moves to the next piece of the message. Returns false at the end of the message.
    pub(super) fn advance(&mut self) -> io::Result<bool> {
        if self.place != Place::Message {
            return Ok(false);
        }
        if let Some((piece, begins_line)) = self.next.take() {
            self.piece = piece;
            self.begins_line = begins_line;
            return Ok(true);
        }
        if let BodyEnd::Offset(end) = self.body {
            return self.advance_until(end);
        }
        loop {
            if !self.read()? {
                self.place = Place::End;
                self.blank = None;
                return Ok(false);
            }
            if let Some(read_at) = self.mailbox
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
                if self.body == BodyEnd::Unknown {
                    self.header_line(read_at)?;
                    if matches!(self.body, BodyEnd::Offset(_)) {
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

    /// Handles a line of a header in a mailbox. At the empty line after the header, decides how to
    /// find the end of the body.
    fn header_line(&mut self, read_at: &ReadAt<'_>) -> io::Result<()> {
        if !is_empty_line(&self.piece) {
            let colon = self.piece.iter().position(|octet| *octet == b':');
            let (name, value) = self.piece.split_at(colon.unwrap_or(0));
            if name.eq_ignore_ascii_case(b"Content-Length") && self.content_length.is_none() {
                self.content_length = mailbox::content_length(value.get(1..).unwrap_or_default());
            }
            return Ok(());
        }
        self.body = BodyEnd::FromLine;
        let end = |length| self.offset.checked_add(length);
        if let Some(end) = self.content_length.and_then(end) {
            let mut ahead = [0; LOOK_AHEAD];
            // A `Content-Length` can be wrong, so it is used only if the file ends at the
            // resulting offset or continues with another message there.
            let is_within = end == self.offset || read_at(end - 1, &mut [0])? == 1;
            let length = read_at(end, &mut ahead)?;
            if is_within && mailbox::is_end(ahead.get(..length).unwrap_or_default()) {
                self.body = BodyEnd::Offset(end);
            }
        }
        Ok(())
    }

    /// Moves to the next piece of a body that ends at this offset.
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

    /// Returns the current piece, which is a line with its line ending, or part of a long line.
    pub(super) fn piece(&self) -> &[u8] {
        &self.piece
    }

    /// Returns true if the current piece is at the beginning of a line.
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
