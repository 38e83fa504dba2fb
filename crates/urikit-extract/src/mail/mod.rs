//! Mail and news: messages, mailboxes of them, and their MIME parts.
//!
//! `mail-parser` reads header fields. Parts are split and bodies decoded here, because the byte
//! range in the file of every byte of text must be known, and because a boundary that never comes
//! must not cost a search through the rest of the message each time. References are found in:
//!
//! - list header fields (RFC 2369) and `Archived-At` (RFC 5064); `Content-Base` and
//!   `Content-Location`, which are also the base URI of what is in the part (RFC 2110, RFC 2557);
//!   and links in the text of other fields, with encoded words decoded (RFC 2047);
//! - text parts, with lines joined that were broken by `format=flowed` (RFC 3676); HTML and
//!   Markdown parts are read as such.
//!
//! Fields that identify and trace messages are skipped: a `Message-ID` is not a reference. `cid:`
//! URLs (RFC 2392) are not resolved, but the part that they refer to is known. Parts that are not
//! text are skipped.

mod boundary;
mod charset;
mod flowed;
mod header;
mod mailbox;
mod names;
mod part;
mod reader;
mod transfer;
mod word;

use crate::found::{Bases, Reference};
use crate::plain::Finder;
use mail_parser::{HeaderName, MessageParser};
pub(crate) use mailbox::is_from_line;
use names::Names;
use reader::{Mail, Source};

/// Calls `each` with the references of a complete message or mailbox, in order. Returns how many
/// bytes of its text were not valid in their charset.
pub(crate) fn read(
    document: &[u8],
    finder: &Finder,
    bases: &Bases,
    each: &mut dyn FnMut(Reference<'_>),
) -> usize {
    let parser = MessageParser::new()
        .default_header_raw()
        .header_content_type(HeaderName::ContentType)
        .header_text(HeaderName::ContentTransferEncoding);
    let source = Source {
        bytes: document,
        to_file: &|range| range,
    };
    let mut invalid = 0;
    for message in mailbox::messages(document) {
        let names = Names::of(&parser, document, message.clone());
        let mut mail = Mail {
            parser: parser.clone(),
            finder,
            each: &mut |mut found| {
                found.part = names.part(found.uri());
                each(found);
            },
            invalid: 0,
        };
        mail.part(&source, message, bases, part::Default::Text, 0);
        invalid += mail.invalid;
    }
    invalid
}
