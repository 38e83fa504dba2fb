//! Valid Parquet files, written by the `parquet` crate, and copies with false numbers.

use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical};
use parquet::basic::{GzipLevel, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::sync::Arc;
use urikit_testkit::thrift::{FalseLength, Value};

/// The way in which a file is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    /// The encoding; `None` for a dictionary.
    pub(crate) encoding: Option<Encoding>,
    pub(crate) compression: Compression,
    pub(crate) version: WriterVersion,
    /// True if every third value is null.
    pub(crate) has_nulls: bool,
}

/// All combinations of encodings, compressions, versions of pages, and nulls.
pub(crate) fn forms() -> Vec<Form> {
    let encodings = [
        None,
        Some(Encoding::PLAIN),
        Some(Encoding::DELTA_LENGTH_BYTE_ARRAY),
        Some(Encoding::DELTA_BYTE_ARRAY),
    ];
    let compressions = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::ZSTD(ZstdLevel::default()),
        Compression::LZ4,
        Compression::LZ4_RAW,
    ];
    let versions = [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0];
    let mut forms = Vec::new();
    for encoding in encodings {
        for compression in compressions {
            for version in versions {
                for has_nulls in [false, true] {
                    forms.push(Form {
                        encoding,
                        compression,
                        version,
                        has_nulls,
                    });
                }
            }
        }
    }
    forms
}

/// Values that share prefixes and repeat, some of them empty.
pub(crate) fn texts(count: usize, has_nulls: bool) -> Vec<Option<String>> {
    let text = |nth: usize| match nth % 7 {
        6 => String::new(),
        _ => format!("http://h{}.example/{}", nth % 77, "x".repeat(nth % 50)),
    };
    let value = |nth: usize| (!has_nulls || nth % 3 != 1).then(|| text(nth));
    (0..count).map(value).collect()
}

/// Writes two row groups with these values in the column `url`, in pages of about `page` bytes. A
/// column of numbers precedes `url`.
pub(crate) fn written(form: Form, texts: &[Option<String>], page: usize) -> Vec<u8> {
    let number = Type::primitive_type_builder("id", Physical::INT64)
        .with_repetition(Repetition::REQUIRED)
        .build();
    let repetition = if form.has_nulls {
        Repetition::OPTIONAL
    } else {
        Repetition::REQUIRED
    };
    let url = Type::primitive_type_builder("url", Physical::BYTE_ARRAY)
        .with_repetition(repetition)
        .with_logical_type(Some(LogicalType::String))
        .build();
    let fields = vec![Arc::new(number.unwrap()), Arc::new(url.unwrap())];
    let schema = Type::group_type_builder("schema")
        .with_fields(fields)
        .build();
    let properties = WriterProperties::builder()
        .set_compression(form.compression)
        .set_writer_version(form.version)
        .set_dictionary_enabled(form.encoding.is_none())
        .set_data_page_size_limit(page)
        .set_write_batch_size(16);
    let properties = match form.encoding {
        Some(encoding) => properties.set_column_encoding("url".into(), encoding),
        None => properties,
    };
    let mut file = Vec::new();
    let schema = Arc::new(schema.unwrap());
    let properties = Arc::new(properties.build());
    let mut writer = SerializedFileWriter::new(&mut file, schema, properties).unwrap();
    for texts in texts.chunks(texts.len().div_ceil(2)) {
        let mut group = writer.next_row_group().unwrap();
        while let Some(mut column) = group.next_column().unwrap() {
            match column.untyped() {
                ColumnWriter::Int64ColumnWriter(numbers) => {
                    let ids: Vec<i64> = (0..).take(texts.len()).collect();
                    numbers.write_batch(&ids, None, None).unwrap();
                }
                ColumnWriter::ByteArrayColumnWriter(column) => {
                    let present = texts.iter().flatten();
                    let values: Vec<_> = present.map(|it| ByteArray::from(it.as_str())).collect();
                    let levels: Vec<_> = texts.iter().map(|it| i16::from(it.is_some())).collect();
                    let levels = form.has_nulls.then_some(levels.as_slice());
                    column.write_batch(&values, levels, None).unwrap();
                }
                _ => unreachable!(),
            }
            column.close().unwrap();
        }
        group.close().unwrap();
    }
    writer.close().unwrap();
    file
}

/// A file taken apart: the pages of each column of each row group, and the footer.
#[derive(Clone)]
pub(crate) struct Parts {
    chunks: Vec<Vec<(Value, Vec<u8>)>>,
    footer: Value,
}

/// A number in a file's metadata.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// An integer in the footer or in the header of a page, identified by its index.
    Footer(usize),
    Page(usize, usize, usize),
    /// The length of a string or list, identified by its index.
    FooterLength(usize),
    PageLength(usize, usize, usize),
}

/// The columns of all row groups, in the order of the file.
fn columns(footer: &mut Value) -> impl Iterator<Item = &mut Value> {
    let groups = footer.field(4).elements().iter_mut();
    groups.flat_map(|group| group.field(1).elements().iter_mut().map(|it| it.field(3)))
}

