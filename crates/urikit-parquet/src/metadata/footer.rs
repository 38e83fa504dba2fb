//! The footer: the schema, and the position of each column in each row group.

use super::schema::{Column, Schema};
use super::thrift::{Fault, Kind, Reader};
use crate::error::{Count, Error, Invalid, Part, Unsupported};

/// The part of a column that is in one row group.
#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    /// The position of the first page in the file.
    pub(crate) start: u64,
    /// The total length of the pages as stored in the file, in bytes.
    pub(crate) length: u64,
    pub(crate) rows: u64,
    /// The number of values, including absent ones.
    pub(crate) values: u64,
    /// The number that identifies the compression codec.
    pub(crate) codec: i64,
    /// The reason why the column cannot be read.
    pub(crate) unsupported: Option<Unsupported>,
}

/// The contents of a footer, whose numbers are known to be consistent with each other.
#[derive(Debug)]
pub(crate) struct Footer {
    bytes: Vec<u8>,
    pub(crate) schema: Schema,
    rows: u64,
    /// The position of the row groups, and the number of row groups.
    groups: Option<(usize, u64)>,
}

/// Converts a number that must not be negative.
fn natural(number: Option<i64>, part: Part, field: &'static str) -> Result<u64, Error> {
    let number = number.and_then(|it| u64::try_from(it).ok());
    number.ok_or(Error::Invalid(Invalid::Missing(part, field)))
}

/// Creates an error about the footer.
fn of_footer(fault: Fault) -> Error {
    fault.of(Part::Footer)
}

impl Footer {
    /// Reads a footer, but not its row groups.
    ///
    /// # Errors
    ///
    /// Fails if the footer is not valid.
    pub(crate) fn read(bytes: Vec<u8>) -> Result<Self, Error> {
        let (mut schema, mut rows, mut groups) = (None, None, None);
        let mut reader = Reader::new(&bytes);
        let mut last = 0;
        while let Some((id, kind)) = reader.field(&mut last).map_err(of_footer)? {
            match (id, kind) {
                (2, Kind::List) => match reader.list().map_err(of_footer)? {
                    (elements, Kind::Struct) => schema = Some(Schema::read(&mut reader, elements)?),
                    _ => return Err(Invalid::Malformed(Part::Footer).into()),
                },
                (3, Kind::Integer) => rows = Some(reader.integer().map_err(of_footer)?),
                (4, Kind::List) => {
                    let at = reader.at();
                    let mut groups_at = reader.clone();
                    reader.skip(kind).map_err(of_footer)?;
                    match groups_at.list().map_err(of_footer)? {
                        (_, element) if element != Kind::Struct => {
                            return Err(Invalid::Malformed(Part::Footer).into());
                        }
                        (count, _) => groups = Some((at, count)),
                    }
                }
                _ => reader.skip(kind).map_err(of_footer)?,
            }
        }
        let schema = schema.ok_or(Invalid::Missing(Part::Footer, "schema"))?;
        let rows = natural(rows, Part::Footer, "num_rows")?;
        Ok(Self {
            bytes,
            schema,
            rows,
            groups,
        })
    }

    /// Returns, for each row group, the chunk of the column with this index. The data of the file
    /// ends at byte `length`.
    ///
    /// # Errors
    ///
    /// Fails if the row counts disagree, or if a column is not within the file.
    pub(crate) fn chunks(&self, column: usize, length: u64) -> Result<Vec<Chunk>, Error> {
        let (at, count) = self.groups.unwrap_or_default();
        let mut reader = Reader::new(self.bytes.get(at..).unwrap_or_default());
        if count > 0 {
            reader.list().map_err(of_footer)?;
        }
        let mut chunks = Vec::new();
        let mut rows = 0_u64;
        for _ in 0..count {
            let chunk = self.group(&mut reader, column)?;
            let end = chunk.start.saturating_add(chunk.length);
            if end > length {
                return Err(Count::ColumnEnd.differs(end, length).into());
            }
            rows = rows.saturating_add(chunk.rows);
            chunks.push(chunk);
        }
        if rows != self.rows {
            return Err(Count::FileRows.differs(self.rows, rows).into());
        }
        Ok(chunks)
    }

