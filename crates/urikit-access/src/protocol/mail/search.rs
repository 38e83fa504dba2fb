//! Searches messages for a particular message or part, in one pass (RFC 2045; RFC 2046; RFC 5322).

use super::lines::Lines;
use crate::deadline::Deadline;
use crate::error::{Error, ErrorKind, Result};
use crate::output::{Metadata, Output};
use crate::protocol::message;
use crate::request::Request;
use std::io::BufRead;
use std::time::Duration;
use urikit_mime::ContentType;
use urikit_mime::boundary::{self, Delimiter};
use urikit_mime::header::{self, is_empty_line};
use urikit_mime::transfer::{Decoder, Encoding, Run};
use urikit_schemes::{Cid, Mid};

/// The maximum length of a header, in octets.
const MAX_HEADER: usize = 1 << 20;

/// The number of line pieces that are searched between checks of the deadline.
const PIECES_PER_CHECK: u32 = 1 << 12;

/// The message or part that a URL identifies. Identifiers are percent-decoded.
pub(super) enum Target {
    /// The message with the given Message-ID.
    Message(Vec<u8>),
    /// The Content-ID of a part, and the Message-ID of its message if the URL contains one.
    Part {
        message: Option<Vec<u8>>,
        part: Vec<u8>,
    },
}

impl Target {
    /// Reads the URL of a request.
    pub(super) fn of(request: &Request<'_>) -> Result<Self> {
        let scheme = request.reference.scheme().unwrap_or_default();
        if scheme.eq_ignore_ascii_case("cid") {
            let url = Cid::read_as(request.reference, request.edition)?;
            return Ok(Self::Part {
                message: None,
                part: url.content_id().to_bytes().into_owned(),
            });
        }
        let url = Mid::read_as(request.reference, request.edition)?;
        let message = url.message_id().to_bytes().into_owned();
        Ok(match url.content_id() {
            Some(part) => Self::Part {
                message: Some(message),
                part: part.to_bytes().into_owned(),
            },
            None => Self::Message(message),
        })
    }
}

/// A search for the target in messages.
pub(super) struct Search {
    target: Target,
    wants_body: bool,
    /// The maximum nesting depth of the parts that are searched.
    max_depth: usize,
    /// The deepest nesting level that was found.
    pub(super) deepest: usize,
    /// The number of messages that were searched.
    pub(super) messages: u64,
    /// The number of header fields with too many parameters, not all of which were read.
    pub(super) truncated_fields: usize,
}

/// The section of a message that the current line belongs to.
enum Section {
    /// A header, with the lines that have been read so far.
    Header(Vec<u8>),
    /// Content other than the target.
    Other,
    /// The target message, which is copied unchanged.
    TargetMessage,
    /// The target part. The last line ending of the part is held back, because it belongs to the
    /// boundary if a boundary follows.
    TargetPart(Decoder, Vec<u8>),
    /// The rest of the message, after the target has been written completely.
    Rest,
}

impl Search {
    pub(super) const fn new(target: Target, wants_body: bool, max_depth: usize) -> Self {
        Self {
            target,
            wants_body,
            max_depth,
            deepest: 0,
            messages: 0,
            truncated_fields: 0,
        }
    }

    /// Searches one message. If the message contains the target, writes the target to `output` and
    /// returns true.
    pub(super) fn message<R: BufRead>(
        &mut self,
        lines: &mut Lines<'_, R>,
        deadline: &Deadline,
        output: &mut Output<'_>,
    ) -> Result<bool> {
        self.messages += 1;
        let mut search = MessageSearch {
            search: self,
            levels: Vec::new(),
            is_top: true,
            output,
            section: Section::Header(Vec::new()),
        };
        let mut pieces = 0_u32;
        let local = |error| Error::new(ErrorKind::Local(error));
        while lines.advance().map_err(local)? {
            pieces += 1;
            if pieces.is_multiple_of(PIECES_PER_CHECK) {
                deadline.left(Duration::MAX)?;
            }
            search.piece(lines.piece(), lines.begins_line())?;
            if matches!(search.section, Section::Rest) {
                return Ok(true);
            }
            if search.cannot_match() {
                break;
            }
        }
        // Check the deadline after each message, because small messages have fewer pieces than
        // `PIECES_PER_CHECK`, but searching many of them takes time.
        deadline.left(Duration::MAX)?;
        search.end()
    }
}

