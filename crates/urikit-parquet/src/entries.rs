//! Reads all values of a column of any type, for programs that write these values to another file.

use crate::codec::Codec;
use crate::encoding::{Delta, Fixed, Hybrid, PREFIX, Split, prefix};
use crate::error::{Count, Error, Invalid, Unsupported};
use crate::metadata::{Chunk, Column, Content, Data, LevelsAt, Physical};
use crate::row_group::{DataPage, DictionaryPage, Headers, Shared};
use crate::source::ReadAt;
use crate::values::Encoded;
use bytes::Bytes;
use std::fmt;
use std::sync::Arc;

/// A value of a column, or a placeholder for an absent value. The levels are those of the Dremel
/// paper, from which Parquet adopted its representation of lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry<'e> {
    /// The level at which a list continues, or 0 at the beginning of a row.
    pub repetition: u8,
    /// The number of optional and repeated groups around the value that are present.
    pub definition: u8,
    /// The value as the `PLAIN` encoding stores it, without a length, or `None` if it is absent. A
    /// boolean is a single byte, 0 or 1.
    pub value: Option<&'e [u8]>,
}

/// The entries of a column in a row group. One page and its dictionary are in memory at a time.
pub struct Entries {
    shared: Shared,
    headers: Headers,
    physical: Physical,
    /// The highest repetition level and definition level.
    levels: (u8, u8),
    dictionary: Option<Dictionary>,
    page: Option<Page>,
    /// The number of rows, and the number of values, that have not been returned yet.
    rows: u64,
    values: u64,
    declared: (u64, u64),
    /// The sizes of the dictionary and of the page, in bytes.
    sizes: (u64, u64),
    has_begun: bool,
    unsupported: Option<Unsupported>,
}

impl fmt::Debug for Entries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entries")
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}

/// The values to which indices refer.
enum Dictionary {
    Bytes(DictionaryPage),
    Fixed(Fixed),
}

struct Page {
    /// The number of entries that have not been returned yet.
    left: u64,
    repetitions: Option<Hybrid>,
    definitions: Option<Hybrid>,
    /// The number of values that are present, and the number that have been returned.
    present: u64,
    returned: u64,
    values: Values,
}

/// The non-null values of a page.
enum Values {
    Bytes(Encoded),
    Fixed(Fixed),
    Indices(Hybrid, Fixed),
    Split(Split),
    /// Integers, with the number of bytes in each.
    Integers(Delta, usize, [u8; 8]),
    /// Booleans.
    Bits(Hybrid, [u8; 1]),
    /// Booleans, packed with the least significant bit first.
    Packed(Bytes, usize, [u8; 1]),
}

/// The numbers by which the format identifies encodings.
const PLAIN: i64 = 0;
const RLE: i64 = 3;
const DELTA_BINARY_PACKED: i64 = 5;
const DELTA_BYTE_ARRAY: i64 = 7;
const BYTE_STREAM_SPLIT: i64 = 9;

impl Entries {
    pub(crate) fn new(
        source: Arc<dyn ReadAt>,
        chunk: &Chunk,
        column: Column<'_>,
    ) -> Result<Self, Error> {
        let codec = Codec::new(chunk.codec);
        let levels = column.levels();
        Ok(Self {
            headers: Headers::new(Arc::clone(&source), chunk),
            shared: Shared {
                source,
                codec: codec.unwrap_or(Codec::None),
                level: levels.1,
            },
            physical: column.physical()?,
            levels,
            dictionary: None,
            page: None,
            rows: chunk.rows,
            values: chunk.values,
            declared: (chunk.rows, chunk.values),
            sizes: (0, 0),
            has_begun: false,
            unsupported: chunk.unsupported.or(codec.err()),
        })
    }

