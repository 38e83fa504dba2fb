//! Why a column cannot be read, or one of its rows.

use crate::Reader;
use arrow_schema::{ArrowError, DataType};
use std::fmt;
use urikit::ParseError;
use urikit::op::ResolveError;
use urikit::percent::EncodeError;
use urikit_audit::Rejection;
use urikit_keys::SurtError;

/// Why there is no result for a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// The reader rejects the text.
    Rejected(Rejection),
    /// The base of the row is rejected.
    Base(Rejection),
    /// The reference cannot be resolved.
    Resolve(ResolveError),
    /// The data cannot be written in the component.
    Encode(EncodeError),
    /// A `%` without two hexadecimal digits.
    Decode(ParseError),
    /// The profile has no key for the URL.
    Surt(SurtError),
    /// What is encoded is not UTF-8, from this offset of the text on, in bytes.
    NotUtf8 {
        /// The offset of the first octet that is not.
        offset: usize,
    },
}

impl Reason {
    /// The offset of the error in the text, in bytes, where one is known.
    pub const fn offset(&self) -> Option<usize> {
        match self {
            Self::Rejected(rejection) => rejection.offset(),
            Self::Decode(error)
            | Self::Encode(EncodeError::NoEscapes(error))
            | Self::Resolve(ResolveError::Reference(error)) => Some(error.offset()),
            Self::NotUtf8 { offset } => Some(*offset),
            Self::Surt(error) => error.offset(),
            Self::Base(_) | Self::Resolve(_) | Self::Encode(_) => None,
        }
    }
}

impl From<Rejection> for Reason {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected(rejection)
    }
}

impl From<ParseError> for Reason {
    fn from(error: ParseError) -> Self {
        Self::Rejected(Rejection::Rfc(error))
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected(rejection) => rejection.fmt(f),
            Self::Base(rejection) => write!(f, "the base is not valid: {rejection}"),
            Self::Resolve(error) => error.fmt(f),
            Self::Encode(error) => error.fmt(f),
            Self::Decode(error) => error.fmt(f),
            Self::Surt(error) => error.fmt(f),
            Self::NotUtf8 { offset } => write!(f, "expected UTF-8 at byte {offset}"),
        }
    }
}

impl std::error::Error for Reason {}

/// Why there is no result for a column.
#[derive(Debug)]
#[non_exhaustive]
pub enum ColumnError {
    /// The column has no text: the type must be Utf8, LargeUtf8, Utf8View, a dictionary of one of
    /// these, or Null.
    NotText(DataType),
    /// The reader cannot do this: only the standards and `whatwg` resolve, normalize and compare.
    Reader {
        /// The reader.
        reader: Reader,
        /// The function.
        function: &'static str,
    },
    /// `whatwg` with another level than [`Level::Scheme`](urikit::op::Level::Scheme): browsers always
    /// normalize completely.
    Level,
    /// [`OnError::Keep`](crate::OnError::Keep) with a function that gives parts, from which a text
    /// that is kept could not be distinguished.
    Keep {
        /// The function.
        function: &'static str,
    },
    /// The base that is given for all rows cannot be one.
    Base(Reason),
    /// The standard does not have the component.
    NoSuchPlace(EncodeError),
    /// The two columns of a function differ in length.
    Lengths {
        /// The number of rows of the first.
        left: usize,
        /// The number of rows of the second.
        right: usize,
    },
    /// A row was rejected, and the caller asked for an error
    /// ([`OnError::Raise`](crate::OnError::Raise)).
    Row {
        /// The number of the row, from 0.
        row: usize,
        /// Why.
        reason: Reason,
    },
    /// A result that Arrow cannot hold: more than 2 GiB of text in a Utf8 column, for one.
    Arrow(ArrowError),
}

impl From<ArrowError> for ColumnError {
    fn from(error: ArrowError) -> Self {
        Self::Arrow(error)
    }
}

impl fmt::Display for ColumnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotText(found) => write!(
                f,
                "expected a column of the type Utf8, LargeUtf8 or Utf8View, or a dictionary of \
                 one, but found {found}"
            ),
            Self::Reader { reader, function } => write!(
                f,
                "{function} needs a standard or whatwg, but the reader is {reader}"
            ),
            Self::Level => f.write_str("whatwg has the level `scheme` only"),
            Self::Keep { function } => write!(
                f,
                "{function} cannot keep rejected rows: its results are not complete references"
            ),
            Self::Base(reason) => write!(f, "the base: {reason}"),
            Self::NoSuchPlace(error) => error.fmt(f),
            Self::Lengths { left, right } => {
                write!(
                    f,
                    "expected columns of one length, but found {left} and {right} rows"
                )
            }
            Self::Row { row, reason } => write!(f, "row {row}: {reason}"),
            Self::Arrow(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ColumnError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Base(reason) | Self::Row { reason, .. } => Some(reason),
            Self::NoSuchPlace(error) => Some(error),
            Self::Arrow(error) => Some(error),
            _ => None,
        }
    }
}
