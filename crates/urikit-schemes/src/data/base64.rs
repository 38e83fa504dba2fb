//! The octets of the data: escapes are decoded, and then base64.
//!
//! ```text
//! 24 bits = 4 characters of the alphabet, or 2 and "==", or 3 and "="      RFC 4648, 4
//! ```
//!
//! RFC 2397 says only "encoded as base64", and its data contains no white space. RFC 4648 requires
//! decoders to refuse characters outside the alphabet (3.3) and missing padding (3.2), and lets
//! them refuse padding bits that are not zero (3.5): all three are refused.

use super::super::Mismatch;
use urikit::component::{self, Encoded};
use urikit::grammar::Rule;
use urikit::internal::escaped_octet;
use urikit_mime::base64::{self, Decode, DecodeError};

const BASE64: Rule = Rule::new("base64", "RFC 4648, 4");

/// The octets of a data URL.
#[derive(Clone, Debug)]
pub struct DataOctets<'a> {
    source: Source<'a>,
}

#[derive(Clone, Debug)]
enum Source<'a> {
    Escapes(component::Octets<'a>),
    Base64(Decode<component::Octets<'a>>),
}

impl<'a> DataOctets<'a> {
    /// The octets of the part `data` of `text`.
    pub(super) fn new(text: &'a str, data: Encoded<'a>, is_base64: bool) -> Result<Self, Mismatch> {
        let octets = data.decode().octets();
        if !is_base64 {
            let source = Source::Escapes(octets);
            return Ok(Self { source });
        }
        let base64 = base64::decode(octets);
        match base64.clone().find_map(Result::err) {
            Some(error) => Err(mismatch(text, data.as_str(), error)),
            None => Ok(Self {
                source: Source::Base64(base64),
            }),
        }
    }
}

impl Iterator for DataOctets<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        match &mut self.source {
            Source::Escapes(octets) => octets.next(),
            // INVARIANT: the data was checked before, so there is no error.
            Source::Base64(base64) => base64.next()?.ok(),
        }
    }
}

impl core::iter::FusedIterator for DataOctets<'_> {}

/// An error in the part `data` of `text`. Its index counts characters after decoding, so an escape
/// is one of them.
fn mismatch(text: &str, data: &str, error: DecodeError) -> Mismatch {
    let start = data.as_ptr().addr().saturating_sub(text.as_ptr().addr());
    let end = start + data.len();
    let mut rest = data.as_bytes();
    for _ in 0..error.index {
        let length = if escaped_octet(rest).is_some() { 3 } else { 1 };
        rest = rest.get(length..).unwrap_or_default();
    }
    // At the end of the data something is missing, whatever follows it.
    let text = text.get(..end).unwrap_or(text);
    Mismatch::new(text, end - rest.len(), error.expected.as_str(), BASE64)
}
