//! Reads a text column of Parquet files, for example the URLs of a crawl.
//!
//! ```no_run
//! use std::fs::File;
//! use urikit_parquet::{Rows, Table};
//!
//! let table = Table::open(File::open("crawl.parquet")?)?;
//! let column = table.columns().position(|column| column.path() == "url").unwrap();
//! for mut group in table.row_groups(column)? {
//!     while let Some(pages) = group.next_pages()? {
//!         let mut values = pages.values(1 << 20);
//!         while let Some(rows) = values.next_rows(Vec::new())? {
//!             if let Rows::Stored(stored) = rows {
//!                 println!("{} values", stored.count);
//!             }
//!         }
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A column of a row group consists of pages, each with a header. [`RowGroup::next_pages`] reads
//! only the headers. [`Pages`] are independent of each other, so threads can decompress and decode
//! them in parallel.
//!
//! [`Table::entries`] reads a column of any type, including lists, with the levels that Parquet
//! stores for absent values and lists. This function is meant for programs that write the values to
//! another file, such as a program that drops rows.
//!
//! # Untrusted files
//!
//! The files may come from untrusted sources. No count in a file is used before it has been
//! compared with the contents of the file. If two counts contradict each other, the [`Error`]
//! contains both counts. The metadata is read without allocating, and only the position of the
//! column in each row group is kept. A page may be at most 256 MiB, compressed or not, and
//! [`Values`] keeps one page and its dictionary in memory. Values are decoded in batches of about
//! 64 KiB, because a run of a few bytes can represent 2³¹ values. For the same reason, the length
//! of a file does not limit the number of its values.
//!
//! # What this crate does not do
//!
//! This crate does not interpret values: [`Entry`] contains their bytes and levels, and only string
//! columns without lists are split among threads. The crate neither verifies checksums nor reads
//! indexes, filters, statistics or encrypted columns. The crate supports every encoding that the
//! format allows except `BIT_PACKED` levels, which have been deprecated since 2013, and every
//! compression codec except LZO and brotli.
//!
//! The modules, and the fields in error messages, are named as in the [format]; the decoders follow
//! its document on [encodings].
//!
//! [format]: https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift
//! [encodings]: https://github.com/apache/parquet-format/blob/master/Encodings.md

#![cfg_attr(docsrs, feature(doc_cfg))]

mod codec;
mod encoding;
mod entries;
mod error;
mod metadata;
mod row_group;
mod source;
mod values;

pub use entries::{Entries, Entry};
pub use error::{Count, Error, Invalid, Part, Unsupported};
use metadata::Footer;
pub use metadata::{Column, MAX_DEPTH, MAX_PAGE};
pub use row_group::{Pages, RowGroup};
pub use source::ReadAt;
use source::bytes_at;
use std::fmt;
use std::sync::Arc;
pub use values::{Decoded, Rows, Stored, Values, Without};

/// The magic number at both ends of a file.
pub const MAGIC: [u8; 4] = *b"PAR1";

/// The number of bytes at the end of a file that contain the length of the footer and the magic
/// number.
const TAIL: u64 = 8;

/// A Parquet file.
pub struct Table {
    source: Arc<dyn ReadAt>,
    /// The length of the file without the footer, in bytes.
    length: u64,
    footer: Footer,
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table")
            .field("length", &self.length)
            .finish_non_exhaustive()
    }
}

impl Table {
    /// Reads the footer of a file.
    ///
    /// ```
    /// use urikit_parquet::Table;
    ///
    /// let error = Table::open(b"PAR1\xFF\xFF\xFF\x7FPAR1".to_vec()).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "not valid Parquet: the footer declares 2147483647 bytes, but has 0"
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, or if the footer is not valid.
    pub fn open(source: impl ReadAt + 'static) -> Result<Self, Error> {
        let source: Arc<dyn ReadAt> = Arc::new(source);
        let length = source.length()?;
        let before = length.checked_sub(TAIL).ok_or(Invalid::NoEnd)?;
        let tail = bytes_at(&*source, before, TAIL)?;
        let Some((footer, magic)) = tail.split_first_chunk() else {
            return Err(Invalid::NoEnd.into());
        };
        if *magic != MAGIC {
            return Err(Invalid::NoEnd.into());
        }
        let declared = u64::from(u32::from_le_bytes(*footer));
        let available = before.saturating_sub(MAGIC.len() as u64);
        if declared > available {
            return Err(Count::FooterLength.differs(declared, available).into());
        }
        let length = before - declared;
        Ok(Self {
            footer: Footer::read(bytes_at(&*source, length, declared)?)?,
            length,
            source,
        })
    }

