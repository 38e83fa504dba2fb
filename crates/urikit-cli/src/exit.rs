//! Exit statuses. The numbers are a public interface; the help text in `cli` documents them.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The exit status. If several statuses apply, the highest is used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
#[repr(u8)]
pub(crate) enum Exit {
    #[default]
    Good = 0,
    /// An input is invalid, or a test such as a comparison failed.
    No = 1,
    Usage = 2,
    /// A file or stream cannot be read or written.
    Io = 3,
    /// The policy refused access.
    Refused = 4,
    /// Access failed.
    Failed = 5,
}

impl Exit {
    /// Returns the status for one input.
    pub(crate) const fn of<T, E>(result: Result<&T, &E>) -> Self
    where
        T: ?Sized,
    {
        if result.is_ok() { Self::Good } else { Self::No }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// An error that ends a subcommand early. `main` reports it.
#[derive(Debug)]
pub(crate) enum Stop {
    /// A usage error: options of `subcommand` that are mutually exclusive or that the chosen
    /// standard does not allow.
    Usage {
        subcommand: &'static str,
        message: String,
    },
    /// Standard output was closed or could not be written to, or an input could not be read
    /// ([`OfInput`]).
    Output(io::Error),
}

/// An error while reading an input file that is copied to standard output.
#[derive(Debug)]
pub(crate) struct OfInput {
    path: PathBuf,
    error: io::Error,
}

impl OfInput {
    /// Adds the path of the file to an error.
    #[cfg_attr(not(any(feature = "parquet", feature = "serve")), allow(dead_code))]
    pub(crate) fn error(path: &Path, error: io::Error) -> io::Error {
        let path = path.to_owned();
        io::Error::other(Self { path, error })
    }
}

impl fmt::Display for OfInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.error)
    }
}

impl Error for OfInput {}

impl Stop {
    /// A usage error for `subcommand`.
    pub(crate) fn usage(subcommand: &'static str, message: impl Into<String>) -> Self {
        Self::Usage {
            subcommand,
            message: message.into(),
        }
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
