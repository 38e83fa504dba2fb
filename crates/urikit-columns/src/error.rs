//! Errors about columns and rows.

use crate::Reader;
use arrow_schema::{ArrowError, DataType};
use std::fmt;
use urikit::ParseError;
use urikit::op::ResolveError;
use urikit::percent::EncodeError;
use urikit_audit::Rejection;
use urikit_keys::SurtError;

/// The reason why a row has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// The reader rejects the text.
    Rejected(Rejection),
    /// The reader rejects the base of the row.
    Base(Rejection),
    /// The reference cannot be resolved.
    Resolve(ResolveError),
    /// The data cannot be encoded for the component.
    Encode(EncodeError),
    /// A `%` is not followed by two hexadecimal digits.
    Decode(ParseError),
    /// The profile cannot compute a key for this URL.
    Surt(SurtError),
    /// The decoded octets are not UTF-8.
    NotUtf8 {
        /// The offset in bytes, in the text as written, of the first octet that is not UTF-8. If
        /// the reader has changed the text, the offset refers to the piece of the query or path.
        offset: usize,
    },
}

impl Reason {
    /// Returns the offset of the error in the text, in bytes, if known.
    pub const fn offset(&self) -> Option<usize> {
        match self {
            Self::Rejected(rejection) => rejection.offset(),
            Self::Decode(error)
            | Self::Encode(EncodeError::NoEscapes(error) | EncodeError::InvalidHost(error))
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
            Self::Base(rejection) => write!(f, "invalid base: {rejection}"),
            Self::Resolve(error) => error.fmt(f),
            Self::Encode(error) => error.fmt(f),
            Self::Decode(error) => error.fmt(f),
            Self::Surt(error) => error.fmt(f),
            Self::NotUtf8 { offset } => write!(f, "not UTF-8 after decoding, at byte {offset}"),
        }
    }
}

impl std::error::Error for Reason {}

/// The reason why a call failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum ColumnError {
    /// The column does not contain text. The column's type must be Utf8, LargeUtf8, Utf8View, a
    /// dictionary of one of these, or Null.
    NotText(DataType),
    /// The reader does not support the function. References can be resolved, normalized and
    /// compared only under an RFC or `whatwg`.
    Reader {
        /// The reader.
        reader: Reader,
        /// The function.
        function: &'static str,
    },
    /// The `whatwg` reader was used with a level other than
    /// [`Level::Scheme`](urikit::op::Level::Scheme). Browsers always normalize completely.
    Level,
    /// The function does not support [`OnError::Keep`](crate::OnError::Keep): the text of a
    /// rejected row could not be distinguished from an ordinary result.
    Keep {
        /// The function.
        function: &'static str,
    },
    /// The base for all rows is not valid.
    Base(Reason),
    /// The standard does not define the component.
    NoSuchPlace(EncodeError),
    /// The two columns have different lengths.
    Lengths {
        /// The number of rows in the first column.
        left: usize,
        /// The number of rows in the second column.
        right: usize,
    },
    /// The reader rejected a row, and the caller chose [`OnError::Raise`](crate::OnError::Raise).
    Row {
        /// The number of the row, starting at 0.
        row: usize,
        /// The reason for the rejection.
        reason: Reason,
    },
    /// The result is too large for its Arrow type: more than 2 GiB of text, or more than 2³¹ list
    /// items. Only LargeUtf8 columns can have larger results.
    TooLarge {
        /// The number of bytes or items.
        length: usize,
    },
    /// An error from Arrow.
    Arrow(ArrowError),
}

impl From<ArrowError> for ColumnError {
    fn from(error: ArrowError) -> Self {
        match error {
            // This error can also occur when the pieces of a result are concatenated.
            ArrowError::OffsetOverflowError(length) => Self::TooLarge { length },
            error => Self::Arrow(error),
        }
    }
}

impl fmt::Display for ColumnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotText(found) => write!(
                f,
                "expected a column of type Utf8, LargeUtf8 or Utf8View, or a dictionary of one of \
                 these, but found {found}"
            ),
            Self::Reader { reader, function } => write!(
                f,
                "{function} requires a standard or whatwg as the reader, but the reader is {reader}"
            ),
            Self::Level => f.write_str("whatwg supports only the level `scheme`"),
            Self::Keep { function } => write!(
                f,
                "{function} cannot keep the text of rejected rows: its results are not complete \
                 references"
            ),
            Self::Base(reason) => write!(f, "invalid base: {reason}"),
            Self::NoSuchPlace(error) => error.fmt(f),
            Self::Lengths { left, right } => {
                write!(
                    f,
                    "the columns have different lengths: {left} and {right} rows"
                )
            }
            Self::Row { row, reason } => write!(f, "row {row}: {reason}"),
            Self::TooLarge { length } => write!(
                f,
                "the result has {length} bytes or items, more than the 2147483647 that fit in its \
                 type: use a column of type LargeUtf8 (large_string)"
            ),
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
