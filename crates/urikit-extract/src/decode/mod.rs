//! Charsets of documents, and the way back from decoded text to the bytes of the file.

mod charset;
mod map;
mod text;
mod utf8;

pub(crate) use charset::{Decoder, Mark, by_label, guess, mark, needs_decoding};
pub(crate) use map::OffsetMap;
pub(crate) use text::{SUBSTITUTE, as_text};
pub(crate) use utf8::InvalidUtf8;
