//! Decodes the values of pages.

use crate::codec::Codec;
use crate::encoding::{Delta, Dictionary, Hybrid, PREFIX, Plain, prefix};
use crate::error::{Count, Error, Invalid, Unsupported};
use crate::metadata::LevelsAt;
use crate::row_group::{DataPage, DictionaryPage, PageBytes, Shared};
use bytes::Bytes;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::vec;

/// The values of consecutive rows, either as stored or decoded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rows {
    /// Values as stored in the file, which were not copied.
    Stored(Stored),
    /// Values that were decoded into memory.
    Decoded(Decoded),
}

/// The values of consecutive rows. Each value is preceded by its length: 32 bits, least
/// significant byte first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stored {
    /// The lengths and the values.
    pub data: Bytes,
    /// The number of values.
    pub count: u64,
}

/// The values of consecutive rows, one after another.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Decoded {
    /// The values.
    pub data: Vec<u8>,
    /// The offset in `data` at which the value of each row ends. Rows without a value are included.
    pub ends: Vec<usize>,
    /// The rows without a value: their index in `ends`, and the reason.
    pub without: Vec<(usize, Without)>,
}

/// The reason why a row has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Without {
    /// The value is null.
    Null,
    /// The value has more bytes than the caller's limit allows.
    TooLong,
}

impl Decoded {
    fn push(&mut self, value: &[u8]) {
        self.data.extend_from_slice(value);
        self.ends.push(self.data.len());
    }

    fn push_without(&mut self, why: Without) {
        self.without.push((self.ends.len(), why));
        self.ends.push(self.data.len());
    }
}

/// The maximum size of a batch, in bytes and in rows. A batch ends when it reaches either limit.
const ENOUGH: usize = 64 << 10;
const MANY: usize = 8 << 10;

/// The values of consecutive pages. Only one page at a time is in memory.
pub struct Values {
    shared: Shared,
    pages: vec::IntoIter<DataPage>,
    dictionary: Option<Arc<DictionaryPage>>,
    page: Option<Page>,
    /// The numbers of the rows that have not been returned yet, counting from 1.
    rows: Range<u64>,
    max: usize,
}

impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Values")
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}

impl Values {
    pub(crate) fn new(
        shared: Shared,
        pages: Vec<DataPage>,
        dictionary: Option<Arc<DictionaryPage>>,
        rows: Range<u64>,
        max: usize,
    ) -> Self {
        Self {
            shared,
            pages: pages.into_iter(),
            dictionary,
            page: None,
            rows,
            max,
        }
    }

    /// Returns the numbers of the rows that have not been returned yet, counting from 1.
    pub fn rows(&self) -> Range<u64> {
        self.rows.clone()
    }

    /// Returns the next rows, or `None` after the last row. Values are decoded into `memory`.
    ///
    /// # Errors
    ///
    /// Fails if the remaining rows cannot be read. [`rows`](Self::rows) returns the numbers of
    /// these rows.
    pub fn next_rows(&mut self, memory: Vec<u8>) -> Result<Option<Rows>, Error> {
        loop {
            if let Some(page) = &mut self.page {
                if page.left > 0 {
                    let rows = page.rows(memory, self.max)?;
                    self.rows.start += match &rows {
                        Rows::Stored(stored) => stored.count,
                        Rows::Decoded(decoded) => decoded.ends.len() as u64,
                    };
                    return Ok(Some(rows));
                }
                page.end()?;
                self.page = None;
            }
            let Some(page) = self.pages.next() else {
                return Ok(None);
            };
            self.page = Some(Page::read(&page, &self.shared, self.dictionary.as_deref())?);
        }
    }
}

/// The page that is being decoded.
struct Page {
    /// The number of rows that have not been returned yet.
    left: u64,
    /// The levels of these rows, and the level of a value that is present; `None` if all values are
    /// present.
    levels: Option<(Hybrid, u32)>,
    /// The number of values that are present in the complete page, and how many of them have been
    /// decoded.
    present: u64,
    decoded: u64,
    values: Encoded,
    /// The error to return after the last rows.
    failed: Option<Error>,
}

