//! The structure of PDF files (ISO 32000-2): objects, streams, encryption, fonts and text, but not
//! the pages.

mod crypt;
pub(super) mod file;
pub(super) mod filter;
mod font;
mod glyphs;
mod matrix;
pub(super) mod object;
mod standard;
pub(super) mod text;
mod widths;

use super::Problem;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub(super) fn damaged(message: &str) -> Problem {
    Problem::Io(io::Error::new(
        io::ErrorKind::InvalidData,
        message.to_owned(),
    ))
}

/// Calls a function of `lopdf`. Returns `None` if the call fails or panics.
fn caught<T>(call: impl FnOnce() -> lopdf::Result<T>) -> Option<T> {
    catch_unwind(AssertUnwindSafe(call)).ok()?.ok()
}

/// Decodes a text string: UTF-16 or UTF-8 after a byte order mark, or else `PDFDocEncoding`.
pub(super) fn text_string(bytes: &[u8]) -> String {
    let string = lopdf::Object::String(bytes.to_vec(), lopdf::StringFormat::Literal);
    let text = caught(|| lopdf::decode_text_string(&string));
    text.unwrap_or_else(|| String::from_utf8_lossy(bytes).into_owned())
}
