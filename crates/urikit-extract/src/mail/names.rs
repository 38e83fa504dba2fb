//! The parts that `cid:` URLs refer to (RFC 2392): any part of the same message.

use super::part::{Default, MAX_DEPTH, Type, kind};
use core::ops::Range;
use std::collections::HashMap;
use urikit::Standard;
use urikit::percent::{self, Place};
use urikit_mime::{ContentType, boundary, header};

/// The `Content-ID`s of a message's parts, with their ranges in the file.
#[derive(Default, Debug)]
pub(super) struct Names {
    parts: HashMap<Vec<u8>, Range<usize>>,
}

impl Names {
    /// Those of a message, with ranges in it. Multiparts and messages have no transfer
    /// encoding (RFC 2045, 6.4), so all ranges are those of the file.
    pub(super) fn of(message: &[u8]) -> Self {
        let mut names = Self::default();
        names.take(message, 0..message.len(), Default::Text, 0);
        names
    }

    fn take(&mut self, document: &[u8], range: Range<usize>, default: Default, depth: usize) {
        let bytes = document.get(range.clone()).unwrap_or_default();
        let (header, body) = header::split(bytes);
        if let Some(value) = header::value(header, "Content-ID") {
            let name = header::identifier(value).to_vec();
            self.parts.entry(name).or_insert_with(|| range.clone());
        }
        let content = header::value(header, "Content-Type").and_then(ContentType::parse);
        if depth >= MAX_DEPTH {
            return;
        }
        let start = range.end - body.len();
        let boundary = content.as_ref().and_then(ContentType::boundary);
        match (kind(content.as_ref(), default), boundary) {
            (Type::Message, _) => {
                self.take(document, start..range.end, Default::Text, depth + 1);
            }
            (Type::Multipart(default), Some(boundary)) => {
                for part in boundary::parts(body, &boundary) {
                    let part = part.start + start..part.end + start;
                    self.take(document, part, default, depth + 1);
                }
            }
            _ => {}
        }
    }

    /// Whether a URL may refer to a part.
    pub(super) fn is_cid(uri: &str) -> bool {
        uri.get(..4)
            .is_some_and(|start| start.eq_ignore_ascii_case("cid:"))
    }

    /// The part that a `cid` URL refers to. The URL is percent-encoded (RFC 2392, 2).
    pub(super) fn part(&self, uri: &str) -> Option<Range<usize>> {
        let (_, name) = uri.split_once(':')?;
        let name = percent::decode(name, Place::Segment, Standard::Rfc3986).ok()?;
        self.parts.get(&*name.to_bytes()).cloned()
    }
}
