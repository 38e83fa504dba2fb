//! Files that are sent with a message (RFC 2183).

use super::parameter;
use crate::mask::escape;
use mail_builder::headers::content_type::ContentType;
use mail_builder::headers::raw::Raw;
use mail_builder::mime::{BodyPart, MimePart};

/// A file that is sent with a message.
#[derive(Clone, Debug)]
pub(super) struct Attachment {
    /// Its name, which is data for the recipient: a path is never sent.
    name: String,
    media_type: Option<String>,
    content: Vec<u8>,
}

impl Attachment {
    pub(super) fn new(name: &str, media_type: Option<&str>, content: Vec<u8>) -> Self {
        let name = name.rsplit('/').next().unwrap_or_default();
        let is_shown = |c: &char| !c.is_control();
        let name: String = name.chars().filter(is_shown).take(200).collect();
        Self {
            name: if name.is_empty() {
                "attachment".to_owned()
            } else {
                name
            },
            media_type: media_type.map(str::to_owned),
            content,
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Its name and its size, for the user to see.
    pub(super) fn shown(&self) -> String {
        let (name, size) = (escape(self.name.as_bytes()), self.content.len());
        format!("[attachment \"{name}\", {size} bytes]\r\n")
    }

    /// The part of the message, in base64, so that nothing of it is changed.
    pub(super) fn part(&self) -> MimePart<'_> {
        let found = infer::get(&self.content).map(|kind| kind.mime_type());
        let media_type = self.media_type.as_deref().or(found);
        let media_type = media_type.unwrap_or("application/octet-stream");
        let begin = "attachment;";
        let used = DISPOSITION.len() + ": ".len() + begin.len();
        let name = parameter::written("filename", &self.name, used);
        MimePart {
            headers: vec![
                // As `ContentType`, text would get another encoding.
                ("Content-Type".into(), Raw::new(media_type).into()),
                // Without attributes, it is written as it is: `attribute` would write a name
                // outside of US-ASCII as an encoded word, and `Raw` would fold it within quotes.
                (
                    DISPOSITION.into(),
                    ContentType::new(format!("{begin}{name}")).into(),
                ),
            ],
            contents: BodyPart::Binary(self.content.as_slice().into()),
        }
    }
}

const DISPOSITION: &str = "Content-Disposition";