/// The values that are present in a page.
pub(crate) enum Encoded {
    Plain(Plain),
    Indices(Hybrid, Arc<Dictionary>),
    /// The length of each value, and the values.
    Lengths(Delta, Rest),
    /// The number of bytes that each value shares with the preceding one, the lengths of the
    /// remaining bytes, and these bytes.
    Prefixes {
        prefixes: Delta,
        lengths: Delta,
        data: Rest,
        value: Vec<u8>,
    },
}

/// The rest of a page.
pub(crate) struct Rest {
    data: Bytes,
    at: usize,
}

impl Rest {
    const fn new(data: Bytes) -> Self {
        Self { data, at: 0 }
    }

    /// Removes and returns the next `length` bytes.
    fn take(&mut self, length: usize) -> Option<&[u8]> {
        let end = self.at.checked_add(length)?;
        let taken = self.data.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }
}

impl Page {
    /// Reads a page.
    fn read(
        page: &DataPage,
        shared: &Shared,
        dictionary: Option<&DictionaryPage>,
    ) -> Result<Self, Error> {
        let count = page.data.values;
        let (levels, data) = split_levels(page, shared)?;
        let (levels, present) = match levels {
            None => (None, count),
            Some(levels) => {
                let level = u32::from(shared.level);
                // INVARIANT: the level has at most eight bits.
                let width = u8::try_from(32 - level.leading_zeros()).unwrap_or(8);
                let levels = Hybrid::new(levels, width).ok_or(Invalid::Levels)?;
                let counts = levels.clone().tally(level, count);
                let (all, present) = counts.ok_or(Invalid::Levels)?;
                if all != count {
                    return Err(Count::Levels.differs(count, all).into());
                }
                ((present < count).then_some((levels, level)), present)
            }
        };
        Ok(Self {
            left: count,
            levels,
            present,
            decoded: 0,
            failed: None,
            values: Encoded::new(page.data.encoding, data, present, dictionary, shared)?,
        })
    }

    /// Returns the next rows.
    fn rows(&mut self, memory: Vec<u8>, max: usize) -> Result<Rows, Error> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        if let (Encoded::Plain(plain), None) = (&mut self.values, &self.levels) {
            let left = self.left;
            let (data, count) = plain
                .take_while(|count, bytes, length| count < left && bytes < ENOUGH && length <= max);
            if count > 0 {
                self.left -= count;
                self.decoded += count;
                return Ok(Rows::Stored(Stored { data, count }));
            }
        }
        let mut to = Decoded {
            data: memory,
            ..Decoded::default()
        };
        to.data.clear();
        while self.left > 0 && to.data.len() < ENOUGH && to.ends.len() < MANY {
            if let Err(error) = self.row(&mut to, max) {
                self.failed = Some(error.clone());
                if to.ends.is_empty() {
                    return Err(error);
                }
                break;
            }
            self.left -= 1;
        }
        Ok(Rows::Decoded(to))
    }

    /// Adds the next row.
    fn row(&mut self, to: &mut Decoded, max: usize) -> Result<(), Error> {
        if let Some((levels, level)) = &mut self.levels {
            // INVARIANT: the levels were counted, so there is one level for each row.
            if levels.next() != Some(*level) {
                to.push_without(Without::Null);
                return Ok(());
            }
        }
        match self.values.next()? {
            Some(value) if value.len() > max => to.push_without(Without::TooLong),
            Some(value) => to.push(value),
            None => return Err(Count::Values.differs(self.present, self.decoded).into()),
        }
        self.decoded += 1;
        Ok(())
    }

    /// Fails if the page contains more values than it declares.
    fn end(&self) -> Result<(), Error> {
        self.values.end(self.present)
    }
}

/// The encodings of levels: run-length encoding, and plain bit-packing, which is deprecated.
const RLE: i64 = 3;

