//! The header of a page.

use super::thrift::{Fault, Kind, Reader};
use crate::error::{Error, Invalid, Part};

/// The maximum length of a page, compressed and decompressed. Most writers end pages at about 1
/// MiB, but some write one page for each row group.
pub const MAX_PAGE: u64 = 256 << 20;

/// The contents of a page's header.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    /// The length of the page in the file, in bytes.
    pub(crate) compressed: u64,
    /// The length of the page after decompression.
    pub(crate) decompressed: u64,
    pub(crate) content: Content,
}

/// The content of a page.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    Dictionary {
        values: u64,
        encoding: i64,
    },
    Data(Data),
    /// An index page, which is skipped.
    Index,
}

/// A page with values.
#[derive(Clone, Debug)]
pub(crate) struct Data {
    /// The number of values, including absent ones.
    pub(crate) values: u64,
    /// The number of rows, if the header specifies it.
    pub(crate) rows: Option<u64>,
    pub(crate) encoding: i64,
    pub(crate) levels: LevelsAt,
}

/// The position of the levels in a page.
#[derive(Clone, Debug)]
pub(crate) enum LevelsAt {
    /// The levels are part of the compressed data, in the encoding with this number.
    Within(i64),
    /// The levels precede the data and are not compressed.
    Before {
        /// The lengths of the levels, in bytes.
        repetition: u64,
        definition: u64,
        is_compressed: bool,
    },
}

/// The header fields that are specific to one type of page.
#[derive(Default)]
struct Fields {
    values: Option<i64>,
    rows: Option<i64>,
    encoding: Option<i64>,
    level_encoding: Option<i64>,
    definition: Option<i64>,
    repetition: Option<i64>,
    is_plain: bool,
}

/// A function that selects the field in which a number from the header is stored.
type Field = fn(&mut Fields) -> &mut Option<i64>;

impl Fields {
    /// Reads the fields that have these numbers.
    fn read(reader: &mut Reader<'_>, fields: &[(i16, Field)]) -> Result<Self, Fault> {
        let mut found = Self::default();
        let mut last = 0;
        while let Some((id, kind)) = reader.field(&mut last)? {
            let field = fields.iter().find(|(number, _)| *number == id);
            match (field, kind) {
                (Some((_, field)), Kind::Integer) => *field(&mut found) = Some(reader.integer()?),
                // The `is_compressed` field of a version 2 page.
                (None, Kind::False) if id == 7 => found.is_plain = true,
                _ => reader.skip(kind)?,
            }
        }
        Ok(found)
    }
}

/// Converts a size or a count in a page header, which may have at most 31 bits.
fn natural(number: Option<i64>, field: &'static str) -> Result<u64, Error> {
    let number = number.and_then(|it| i32::try_from(it).ok());
    let number = number.and_then(|it| u64::try_from(it).ok());
    number.ok_or(Error::Invalid(Invalid::Missing(Part::PageHeader, field)))
}

impl Header {
    /// Reads a header. Also returns the length of the header. Returns `None` if the header is
    /// longer than `bytes`.
    ///
    /// # Errors
    ///
    /// Fails if the header is not valid.
    pub(crate) fn read(bytes: &[u8]) -> Result<Option<(Self, usize)>, Error> {
        let mut reader = Reader::new(bytes);
        match RawHeader::read(&mut reader) {
            Ok(raw) => Ok(Some((raw.checked()?, reader.at()))),
            Err(Fault::Short) => Ok(None),
            Err(fault) => Err(fault.of(Part::PageHeader)),
        }
    }
}

/// A header, as encoded in the file.
#[derive(Default)]
struct RawHeader {
    page: Option<i64>,
    decompressed: Option<i64>,
    compressed: Option<i64>,
    data: Option<Fields>,
    dictionary: Option<Fields>,
    data_v2: Option<Fields>,
}

const DATA: [(i16, Field); 3] = [
    (1, |it| &mut it.values),
    (2, |it| &mut it.encoding),
    (3, |it| &mut it.level_encoding),
];

const DATA_V2: [(i16, Field); 5] = [
    (1, |it| &mut it.values),
    (3, |it| &mut it.rows),
    (4, |it| &mut it.encoding),
    (5, |it| &mut it.definition),
    (6, |it| &mut it.repetition),
];

impl RawHeader {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Fault> {
        let mut header = Self::default();
        let mut last = 0;
        while let Some((id, kind)) = reader.field(&mut last)? {
            match (id, kind) {
                (1, Kind::Integer) => header.page = Some(reader.integer()?),
                (2, Kind::Integer) => header.decompressed = Some(reader.integer()?),
                (3, Kind::Integer) => header.compressed = Some(reader.integer()?),
                (5, Kind::Struct) => header.data = Some(Fields::read(reader, &DATA)?),
                (7, Kind::Struct) => header.dictionary = Some(Fields::read(reader, &DATA)?),
                (8, Kind::Struct) => header.data_v2 = Some(Fields::read(reader, &DATA_V2)?),
                _ => reader.skip(kind)?,
            }
        }
        Ok(header)
    }

    fn checked(self) -> Result<Header, Error> {
        let missing = |field| Error::Invalid(Invalid::Missing(Part::PageHeader, field));
        let content = match self.page {
            Some(0) => {
                let fields = self.data.ok_or(missing("data_page_header"))?;
                let levels = fields.level_encoding;
                Content::Data(Data {
                    values: natural(fields.values, "num_values")?,
                    rows: None,
                    encoding: fields.encoding.ok_or(missing("encoding"))?,
                    levels: LevelsAt::Within(levels.ok_or(missing("definition_level_encoding"))?),
                })
            }
            Some(2) => {
                let fields = self.dictionary.ok_or(missing("dictionary_page_header"))?;
                Content::Dictionary {
                    values: natural(fields.values, "num_values")?,
                    encoding: fields.encoding.ok_or(missing("encoding"))?,
                }
            }
            Some(3) => Content::Data(Self::data_v2(self.data_v2)?),
            Some(1) => Content::Index,
            // Skipping a page of an unknown type could skip rows.
            _ => return Err(missing("type")),
        };
        Ok(Header {
            compressed: natural(self.compressed, "compressed_page_size")?,
            decompressed: natural(self.decompressed, "uncompressed_page_size")?,
            content,
        })
    }

    fn data_v2(fields: Option<Fields>) -> Result<Data, Error> {
        let missing = |field| Error::Invalid(Invalid::Missing(Part::PageHeader, field));
        let fields = fields.ok_or(missing("data_page_header_v2"))?;
        let values = natural(fields.values, "num_values")?;
        let rows = natural(fields.rows, "num_rows")?;
        Ok(Data {
            values,
            rows: Some(rows),
            encoding: fields.encoding.ok_or(missing("encoding"))?,
            levels: LevelsAt::Before {
                repetition: natural(fields.repetition, "repetition_levels_byte_length")?,
                definition: natural(fields.definition, "definition_levels_byte_length")?,
                is_compressed: !fields.is_plain,
            },
        })
    }
}
