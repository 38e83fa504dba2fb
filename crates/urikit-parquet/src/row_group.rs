//! Splits the pages of a column in a row group into runs, which threads can read in parallel.

use crate::codec::Codec;
use crate::encoding::Dictionary;
use crate::error::{Count, Error, Invalid, Part, Unsupported};
use crate::metadata::{Chunk, Content, Data, Header, MAX_PAGE};
use crate::source::{ReadAt, bytes_at};
use crate::values::Values;
use bytes::Bytes;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// The minimum length in bytes of a run of pages, as stored in the file. Most pages are longer.
const ENOUGH: u64 = 64 << 10;

/// The part of a column that is in one row group.
///
/// This type reads only the headers of pages. [`Pages::values`] reads the pages.
pub struct RowGroup {
    shared: Shared,
    headers: Headers,
    /// The numbers of the rows that have not been returned yet, counting from 1.
    rows: Range<u64>,
    /// The number of rows that the row group declares.
    declared: u64,
    unsupported: Option<Unsupported>,
    dictionary: Option<Arc<DictionaryPage>>,
    /// The error to return after the last run.
    failed: Option<Error>,
    has_begun: bool,
}

impl fmt::Debug for RowGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RowGroup")
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}

/// The data that all pages of a column share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) source: Arc<dyn ReadAt>,
    pub(crate) codec: Codec,
    /// The definition level of a value that is present.
    pub(crate) level: u8,
}

/// A page with values, and its position in the file.
#[derive(Clone, Debug)]
pub(crate) struct DataPage {
    /// The position in the file after the page's header.
    at: u64,
    compressed: u64,
    pub(crate) decompressed: u64,
    pub(crate) data: Data,
}

/// A dictionary. The first thread that needs the dictionary reads it.
pub(crate) struct DictionaryPage {
    at: u64,
    header: Header,
    values: u64,
    encoding: i64,
    read: OnceLock<Result<Arc<Dictionary>, Error>>,
}

/// Consecutive pages of a column.
pub struct Pages {
    shared: Shared,
    run: Vec<DataPage>,
    rows: Range<u64>,
    bytes: u64,
    dictionary: Option<Arc<DictionaryPage>>,
}

impl fmt::Debug for Pages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pages")
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}

/// Fails if the length of a page exceeds the limit.
fn within_limit(length: u64) -> Result<(), Invalid> {
    if length > MAX_PAGE {
        return Err(Invalid::Large {
            length,
            limit: MAX_PAGE,
        });
    }
    Ok(())
}

impl RowGroup {
    /// Creates a row group from a column chunk. `first` is the number of the row group's first row,
    /// counting from 1.
    pub(crate) fn new(source: Arc<dyn ReadAt>, chunk: &Chunk, level: u8, first: u64) -> Self {
        let codec = Codec::new(chunk.codec);
        Self {
            headers: Headers::new(Arc::clone(&source), chunk),
            shared: Shared {
                source,
                codec: codec.unwrap_or(Codec::None),
                level,
            },
            rows: first..first.saturating_add(chunk.rows),
            declared: chunk.rows,
            unsupported: chunk.unsupported.or(codec.err()),
            dictionary: None,
            failed: None,
            has_begun: false,
        }
    }

    /// Returns the numbers of the rows that have not been returned yet, counting from 1.
    pub fn rows(&self) -> Range<u64> {
        self.rows.clone()
    }

    /// Removes and returns the next run of pages. Returns `None` after the last run.
    ///
    /// # Errors
    ///
    /// Fails if a header is not valid, or if the pages do not have the declared number of rows. All
    /// runs before the error are returned first. After the error, no more runs are returned.
    pub fn next_pages(&mut self) -> Result<Option<Pages>, Error> {
        if let Some(error) = self.failed.take() {
            self.headers.at = self.headers.end;
            self.rows.start = self.rows.end;
            return Err(error);
        }
        if let Some(unsupported) = self.unsupported.take() {
            self.headers.at = self.headers.end;
            self.rows.start = self.rows.end;
            return Err(unsupported.into());
        }
        let (first, begin) = (self.rows.start, self.headers.at);
        let mut pages = Vec::new();
        let found = self.find(&mut pages, begin);
        if pages.is_empty() {
            found?;
            return Ok(None);
        }
        self.failed = found.err();
        Ok(Some(Pages {
            shared: self.shared.clone(),
            run: pages,
            rows: first..self.rows.start,
            bytes: self.headers.at - begin,
            dictionary: self.dictionary.clone(),
        }))
    }

