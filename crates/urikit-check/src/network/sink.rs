//! Receives as much of a page's content as is needed.

use super::room::{Room, SMALL};
use crate::probe::Content;
use std::io;
use std::sync::Arc;
use urikit_access::listing::Entry;
use urikit_access::{Metadata, Sink};
use urikit_extract::document::{Extractor, Format};

/// Receives a body of limited length. To stop a transfer early, the sink returns an error.
pub(super) struct Page {
    part: Part,
    /// True if a binary body is also received, because it may be a container.
    takes_binary: bool,
    /// The format, if the server specified one.
    format: Option<Format>,
    /// The charset, if the server specified one that is known.
    charset: Option<String>,
    has_type: bool,
    bytes: Vec<u8>,
    room: Option<Arc<Room>>,
    has_begun: bool,
    end: End,
}

/// The part of a response to receive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// The metadata, without a body.
    Metadata,
    /// The metadata at the start of a response with a body, which is not received.
    Start,
    /// At most this many bytes of the body.
    Body(usize),
}

/// The reason why the sink ended the transfer, if it did.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// The sink did not end the transfer: the body is complete, unless the server failed.
    No,
    /// Nothing else is needed.
    Enough,
    /// The body is longer than the limit.
    TooLong,
}

impl Page {
    pub(super) const fn new(part: Part, room: Option<Arc<Room>>) -> Self {
        Self {
            part,
            takes_binary: false,
            format: None,
            charset: None,
            has_type: false,
            bytes: Vec::new(),
            room,
            has_begun: false,
            end: End::No,
        }
    }

    /// Sets whether a binary body is also received.
    pub(super) const fn takes_binary(mut self, yes: bool) -> Self {
        self.takes_binary = yes;
        self
    }

    /// Returns true if the sink ended the transfer, which is then not a failure.
    pub(super) fn is_enough(&self) -> bool {
        self.end != End::No
    }

    fn end(&mut self, end: End) -> io::Error {
        self.end = end;
        io::Error::other("nothing else is needed")
    }

    /// Returns the content of a page with this URL, or `None` if the content was not requested or
    /// is incomplete.
    pub(super) fn content(self, url: &str) -> Option<Content> {
        let is_requested = matches!(self.part, Part::Body(_));
        if !is_requested || !self.has_begun || self.end == End::TooLong {
            return None;
        }
        let path = url.split(['?', '#']).next().unwrap_or_default();
        let format = match self.format {
            // For Markdown or source code sent as plain text, the name says more than the media
            // type.
            Some(Format::Text) => Format::guess(path, &self.bytes),
            None if !self.has_type => Format::guess(path, &self.bytes),
            format => format,
        };
        Some(Content {
            format,
            charset: self.charset,
            bytes: self.bytes,
        })
    }

    pub(super) fn bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Returns the parameter `charset` of a media type (RFC 9110, 8.3.2).
fn charset_of(media_type: &str) -> Option<String> {
    let parameters = media_type.split(';').skip(1);
    let mut parameters = parameters.filter_map(|parameter| parameter.split_once('='));
    let (_, value) = parameters.find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))?;
    Some(value.trim().trim_matches('"').to_owned())
}

impl Sink for Page {
    fn begin(&mut self, metadata: &Metadata) -> io::Result<()> {
        let media_type = metadata.media_type.as_deref();
        self.has_begun = !metadata.is_listing;
        self.has_type = media_type.is_some();
        self.format = media_type.and_then(|name| Format::of_media_type(name.as_bytes()));
        let charset = media_type.and_then(charset_of);
        self.charset = charset.filter(|label| Extractor::new().charset(label).is_some());
        let is_binary = self.has_type && self.format.is_none();
        match self.part {
            // Returning no error allows the connection to be reused.
            Part::Metadata => Ok(()),
            Part::Body(_) if !is_binary || self.takes_binary => Ok(()),
            Part::Start | Part::Body(_) => Err(self.end(End::Enough)),
        }
    }

    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        let limit = match self.part {
            Part::Body(limit) => limit,
            Part::Metadata | Part::Start => 0,
        };
        let left = limit.saturating_sub(self.bytes.len());
        let taken = bytes.get(..left).unwrap_or(bytes);
        if let Some(room) = &self.room
            && self.bytes.len() + taken.len() > SMALL
        {
            room.take();
        }
        self.bytes.extend_from_slice(taken);
        if taken.len() < bytes.len() {
            return Err(self.end(End::TooLong));
        }
        Ok(())
    }

    fn entry(&mut self, _: &Entry) -> io::Result<()> {
        Ok(())
    }
}
