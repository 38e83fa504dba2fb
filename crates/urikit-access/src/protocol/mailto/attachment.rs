//! The attachments of a message (RFC 2183), and their file names (RFC 2045, 5.1; RFC 2231).

use crate::mask::escape;
use mail_builder::headers::content_type::ContentType;
use mail_builder::headers::raw::Raw;
use mail_builder::mime::{BodyPart, MimePart};
use urikit::grammar::rfc3986::UNRESERVED;
use urikit::percent::encode_with;

/// The name of the header field that contains the file name.
const DISPOSITION: &str = "Content-Disposition";

/// The maximum length of a line that can be folded, in octets (RFC 5322, 2.1.1).
const MAX_LINE: usize = 78;

/// The maximum length of a file name, in characters.
const MAX_NAME: usize = 200;

/// A file that is sent with a message.
#[derive(Clone, Debug)]
pub(super) struct Attachment {
    name: String,
    media_type: Option<String>,
    content: Vec<u8>,
}

impl Attachment {
    pub(super) fn new(name: &str, media_type: Option<&str>, content: Vec<u8>) -> Self {
        // Folders are removed from the name, because the recipient must not learn their names.
        let name = name.rsplit('/').next().unwrap_or_default();
        let is_visible = |c: &char| !c.is_control();
        let mut name: String = name.chars().filter(is_visible).take(MAX_NAME).collect();
        if name.is_empty() {
            "attachment".clone_into(&mut name);
        }
        Self {
            name,
            media_type: media_type.map(str::to_owned),
            content,
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Returns a line that shows the user the name and the size of the file.
    pub(super) fn summary(&self) -> String {
        let (name, size) = (escape(self.name.as_bytes()), self.content.len());
        format!("[attachment \"{name}\", {size} bytes]\r\n")
    }

    /// Returns the attachment as a part of the message. The part is encoded in base64, even if it
    /// is text, to preserve every octet.
    pub(super) fn part(&self) -> MimePart<'_> {
        let detected = infer::get(&self.content).map(|kind| kind.mime_type());
        let media_type = self.media_type.as_deref().or(detected);
        let media_type = media_type.unwrap_or("application/octet-stream");
        let begin = "attachment;";
        let used = DISPOSITION.len() + ": ".len() + begin.len();
        let name = parameter("filename", &self.name, used);
        MimePart {
            headers: vec![
                // With `ContentType`, mail-builder would choose another encoding for text.
                ("Content-Type".into(), Raw::new(media_type).into()),
                // A `ContentType` without attributes is written unchanged. With `attribute`,
                // mail-builder would write a non-ASCII name as an encoded word, and `Raw` would
                // fold it within quotes.
                (
                    DISPOSITION.into(),
                    ContentType::new(format!("{begin}{name}")).into(),
                ),
            ],
            contents: BodyPart::Binary(self.content.as_slice().into()),
        }
    }
}

/// Writes a parameter of a MIME field, including the space or the line break before the parameter.
/// `used` is the number of octets before the parameter on its line. The value must not contain
/// control characters.
///
/// A US-ASCII value is written as a quoted string on one line. Any other value is percent-encoded
/// in UTF-8 (RFC 2231, 4), because RFC 2047, 5 does not allow encoded words in parameters.
fn parameter(name: &str, value: &str, used: usize) -> String {
    // In HTTP, a second parameter contains a similar value in US-ASCII (RFC 6266, Appendix D).
    // This code writes only one parameter, because RFC 2231 does not define which of the two takes
    // precedence, and Python's `email` would use the value in US-ASCII.
    let parameter = if value.is_ascii() {
        quoted(name, value)
    } else {
        let encoded = encode_with(value, UNRESERVED.set());
        format!("{name}*=utf-8''{encoded}")
    };
    if used + 1 + parameter.len() <= MAX_LINE {
        format!(" {parameter}")
    } else if value.is_ascii() || parameter.len() < MAX_LINE {
        // The tab takes up one octet on the line.
        format!("\r\n\t{parameter}")
    } else {
        sections(name, value)
    }
}

fn quoted(name: &str, value: &str) -> String {
    let mut text = format!("{name}=\"");
    for character in value.chars() {
        if matches!(character, '"' | '\\') {
            text.push('\\');
        }
        text.push(character);
    }
    text.push('"');
    text
}

/// Writes a value in sections, each on one line (RFC 2231, 3 and 4.1). No section ends within a
/// character.
fn sections(name: &str, value: &str) -> String {
    let mut text = String::new();
    let mut line = format!("\t{name}*0*=utf-8''");
    let mut number = 0;
    let mut octets = [0; 4];
    for character in value.chars() {
        let encoded = encode_with(character.encode_utf8(&mut octets), UNRESERVED.set()).to_string();
        // The semicolon after the section takes up one octet on the line.
        if line.len() + encoded.len() + 1 > MAX_LINE {
            number += 1;
            let next = format!("\t{name}*{number}*=");
            let done = std::mem::replace(&mut line, next);
            text.extend(["\r\n", &done, ";"]);
        }
        line.push_str(&encoded);
    }
    text.push_str("\r\n");
    text + &line
}
