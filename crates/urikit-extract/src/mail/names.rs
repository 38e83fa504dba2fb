//! The parts that `cid:` URLs refer to (RFC 2392): any part of the same message.

use super::boundary;
use super::part::{Default, MAX_DEPTH, Type, kind, offset};
use core::ops::Range;
use mail_parser::{HeaderName, Message, MessageParser};
use std::collections::HashMap;
use urikit::Standard;
use urikit::percent::{self, Place};

/// The `Content-ID`s of a message's parts, with their ranges in the file.
#[derive(Default, Debug)]
pub(super) struct Names {
    parts: HashMap<Vec<u8>, Range<usize>>,
}

impl Names {
    /// Those of the message at a range of a document. Multiparts and messages have no transfer
    /// encoding (RFC 2045, 6.4), so all ranges are those of the file.
    pub(super) fn of(parser: &MessageParser, document: &[u8], message: Range<usize>) -> Self {
        let mut names = Self::default();
        names.take(parser, document, message, Default::Text, 0);
        names
    }

    fn take(
        &mut self,
        parser: &MessageParser,
        document: &[u8],
        range: Range<usize>,
        default: Default,
        depth: usize,
    ) {
        let bytes = document.get(range.clone()).unwrap_or_default();
        let (header_end, body_start) = boundary::header_end(bytes);
        let header = bytes.get(..header_end).unwrap_or_default();
        let message = parser.parse_headers(header);
        for field in message.iter().flat_map(Message::headers) {
            if field.name().eq_ignore_ascii_case("content-id") {
                let end = offset(field.offset_end).min(header.len());
                let value = header.get(offset(field.offset_start)..end);
                let name = value.unwrap_or_default().trim_ascii();
                let name = name.strip_prefix(b"<").unwrap_or(name);
                let name = name.strip_suffix(b">").unwrap_or(name).to_vec();
                self.parts.entry(name).or_insert_with(|| range.clone());
            }
        }
        let content = message
            .as_ref()
            .and_then(|message| message.header(HeaderName::ContentType)?.as_content_type());
        if depth >= MAX_DEPTH {
            return;
        }
        let body = bytes.get(body_start..).unwrap_or_default();
        let start = range.start + body_start;
        let boundary = content.and_then(|content| content.attribute("boundary"));
        match (kind(content, default), boundary) {
            (Type::Message, _) => {
                self.take(parser, document, start..range.end, Default::Text, depth + 1);
            }
            (Type::Multipart(default), Some(boundary)) => {
                for part in boundary::parts(body, boundary.as_bytes()) {
                    let part = part.start + start..part.end + start;
                    self.take(parser, document, part, default, depth + 1);
                }
            }
            _ => {}
        }
    }

    /// The part that a URL refers to. The URL is percent-encoded (RFC 2392, 2).
    pub(super) fn part(&self, uri: &str) -> Option<Range<usize>> {
        let (scheme, name) = uri.split_once(':')?;
        if self.parts.is_empty() || !scheme.eq_ignore_ascii_case("cid") {
            return None;
        }
        let name = percent::decode(name, Place::Segment, Standard::Rfc3986).ok()?;
        self.parts.get(&*name.to_bytes()).cloned()
    }
}