/// A search through a single message.
struct MessageSearch<'w, 'd, 's> {
    search: &'w mut Search,
    /// The boundaries of the enclosing multiparts, outermost first. `None` represents an enclosing
    /// message.
    levels: Vec<Option<Vec<u8>>>,
    is_top: bool,
    output: &'d mut Output<'s>,
    section: Section,
}

impl MessageSearch<'_, '_, '_> {
    fn piece(&mut self, piece: &[u8], begins_line: bool) -> Result<()> {
        if begins_line && let Some((level, delimiter)) = self.delimiter(piece) {
            return self.at_delimiter(level, delimiter);
        }
        match &mut self.section {
            Section::Header(header) => {
                if begins_line && is_empty_line(piece) {
                    let header = std::mem::take(header);
                    self.section = self.end_header(&header, piece)?;
                } else if header.len() + piece.len() > MAX_HEADER {
                    self.section = Section::Other;
                } else {
                    header.extend_from_slice(piece);
                }
            }
            Section::Other | Section::Rest => {}
            Section::TargetMessage => self.output.bytes(piece)?,
            Section::TargetPart(decoder, pending) => {
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
        // Without an empty line after the header, the part has no body.
        if let Section::Header(header) = &mut self.section {
            let header = std::mem::take(header);
            let depth = self.levels.len();
            self.section = self.end_header(&header, b"")?;
            self.levels.truncate(depth);
        }
        match std::mem::replace(&mut self.section, Section::Rest) {
            Section::TargetPart(decoder, _) => return self.finish(decoder, b""),
            Section::TargetMessage => self.section = Section::TargetMessage,
            Section::Rest => {}
            Section::Header(_) | Section::Other if delimiter == Delimiter::Last => {
                self.levels.truncate(level);
                self.section = Section::Other;
            }
            Section::Header(_) | Section::Other => {
                self.levels.truncate(level + 1);
                self.section = Section::Header(Vec::new());
            }
        }
        Ok(())
    }

    /// Decodes the last octets of the target part, and writes them to the output.
    fn finish(&mut self, mut decoder: Decoder, octets: &[u8]) -> Result<()> {
        let mut out = Vec::new();
        let mut each = |run: Run<'_>| out.extend_from_slice(run.octets());
        decoder.push(octets, &mut each);
        decoder.finish(&mut each);
        self.output.bytes(&out)
    }

    /// Returns the level that a delimiter line belongs to. If several levels match, returns the
    /// outermost level, because its delimiter also ends the inner levels (RFC 2046, 5.1.2).
    fn delimiter(&self, line: &[u8]) -> Option<(usize, Delimiter)> {
        let levels = self.levels.iter().enumerate();
        levels
            .filter_map(|(level, it)| Some((level, it.as_ref()?)))
            .find_map(|(level, it)| Some((level, boundary::delimiter(line, it)?)))
    }

    /// Handles a complete header, and returns the section that follows it. `blank` is the empty
    /// line between the header and the body.
    fn end_header(&mut self, octets: &[u8], blank: &[u8]) -> Result<Section> {
        let header = Header::parse(octets);
        let is_top = std::mem::replace(&mut self.is_top, false);
        self.search.truncated_fields += usize::from(header.is_truncated);
        let wanted = match &self.search.target {
            Target::Message(id) if is_top && header.message_id == Some(id) => {
                self.output.begin(message_metadata(octets))?;
                if !self.search.wants_body {
                    return Ok(Section::Rest);
                }
                self.output.bytes(octets)?;
                self.output.bytes(blank)?;
                return Ok(Section::TargetMessage);
            }
            Target::Message(_) => return Ok(Section::Other),
            Target::Part {
                message: Some(id), ..
            } if is_top && header.message_id != Some(id) => {
                return Ok(Section::Other);
            }
            Target::Part { part, .. } => part,
        };
        if header.content_id == Some(wanted) {
            self.output.begin(part_metadata(octets))?;
            return Ok(if self.search.wants_body {
                Section::TargetPart(Decoder::new(header.encoding), Vec::new())
            } else {
                Section::Rest
            });
        }
        let level = match header.content {
            Content::Parts { boundary } => Some(boundary),
            Content::Message if header.encoding == Encoding::Identity => None,
            _ => return Ok(Section::Other),
        };
        let depth = self.levels.len() + 1;
        self.search.deepest = self.search.deepest.max(depth);
        if depth > self.search.max_depth {
            return Ok(Section::Other);
        }
        let is_message = level.is_none();
        self.levels.push(level);
        Ok(if is_message {
            Section::Header(Vec::new())
        } else {
            Section::Other
        })
    }

    /// Returns true if the rest of the message cannot contain the target.
    fn cannot_match(&self) -> bool {
        matches!(self.section, Section::Other) && self.levels.is_empty()
    }

    /// Handles the end of the message.
    fn end(&mut self) -> Result<bool> {
        if let Section::Header(header) = &mut self.section {
            let header = std::mem::take(header);
            self.section = self.end_header(&header, b"")?;
        }
        match std::mem::replace(&mut self.section, Section::Rest) {
            Section::Header(_) | Section::Other => Ok(false),
            Section::TargetMessage | Section::Rest => Ok(true),
            Section::TargetPart(..) if self.levels.iter().any(Option::is_some) => {
                let received = self.output.received();
                let expected = None;
                Err(Error::new(ErrorKind::EndedEarly { expected, received }))
            }
            Section::TargetPart(decoder, pending) => self.finish(decoder, &pending).map(|()| true),
        }
    }
}

/// The header fields that the search needs.
struct Header<'a> {
    message_id: Option<&'a [u8]>,
    content_id: Option<&'a [u8]>,
    content: Content,
    encoding: Encoding,
    /// True if the `Content-Type` has too many parameters, not all of which were read.
    is_truncated: bool,
}