    /// Returns the next entry, or `None` after the last entry.
    ///
    /// # Errors
    ///
    /// Fails if a page is not valid, or if the column does not have the declared number of rows or
    /// of values. After an error, no more entries are returned.
    // The borrow checker does not recognize that the page remains borrowed only if an entry is
    // returned, so `ready` is called first.
    pub fn next_entry(&mut self) -> Result<Option<Entry<'_>>, Error> {
        if !self.ready()? {
            return Ok(None);
        }
        let Some(page) = &mut self.page else {
            return Ok(None);
        };
        let entry = page.next(self.levels)?;
        self.values -= 1;
        if entry.repetition == 0 {
            let rows = self.rows.checked_sub(1);
            let rows = rows.ok_or(Count::PageRows.differs(self.declared.0, self.declared.0 + 1))?;
            self.rows = rows;
        }
        Ok(Some(entry))
    }

    /// Returns the total size in bytes of the page and the dictionary that are in memory.
    pub const fn memory(&self) -> u64 {
        self.sizes.0.saturating_add(self.sizes.1)
    }

    /// Reads pages until one of them has an entry. Returns `false` at the end of the column.
    fn ready(&mut self) -> Result<bool, Error> {
        if let Some(unsupported) = self.unsupported {
            return Err(unsupported.into());
        }
        loop {
            if let Some(page) = &self.page {
                if page.left > 0 {
                    return Ok(true);
                }
                page.end()?;
                self.page = None;
            }
            let Some((header, at)) = self.headers.next()? else {
                let (rows, values) = self.declared;
                if self.values > 0 {
                    return Err(Count::Values.differs(values, values - self.values).into());
                }
                if self.rows > 0 {
                    return Err(Count::PageRows.differs(rows, rows - self.rows).into());
                }
                return Ok(false);
            };
            let is_first = !std::mem::replace(&mut self.has_begun, true);
            self.headers.at = at + header.compressed;
            match header.content.clone() {
                Content::Index => {}
                Content::Dictionary { .. } if !is_first => {
                    return Err(Invalid::LateDictionary.into());
                }
                Content::Dictionary { values, encoding } => {
                    self.sizes.0 = header.decompressed;
                    let page = DictionaryPage::new(at, header, values, encoding);
                    self.dictionary = Some(match self.physical {
                        Physical::Fixed(width) => {
                            let fixed = Fixed::new(page.plain(&self.shared)?, width);
                            fixed.holds(values, Count::Dictionary)?;
                            Dictionary::Fixed(fixed)
                        }
                        _ => Dictionary::Bytes(page),
                    });
                }
                Content::Data(data) => {
                    if data.values > self.values {
                        let (_, values) = self.declared;
                        let found = values - self.values + data.values;
                        return Err(Count::Values.differs(values, found).into());
                    }
                    self.sizes.1 = header.decompressed;
                    let page = DataPage::new(at, &header, data);
                    self.page = Some(self.read(&page)?);
                }
            }
        }
    }

    /// Reads a page.
    fn read(&self, page: &DataPage) -> Result<Page, Error> {
        let count = page.data.values;
        let (repetitions, definitions, data) = split(page, &self.shared, self.levels)?;
        let (repetition, definition) = self.levels;
        let repetitions = match repetitions {
            Some(bytes) => Some(counted(bytes, repetition, count)?.0),
            None => None,
        };
        let (definitions, present) = match definitions {
            Some(bytes) => {
                let (levels, present) = counted(bytes, definition, count)?;
                (Some(levels), present)
            }
            None => (None, count),
        };
        Ok(Page {
            left: count,
            repetitions,
            definitions,
            present,
            returned: 0,
            values: self.values(page.data.encoding, data, present)?,
        })
    }

    /// Creates a decoder for the `present` values in `data`.
    fn values(&self, encoding: i64, mut data: Bytes, present: u64) -> Result<Values, Error> {
        let unsupported = Error::from(Unsupported::Encoding(encoding));
        let width = match self.physical {
            Physical::Bytes => {
                let dictionary = match &self.dictionary {
                    Some(Dictionary::Bytes(page)) => Some(page),
                    _ => None,
                };
                let values = Encoded::new(encoding, data, present, dictionary, &self.shared)?;
                return Ok(Values::Bytes(values));
            }
            Physical::Boolean => {
                return match encoding {
                    PLAIN => Ok(Values::Packed(data, 0, [0])),
                    RLE if present == 0 => Ok(Values::Packed(Bytes::new(), 0, [0])),
                    RLE => {
                        let bytes = leveled(&mut data)?;
                        let bits = Hybrid::new(bytes, 1).ok_or(Invalid::Indices)?;
                        Ok(Values::Bits(bits, [0]))
                    }
                    _ => Err(unsupported),
                };
            }
            Physical::Fixed(width) => width,
        };
        Ok(match encoding {
            PLAIN => {
                let fixed = Fixed::new(data, width);
                fixed.holds(present, Count::Values)?;
                Values::Fixed(fixed)
            }
            2 | 8 if present == 0 => Values::Fixed(Fixed::default()),
            2 | 8 => {
                let Some(Dictionary::Fixed(dictionary)) = &self.dictionary else {
                    return Err(Invalid::NoDictionary.into());
                };
                let bits = *data.first().ok_or(Invalid::Indices)?;
                let indices = Hybrid::new(data.split_off(1), bits).ok_or(Invalid::Indices)?;
                Values::Indices(indices, dictionary.clone())
            }
            DELTA_BINARY_PACKED if present == 0 => Values::Fixed(Fixed::default()),
            DELTA_BINARY_PACKED if width == 4 || width == 8 => {
                let (numbers, _) = Delta::of_width(&data, 0, present, 64)?;
                Values::Integers(numbers, width, [0; 8])
            }
            DELTA_BYTE_ARRAY => {
                let values = Encoded::new(encoding, data, present, None, &self.shared)?;
                Values::Bytes(values)
            }
            BYTE_STREAM_SPLIT => Values::Split(Split::new(data, width, present)?),
            _ => return Err(unsupported),
        })
    }
}

