//! Pages: each is written piece by piece from the data of a transfer, on the thread of the
//! transfer.
//!
//! A new protocol needs no code outside this folder. `choose.rs` selects the page for a document
//! from its metadata. To add a kind of document, add a file with a [`Page`], and a row in
//! `choose.rs`.

mod address;
mod article;
mod ask;
mod choose;
mod feed;
mod frame;
mod gemlog;
mod gemtext;
mod group;
mod html;
mod kept;
mod listing;
mod message;
mod raw;
mod text;

pub(crate) use address::{Form, Links, escaped, name, scheme, without_password};
pub(crate) use ask::{Answers, AskPage, SecretAnswer};
pub(crate) use choose::{Context, View, choose, has_ranges};
pub(crate) use frame::{Frame, ICON, STYLE};
pub(crate) use kept::Memory;
pub(crate) use listing::Order;
pub(crate) use message::{Ask, Message, Question, SearchForm, StartPage};

use jiff::Timestamp;
use urikit_access::listing::Entry;

/// The head of a response.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Head {
    pub(crate) status: u16,
    pub(crate) media_type: String,
    /// The length of the body in bytes, if it is known.
    pub(crate) length: Option<u64>,
    /// The name under which browsers store the body, if they must not show it.
    pub(crate) download: Option<String>,
    /// The field `Content-Range`.
    pub(crate) range: Option<String>,
    pub(crate) modified: Option<Timestamp>,
    /// The version of the body. A client that has a part of this version can resume.
    pub(crate) validator: Option<String>,
    /// The address to which the client is redirected.
    pub(crate) location: Option<String>,
    /// True if clients may request ranges.
    pub(crate) has_ranges: bool,
}

impl Head {
    /// Returns the head of a page in HTML.
    pub(crate) fn html() -> Self {
        Self {
            status: 200,
            media_type: "text/html; charset=utf-8".to_owned(),
            ..Self::default()
        }
    }
}

/// Writes the body of a response. A page never leaves the thread of the transfer.
pub(crate) trait Page {
    /// Writes what comes before the data.
    fn begin(&mut self, out: &mut Vec<u8>) {
        let _ = out;
    }

    /// Writes bytes of the document.
    fn bytes(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let _ = (bytes, out);
    }

    /// Takes bytes of the document that the page contains unchanged, and that the caller will send
    /// without copying them. Truncates `bytes` at the end of the requested range. Returns false,
    /// and takes nothing, if the page converts its data.
    fn take(&mut self, bytes: &mut Vec<u8>) -> bool {
        let _ = bytes;
        false
    }

    /// Writes an entry of a listing.
    fn entry(&mut self, entry: &Entry, out: &mut Vec<u8>) {
        let _ = (entry, out);
    }

    /// Writes an entry that the page kept. Returns false, and writes nothing, if no entry is ready.
    /// `is_end` is true once all entries have arrived. The caller sends the output between two
    /// calls, so that the output of a long listing is never in memory at once.
    fn kept(&mut self, is_end: bool, out: &mut Vec<u8>) -> bool {
        let _ = (is_end, out);
        false
    }

    /// Writes the rest, once no kept entries are left. `failed` is the reason why the data is
    /// incomplete. Returns false if the connection must be closed, because the body cannot show the
    /// reason.
    fn end(&mut self, failed: Option<&str>, out: &mut Vec<u8>) -> bool;

    /// Returns true if the page needs no more data.
    fn is_full(&self) -> bool {
        false
    }
}