    /// Returns the columns of the schema, in the order of the file.
    pub fn columns(&self) -> impl ExactSizeIterator<Item = Column<'_>> {
        self.footer.schema.columns()
    }

    /// Returns, for each row group, the place of the column with index `column`. The column may
    /// have any type.
    ///
    /// # Errors
    ///
    /// Fails if the column does not exist, or if counts in the file contradict each other.
    pub fn chunks(&self, column: usize) -> Result<Vec<Place>, Error> {
        let chunks = self.footer.chunks(column, self.length)?;
        let places = chunks.into_iter().map(|chunk| Place { column, chunk });
        Ok(places.collect())
    }

    /// Returns the values of a column in a row group.
    ///
    /// # Errors
    ///
    /// Fails if the column has a type that the format does not define.
    pub fn entries(&self, place: &Place) -> Result<Entries, Error> {
        let column = self.columns().nth(place.column).ok_or(Invalid::Type)?;
        Entries::new(Arc::clone(&self.source), &place.chunk, column)
    }

    /// Returns the row groups, from which the column with index `column` can be read.
    ///
    /// # Errors
    ///
    /// Fails if the column does not exist or is not text, or if counts in the file contradict each
    /// other.
    pub fn row_groups(&self, column: usize) -> Result<RowGroups, Error> {
        let level = self.footer.schema.level(column).ok_or(Invalid::Type)?;
        let chunks = self.footer.chunks(column, self.length)?;
        Ok(RowGroups {
            bytes: chunks
                .iter()
                .fold(0, |sum, it| it.length.saturating_add(sum)),
            source: Arc::clone(&self.source),
            chunks: chunks.into_iter(),
            level,
            row: 1,
        })
    }
}

/// The place of a column in a row group. All positions and lengths in a `Place` are known to be
/// consistent with each other and with the length of the file.
#[derive(Clone, Debug)]
pub struct Place {
    column: usize,
    chunk: metadata::Chunk,
}

impl Place {
    /// Returns the position of the first page, and the length of all pages, in bytes.
    pub const fn bytes(&self) -> (u64, u64) {
        (self.chunk.start, self.chunk.length)
    }

    /// Returns the number of rows in the row group.
    pub const fn rows(&self) -> u64 {
        self.chunk.rows
    }

    /// Returns the reason why the column cannot be copied: it is encrypted, or in another file.
    pub const fn unsupported(&self) -> Option<Unsupported> {
        self.chunk.unsupported
    }
}

/// The row groups of a file, from which one column is read.
pub struct RowGroups {
    source: Arc<dyn ReadAt>,
    chunks: std::vec::IntoIter<metadata::Chunk>,
    level: u8,
    /// The number of the next row, counting from 1.
    row: u64,
    bytes: u64,
}

impl fmt::Debug for RowGroups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RowGroups")
            .field("row", &self.row)
            .finish_non_exhaustive()
    }
}

impl RowGroups {
    /// Returns the total length in bytes of the column in all row groups, as stored in the file.
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Iterator for RowGroups {
    type Item = RowGroup;

    fn next(&mut self) -> Option<RowGroup> {
        let chunk = self.chunks.next()?;
        let group = RowGroup::new(Arc::clone(&self.source), &chunk, self.level, self.row);
        self.row = self.row.saturating_add(chunk.rows);
        Some(group)
    }
}

/// Runs the examples in the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
