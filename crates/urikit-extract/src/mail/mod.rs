//! Mail and news: messages, mailboxes of them, and their MIME parts.
//!
//! `mail-parser` reads header fields. Parts are told apart here, and bodies decoded, because each byte of a text must be known on disk, and
//! because a part whose boundary never comes must not cost a look at the rest of the message each time. What
//! holds references:
//!
//! - fields of lists (RFC 2369) and `Archived-At` (RFC 5064), `Content-Base` and `Content-Location`, which are also the base
//!   of what is in the part (RFC 2110, RFC 2557), and links in the text of other fields, decoded (RFC 2047);
//! - texts, with lines put together that were broken by `format=flowed` (RFC 3676); HTML and Markdown by their readers.
//!
//! Fields that identify and trace messages have none: a message's name is no reference to it. `cid:` URLs (RFC 2392) stay what they
//! are, and are told which part they name. Parts that are no text are passed over.

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

/// Gives the references of a whole message or mailbox, in order; returns how many bytes of its texts were no text.
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
        place: &|range| range,
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
