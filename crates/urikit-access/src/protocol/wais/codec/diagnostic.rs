//! Diagnostics: what failed, and why.
//!
//! ```text
//! diagnostic = tag (28) length (2 octets, binary) code (2) text surrogate (1) [ %x1D ]
//! ```
//!
//! Unlike that of all other fields, the length is not compressed. freeWAIS sends one more octet
//! than it counts, 1D.

use super::reader::{DecodeError, Reader};

/// The octet after a diagnostic.
const END: u8 = 0x1D;

/// A diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Diagnostic<'a> {
    /// Two characters, such as `S1`, a system error, and `SF`, a request that is out of range.
    pub code: [u8; 2],
    /// The text of the server.
    pub text: &'a [u8],
    /// Whether it takes the place of a record.
    pub is_surrogate: bool,
}

impl<'a> Diagnostic<'a> {
    /// The code for a range that ends after the end of the document, and for a document that is
    /// not there.
    pub const OUT_OF_RANGE: [u8; 2] = *b"SF";

    /// Decodes a diagnostic after its tag.
    pub(super) fn decode(from: &mut Reader<'a>) -> Result<Self, DecodeError> {
        let length = from.binary(2, "the length of a diagnostic")?;
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let mut body = from.take(length, "a diagnostic that ends within the message")?;
        if from.rest().first() == Some(&END) {
            from.octet("the end of a diagnostic")?;
        }
        let code = [
            body.octet("the code of a diagnostic")?,
            body.octet("the code of a diagnostic")?,
        ];
        let (surrogate, text) = body.rest().split_last().unwrap_or((&0, &[]));
        Ok(Self {
            code,
            text,
            is_surrogate: *surrogate != 0,
        })
    }
}
