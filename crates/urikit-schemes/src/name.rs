//! The names of schemes that a program adds, and of those that a gateway serves.

use core::fmt;

/// Why a scheme cannot have a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NameError {
    /// Another scheme has that name, compared without case.
    Taken,
    /// The name is not known, and does not begin with `x-` (RFC 1630, Registration of naming
    /// schemes; RFC 1738, 4).
    Unknown,
    /// The name is not valid under both RFC 1738, 2.1, and RFC 2396, 3.1: a lower-case letter,
    /// then lower-case letters, digits, `+`, `-` and `.`.
    Malformed {
        /// The first invalid byte; the length of the name if it is too short, as in `x-`.
        offset: usize,
    },
}

/// Checks that the name is valid under both RFC 1738, 2.1, and RFC 2396, 3.1.
pub(super) fn check_name(name: &str) -> Result<(), NameError> {
    let is_part = |(at, byte): (usize, u8)| match byte {
        b'a'..=b'z' => true,
        b'0'..=b'9' | b'+' | b'-' | b'.' => at > 0,
        _ => false,
    };
    match name.bytes().enumerate().position(|byte| !is_part(byte)) {
        Some(offset) => Err(NameError::Malformed { offset }),
        None if name.is_empty() => Err(NameError::Malformed { offset: 0 }),
        None => Ok(()),
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Taken => {
                f.write_str("expected a name that no scheme has, found one that is taken")
            }
            Self::Unknown => f.write_str(
                "expected a registered name or one that begins with `x-`, found another",
            ),
            Self::Malformed { offset: 0 } => {
                f.write_str("expected the name of a scheme, which begins with a small letter")
            }
            Self::Malformed { offset } => write!(
                f,
                "expected a small letter, a digit, `+`, `-` or `.` at byte {offset} of the name of a scheme, found something else"
            ),
        }
    }
}

impl core::error::Error for NameError {}
