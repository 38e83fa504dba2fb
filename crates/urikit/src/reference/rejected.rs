//! What comes back when a value cannot be converted.

use crate::ParseError;
use core::fmt;

/// A value that could not be converted, and why. The value is given back by
/// [`into_value`](Self::into_value).
///
/// Neither `Debug` nor `Display` shows the value, which may contain a password.
///
/// ```
/// use urikit::UriBuf;
/// let text = String::from("/relative");
/// let rejected = UriBuf::try_from(text).unwrap_err();
/// assert_eq!(rejected.error().offset(), 0);
/// assert_eq!(rejected.into_value(), "/relative");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Rejected<T> {
    value: T,
    error: ParseError,
}

impl<T> Rejected<T> {
    pub(crate) const fn new(value: T, error: ParseError) -> Self {
        Self { value, error }
    }

    /// Why it was rejected.
    pub const fn error(&self) -> ParseError {
        self.error
    }

    /// The value, unchanged.
    pub fn into_value(self) -> T {
        self.value
    }
}

impl<T> From<Rejected<T>> for ParseError {
    fn from(rejected: Rejected<T>) -> Self {
        rejected.error
    }
}

impl<T> fmt::Debug for Rejected<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rejected")
            .field("error", &self.error)
            .finish_non_exhaustive()
    }
}

impl<T> fmt::Display for Rejected<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl<T> core::error::Error for Rejected<T> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.error)
    }
}
