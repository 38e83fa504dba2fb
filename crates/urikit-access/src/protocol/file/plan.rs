//! The steps of a plan.

use crate::plan;
use std::borrow::Cow;

/// A step of reading or writing a file.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Continues only if this machine has this name.
    CheckMachine(Vec<u8>),
    /// Opens the file or directory at a path.
    Open(Vec<u8>),
    /// Reads the attributes of the file or directory.
    ReadAttributes,
    /// Reads the file, or lists the directory.
    Read,
    /// Reads the file from this byte on.
    ReadFrom(u64),
    /// Writes the body to a file, which is replaced.
    Write(Vec<u8>),
    /// Appends the body to a file, or the part of the body that the file lacks.
    Append(Vec<u8>),
    /// Renames the file that was written.
    Rename(Vec<u8>),
}

impl plan::Step for Step {
    fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        match self {
            Self::CheckMachine(name) => ("continues only if this machine is", name.into()),
            Self::Open(path) => ("opens", path.into()),
            Self::ReadAttributes => ("reads its attributes", b"".into()),
            Self::Read => ("reads it, or lists it", b"".into()),
            Self::ReadFrom(byte) => {
                let byte = byte.to_string().into_bytes();
                ("reads it from the byte", byte.into())
            }
            Self::Write(path) => ("writes the body to", path.into()),
            Self::Append(path) => ("appends the body to", path.into()),
            Self::Rename(path) => ("renames it to", path.into()),
        }
    }
}