impl Page {
    fn next(&mut self, (_, most): (u8, u8)) -> Result<Entry<'_>, Error> {
        // INVARIANT: the levels were counted, and none has more than eight bits.
        let level = |levels: &mut Option<Hybrid>| {
            let next = levels.as_mut().map(Iterator::next);
            next.map(|level| u8::try_from(level.unwrap_or(0)).unwrap_or(u8::MAX))
        };
        let repetition = level(&mut self.repetitions).unwrap_or(0);
        let definition = level(&mut self.definitions).unwrap_or(most);
        self.left -= 1;
        if definition < most {
            return Ok(Entry {
                repetition,
                definition,
                value: None,
            });
        }
        let missing = Count::Values.differs(self.present, self.returned);
        self.returned += 1;
        let value = self.values.next()?.ok_or(missing)?;
        Ok(Entry {
            repetition,
            definition,
            value: Some(value),
        })
    }

    /// Fails if the page contains more values than it declares.
    fn end(&self) -> Result<(), Error> {
        match &self.values {
            Values::Bytes(values) => values.end(self.present),
            _ => Ok(()),
        }
    }
}

impl Values {
    /// Returns the next value, or `None` if the data ends before this value is complete.
    fn next(&mut self) -> Result<Option<&[u8]>, Invalid> {
        Ok(match self {
            Self::Bytes(values) => values.next()?,
            Self::Fixed(values) => values.next(),
            Self::Indices(indices, dictionary) => match indices.next() {
                Some(index) => Some(dictionary.get(index).ok_or(Invalid::Index {
                    index,
                    values: dictionary.count(),
                })?),
                None => None,
            },
            Self::Split(values) => values.next(),
            Self::Integers(numbers, width, bytes) => match numbers.number() {
                Some(number) => {
                    *bytes = number.to_le_bytes();
                    bytes.get(..*width)
                }
                None => None,
            },
            Self::Bits(bits, byte) => match bits.next() {
                Some(bit) => {
                    *byte = [u8::from(bit != 0)];
                    Some(byte)
                }
                None => None,
            },
            Self::Packed(bytes, at, byte) => match bytes.get(*at / 8) {
                Some(bits) => {
                    *byte = [bits >> (*at % 8) & 1];
                    *at += 1;
                    Some(byte)
                }
                None => None,
            },
        })
    }
}

/// Checks that `bytes` contains `count` levels, none of them greater than `most`. Returns the
/// levels, and the number of levels that equal `most`.
fn counted(bytes: Bytes, most: u8, count: u64) -> Result<(Hybrid, u64), Error> {
    let most = u32::from(most);
    // INVARIANT: the level has at most eight bits.
    let width = u8::try_from(32 - most.leading_zeros()).unwrap_or(8);
    let levels = Hybrid::new(bytes, width).ok_or(Invalid::Levels)?;
    let (all, highest) = levels.clone().tally(most, count).ok_or(Invalid::Levels)?;
    if all != count {
        return Err(Count::Levels.differs(count, all).into());
    }
    Ok((levels, highest))
}

/// Removes and returns bytes that are preceded by their length.
fn leveled(data: &mut Bytes) -> Result<Bytes, Error> {
    let length = prefix(data).ok_or(Invalid::Levels)?;
    let mut bytes = data.split_off(PREFIX);
    if length > bytes.len() {
        return Err(Count::LevelsLength
            .differs(length as u64, bytes.len() as u64)
            .into());
    }
    *data = bytes.split_off(length);
    Ok(bytes)
}

/// The repetition levels and the definition levels, if a page has them, and its values.
type Parts = (Option<Bytes>, Option<Bytes>, Bytes);

/// Decompresses a page, and splits it into its levels and its values.
fn split(page: &DataPage, shared: &Shared, levels: (u8, u8)) -> Result<Parts, Error> {
    let Data { levels: place, .. } = &page.data;
    match *place {
        LevelsAt::Within(encoding) => {
            let bytes = page.read(shared, 0)?;
            let mut data = shared.codec.decompress(bytes.data, bytes.length)?;
            if levels != (0, 0) && encoding != RLE {
                return Err(Unsupported::Encoding(encoding).into());
            }
            let mut next = |level| match level {
                0 => Ok(None),
                _ => leveled(&mut data).map(Some),
            };
            let (repetitions, definitions) = (next(levels.0)?, next(levels.1)?);
            Ok((repetitions, definitions, data))
        }
        LevelsAt::Before {
            repetition,
            definition,
            is_compressed,
        } => {
            let mut bytes = page.read(shared, repetition + definition)?;
            // INVARIANT: `read` returned at least `repetition` bytes before the values.
            let start = usize::try_from(repetition).unwrap_or(0);
            let definitions = bytes.before.split_off(start.min(bytes.before.len()));
            let data = match bytes.length {
                // If a page has no values, some writers write no compressed data.
                0 => Bytes::new(),
                length if is_compressed => shared.codec.decompress(bytes.data, length)?,
                length => Codec::None.decompress(bytes.data, length)?,
            };
            let repetitions = (levels.0 > 0).then_some(bytes.before);
            Ok((repetitions, (levels.1 > 0).then_some(definitions), data))
        }
    }
}
