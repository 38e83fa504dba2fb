//! Searches for a message or a part, in one pass.

use super::lines::Lines;
use super::part::{self, Header, Holds};
use crate::error::{Error, ErrorKind, Result};
use crate::net::Deadline;
use crate::output::Output;
use std::io::BufRead;
use std::time::Duration;
use urikit_mime::boundary::{self, Delimiter};
use urikit_mime::header::is_empty_line;
use urikit_mime::transfer::{Decoder, Encoding, Run};

/// The longest header, in octets.
const HEADER: usize = 1 << 20;
/// After this many pieces of lines, the deadline is checked.
const PIECES: u32 = 1 << 12;

/// What to find; identifiers are percent-decoded.
pub(super) enum Target {
    /// A Message-ID.
    Message(Vec<u8>),
    /// A Content-ID, and the Message-ID of its message, if the URL contains it.
    Part(Option<Vec<u8>>, Vec<u8>),
}

/// A search through all messages.
pub(super) struct Search {
    target: Target,
    wants_body: bool,
    /// How many levels deep parts are searched.
    max: usize,
    /// The deepest level found.
    pub(super) deepest: usize,
    /// How many messages were searched.
    pub(super) messages: u64,
    /// How many header fields have more parameters than are read.
    pub(super) cut: usize,
}

/// What the current lines belong to.
enum State {
    Header(Vec<u8>),
    /// Not wanted.
    Skip,
    /// The wanted message, copied unchanged.
    Message,
    /// The wanted part, and the last line end, which may belong to the boundary.
    Part(Decoder, Vec<u8>),
    /// Everything wanted was found.
    Done,
}

impl Search {
    pub(super) const fn new(target: Target, wants_body: bool, max: usize) -> Self {
        Self {
            target,
            wants_body,
            max,
            deepest: 0,
            messages: 0,
            cut: 0,
        }
    }

    /// Searches one message. True if it matched; then it was passed on.
    pub(super) fn message<R: BufRead>(
        &mut self,
        lines: &mut Lines<'_, R>,
        deadline: Deadline,
        output: &mut Output<'_>,
    ) -> Result<bool> {
        self.messages += 1;
        let mut search = MessageSearch {
            search: self,
            levels: Vec::new(),
            is_top: true,
            output,
            state: State::Header(Vec::new()),
        };
        let mut pieces = 0_u32;
        let local = |error| Error::new(ErrorKind::Local(error));
        while lines.advance().map_err(local)? {
            pieces += 1;
            if pieces.is_multiple_of(PIECES) {
                deadline.left(Duration::MAX)?;
            }
            search.piece(lines.piece(), lines.begins_line())?;
            if matches!(search.state, State::Done) {
                return Ok(true);
            }
            if search.is_hopeless() {
                break;
            }
        }
        // Many small messages take time too.
        deadline.left(Duration::MAX)?;
        search.end()
    }
}

/// The search in one message.
struct MessageSearch<'w, 'd, 's> {
    search: &'w mut Search,
    /// The boundaries of the enclosing multiparts, outermost first; `None` for an enclosing
    /// message.
    levels: Vec<Option<Vec<u8>>>,
    is_top: bool,
    output: &'d mut Output<'s>,
    state: State,
}

