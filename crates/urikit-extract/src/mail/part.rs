//! A message or a part of one: its header, and its body according to its type.

use super::header::Base;
use super::reader::{Mail, Source};
use super::{boundary, charset, flowed, transfer};
use crate::decode::{InvalidUtf8, OffsetMap};
use crate::found::{Bases, Reference};
use crate::html::{self, Html};
use crate::markdown;
use core::ops::Range;
use encoding_rs::Encoding;
use mail_parser::{ContentType, HeaderName, Message};
use urikit::op::Layer;

/// The depth to which nested parts are read.
pub(super) const MAX_DEPTH: usize = 32;

/// The type of a part without `Content-Type` (RFC 2045, 5.2; RFC 2046, 5.1.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Default {
    Text,
    /// In a digest.
    Message,
}

/// How a body is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Type {
    Text,
    Html,
    Markdown,
    Message,
    Multipart(Default),
    Other,
}

impl Mail<'_> {
    /// Reads a part at a range of the source.
    pub(super) fn part(
        &mut self,
        source: &Source<'_>,
        range: Range<usize>,
        bases: &Bases,
        default: Default,
        depth: usize,
    ) {
        let bytes = source.bytes.get(range.clone()).unwrap_or_default();
        let (header_end, body_start) = boundary::header_end(bytes);
        let header = bytes.get(..header_end).unwrap_or_default();
        self.count_invalid(header);
        let message = self.parser.parse_headers(header);
        let mut base = Base::default();
        for field in message.iter().flat_map(Message::headers) {
            let value = offset(field.offset_start)..offset(field.offset_end).min(header.len());
            let value = value.start + range.start..value.end + range.start;
            self.field(source, field.name(), value, bases, &mut base);
        }
        let uri = base.content_base.or(base.content_location);
        let bases = match &uri {
            Some(uri) => bases.within(Layer::Encapsulating, uri),
            None => std::borrow::Cow::Borrowed(bases),
        };
        let content = message
            .as_ref()
            .and_then(|message| message.header(HeaderName::ContentType)?.as_content_type());
        let encoding = message.as_ref().and_then(|message| {
            message
                .header(HeaderName::ContentTransferEncoding)?
                .as_text()
        });
        let body = range.start + body_start..range.end;
        self.body(
            source,
            body,
            &bases,
            content,
            encoding.unwrap_or_default().trim(),
            default,
            depth,
        );
    }

    #[allow(clippy::too_many_arguments)] // everything the header says about the body
    fn body(
        &mut self,
        source: &Source<'_>,
        range: Range<usize>,
        bases: &Bases,
        content: Option<&ContentType<'_>>,
        encoding: &str,
        default: Default,
        depth: usize,
    ) {
        let kind = kind(content, default);
        if kind == Type::Other {
            return;
        }
        let body = source.bytes.get(range.clone()).unwrap_or_default();
        let decoded = decode(body, encoding);
        let to_file = |inner: Range<usize>| {
            let inner = match &decoded {
                Some((_, map)) => map.range(inner),
                None => inner,
            };
            (source.to_file)(inner.start + range.start..inner.end + range.start)
        };
        let source = Source {
            bytes: decoded.as_ref().map_or(body, |(bytes, _)| bytes),
            to_file: &to_file,
        };
        let attribute = |name| content.and_then(|content| content.attribute(name));
        match (kind, attribute("boundary")) {
            (Type::Message, _) if depth < MAX_DEPTH => {
                self.part(
                    &source,
                    0..source.bytes.len(),
                    bases,
                    Default::Text,
                    depth + 1,
                );
            }
            (Type::Multipart(default), Some(boundary)) if depth < MAX_DEPTH => {
                for part in boundary::parts(source.bytes, boundary.as_bytes()) {
                    self.part(&source, part, bases, default, depth + 1);
                }
            }
            _ => self.text(&source, bases, kind, content),
        }
    }

    /// Reads a text according to its charset and format.
    fn text(
        &mut self,
        source: &Source<'_>,
        bases: &Bases,
        kind: Type,
        content: Option<&ContentType<'_>>,
    ) {
        let attribute = |name| content.and_then(|content| content.attribute(name));
        let is = |name, value: &str| {
            attribute(name).is_some_and(|found: &str| found.eq_ignore_ascii_case(value))
        };
        // The header takes precedence over a declaration in HTML.
        let declared = (kind == Type::Html && attribute("charset").is_none())
            .then(|| html::charset(source.bytes))
            .flatten();
        let charset = attribute("charset").or(declared.map(Encoding::name));
        let decoded = charset.and_then(|label| charset::decode(source.bytes, label));
        let text = decoded.as_ref().map_or(source.bytes, |(text, _)| text);
        if charset::is_utf8(charset) {
            self.count_invalid(text);
        }
        let joined = (kind == Type::Text && is("format", "flowed"))
            .then(|| flowed::join(text, is("delsp", "yes")));
        let text = joined.as_ref().map_or(text, |(text, _)| text);
        let to_file = |mut range: Range<usize>| {
            for (_, map) in [&joined, &decoded].into_iter().flatten() {
                range = map.range(range);
            }
            (source.to_file)(range)
        };
        match kind {
            Type::Html => {
                let mut html = Html::new(self.finder, bases);
                let mut each = |mut found: Reference<'_>| {
                    found.range = to_file(found.range);
                    (self.each)(found);
                };
                html.push(text, &mut each);
                html.finish(&mut each);
            }
            Type::Markdown => {
                let each = &mut *self.each;
                markdown::read(text, self.finder, bases, &mut |mut found| {
                    found.range = to_file(found.range);
                    each(found);
                });
            }
            _ => self.plain(text, bases, &to_file),
        }
    }

    fn count_invalid(&mut self, text: &[u8]) {
        let mut invalid = InvalidUtf8::default();
        invalid.push(text);
        self.invalid += invalid.finish();
    }
}

/// Converts an offset of `mail-parser`.
pub(super) fn offset(offset: u32) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

pub(super) fn kind(content: Option<&ContentType<'_>>, default: Default) -> Type {
    let Some(content) = content else {
        return match default {
            Default::Text => Type::Text,
            Default::Message => Type::Message,
        };
    };
    let kind = content.ctype().to_ascii_lowercase();
    let subtype = content.subtype().unwrap_or_default().to_ascii_lowercase();
    match (kind.as_str(), subtype.as_str()) {
        ("text", "html") | ("application", "xhtml+xml") => Type::Html,
        ("text", "markdown" | "x-markdown") => Type::Markdown,
        ("multipart", "digest") => Type::Multipart(Default::Message),
        ("multipart", _) => Type::Multipart(Default::Text),
        ("message", "rfc822" | "global" | "news") => Type::Message,
        ("text" | "message", _) => Type::Text,
        _ => Type::Other,
    }
}

/// Decodes a transfer encoding; `None` if there is none.
fn decode(body: &[u8], encoding: &str) -> Option<(Vec<u8>, OffsetMap)> {
    if encoding.eq_ignore_ascii_case("quoted-printable") {
        Some(transfer::quoted_printable(body))
    } else if encoding.eq_ignore_ascii_case("base64") {
        Some(transfer::base64(body))
    } else {
        None
    }
}