impl Parts {
    pub(crate) fn of(file: &[u8]) -> Self {
        let (rest, tail) = file.split_at(file.len() - 8);
        let length = u32::from_le_bytes(tail[..4].try_into().unwrap());
        let start = rest.len() - usize::try_from(length).unwrap();
        let (mut footer, _) = Value::read(&rest[start..]);
        let mut chunks = Vec::new();
        for column in columns(&mut footer) {
            let first = if column.has(11) { 11 } else { 9 };
            let mut at = usize::try_from(*column.field(first).integer()).unwrap();
            let end = at + usize::try_from(*column.field(7).integer()).unwrap();
            let mut pages = Vec::new();
            while at < end {
                let (mut header, length) = Value::read(&file[at..]);
                at += length;
                let length = usize::try_from(*header.field(3).integer()).unwrap();
                pages.push((header, file[at..at + length].to_vec()));
                at += length;
            }
            chunks.push(pages);
        }
        Self { chunks, footer }
    }

    /// Returns the file without the values of these row groups, as Arrow writes it: each column has
    /// a dictionary, and the position of its data is 0.
    pub(crate) fn without_values(&self, emptied: &[usize]) -> Vec<u8> {
        let mut parts = self.clone();
        let mut rows = 0;
        let mut chunks = parts.chunks.iter_mut();
        for (nth, group) in parts.footer.field(4).elements().iter_mut().enumerate() {
            let is_emptied = emptied.contains(&nth);
            for column in group.field(1).elements().iter_mut() {
                let pages = chunks.next().unwrap();
                if is_emptied {
                    pages.truncate(1);
                    *column.field(3).field(5).integer() = 0;
                }
            }
            if is_emptied {
                *group.field(3).integer() = 0;
            }
            rows += *group.field(3).integer();
        }
        *parts.footer.field(3).integer() = rows;
        parts.write(false, None, None)
    }

    /// Returns all numbers of the metadata.
    pub(crate) fn places(&self) -> Vec<Place> {
        let mut places = Vec::new();
        let footer = self.footer.clone().integers().len();
        places.extend((0..footer).map(Place::Footer));
        let lengths = self.footer.write(&mut Vec::new(), None);
        places.extend((0..lengths).map(Place::FooterLength));
        for (chunk, pages) in self.chunks.iter().enumerate() {
            for (page, (header, _)) in pages.iter().enumerate() {
                let integers = header.clone().integers().len();
                places.extend((0..integers).map(|nth| Place::Page(chunk, page, nth)));
                let lengths = header.write(&mut Vec::new(), None);
                places.extend((0..lengths).map(|nth| Place::PageLength(chunk, page, nth)));
            }
        }
        places
    }

    /// Returns the file with a false number. All other numbers are right: if the length of a page
    /// header changes, the footer contains the new positions.
    pub(crate) fn with(&self, place: Place, number: i64) -> Vec<u8> {
        let mut parts = self.clone();
        let length = |nth| {
            Some(FalseLength {
                nth,
                length: number.cast_unsigned(),
            })
        };
        let (mut of_footer, mut of_page) = (None, None);
        match place {
            Place::Footer(nth) => *parts.footer.integers()[nth] = number,
            Place::Page(chunk, page, nth) => {
                *parts.chunks[chunk][page].0.integers()[nth] = number;
            }
            Place::FooterLength(nth) => of_footer = length(nth),
            Place::PageLength(chunk, page, nth) => of_page = Some((chunk, page, length(nth))),
        }
        parts.write(matches!(place, Place::Footer(_)), of_footer, of_page)
    }

    fn write(
        mut self,
        keeps_places: bool,
        of_footer: Option<FalseLength>,
        of_page: Option<(usize, usize, Option<FalseLength>)>,
    ) -> Vec<u8> {
        let mut out = b"PAR1".to_vec();
        let mut columns = columns(&mut self.footer);
        for (chunk, pages) in self.chunks.iter().enumerate() {
            let column = columns.next().unwrap();
            let start = out.len();
            // Arrow writes 0 if a column has a dictionary but no values.
            let is_empty = column.has(11) && pages.len() < 2;
            let mut data = if is_empty { 0 } else { start };
            for (page, (header, body)) in pages.iter().enumerate() {
                if page == 1 && column.has(11) {
                    data = out.len();
                }
                let wrong = of_page.filter(|(at, nth, _)| (*at, *nth) == (chunk, page));
                header.write(&mut out, wrong.and_then(|(.., wrong)| wrong));
                out.extend_from_slice(body);
            }
            if !keeps_places {
                let number = |it| i64::try_from(it).unwrap();
                *column.field(7).integer() = number(out.len() - start);
                *column.field(9).integer() = number(data);
                if column.has(11) {
                    *column.field(11).integer() = number(start);
                }
            }
        }
        drop(columns);
        let start = out.len();
        self.footer.write(&mut out, of_footer);
        let length = u32::try_from(out.len() - start).unwrap();
        out.extend_from_slice(&length.to_le_bytes());
        out.extend_from_slice(b"PAR1");
        out
    }
}
