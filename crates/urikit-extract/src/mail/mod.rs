//! Mail and news: messages, mailboxes of them, and their MIME parts.
//!
//! `urikit-mime` reads header fields, splits multiparts and decodes bodies; it reports the byte
//! range in the file of every byte of text. References are found in:
//!
//! - list header fields (RFC 2369) and `Archived-At` (RFC 5064); `Content-Base` and
//!   `Content-Location`, which are also the base URI of what is in the part (RFC 2110, RFC 2557);
//!   and links in the text of other fields, with encoded words decoded (RFC 2047);
//! - text parts, with lines joined that were broken by `format=flowed` (RFC 3676); parts of
//!   other formats, such as HTML and iCalendar, are read as such.
//!
//! A mailbox is read message by message, so that it takes the memory of its largest message.
//!
//! Fields that identify and trace messages are skipped: a `Message-ID` is not a reference. `cid:`
//! URLs (RFC 2392) are not resolved, but the part that they refer to is known. Attachments whose
//! media type is of no known format are read as their file name and their content say. Archives
//! among them are read by the [containers](crate::container), where those read the mail; other
//! binary ones are skipped.

mod charset;
mod flowed;
mod header;
mod mailbox;
mod names;
mod part;
mod reader;
mod transfer;
mod word;

pub(crate) use mailbox::Mailbox;
