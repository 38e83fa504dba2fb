//! The errors that constructors report: [`Rejected`], and the panic message of `from_static`.

use crate::ParseError;
#[cfg(feature = "alloc")]
use core::fmt;

/// The error for a conversion that consumes its value: it contains the value and the reason.
/// [`into_value`](Self::into_value) returns the value.
///
/// `Debug` and `Display` do not show the value, because it may contain a password.
///
/// ```
/// use urikit::UriBuf;
/// let text = String::from("/relative");
/// let rejected = UriBuf::try_from(text).unwrap_err();
/// assert_eq!(rejected.error().offset(), 0);
/// assert_eq!(rejected.into_value(), "/relative");
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, PartialEq, Eq)]
pub struct Rejected<T> {
    value: T,
    error: ParseError,
}

#[cfg(feature = "alloc")]
impl<T> Rejected<T> {
    pub(crate) const fn new(value: T, error: ParseError) -> Self {
        Self { value, error }
    }

    /// Returns the reason.
    pub const fn error(&self) -> ParseError {
        self.error
    }

    /// Returns the value, unchanged.
    pub fn into_value(self) -> T {
        self.value
    }
}

#[cfg(feature = "alloc")]
impl<T> From<Rejected<T>> for ParseError {
    fn from(rejected: Rejected<T>) -> Self {
        rejected.error
    }
}

#[cfg(feature = "alloc")]
impl<T> fmt::Debug for Rejected<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rejected")
            .field("error", &self.error)
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "alloc")]
impl<T> fmt::Display for Rejected<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

#[cfg(feature = "alloc")]
impl<T> core::error::Error for Rejected<T> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// The longest message has a name such as `IRI reference` and an offset of ten digits.
const MAX: usize = 64;

/// The panic message of `from_static`. The message is built in a constant, where `format!` is not
/// available.
pub(super) struct Message {
    text: [u8; MAX],
    length: usize,
}

impl Message {
    /// `not a valid NAME: byte OFFSET`
    pub(super) const fn new(name: &str, error: ParseError) -> Self {
        let empty = Self {
            text: [0; MAX],
            length: 0,
        };
        empty
            .push(b"not a valid ")
            .push(name.as_bytes())
            .push(b": byte ")
            .push_number(error.offset())
    }

    const fn push(mut self, mut text: &[u8]) -> Self {
        while let [byte, rest @ ..] = text {
            self = self.push_byte(*byte);
            text = rest;
        }
        self
    }

    const fn push_number(self, number: usize) -> Self {
        let message = if number < 10 {
            self
        } else {
            self.push_number(number / 10)
        };
        #[allow(clippy::cast_possible_truncation)] // one digit
        message.push_byte(b'0' + (number % 10) as u8)
    }

    #[allow(clippy::indexing_slicing)] // within bounds by the condition
    const fn push_byte(mut self, byte: u8) -> Self {
        if self.length < MAX {
            self.text[self.length] = byte;
            self.length += 1;
        }
        self
    }

    pub(super) const fn as_str(&self) -> &str {
        let (text, _) = self.text.split_at(self.length);
        match core::str::from_utf8(text) {
            Ok(text) => text,
            Err(_) => "not valid",
        }
    }
}
