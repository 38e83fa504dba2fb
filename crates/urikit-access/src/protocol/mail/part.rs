//! The header of a message or a part (RFC 2045; RFC 2046; RFC 5322).

use super::decoder::Decoder;
use crate::protocol::message;
use crate::sink::Metadata;
use mail_parser::{HeaderName, MessageParser, MimeHeaders as _};

/// The fields of a header that matter here.
pub(super) struct Header {
    pub(super) message_id: Option<String>,
    pub(super) content_id: Option<String>,
    pub(super) holds: Holds,
    pub(super) decoder: Decoder,
}

/// The content of a body.
pub(super) enum Holds {
    /// Parts, separated by lines with this boundary.
    Parts(Vec<u8>),
    /// A message.
    Message,
    /// Anything else.
    Content,
}

impl Header {
    pub(super) fn read(octets: &[u8]) -> Self {
        let parser = MessageParser::new()
            .default_header_raw()
            .header_id(HeaderName::MessageId)
            .header_id(HeaderName::ContentId)
            .header_text(HeaderName::ContentTransferEncoding)
            .header_content_type(HeaderName::ContentType);
        let header = [octets, b"\r\n"].concat();
        let read = parser.parse_headers(&header[..]);
        // The getters of `mail_parser` would panic without parts.
        let Some(read) = read.filter(|read| !read.parts.is_empty()) else {
            return Self {
                message_id: None,
                content_id: None,
                holds: Holds::Content,
                decoder: Decoder::Identity,
            };
        };
        let encoding = read.content_transfer_encoding().unwrap_or_default();
        let decoder = Decoder::of(encoding.trim());
        let holds = read.content_type().map_or(Holds::Content, |kind| {
            let is = |name: &str, subtype: Option<&str>| {
                let found = kind.subtype().unwrap_or_default();
                kind.ctype().eq_ignore_ascii_case(name)
                    && subtype.is_none_or(|subtype| found.eq_ignore_ascii_case(subtype))
            };
            let boundary = kind
                .attribute("boundary")
                .map(|it| it.trim_end().as_bytes().to_vec());
            // RFC 2046, 5.1.1: a boundary has 1 to 70 characters. Longer ones are accepted.
            let boundary = boundary.filter(|it| !it.is_empty() && it.len() <= 1000);
            match boundary {
                Some(boundary) if is("multipart", None) => Holds::Parts(boundary),
                _ if is("message", Some("rfc822")) || is("message", Some("global")) => {
                    Holds::Message
                }
                _ => Holds::Content,
            }
        });
        Self {
            message_id: read.message_id().map(str::to_owned),
            content_id: read.content_id().map(str::to_owned),
            holds,
            decoder,
        }
    }
}

/// The metadata in the header of a message.
pub(super) fn message(header: &[u8]) -> Metadata {
    let fields = message::fields(header);
    Metadata {
        media_type: Some("message/rfc822".to_owned()),
        modified: message::date(&fields),
        attributes: fields,
        ..Metadata::default()
    }
}

/// The metadata in the header of a part.
pub(super) fn part(header: &[u8]) -> Metadata {
    let fields = message::fields(header);
    let is_type = |(name, _): &&(String, String)| name.eq_ignore_ascii_case("content-type");
    let media_type = fields.iter().find(is_type);
    // RFC 2045, 5.2
    let media_type = media_type.map_or("text/plain; charset=us-ascii", |(_, value)| value);
    Metadata {
        media_type: Some(media_type.trim_end().to_owned()),
        attributes: fields,
        ..Metadata::default()
    }
}