/// Decompresses a page, and splits it into its levels, if it has any, and its values.
fn split_levels(page: &DataPage, shared: &Shared) -> Result<(Option<Bytes>, Bytes), Error> {
    let codec = shared.codec;
    let has_levels = shared.level > 0;
    match page.data.levels {
        LevelsAt::Within(encoding) => {
            let PageBytes { data, length, .. } = page.read(shared, 0)?;
            let mut levels = codec.decompress(data, length)?;
            if !has_levels {
                return Ok((None, levels));
            }
            if encoding != RLE {
                return Err(Unsupported::Encoding(encoding).into());
            }
            let length = prefix(&levels).ok_or(Invalid::Levels)?;
            let mut levels = levels.split_off(PREFIX);
            if length > levels.len() {
                let available = levels.len() as u64;
                return Err(Count::LevelsLength.differs(length as u64, available).into());
            }
            let values = levels.split_off(length);
            Ok((Some(levels), values))
        }
        LevelsAt::Before {
            repetition,
            definition,
            is_compressed,
        } => {
            let mut page = page.read(shared, repetition + definition)?;
            // INVARIANT: `read` returned at least `repetition` bytes before the values.
            let start = usize::try_from(repetition).unwrap_or(0);
            let levels = page.before.split_off(start.min(page.before.len()));
            let values = match page.length {
                // If a page has no values, some writers write no compressed data.
                0 => Bytes::new(),
                length if is_compressed => codec.decompress(page.data, length)?,
                length => Codec::None.decompress(page.data, length)?,
            };
            Ok((has_levels.then_some(levels), values))
        }
    }
}

impl Encoded {
    /// Creates a decoder for the `present` values in `data`.
    pub(crate) fn new(
        encoding: i64,
        mut data: Bytes,
        present: u64,
        dictionary: Option<&DictionaryPage>,
        shared: &Shared,
    ) -> Result<Self, Error> {
        Ok(match encoding {
            0 => Self::Plain(Plain::new(data, 0)),
            // If a page has no values, some writers write nothing, and others write the header of
            // the encoding.
            2 | 6..=8 if present == 0 => Self::Plain(Plain::default()),
            // The first byte is the number of bits in an index.
            2 | 8 => {
                let dictionary = dictionary.ok_or(Invalid::NoDictionary)?.get(shared)?;
                let width = *data.first().ok_or(Invalid::Indices)?;
                let indices = Hybrid::new(data.split_off(1), width);
                Self::Indices(indices.ok_or(Invalid::Indices)?, dictionary)
            }
            6 => {
                let (lengths, end) = Delta::new(&data, 0, present)?;
                Self::Lengths(lengths, Rest::new(data.split_off(end)))
            }
            7 => {
                let (prefixes, end) = Delta::new(&data, 0, present)?;
                let (lengths, end) = Delta::new(&data, end, present)?;
                Self::Prefixes {
                    prefixes,
                    lengths,
                    data: Rest::new(data.split_off(end)),
                    value: Vec::new(),
                }
            }
            _ => return Err(Unsupported::Encoding(encoding).into()),
        })
    }

    /// Fails if the page contains more than the `present` values that it declares.
    pub(crate) fn end(&self, present: u64) -> Result<(), Error> {
        match self {
            Self::Plain(plain) => Ok(plain.end(present, Count::Values)?),
            // Indices may be followed by padding. The number of lengths has already been checked.
            Self::Indices(..) | Self::Lengths(..) | Self::Prefixes { .. } => Ok(()),
        }
    }

    /// Returns the next value, or `None` if the data ends before this value is complete.
    pub(crate) fn next(&mut self) -> Result<Option<&[u8]>, Invalid> {
        Ok(match self {
            Self::Plain(plain) => plain.next(),
            Self::Indices(indices, dictionary) => match indices.next() {
                Some(index) => Some(dictionary.get(index)?),
                None => None,
            },
            Self::Lengths(lengths, data) => data.take(lengths.next()?),
            Self::Prefixes {
                prefixes,
                lengths,
                data,
                value,
            } => {
                let prefix = prefixes.next()?;
                if prefix > value.len() {
                    return Err(Invalid::Lengths);
                }
                value.truncate(prefix);
                let rest = data.take(lengths.next()?);
                rest.map(|rest| {
                    value.extend_from_slice(rest);
                    value.as_slice()
                })
            }
        })
    }
}
