//! Errors of state files.

use std::fmt;
use std::io;

/// An error of a state file.
#[derive(Debug)]
pub enum StateError {
    /// The file cannot be read or written.
    Io(io::Error),
    /// Another process is using the file.
    InUse,
    /// The file is not a state file, or was written by another version.
    Foreign,
    /// The state file belongs to a different run.
    OtherRun {
        /// The description of the other run.
        of: String,
    },
    /// The file is damaged.
    Damaged {
        /// The offset of the first damaged frame, in bytes.
        offset: u64,
    },
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::InUse => f.write_str("another run is using the state"),
            Self::Foreign => f.write_str("not a state file of this version of `uri check`"),
            Self::OtherRun { of } => write!(f, "the state of another run: {of}"),
            Self::Damaged { offset } => {
                write!(
                    f,
                    "the state is damaged at byte {offset}; remove it to start again"
                )
            }
        }
    }
}

impl std::error::Error for StateError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for StateError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