impl MessageSearch<'_, '_, '_> {
    fn piece(&mut self, piece: &[u8], begins_line: bool) -> Result<()> {
        if begins_line && let Some((level, delimiter)) = self.delimiter(piece) {
            return self.at_delimiter(level, delimiter);
        }
        match &mut self.state {
            State::Header(header) => {
                if begins_line && is_empty_line(piece) {
                    let header = std::mem::take(header);
                    self.state = self.enter(&header, piece)?;
                } else if header.len() + piece.len() > HEADER {
                    self.state = State::Skip;
                } else {
                    header.extend_from_slice(piece);
                }
            }
            State::Skip | State::Done => {}
            State::Message => self.output.bytes(piece)?,
            State::Part(decoder, pending) => {
                // A piece may end between CR and LF.
                pending.extend_from_slice(piece);
                let end = match pending.as_slice() {
                    [.., b'\r', b'\n'] => 2,
                    [.., b'\n' | b'\r'] => 1,
                    _ => 0,
                };
                let line_end = pending.split_off(pending.len() - end);
                let mut out = Vec::with_capacity(pending.len());
                decoder.push(pending, |run| out.extend_from_slice(run.octets()));
                *pending = line_end;
                self.output.bytes(&out)?;
            }
        }
        Ok(())
    }

    /// Handles a delimiter line.
    fn at_delimiter(&mut self, level: usize, delimiter: Delimiter) -> Result<()> {
        // A header without an empty line after it has no body.
        if let State::Header(header) = &mut self.state {
            let header = std::mem::take(header);
            let depth = self.levels.len();
            self.state = self.enter(&header, b"")?;
            self.levels.truncate(depth);
        }
        match std::mem::replace(&mut self.state, State::Done) {
            State::Part(decoder, _) => return self.finish(decoder, b""),
            State::Message => self.state = State::Message,
            State::Done => {}
            State::Header(_) | State::Skip if delimiter == Delimiter::Last => {
                self.levels.truncate(level);
                self.state = State::Skip;
            }
            State::Header(_) | State::Skip => {
                self.levels.truncate(level + 1);
                self.state = State::Header(Vec::new());
            }
        }
        Ok(())
    }

    /// Decodes the last octets of the wanted part, and passes them on.
    fn finish(&mut self, mut decoder: Decoder, octets: &[u8]) -> Result<()> {
        let mut out = Vec::new();
        let mut each = |run: Run<'_>| out.extend_from_slice(run.octets());
        decoder.push(octets, &mut each);
        decoder.finish(&mut each);
        self.output.bytes(&out)
    }

    /// The level whose delimiter line this is. The outermost one counts, since it ends those in it
    /// (RFC 2046, 5.1.2).
    fn delimiter(&self, line: &[u8]) -> Option<(usize, Delimiter)> {
        let levels = self.levels.iter().enumerate();
        levels
            .filter_map(|(level, it)| Some((level, it.as_ref()?)))
            .find_map(|(level, it)| Some((level, boundary::delimiter(line, it)?)))
    }

    /// After a header: what to do with its body. `blank` is the empty line between them.
    fn enter(&mut self, octets: &[u8], blank: &[u8]) -> Result<State> {
        let header = Header::read(octets);
        let is_top = std::mem::replace(&mut self.is_top, false);
        self.search.cut += usize::from(header.is_cut);
        let wanted = match &self.search.target {
            Target::Message(id) if is_top && header.message_id == Some(id) => {
                self.output.begin(part::message(octets))?;
                if !self.search.wants_body {
                    return Ok(State::Done);
                }
                self.output.bytes(octets)?;
                self.output.bytes(blank)?;
                return Ok(State::Message);
            }
            Target::Message(_) => return Ok(State::Skip),
            Target::Part(Some(id), _) if is_top && header.message_id != Some(id) => {
                return Ok(State::Skip);
            }
            Target::Part(_, id) => id,
        };
        if header.content_id == Some(wanted) {
            self.output.begin(part::part(octets))?;
            return Ok(if self.search.wants_body {
                State::Part(Decoder::new(header.encoding), Vec::new())
            } else {
                State::Done
            });
        }
        let level = match header.holds {
            Holds::Parts(boundary) => Some(boundary),
            Holds::Message if header.encoding == Encoding::Identity => None,
            _ => return Ok(State::Skip),
        };
        let depth = self.levels.len() + 1;
        self.search.deepest = self.search.deepest.max(depth);
        if depth > self.search.max {
            return Ok(State::Skip);
        }
        let is_message = level.is_none();
        self.levels.push(level);
        Ok(if is_message {
            State::Header(Vec::new())
        } else {
            State::Skip
        })
    }

    /// Whether nothing in the rest of the message can match.
    fn is_hopeless(&self) -> bool {
        matches!(self.state, State::Skip) && self.levels.is_empty()
    }

    /// Handles the end of the message.
    fn end(&mut self) -> Result<bool> {
        if let State::Header(header) = &mut self.state {
            let header = std::mem::take(header);
            self.state = self.enter(&header, b"")?;
        }
        match std::mem::replace(&mut self.state, State::Done) {
            State::Header(_) | State::Skip => Ok(false),
            State::Message | State::Done => Ok(true),
            State::Part(..) if self.levels.iter().any(Option::is_some) => {
                let received = self.output.received();
                let expected = None;
                Err(Error::new(ErrorKind::EndedEarly { expected, received }))
            }
            State::Part(decoder, pending) => self.finish(decoder, &pending).map(|()| true),
        }
    }
}
