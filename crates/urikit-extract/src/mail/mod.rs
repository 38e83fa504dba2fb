//! Mail and news: messages, mailboxes of them, and their MIME parts.
//!
//! `urikit-mime` reads header fields, splits multiparts and decodes bodies; it reports the byte
//! range in the file of every byte of text. References are found in:
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

mod charset;
mod flowed;
mod header;
mod mailbox;
mod names;
mod part;
mod reader;
mod transfer;
mod word;

use crate::found::{Bases, Exceeded, Reference};
use crate::plain::Finder;
use names::Names;
use reader::{Mail, Source};

/// What was noticed in a message or mailbox.
#[derive(Default)]
pub(crate) struct Noticed {
    /// How many bytes of text were not valid in their charset.
    pub(crate) invalid: usize,
    /// How many header fields have more parameters than are read.
    pub(crate) cut: usize,
    pub(crate) exceeded: Exceeded,
}

/// Calls `each` with the references of a complete message or mailbox, in order.
pub(crate) fn read(
    document: &[u8],
    finder: &Finder,
    bases: &Bases,
    each: &mut dyn FnMut(Reference<'_>),
) -> Noticed {
    let source = Source {
        bytes: document,
        to_file: &|range| range,
    };
    let mut noticed = Noticed::default();
    for message in mailbox::messages(document) {
        let names = Names::of(document, message.clone());
        let mut mail = Mail {
            finder,
            each: &mut |mut found| {
                found.part = names.part(found.uri());
                each(found);
            },
            noticed: &mut noticed,
        };
        mail.part(&source, message, bases, part::Default::Text, 0);
    }
    noticed
}
