//! The header of a message or a part (RFC 2045; RFC 2046; RFC 5322).

use crate::output::Metadata;
use crate::protocol::message;
use urikit_mime::transfer::Encoding;
use urikit_mime::{ContentType, header};

/// The fields of a header that matter here.
pub(super) struct Header<'a> {
    pub(super) message_id: Option<&'a [u8]>,
    pub(super) content_id: Option<&'a [u8]>,
    pub(super) holds: Holds,
    pub(super) encoding: Encoding,
    /// Whether its `Content-Type` has more parameters than are read.
    pub(super) is_cut: bool,
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

impl<'a> Header<'a> {
    pub(super) fn read(octets: &'a [u8]) -> Self {
        let value = |name| header::value(octets, name);
        let content = value("Content-Type").and_then(ContentType::parse);
        let is_cut = |content: &ContentType<'_>| !content.parameters().is_complete();
        let holds = content
            .as_ref()
            .map_or(Holds::Content, |content| match content.boundary() {
                Some(boundary) => Holds::Parts(boundary),
                None if content.is("message", "rfc822") || content.is("message", "global") => {
                    Holds::Message
                }
                None => Holds::Content,
            });
        Self {
            message_id: value("Message-ID").map(header::identifier),
            content_id: value("Content-ID").map(header::identifier),
            holds,
            encoding: value("Content-Transfer-Encoding")
                .map_or(Encoding::Identity, Encoding::parse),
            is_cut: content.as_ref().is_some_and(is_cut),
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
