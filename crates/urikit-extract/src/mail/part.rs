//! Reads a message or one of its parts: the header, then the body according to its type.

use super::decode::{decode_charset, decode_transfer, is_utf8, join_flowed};
use super::fields::PartBase;
use super::{MessageReader, Source};
use crate::decode::InvalidUtf8;
use crate::format::Format;
use crate::found::{Bases, Found, Place};
use crate::html;
use core::ops::Range;
use std::borrow::Cow;
use urikit::op::Layer;
use urikit_mime::transfer::Encoding;
use urikit_mime::{ContentType, boundary, header};

/// The maximum nesting depth of parts to read.
pub(super) const MAX_DEPTH: usize = 32;

/// The default type of a part without `Content-Type` (RFC 2045, 5.2; RFC 2046, 5.1.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DefaultType {
    Text,
    /// The default type of a part in a digest.
    Message,
}

/// The content of a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BodyKind {
    Document(Format),
    Message,
    Multipart(DefaultType),
    /// An attachment, whose format is detected from its name and content.
    Other,
    /// Binary data, such as an image.
    Binary,
}

/// The header fields of a part that describe its body.
struct BodyHeader<'h> {
    fields: &'h [u8],
    kind: BodyKind,
    content: Option<ContentType<'h>>,
    encoding: Encoding,
}

impl MessageReader<'_> {
    /// Reads the part at `range` in the source.
    pub(super) fn part(
        &mut self,
        source: &Source<'_>,
        range: Range<usize>,
        bases: &Bases,
        default: DefaultType,
        depth: usize,
    ) {
        let bytes = source.bytes.get(range.clone()).unwrap_or_default();
        let (header, body) = header::split(bytes);
        self.count_invalid(header);
        let mut base = PartBase::default();
        let (mut media_type, mut encoding) = (None, None);
        for field in header::fields(header) {
            if field.is("Content-Type") {
                media_type = media_type.or(Some(field.value));
            } else if field.is("Content-Transfer-Encoding") {
                encoding = encoding.or(Some(field.value));
            }
            let value = field.range.start + range.start..field.range.end + range.start;
            self.field(source, field.name, value, bases, &mut base);
        }
        let uri = base.content_base.or(base.content_location);
        let bases = match &uri {
            Some(uri) => {
                let long = &mut self.noticed.exceeded.long_bases;
                bases.within(Layer::Encapsulating, uri, long)
            }
            None => Cow::Borrowed(bases),
        };
        let content = media_type.and_then(ContentType::parse);
        let is_cut = |content: &ContentType<'_>| !content.parameters().is_complete();
        self.noticed.cut += usize::from(content.as_ref().is_some_and(is_cut));
        let body = range.end - body.len()..range.end;
        let header = BodyHeader {
            fields: header,
            kind: kind(content.as_ref(), default),
            content,
            encoding: encoding.map_or(Encoding::Identity, Encoding::parse),
        };
        self.body(source, &header, body, &bases, depth);
    }

    /// Reads the body at `range` in the source.
    fn body(
        &mut self,
        source: &Source<'_>,
        header: &BodyHeader<'_>,
        range: Range<usize>,
        bases: &Bases,
        depth: usize,
    ) {
        let body = source.bytes.get(range.clone()).unwrap_or_default();
        let kind = match header.kind {
            BodyKind::Binary | BodyKind::Other => match self.attachment(body, header) {
                Some(format) => BodyKind::Document(format),
                None => return,
            },
            kind => kind,
        };
        let decoded = decode_transfer(body, header.encoding);
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
        let content = header.content.as_ref();
        match (kind, content.and_then(ContentType::boundary)) {
            (BodyKind::Message, _) if depth < MAX_DEPTH => {
                self.part(
                    &source,
                    0..source.bytes.len(),
                    bases,
                    DefaultType::Text,
                    depth + 1,
                );
            }
            (BodyKind::Multipart(default), Some(boundary)) if depth < MAX_DEPTH => {
                for part in boundary::parts(source.bytes, &boundary) {
                    self.part(&source, part, bases, default, depth + 1);
                }
            }
            (kind, _) => {
                let is_nested = matches!(kind, BodyKind::Message | BodyKind::Multipart(_));
                let is_deep = is_nested && depth >= MAX_DEPTH;
                self.noticed.exceeded.deep_parts += usize::from(is_deep);
                let format = match kind {
                    BodyKind::Document(format) => format,
                    _ => Format::Text,
                };
                self.text(&source, bases, format, content);
            }
        }
    }

    /// Returns the format of an attachment if it is a document. If the attachment is an archive,
    /// unpacks it and returns `None`.
    fn attachment(&self, body: &[u8], header: &BodyHeader<'_>) -> Option<Format> {
        let name = attachment_name(header.fields);
        let decode_head = |length| {
            let head = body.get(..length).unwrap_or(body);
            decode_transfer(head, header.encoding)
                .map_or(Cow::Borrowed(head), |(head, _)| head.into())
        };
        // For most formats, the first kilobyte shows whether the attachment is binary.
        let head = decode_head(1024);
        if let Some(unpacks) = self.context.unpacks
            && unpacks.is_packed(&name, &head)
        {
            let decoded = decode_transfer(body, header.encoding);
            unpacks.unpack(&name, decoded.as_ref().map_or(body, |(body, _)| body));
            return None;
        }
        if header.kind == BodyKind::Binary || Format::guess(&name, &head).is_none() {
            return None;
        }
        Format::guess(&name, &decode_head(2 * Format::GUESS_LENGTH))
    }

    /// Reads text according to its charset and format.
    fn text(
        &mut self,
        source: &Source<'_>,
        bases: &Bases,
        format: Format,
        content: Option<&ContentType<'_>>,
    ) {
        let parameter = |name| content.and_then(|content| content.parameter(name));
        let is = |name, value: &str| {
            let found = parameter(name);
            found.is_some_and(|found| found.octets.eq_ignore_ascii_case(value.as_bytes()))
        };
        // The header takes precedence over a declaration in HTML.
        let given = parameter("charset");
        let declared = (format == Format::Html && given.is_none())
            .then(|| html::charset(source.bytes))
            .flatten();
        let declared = declared.map(|encoding| encoding.name().as_bytes());
        let charset = given.as_ref().map(|given| &*given.octets).or(declared);
        let decoded = charset.and_then(|label| decode_charset(source.bytes, label));
        let text = decoded.as_ref().map_or(source.bytes, |(text, _)| text);
        if is_utf8(charset) {
            self.count_invalid(text);
        }
        let joined = (format == Format::Text && is("format", "flowed"))
            .then(|| join_flowed(text, is("delsp", "yes")));
        let text = joined.as_ref().map_or(text, |(text, _)| text);
        let to_file = |mut range: Range<usize>| {
            for (_, map) in [&joined, &decoded].into_iter().flatten() {
                range = map.range(range);
            }
            (source.to_file)(range)
        };
        if format == Format::Text {
            return self.plain(text, bases, &Place::default(), &to_file);
        }
        let mut reader = self.context.open_part(format, bases);
        let mut each = |mut found: Found<'_>| {
            found.range = to_file(found.range);
            (self.each)(found);
        };
        // Reading the text cannot exceed a limit, because the part is not longer than the message,
        // which is already in memory.
        let _ = reader.push(text, &mut each);
        let noticed = reader.finish(&mut each);
        self.noticed.add(noticed, &|at| to_file(at..at).start);
    }

    fn count_invalid(&mut self, text: &[u8]) {
        let mut invalid = InvalidUtf8::default();
        invalid.push(text);
        self.noticed.invalid += invalid.finish();
    }
}

