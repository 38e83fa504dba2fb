//! What is reported of the entries of a container.

use super::limits::Limit;
use crate::document::{Reference, Report, TooLong};
use core::fmt;
use std::io;

/// What the closure of [`Extractor::unpack`](crate::document::Extractor::unpack) is called with,
/// after the path of an entry. The events of an entry come one after another; between those of mail
/// are those of what is attached to it, whose path begins with that of the mail and `!/`.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'e> {
    /// The next bytes of the entry, before the references that end in them.
    Bytes(&'e [u8]),
    /// A reference in the entry.
    Reference(&'e Reference<'e>),
    /// The entry ends.
    End(Report),
    /// The entry is of a binary format, and was skipped.
    Binary,
    /// The entry was not read, or not to its end.
    Failed(&'e Problem),
}

/// Why an entry, or the rest of a container, was not read.
#[derive(Debug)]
#[non_exhaustive]
pub enum Problem {
    /// It cannot be read, or is damaged.
    Io(io::Error),
    /// It has to be held in memory, and is too long for that.
    TooLong(TooLong),
    /// A limit was exceeded.
    Limit(Limit),
    /// It is encrypted, or compressed by a method that is not known.
    Unsupported(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::TooLong(error) => error.fmt(f),
            Self::Limit(limit) => limit.fmt(f),
            Self::Unsupported(what) => f.write_str(what),
        }
    }
}

impl core::error::Error for Problem {}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Limit> for Problem {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}