    /// Reads a row group.
    fn group(&self, reader: &mut Reader<'_>, column: usize) -> Result<Chunk, Error> {
        let (mut found, mut rows) = (None, None);
        let mut last = 0;
        while let Some((id, kind)) = reader.field(&mut last).map_err(of_footer)? {
            match (id, kind) {
                (1, Kind::List) => {
                    let (columns, kind) = reader.list().map_err(of_footer)?;
                    let expected = self.schema.columns().len() as u64;
                    if columns != expected || kind != Kind::Struct {
                        return Err(Count::Columns.differs(columns, expected).into());
                    }
                    for nth in 0..columns {
                        if nth == column as u64 {
                            found = Some(RawChunk::read(reader).map_err(of_footer)?);
                        } else {
                            reader.skip(kind).map_err(of_footer)?;
                        }
                    }
                }
                (3, Kind::Integer) => rows = Some(reader.integer().map_err(of_footer)?),
                _ => reader.skip(kind).map_err(of_footer)?,
            }
        }
        let rows = natural(rows, Part::Footer, "num_rows")?;
        let found = found.ok_or(Invalid::Missing(Part::Footer, "columns"))?;
        let column = self.schema.columns().nth(column).ok_or(Invalid::Type)?;
        found.checked(rows, column)
    }
}

/// A `ColumnChunk` with its `ColumnMetaData`, as encoded in the file.
#[derive(Default)]
struct RawChunk {
    is_elsewhere: bool,
    is_encrypted: bool,
    has_metadata: bool,
    physical: Option<i64>,
    codec: Option<i64>,
    values: Option<i64>,
    length: Option<i64>,
    data: Option<i64>,
    dictionary: Option<i64>,
}

impl RawChunk {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Fault> {
        let mut chunk = Self::default();
        let mut last = 0;
        while let Some((id, kind)) = reader.field(&mut last)? {
            match (id, kind) {
                (1, Kind::Binary) => chunk.is_elsewhere = !reader.binary()?.is_empty(),
                (3, Kind::Struct) => chunk.metadata(reader)?,
                (8 | 9, _) => {
                    chunk.is_encrypted = true;
                    reader.skip(kind)?;
                }
                _ => reader.skip(kind)?,
            }
        }
        Ok(chunk)
    }

    fn metadata(&mut self, reader: &mut Reader<'_>) -> Result<(), Fault> {
        self.has_metadata = true;
        let mut last = 0;
        while let Some((id, kind)) = reader.field(&mut last)? {
            let field = match id {
                1 => &mut self.physical,
                4 => &mut self.codec,
                5 => &mut self.values,
                7 => &mut self.length,
                9 => &mut self.data,
                11 => &mut self.dictionary,
                _ => {
                    reader.skip(kind)?;
                    continue;
                }
            };
            if kind == Kind::Integer {
                *field = Some(reader.integer()?);
            } else {
                reader.skip(kind)?;
            }
        }
        Ok(())
    }

    /// Checks that the counts in the column's metadata agree with each other.
    fn checked(&self, rows: u64, column: Column<'_>) -> Result<Chunk, Error> {
        if self.is_encrypted && !self.has_metadata {
            return Err(Unsupported::Encryption.into());
        }
        let part = Part::Footer;
        let data = natural(self.data, part, "data_page_offset")?;
        // Some writers write the dictionary position 0 if the column has no dictionary. If the
        // column has no values, Arrow writes an empty dictionary, and the data position 0.
        let dictionary = self.dictionary.and_then(|it| u64::try_from(it).ok());
        let dictionary = dictionary.filter(|at| *at > 0 && (*at < data || data == 0));
        let values = natural(self.values, part, "num_values")?;
        // Only columns that contain lists have more values than rows, and no column has fewer
        // values than rows.
        let (repetition, _) = column.levels();
        if values < rows || values > rows && repetition == 0 {
            return Err(Count::ColumnRows.differs(rows, values).into());
        }
        if self.physical != Some(column.physical_number()) {
            return Err(Invalid::Type.into());
        }
        let encrypted = self.is_encrypted.then_some(Unsupported::Encryption);
        let elsewhere = self.is_elsewhere.then_some(Unsupported::OtherFile);
        Ok(Chunk {
            start: dictionary.unwrap_or(data),
            length: natural(self.length, part, "total_compressed_size")?,
            rows,
            values,
            codec: self.codec.ok_or(Invalid::Missing(part, "codec"))?,
            unsupported: encrypted.or(elsewhere),
        })
    }
}
