//! Options that are mutually exclusive, or that a standard does not support.

use std::error::Error;
use std::fmt;

/// The reason why options cannot be used. The message uses the names of the options on the command
/// line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionError(pub(crate) String);

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for OptionError {}
