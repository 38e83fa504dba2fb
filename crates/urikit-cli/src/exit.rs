//! Exit status: a public interface, and its numbers (the help of `cli` explains them).

use std::process::ExitCode;

/// How the program ends. Of several, the highest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub(crate) enum Exit {
    /// All inputs were good.
    Good = 0,
    /// An input was invalid.
    No = 1,
    /// The command line makes no sense.
    Usage = 2,
    /// Something could not be read or written.
    Io = 3,
    /// The policy refused access.
    Refused = 4,
    /// Access failed.
    Failed = 5,
}

impl Exit {
    /// Whether an input had an answer.
    pub(crate) const fn of<T, E>(answer: Result<&T, &E>) -> Self
    where
        T: ?Sized,
    {
        if answer.is_ok() { Self::Good } else { Self::No }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
