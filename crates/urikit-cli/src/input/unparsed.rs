//! A reference before it is parsed.

use urikit::{AnyRef, ParseError, Standard};

/// A reference as it was given: its bytes, and the same as text if they are UTF-8.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unparsed<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) text: Option<&'a str>,
}

impl<'a> Unparsed<'a> {
    /// Parses it under a standard.
    pub(crate) fn parse(self, standard: Standard) -> Result<AnyRef<'a>, ParseError> {
        match self.text {
            Some(text) => standard.parse(text),
            None => standard.parse_bytes(self.bytes),
        }
    }

    /// Parses it by a standard's generic production, whatever its scheme.
    pub(crate) fn parse_generic(self, standard: Standard) -> Result<AnyRef<'a>, ParseError> {
        match self.text {
            Some(text) => standard.parse_generic(text),
            None => standard.parse_bytes(self.bytes),
        }
    }
}

impl<'a> From<&'a [u8]> for Unparsed<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        let text = std::str::from_utf8(bytes).ok();
        Self { bytes, text }
    }
}

impl<'a> From<&'a str> for Unparsed<'a> {
    fn from(text: &'a str) -> Self {
        Self {
            bytes: text.as_bytes(),
            text: Some(text),
        }
    }
}
