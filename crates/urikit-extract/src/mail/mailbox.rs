//! Mailboxes (RFC 4155), read message by message.

use super::names::Names;
use super::part::Default;
use super::reader::{Mail, Source};
use crate::found::Bases;
use crate::reader::{Context, Each, Noticed, Reader, TooLong};
use core::cell::OnceCell;
use urikit_mime::mailbox::Splitter;

/// How much is read at once, in bytes.
const PIECE: usize = 256 << 10;

/// A message, or a mailbox of messages, of which one at a time is in memory.
#[derive(Debug)]
pub(crate) struct Mailbox<'e> {
    context: Context<'e>,
    bases: Bases,
    splitter: Splitter,
    /// The messages that have not been read.
    buffer: Vec<u8>,
    /// The offset of the buffer in the file.
    offset: usize,
    noticed: Noticed,
}

impl<'e> Mailbox<'e> {
    pub(crate) fn new(context: Context<'e>, bases: &Bases) -> Self {
        Self {
            context,
            bases: bases.clone(),
            splitter: Splitter::new(),
            buffer: Vec::new(),
            offset: 0,
            noticed: Noticed::default(),
        }
    }

    /// Reads the messages that are complete.
    fn read(&mut self, is_complete: bool, each: &mut Each<'_>) {
        let mut at = 0;
        loop {
            let rest = self.buffer.get(at..).unwrap_or_default();
            if is_complete && at > 0 && rest.is_empty() {
                break;
            }
            let Some(found) = self.splitter.next(rest, is_complete) else {
                break;
            };
            let message = rest.get(found.range.clone()).unwrap_or_default();
            let noticed = read(
                message,
                self.offset + at + found.range.start,
                self.context,
                &self.bases,
                each,
            );
            self.noticed.add(noticed, &|at| at);
            at += found.end;
            if is_complete && found.end == 0 {
                break;
            }
        }
        self.buffer.drain(..at);
        self.offset += at;
    }
}

impl Reader for Mailbox<'_> {
    fn push(&mut self, piece: &[u8], each: &mut Each<'_>) -> Result<(), TooLong> {
        let limit = self.context.max_length;
        for piece in piece.chunks(PIECE) {
            if piece.len() > limit.saturating_sub(self.buffer.len()) {
                return Err(TooLong { limit });
            }
            self.buffer.extend_from_slice(piece);
            self.read(false, each);
        }
        Ok(())
    }

    fn undecided_from(&self) -> usize {
        self.offset
    }

    fn finish(mut self: Box<Self>, each: &mut Each<'_>) -> Noticed {
        self.read(true, each);
        self.noticed
    }
}

/// Calls `each` with the references of a message that begins at an offset of the file, in order.
fn read(
    message: &[u8],
    offset: usize,
    context: Context<'_>,
    bases: &Bases,
    each: &mut Each<'_>,
) -> Noticed {
    let source = Source {
        bytes: message,
        to_file: &|range| range.start + offset..range.end + offset,
    };
    let names = OnceCell::new();
    let mut noticed = Noticed::default();
    let mut mail = Mail {
        context,
        each: &mut |mut found| {
            if Names::is_cid(found.uri()) {
                let names = names.get_or_init(|| Names::of(message));
                let part = names.part(found.uri());
                found.part = part.map(|part| part.start + offset..part.end + offset);
            }
            each(found);
        },
        noticed: &mut noticed,
    };
    mail.part(&source, 0..message.len(), bases, Default::Text, 0);
    noticed
}