/// The kind of content in a body.
enum Content {
    /// Parts that are separated by boundary lines.
    Parts { boundary: Vec<u8> },
    /// A message.
    Message,
    /// Anything else.
    Other,
}

impl<'a> Header<'a> {
    fn parse(octets: &'a [u8]) -> Self {
        let value = |name| header::value(octets, name);
        let content_type = value("Content-Type").and_then(ContentType::parse);
        let content = content_type.as_ref().map_or(Content::Other, |media| {
            if let Some(boundary) = media.boundary() {
                Content::Parts { boundary }
            } else if media.is("message", "rfc822") || media.is("message", "global") {
                Content::Message
            } else {
                Content::Other
            }
        });
        let is_truncated = |media: &ContentType<'_>| !media.parameters().is_complete();
        Self {
            message_id: value("Message-ID").map(header::identifier),
            content_id: value("Content-ID").map(header::identifier),
            content,
            encoding: value("Content-Transfer-Encoding")
                .map_or(Encoding::Identity, Encoding::parse),
            is_truncated: content_type.as_ref().is_some_and(is_truncated),
        }
    }
}

/// Returns the metadata that the header of a message contains.
fn message_metadata(header: &[u8]) -> Metadata {
    let fields = message::fields(header);
    Metadata {
        media_type: Some("message/rfc822".to_owned()),
        modified: message::date(&fields),
        attributes: fields,
        ..Metadata::default()
    }
}

/// Returns the metadata that the header of a part contains.
fn part_metadata(header: &[u8]) -> Metadata {
    let fields = message::fields(header);
    let is_type = |(name, _): &&(String, String)| name.eq_ignore_ascii_case("content-type");
    let media_type = fields.iter().find(is_type);
    // RFC 2045, 5.2 defines this default for parts without a `Content-Type`.
    let media_type = media_type.map_or("text/plain; charset=us-ascii", |(_, value)| value);
    Metadata {
        media_type: Some(media_type.trim_end().to_owned()),
        attributes: fields,
        ..Metadata::default()
    }
}
