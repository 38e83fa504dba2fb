//! Errors: a file that cannot be read, that contradicts itself, or that uses an unsupported
//! feature.

use std::error;
use std::fmt;
use std::io;
use std::sync::Arc;

/// The reason why a file cannot be read, or cannot be read completely.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// Reading failed.
    Io(Arc<io::Error>),
    /// The file is not valid Parquet.
    Invalid(Invalid),
    /// The file uses a feature that is not supported.
    Unsupported(Unsupported),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Invalid(error) => write!(f, "not valid Parquet: {error}"),
            Self::Unsupported(error) => error.fmt(f),
        }
    }
}

impl error::Error for Error {}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Io(Arc::new(error))
    }
}

impl From<Invalid> for Error {
    fn from(error: Invalid) -> Self {
        Self::Invalid(error)
    }
}

impl From<Unsupported> for Error {
    fn from(error: Unsupported) -> Self {
        Self::Unsupported(error)
    }
}

/// A structure of the file's metadata.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Part {
    /// `FileMetaData`, the structure at the end of the file.
    Footer,
    /// `PageHeader`, the structure before each page.
    PageHeader,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Footer => "the footer",
            Self::PageHeader => "a page header",
        })
    }
}

/// The reason why a file is not valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Invalid {
    /// The file does not end with the magic number.
    NoEnd,
    /// A metadata structure ends within a value.
    Short(Part),
    /// A metadata structure has a value that the encoding or its type does not allow.
    Malformed(Part),
    /// A metadata structure lacks a field.
    Missing(Part, &'static str),
    /// A count stated in the file differs from the actual count.
    Differs {
        /// The quantity that was counted.
        what: Count,
        /// The count stated in the file.
        declared: u64,
        /// The number found. Counting may have stopped once the count exceeded the declared number.
        found: u64,
    },
    /// A column of the schema is nested more deeply than the limit allows.
    Deep {
        /// The limit.
        limit: usize,
    },
    /// A page has more bytes than the limit allows.
    Large {
        /// The length of the page, as stored or decompressed, in bytes.
        length: u64,
        /// The limit, in bytes.
        limit: u64,
    },
    /// The compressed data of a page is damaged.
    Compression,
    /// The lengths of the values of a page cannot be decoded.
    Lengths,
    /// The levels of a page, which indicate absent values, cannot be decoded.
    Levels,
    /// A page's indices into its dictionary cannot be decoded.
    Indices,
    /// A page refers to a dictionary that does not exist.
    NoDictionary,
    /// A dictionary is not the first page of its column.
    LateDictionary,
    /// A page refers to a value that is not in its dictionary.
    Index {
        /// The index, counting from 0.
        index: u32,
        /// The number of values in the dictionary.
        values: u64,
    },
    /// The type of a column in a row group differs from the schema.
    Type,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoEnd => f.write_str("the end of the file is missing"),
            Self::Short(part) => write!(f, "{part} ends within a value"),
            Self::Malformed(part) => write!(f, "{part} cannot be decoded"),
            Self::Missing(part, field) => write!(f, "{part} has no valid `{field}`"),
            Self::Differs {
                what,
                declared,
                found,
            } => what.describe(*declared, *found, f),
            Self::Deep { limit } => write!(f, "a column is nested in more than {limit} groups"),
            Self::Large { length, limit } => {
                write!(
                    f,
                    "a page of {length} bytes exceeds the limit of {limit} bytes"
                )
            }
            Self::Compression => f.write_str("the compressed data of a page is damaged"),
            Self::Lengths => f.write_str("the lengths of a page's values cannot be decoded"),
            Self::Levels => f.write_str("the levels of a page cannot be decoded"),
            Self::Indices => f.write_str("the indices of a page cannot be decoded"),
            Self::NoDictionary => f.write_str("a page refers to a dictionary that does not exist"),
            Self::LateDictionary => f.write_str("a dictionary follows other pages"),
            Self::Index { index, values } => write!(
                f,
                "a page refers to value {index} of a dictionary with {values} values"
            ),
            Self::Type => {
                f.write_str("the type of a column in a row group differs from the schema")
            }
        }
    }
}

/// A quantity that the file declares and that can be counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Count {
    /// The length of the footer in bytes.
    FooterLength,
    /// The number of children that a group in the schema has.
    Children,
    /// The number of columns in a row group.
    Columns,
    /// The number of rows in the file, and the total number in its row groups.
    FileRows,
    /// The number of rows in a row group, and the number of values in its column.
    ColumnRows,
    /// The end of a column in the file, in bytes.
    ColumnEnd,
    /// The number of rows in a row group, and the total number in its pages.
    PageRows,
    /// The length of a page, and the number of bytes left in its column.
    PageLength,
    /// The length of a page after decompression, in bytes.
    Decompressed,
    /// The length of a page's levels, in bytes.
    LevelsLength,
    /// The number of rows in a page, and the number of its values, including absent ones.
    PageValues,
    /// The number of values in a page, and the number of its levels.
    Levels,
    /// The number of values that are present in a page.
    Values,
    /// The number of values that are present in a page, and the number of their lengths.
    Lengths,
    /// The number of values in a dictionary.
    Dictionary,
}

impl Count {
    /// Creates the error for two counts that differ.
    pub(crate) const fn differs(self, declared: u64, found: u64) -> Invalid {
        Invalid::Differs {
            what: self,
            declared,
            found,
        }
    }

    fn describe(self, declared: u64, found: u64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (before, between, after) = match self {
            Self::FooterLength => ("the footer declares", "bytes, but has", ""),
            Self::Children => ("a group of the schema declares", "children, but has", ""),
            Self::Columns => ("a row group has", "columns, but the schema has", ""),
            Self::FileRows => ("the file declares", "rows, but its row groups have", ""),
            Self::ColumnRows => ("the row group declares", "rows, but its column has", ""),
            Self::ColumnEnd => ("a column ends at byte", "of a file of", " bytes"),
            Self::PageRows => ("the row group declares", "rows, but its pages have", ""),
            Self::PageLength => ("a page declares", "bytes, but its column has", " left"),
            Self::Decompressed => ("a page declares", "bytes, but has", " after decompression"),
            Self::LevelsLength => ("a page declares", "bytes of levels, but has", " bytes"),
            Self::PageValues => ("a page declares", "rows, but has", " values"),
            Self::Levels => ("a page declares", "values, but has the levels of", ""),
            Self::Values => ("a page declares", "values, but has", ""),
            Self::Lengths => ("a page declares", "values, but has the lengths of", ""),
            Self::Dictionary => ("the dictionary declares", "values, but has", ""),
        };
        write!(f, "{before} {declared} {between} {found}{after}")
    }
}

/// A feature that is not supported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Unsupported {
    /// A compression codec, identified by its number in the format.
    Compression(i64),
    /// An encoding of values or levels, identified by its number in the format.
    Encoding(i64),
    /// A column whose data is in another file.
    OtherFile,
    /// An encrypted column.
    Encryption,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compression(3) => f.write_str("compressed with LZO, which is not supported"),
            Self::Compression(4) => f.write_str("compressed with brotli, which is not supported"),
            Self::Compression(other) => write!(f, "the compression codec {other} is not supported"),
            Self::Encoding(other) => write!(f, "the encoding {other} is not supported"),
            Self::OtherFile => f.write_str("the column is in another file"),
            Self::Encryption => f.write_str("the column is encrypted"),
        }
    }
}