    /// Adds pages until the run is long enough.
    fn find(&mut self, pages: &mut Vec<DataPage>, begin: u64) -> Result<(), Error> {
        while pages.is_empty() || self.headers.at - begin < ENOUGH {
            let Some((header, at)) = self.headers.next()? else {
                return self.end();
            };
            let is_first = !std::mem::replace(&mut self.has_begun, true);
            let end = at + header.compressed;
            match header.content {
                Content::Index => {}
                Content::Dictionary { values, encoding } => {
                    if !is_first {
                        return Err(Invalid::LateDictionary.into());
                    }
                    let page = DictionaryPage::new(at, header, values, encoding);
                    self.dictionary = Some(Arc::new(page));
                }
                Content::Data(data) => {
                    let values = data.values;
                    // A text column has no lists.
                    if let Some(rows) = data.rows.filter(|rows| *rows != values) {
                        return Err(Count::PageValues.differs(rows, values).into());
                    }
                    if values > self.rows.end - self.rows.start {
                        let before = self.declared - (self.rows.end - self.rows.start);
                        let pages = before + values + self.headers.values_after(end);
                        return Err(Count::PageRows.differs(self.declared, pages).into());
                    }
                    self.rows.start += values;
                    pages.push(DataPage {
                        at,
                        compressed: header.compressed,
                        decompressed: header.decompressed,
                        data,
                    });
                }
            }
            self.headers.at = end;
        }
        Ok(())
    }

    /// Checks the number of rows at the end of the column.
    fn end(&mut self) -> Result<(), Error> {
        let missing = self.rows.end - self.rows.start;
        if missing == 0 {
            return Ok(());
        }
        let found = self.declared - missing;
        Err(Count::PageRows.differs(self.declared, found).into())
    }
}

impl Shared {
    /// Reads the page at a position. The first `plain` bytes of the page are not compressed.
    ///
    /// # Errors
    ///
    /// Fails if the page exceeds the limit or cannot be decompressed.
    pub(crate) fn page(
        &self,
        at: u64,
        lengths: (u64, u64),
        plain: u64,
    ) -> Result<PageBytes, Error> {
        let (compressed, decompressed) = lengths;
        within_limit(compressed)?;
        within_limit(decompressed)?;
        let mut data = Bytes::from(bytes_at(&*self.source, at, compressed)?);
        let available = compressed.min(decompressed);
        if plain > available {
            return Err(Count::LevelsLength.differs(plain, available).into());
        }
        // INVARIANT: `plain` is not greater than the length of the page.
        let before = data.split_to(usize::try_from(plain).unwrap_or(0));
        Ok(PageBytes {
            before,
            data,
            length: decompressed - plain,
        })
    }
}

/// A page as stored in the file.
pub(crate) struct PageBytes {
    /// The bytes before `data`, which are not compressed.
    pub(crate) before: Bytes,
    pub(crate) data: Bytes,
    /// The length of `data` after decompression.
    pub(crate) length: u64,
}

impl DataPage {
    /// Creates the page whose `header` ends at `at`.
    pub(crate) const fn new(at: u64, header: &Header, data: Data) -> Self {
        Self {
            at,
            compressed: header.compressed,
            decompressed: header.decompressed,
            data,
        }
    }

    /// Reads the page. The first `plain` bytes of the page are not compressed.
    pub(crate) fn read(&self, shared: &Shared, plain: u64) -> Result<PageBytes, Error> {
        shared.page(self.at, (self.compressed, self.decompressed), plain)
    }
}

impl DictionaryPage {
    /// The encodings of a dictionary: `PLAIN`, and `PLAIN_DICTIONARY` in old files.
    const ENCODINGS: [i64; 2] = [0, 2];

    /// Creates the dictionary whose `header` ends at `at`.
    pub(crate) const fn new(at: u64, header: Header, values: u64, encoding: i64) -> Self {
        Self {
            at,
            header,
            values,
            encoding,
            read: OnceLock::new(),
        }
    }

