//! Mail and news: messages, mailboxes and MIME parts.
//!
//! `urikit-mime` reads header fields, splits multiparts and decodes bodies. For every decoded byte,
//! `urikit-mime` also reports the range in the file. References are found in:
//!
//! - list header fields (RFC 2369) and `Archived-At` (RFC 5064); `Content-Base` and
//!   `Content-Location`, which are also the base URI of their part (RFC 2110, RFC 2557); and links
//!   in the text of other fields, with encoded words decoded (RFC 2047);
//! - text parts, after joining lines that `format=flowed` broke (RFC 3676); and parts in other
//!   formats such as HTML and iCalendar.
//!
//! A mailbox is read message by message, and requires memory only for its largest message.
//!
//! Fields that identify or trace messages are skipped: a `Message-ID` is not a reference. `cid:`
//! URLs (RFC 2392) are not resolved, but each is reported with the part that it refers to. If the
//! media type of an attachment is not that of a known format, its format is detected from its file
//! name and content. Attached archives are read only if the mail is read through
//! [`container`](crate::container). Other binary attachments are skipped.

mod decode;
mod fields;
mod part;

use crate::found::Bases;
use crate::reader::{Context, Each, Noticed, Reader, TooLong};
use core::cell::OnceCell;
use core::ops::Range;
pub(crate) use decode::{decode_base64, decode_quoted_printable};
use part::{BodyKind, DefaultType, MAX_DEPTH, kind};
use std::collections::HashMap;
use urikit::Standard;
use urikit::percent::{self, Place};
use urikit_mime::mailbox::Splitter;
use urikit_mime::{ContentType, boundary, header};

/// The number of bytes to buffer at a time.
const PIECE: usize = 256 << 10;

/// A mailbox, or a single message. Only one message at a time is held in memory.
#[derive(Debug)]
pub(crate) struct Mailbox<'e> {
    context: Context<'e>,
    bases: Bases,
    splitter: Splitter,
    /// The bytes that have not been read.
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

    /// Reads the complete messages in the buffer.
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

/// Calls `each` with the references of a message, in order. The message begins at `offset` in the
/// file.
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
    let ids = OnceCell::new();
    let mut noticed = Noticed::default();
    let mut reader = MessageReader {
        context,
        each: &mut |mut found| {
            if ContentIds::is_cid(found.uri()) {
                let ids = ids.get_or_init(|| ContentIds::of(message));
                let part = ids.part(found.uri());
                found.part = part.map(|part| part.start + offset..part.end + offset);
            }
            each(found);
        },
        noticed: &mut noticed,
    };
    reader.part(&source, 0..message.len(), bases, DefaultType::Text, 0);
    noticed
}

/// Reads the header and the parts of one message.
struct MessageReader<'m> {
    context: Context<'m>,
    each: &'m mut Each<'m>,
    noticed: &'m mut Noticed,
}

/// Decoded bytes that contain parts.
struct Source<'a> {
    bytes: &'a [u8],
    /// Maps a range of the decoded bytes to a range in the file.
    to_file: &'a dyn Fn(Range<usize>) -> Range<usize>,
}

/// The `Content-ID`s of a message's parts, with their ranges in the message.
#[derive(Default, Debug)]
struct ContentIds {
    parts: HashMap<Vec<u8>, Range<usize>>,
}

impl ContentIds {
    /// Collects the identifiers in a message. Multiparts and messages have no transfer encoding
    /// (RFC 2045, 6.4), so the ranges also apply to the file.
    fn of(message: &[u8]) -> Self {
        let mut ids = Self::default();
        ids.collect(message, 0..message.len(), DefaultType::Text, 0);
        ids
    }

    fn collect(
        &mut self,
        document: &[u8],
        range: Range<usize>,
        default: DefaultType,
        depth: usize,
    ) {
        let bytes = document.get(range.clone()).unwrap_or_default();
        let (header, body) = header::split(bytes);
        if let Some(value) = header::value(header, "Content-ID") {
            let id = header::identifier(value).to_vec();
            self.parts.entry(id).or_insert_with(|| range.clone());
        }
        let content = header::value(header, "Content-Type").and_then(ContentType::parse);
        if depth >= MAX_DEPTH {
            return;
        }
        let start = range.end - body.len();
        let boundary = content.as_ref().and_then(ContentType::boundary);
        match (kind(content.as_ref(), default), boundary) {
            (BodyKind::Message, _) => {
                self.collect(document, start..range.end, DefaultType::Text, depth + 1);
            }
            (BodyKind::Multipart(default), Some(boundary)) => {
                for part in boundary::parts(body, &boundary) {
                    let part = part.start + start..part.end + start;
                    self.collect(document, part, default, depth + 1);
                }
            }
            _ => {}
        }
    }

    /// Returns true if a URL has the `cid` scheme.
    fn is_cid(uri: &str) -> bool {
        uri.get(..4)
            .is_some_and(|start| start.eq_ignore_ascii_case("cid:"))
    }

    /// Returns the part that a `cid` URL refers to. The URL is percent-encoded (RFC 2392, 2).
    fn part(&self, uri: &str) -> Option<Range<usize>> {
        let (_, name) = uri.split_once(':')?;
        let name = percent::decode(name, Place::Segment, Standard::Rfc3986).ok()?;
        self.parts.get(&*name.to_bytes()).cloned()
    }
}
