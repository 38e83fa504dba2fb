//! The error for an unknown word.

use core::fmt;

/// The error for a word that is not one of the expected names.
///
/// ```
/// use urikit::Standard;
/// let error = "rfc9999".parse::<Standard>().unwrap_err();
/// assert_eq!((error.kind(), error.expected()[0]), ("standard", "rfc1630"));
/// assert!(error.to_string().starts_with("unknown standard; expected one of rfc1630, rfc1738, "));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct UnknownName {
    kind: &'static str,
    expected: &'static [&'static str],
}

impl UnknownName {
    /// Returns the error for a word that should have been the name of a `kind`, such as `standard`.
    pub const fn new(kind: &'static str, expected: &'static [&'static str]) -> Self {
        Self { kind, expected }
    }

    /// Returns the kind of name that was expected, such as `standard`.
    pub const fn kind(&self) -> &'static str {
        self.kind
    }

    /// Returns all valid names.
    pub const fn expected(&self) -> &'static [&'static str] {
        self.expected
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown {}; expected one of", self.kind)?;
        for (index, name) in self.expected.iter().enumerate() {
            write!(f, "{} {name}", if index == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownName {}

/// A constant array of the names of all values of a type, for [`UnknownName`].
///
/// The type must have an array `ALL` of its values, and a `const fn` that returns the name of a
/// value.
///
/// ```
/// use urikit::Standard;
/// const NAMES: [&str; 7] = urikit::names_of_all!(Standard, name);
/// assert_eq!(NAMES[0], "rfc1630");
/// ```
#[macro_export]
macro_rules! names_of_all {
    ($type:ty, $name:ident) => {{
        let mut names = [""; <$type>::ALL.len()];
        let mut index = 0;
        #[allow(clippy::indexing_slicing)] // in a constant
        while index < names.len() {
            names[index] = <$type>::ALL[index].$name();
            index += 1;
        }
        names
    }};
}
pub(crate) use names_of_all;