/// Returns the kind of a body with this `Content-Type`.
pub(super) fn kind(content: Option<&ContentType<'_>>, default: DefaultType) -> BodyKind {
    let Some(content) = content else {
        return match default {
            DefaultType::Text => BodyKind::Document(Format::Text),
            DefaultType::Message => BodyKind::Message,
        };
    };
    let (name, subtype) = (content.type_name(), content.subtype());
    let is = |name: &[u8], expected: &[&str]| {
        let mut expected = expected.iter();
        expected.any(|one| name.eq_ignore_ascii_case(one.as_bytes()))
    };
    if is(name, &["multipart"]) {
        BodyKind::Multipart(if is(subtype, &["digest"]) {
            DefaultType::Message
        } else {
            DefaultType::Text
        })
    } else if is(name, &["message"]) {
        if is(subtype, &["rfc822", "global", "news"]) {
            BodyKind::Message
        } else {
            BodyKind::Document(Format::Text)
        }
    } else {
        match Format::of_media_type(&[name, b"/", subtype].concat()) {
            Some(format) => BodyKind::Document(format),
            None if is(name, &["application"]) => BodyKind::Other,
            None => BodyKind::Binary,
        }
    }
}

/// Returns the file name of an attachment (RFC 2183, 2.3; RFC 2045, 5.1).
fn attachment_name(header: &[u8]) -> String {
    let parameter = |field: &str, name: &str| {
        let value = header::value(header, field)?;
        let content = ContentType::parse(value)?;
        let value = content.parameter(name)?;
        Some(String::from_utf8_lossy(&value.octets).into_owned())
    };
    parameter("Content-Disposition", "filename")
        .or_else(|| parameter("Content-Type", "name"))
        .unwrap_or_default()
}
