//! How the program ends. The numbers are a public interface; the help of `cli` explains them.

use std::io;
use std::process::ExitCode;

/// The exit status. If several apply, the highest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Success.
    #[default]
    Good = 0,
    /// An input is invalid, or the answer is no.
    No = 1,
    /// Usage error.
    Usage = 2,
    /// Something could not be read or written.
    Io = 3,
    /// The policy refused access.
    Refused = 4,
    /// Access failed.
    Failed = 5,
}

impl Exit {
    /// The status for an input that has a result, or none.
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

/// Why a subcommand ended early. `main` reports it.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Usage error: options of `subcommand` that exclude each other, or that the standard does not
    /// allow.
    Usage {
        subcommand: &'static str,
        message: String,
    },
    /// Standard output could not be written, or was closed.
    Output(io::Error),
}

impl Stop {
    /// A usage error of `subcommand`.
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
