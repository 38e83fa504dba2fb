//! JSON in pages: finds strings that are references because of their form or their key.

use super::script::{is_reference, unescape};
use super::{ProgramLink, complete_string};
use crate::found::Syntax;
use crate::plain::Finder;
use std::borrow::Cow;

/// The maximum length of a string in memory, in bytes. The rest of a longer string is treated as
/// another string.
const MAX_STRING: usize = 1 << 20;

/// Keys whose values are references in JSON-LD (`@id`), schema.org (the properties of type `URL`)
/// and other data formats in pages.
const KEYS: [&str; 26] = [
    "@id",
    "url",
    "urls",
    "href",
    "src",
    "uri",
    "link",
    "links",
    "image",
    "images",
    "logo",
    "sameAs",
    "item",
    "contentUrl",
    "embedUrl",
    "thumbnailUrl",
    "thumbnail",
    "mainEntityOfPage",
    "downloadUrl",
    "installUrl",
    "discussionUrl",
    "codeRepository",
    "license",
    "start_url",
    "icon",
    "@context",
];

/// Reads JSON that arrives in pieces.
#[derive(Debug)]
pub(in super::super) struct Json {
    /// True if all values and keys may be references, as in import maps and speculation rules.
    is_map: bool,
    state: StringState,
    /// The string read so far, without its quotation marks.
    string: Vec<u8>,
    start: usize,
    /// True if the next byte of the string is escaped.
    is_escaped: bool,
    /// The last key.
    key: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum StringState {
    Between,
    InString,
    /// A string has ended. The string is a key if a colon follows.
    AfterString,
}

impl Json {
    /// Creates a reader. `is_map` means that all strings may be references.
    pub(super) fn new(is_map: bool) -> Self {
        Self {
            is_map,
            state: StringState::Between,
            string: Vec::new(),
            start: 0,
            is_escaped: false,
            key: Vec::new(),
        }
    }

    /// Returns the offset before which no later reference can begin.
    pub(super) fn undecided_from(&self) -> Option<usize> {
        (self.state != StringState::Between).then_some(self.start)
    }

    /// Takes a piece that begins at this offset in the document.
    pub(super) fn push(
        &mut self,
        finder: &Finder,
        piece: &[u8],
        start: usize,
        is_last: bool,
        each: &mut dyn FnMut(ProgramLink<'_>),
    ) {
        let mut at = 0;
        while let Some(rest) = piece.get(at..).filter(|rest| !rest.is_empty()) {
            match self.state {
                StringState::Between => {
                    let Some(open) = memchr::memchr(b'"', rest) else {
                        break;
                    };
                    at += open + 1;
                    self.begin(start + at);
                }
                StringState::InString => at += self.string(finder, rest, each),
                StringState::AfterString => {
                    let white = rest.iter().take_while(|byte| byte.is_ascii_whitespace());
                    at += white.count();
                    if let Some(next) = piece.get(at) {
                        self.end(finder, *next == b':', each);
                    }
                }
            }
        }
        if is_last {
            if self.state != StringState::Between {
                self.end(finder, false, each);
            }
            *self = Self::new(self.is_map);
        }
    }

    fn begin(&mut self, start: usize) {
        self.string.clear();
        self.start = start;
        self.is_escaped = false;
        self.state = StringState::InString;
    }

    /// Reads more of a string, and returns the number of bytes read.
    fn string(
        &mut self,
        finder: &Finder,
        rest: &[u8],
        each: &mut dyn FnMut(ProgramLink<'_>),
    ) -> usize {
        if self.string.len() >= MAX_STRING {
            let next = self.start + self.string.len();
            let is_escaped = self.is_escaped;
            self.end(finder, false, each);
            self.begin(next);
            self.is_escaped = is_escaped;
        }
        let room = MAX_STRING - self.string.len();
        let rest = rest.get(..room).unwrap_or(rest);
        if self.is_escaped {
            self.is_escaped = false;
            self.string
                .extend_from_slice(rest.get(..1).unwrap_or_default());
            return 1;
        }
        let end = memchr::memchr2(b'"', b'\\', rest).unwrap_or(rest.len());
        self.string
            .extend_from_slice(rest.get(..end).unwrap_or_default());
        match rest.get(end) {
            Some(b'"') => self.state = StringState::AfterString,
            Some(_) => {
                self.is_escaped = true;
                self.string.push(b'\\');
            }
            None => return end,
        }
        end + 1
    }

    /// Reports the references in a string that has ended.
    fn end(&mut self, finder: &Finder, is_key: bool, each: &mut dyn FnMut(ProgramLink<'_>)) {
        self.state = StringState::Between;
        let escaped = unescape(&self.string, self.start);
        let decoded = escaped
            .as_ref()
            .map_or(self.string.as_slice(), |(text, _)| text);
        let locate = |range: core::ops::Range<usize>| match &escaped {
            Some((_, map)) => map.range(range),
            None => range.start + self.start..range.end + self.start,
        };
        let written = |range: &core::ops::Range<usize>| {
            let within = range.start - self.start..range.end - self.start;
            self.string.get(within).unwrap_or_default()
        };
        let is_name = KEYS.iter().any(|key| key.as_bytes() == self.key);
        let may_be = !decoded.is_empty() && !decoded.iter().any(u8::is_ascii_whitespace);
        let has_slash = decoded
            .iter()
            .any(|byte| matches!(byte, b'/' | b'#' | b'?' | b'.'));
        let begins_path = [&b"/"[..], b"./", b"../"]
            .iter()
            .any(|start| decoded.starts_with(start));
        let is_one = if is_key {
            self.is_map && (begins_path || is_reference(decoded))
        } else {
            is_reference(decoded) || may_be && has_slash && (is_name || self.is_map)
        };
        if is_one {
            let range = locate(0..decoded.len());
            let text = Cow::Borrowed(written(&range));
            each(complete_string(range, text, decoded, Syntax::Json));
        } else if !is_key {
            for link in finder.links(decoded) {
                let range = locate(link.range());
                each(ProgramLink {
                    text: Cow::Borrowed(written(&range)),
                    range,
                    kind: link.kind(),
                    uri: link.uri,
                    syntax: Syntax::Json,
                    marks: link.marks,
                    alternative: link.alternative,
                });
            }
        }
        if is_key {
            let key = decoded
                .get(..decoded.len().min(64))
                .unwrap_or_default()
                .to_vec();
            self.key = key;
        }
    }
}
