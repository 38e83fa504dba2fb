//! Inputs as the user gave them, and references before parsing.

use crate::repairs::Repairs;
use std::borrow::Cow;
use urikit::{AnyRef, ParseError, Standard};

/// An input as the user gave it, and its repairs.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// The input, without its line ending.
    pub unparsed: Unparsed<'a>,
    /// The result of `--lenient` or `--guess`, if given.
    pub repairs: Option<&'a Repairs>,
}

impl<'a> Given<'a> {
    /// Returns the reference: the input after its repairs, if any.
    pub fn reference(self) -> Unparsed<'a> {
        let made = self.repairs.and_then(Repairs::made);
        made.map_or(self.unparsed, |changed| changed.text.as_str().into())
    }
}

impl<'a> From<Unparsed<'a>> for Given<'a> {
    fn from(unparsed: Unparsed<'a>) -> Self {
        Self {
            unparsed,
            repairs: None,
        }
    }
}

impl<'a> From<&'a str> for Given<'a> {
    fn from(text: &'a str) -> Self {
        Unparsed::from(text).into()
    }
}

impl<'a> From<&'a [u8]> for Given<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Unparsed::from(bytes).into()
    }
}

/// A reference before parsing: its bytes, and the text if they are UTF-8.
#[derive(Clone, Copy, Debug)]
pub struct Unparsed<'a> {
    /// The bytes.
    pub bytes: &'a [u8],
    /// The bytes as text, if they are UTF-8.
    pub text: Option<&'a str>,
}

impl<'a> Unparsed<'a> {
    /// Returns the reference as text. Bytes that are not UTF-8 become U+FFFD.
    pub fn to_text(self) -> Cow<'a, str> {
        self.text
            .map_or_else(|| String::from_utf8_lossy(self.bytes), Cow::Borrowed)
    }

    /// Parses the reference under a standard.
    ///
    /// # Errors
    ///
    /// Fails if the reference is not valid.
    pub fn parse(self, standard: Standard) -> Result<AnyRef<'a>, ParseError> {
        match self.text {
            Some(text) => standard.parse(text),
            None => standard.parse_bytes(self.bytes),
        }
    }

    /// Parses the reference with the generic production of a standard, regardless of its scheme.
    ///
    /// # Errors
    ///
    /// Fails if the reference is not valid.
    pub fn parse_generic(self, standard: Standard) -> Result<AnyRef<'a>, ParseError> {
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