    /// Returns the dictionary, reading it if no thread has done so yet.
    ///
    /// # Errors
    ///
    /// Fails if the dictionary is not valid.
    pub(crate) fn get(&self, shared: &Shared) -> Result<Arc<Dictionary>, Error> {
        self.read.get_or_init(|| self.read(shared)).clone()
    }

    fn read(&self, shared: &Shared) -> Result<Arc<Dictionary>, Error> {
        Ok(Arc::new(Dictionary::new(self.plain(shared)?, self.values)?))
    }

    /// Returns the dictionary's values in the `PLAIN` encoding.
    ///
    /// # Errors
    ///
    /// Fails if the page cannot be decompressed.
    pub(crate) fn plain(&self, shared: &Shared) -> Result<Bytes, Error> {
        if !Self::ENCODINGS.contains(&self.encoding) {
            return Err(Unsupported::Encoding(self.encoding).into());
        }
        let lengths = (self.header.compressed, self.header.decompressed);
        let page = shared.page(self.at, lengths, 0)?;
        shared.codec.decompress(page.data, page.length)
    }
}

impl Pages {
    /// Returns the numbers of the rows in these pages, counting from 1.
    pub fn rows(&self) -> Range<u64> {
        self.rows.clone()
    }

    /// Returns the length of the pages in the file, in bytes.
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the values of the pages. Values of more than `max` bytes are left out.
    pub fn values(self, max: usize) -> Values {
        Values::new(self.shared, self.run, self.dictionary, self.rows, max)
    }
}

/// Reads the headers of a column's pages.
pub(crate) struct Headers {
    source: Arc<dyn ReadAt>,
    /// The position of the next header.
    pub(crate) at: u64,
    /// The position in the file at which the column ends.
    end: u64,
    /// A part of the file that has been read, and its position.
    window: Vec<u8>,
    window_at: u64,
}

/// The number of bytes to read first for a header, and the maximum number. Statistics can make
/// headers long.
const READ: u64 = 4 << 10;
const MAX_HEADER: u64 = 16 << 20;

impl Headers {
    pub(crate) fn new(source: Arc<dyn ReadAt>, chunk: &Chunk) -> Self {
        Self {
            source,
            at: chunk.start,
            end: chunk.start + chunk.length,
            window: Vec::new(),
            window_at: 0,
        }
    }

    /// Returns the next header, and the position after it. Returns `None` at the end of the column.
    ///
    /// # Errors
    ///
    /// Fails if the header is not valid, or if its page is longer than the rest of the column.
    pub(crate) fn next(&mut self) -> Result<Option<(Header, u64)>, Error> {
        let rest = self.end - self.at;
        if rest == 0 {
            return Ok(None);
        }
        let mut read = READ;
        loop {
            let bytes = self.bytes(read.min(rest))?;
            if let Some((header, length)) = Header::read(bytes)? {
                let left = rest - length as u64;
                if header.compressed > left {
                    return Err(Count::PageLength.differs(header.compressed, left).into());
                }
                return Ok(Some((header, self.at + length as u64)));
            }
            if read >= rest.min(MAX_HEADER) {
                return Err(Invalid::Short(Part::PageHeader).into());
            }
            read *= 4;
        }
    }

    /// Returns `length` bytes at the current position.
    fn bytes(&mut self, length: u64) -> Result<&[u8], Error> {
        let has_it = |it: &Self| {
            let start = usize::try_from(it.at.checked_sub(it.window_at)?).ok()?;
            let end = start.checked_add(usize::try_from(length).ok()?)?;
            (end <= it.window.len()).then_some(start..end)
        };
        if has_it(self).is_none() {
            self.window = bytes_at(&*self.source, self.at, length)?;
            self.window_at = self.at;
        }
        let range = has_it(self).unwrap_or_default();
        Ok(self.window.get(range).unwrap_or_default())
    }

    /// Counts the values in all pages from position `at` on.
    fn values_after(&mut self, at: u64) -> u64 {
        self.at = at;
        let mut values = 0_u64;
        while let Ok(Some((header, at))) = self.next() {
            if let Content::Data(data) = &header.content {
                values = values.saturating_add(data.values);
            }
            self.at = at + header.compressed;
        }
        values
    }
}
