//! Reads the entries of columns that the `parquet` crate wrote, of every type and in every encoding
//! of that type, and compares their values and levels.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // a test fails by panicking

use parquet::basic::{Encoding, Repetition, Type as Physical};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::{ByteArray, FixedLenByteArray, Int96};
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::sync::Arc;
use urikit_parquet::{Error, Table};

/// An entry: its levels, and its value.
type Entry = (u8, u8, Option<Vec<u8>>);

/// The entries of a column of lists: rows with 0 to 3 values, some of them null.
fn entries(rows: usize, value: impl Fn(usize) -> Vec<u8>) -> Vec<Entry> {
    let mut all = Vec::new();
    for row in 0..rows {
        match row % 6 {
            // The list is null or empty, or contains null values.
            0 => all.push((0, 0, None)),
            1 => all.push((0, 1, None)),
            length => {
                for nth in 0..length - 1 {
                    let repetition = u8::from(nth > 0);
                    all.push(if (row + nth) % 5 == 0 {
                        (repetition, 2, None)
                    } else {
                        (repetition, 3, Some(value(row * 7 + nth)))
                    });
                }
            }
        }
    }
    all
}

/// The schema of an optional list of optional values.
fn schema(physical: Physical, length: i32) -> Type {
    let value = Type::primitive_type_builder("element", physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_length(length);
    let list = Type::group_type_builder("list")
        .with_repetition(Repetition::REPEATED)
        .with_fields(vec![Arc::new(value.build().unwrap())]);
    let outer = Type::group_type_builder("l")
        .with_repetition(Repetition::OPTIONAL)
        .with_fields(vec![Arc::new(list.build().unwrap())]);
    let fields = vec![Arc::new(outer.build().unwrap())];
    Type::group_type_builder("schema")
        .with_fields(fields)
        .build()
        .unwrap()
}

/// Writes a file with one row group.
fn written(
    physical: Physical,
    length: i32,
    encoding: Option<Encoding>,
    version: WriterVersion,
    entries: &[Entry],
) -> Vec<u8> {
    let properties = WriterProperties::builder()
        .set_writer_version(version)
        .set_dictionary_enabled(encoding.is_none())
        .set_data_page_size_limit(400)
        .set_write_batch_size(16);
    let properties = match encoding {
        Some(encoding) => properties.set_encoding(encoding),
        None => properties,
    };
    let mut file = Vec::new();
    let schema = Arc::new(schema(physical, length));
    let properties = Arc::new(properties.build());
    let mut writer = SerializedFileWriter::new(&mut file, schema, properties).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let repetitions: Vec<_> = entries.iter().map(|it| i16::from(it.0)).collect();
    let definitions: Vec<_> = entries.iter().map(|it| i16::from(it.1)).collect();
    let levels = (Some(&definitions[..]), Some(&repetitions[..]));
    let values = || entries.iter().filter_map(|it| it.2.as_deref());
    macro_rules! write {
        ($to:ident, $convert:expr) => {{
            let values: Vec<_> = values().map($convert).collect();
            $to.write_batch(&values, levels.0, levels.1).unwrap();
        }};
    }
    match column.untyped() {
        ColumnWriter::BoolColumnWriter(to) => write!(to, |it: &[u8]| it[0] != 0),
        ColumnWriter::Int32ColumnWriter(to) => {
            write!(to, |it: &[u8]| i32::from_le_bytes(it.try_into().unwrap()));
        }
        ColumnWriter::Int64ColumnWriter(to) => {
            write!(to, |it: &[u8]| i64::from_le_bytes(it.try_into().unwrap()));
        }
        ColumnWriter::Int96ColumnWriter(to) => write!(to, |it: &[u8]| {
            let word = |nth: usize| u32::from_le_bytes(it[nth..nth + 4].try_into().unwrap());
            let mut number = Int96::new();
            number.set_data(word(0), word(4), word(8));
            number
        }),
        ColumnWriter::FloatColumnWriter(to) => {
            write!(to, |it: &[u8]| f32::from_le_bytes(it.try_into().unwrap()));
        }
        ColumnWriter::DoubleColumnWriter(to) => {
            write!(to, |it: &[u8]| f64::from_le_bytes(it.try_into().unwrap()));
        }
        ColumnWriter::ByteArrayColumnWriter(to) => {
            write!(to, |it: &[u8]| ByteArray::from(it.to_vec()));
        }
        ColumnWriter::FixedLenByteArrayColumnWriter(to) => {
            write!(to, |it: &[u8]| FixedLenByteArray::from(it.to_vec()));
        }
    }
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    file
}

/// Reads up to `most` entries.
fn read(file: Vec<u8>, most: usize) -> Result<Vec<Entry>, Error> {
    let table = Table::open(file)?;
    let mut all = Vec::new();
    for place in table.chunks(0)? {
        let mut entries = table.entries(&place)?;
        while let Some(entry) = entries.next_entry()? {
            let value = entry.value.map(<[u8]>::to_vec);
            all.push((entry.repetition, entry.definition, value));
            if all.len() >= most {
                break;
            }
        }
    }
    Ok(all)
}

/// The types, the lengths of their values, and their encodings other than a dictionary.
const TYPES: [(Physical, i32, usize, &[Encoding]); 8] = [
    (Physical::BOOLEAN, 0, 1, &[Encoding::PLAIN, Encoding::RLE]),
    (
        Physical::INT32,
        0,
        4,
        &[
            Encoding::PLAIN,
            Encoding::DELTA_BINARY_PACKED,
            Encoding::BYTE_STREAM_SPLIT,
        ],
    ),
    (
        Physical::INT64,
        0,
        8,
        &[
            Encoding::PLAIN,
            Encoding::DELTA_BINARY_PACKED,
            Encoding::BYTE_STREAM_SPLIT,
        ],
    ),
    (Physical::INT96, 0, 12, &[Encoding::PLAIN]),
    (
        Physical::FLOAT,
        0,
        4,
        &[Encoding::PLAIN, Encoding::BYTE_STREAM_SPLIT],
    ),
    (
        Physical::DOUBLE,
        0,
        8,
        &[Encoding::PLAIN, Encoding::BYTE_STREAM_SPLIT],
    ),
    (
        Physical::BYTE_ARRAY,
        0,
        5,
        &[
            Encoding::PLAIN,
            Encoding::DELTA_LENGTH_BYTE_ARRAY,
            Encoding::DELTA_BYTE_ARRAY,
        ],
    ),
    (
        Physical::FIXED_LEN_BYTE_ARRAY,
        7,
        7,
        &[
            Encoding::PLAIN,
            Encoding::DELTA_BYTE_ARRAY,
            Encoding::BYTE_STREAM_SPLIT,
        ],
    ),
];

const VERSIONS: [WriterVersion; 2] = [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0];

/// Returns a function that makes values of this length. In numbers, every bit changes.
fn value(physical: Physical, length: usize) -> impl Fn(usize) -> Vec<u8> {
    move |nth| {
        if physical == Physical::BOOLEAN {
            return vec![u8::from(nth % 3 == 0)];
        }
        // Values repeat, so the writer creates dictionaries.
        let seed = (nth as u64 % 200).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let bytes = seed.to_le_bytes().into_iter().cycle();
        let length = match physical {
            Physical::BYTE_ARRAY => nth % length,
            _ => length,
        };
        bytes.take(length).collect()
    }
}

#[test]
fn entries_are_read_as_written() {
    for (physical, fixed, length, encodings) in TYPES {
        let encodings = encodings.iter().copied().map(Some);
        for encoding in encodings.chain([None]) {
            for version in VERSIONS {
                for rows in [1, 3, 2_000] {
                    let entries = entries(rows, value(physical, length));
                    let file = written(physical, fixed, encoding, version, &entries);
                    let found = read(file, usize::MAX);
                    let name = format!("{physical} {encoding:?} {version:?} {rows}");
                    let found = found.unwrap_or_else(|error| panic!("{name}: {error}"));
                    assert!(found == entries, "{name}");
                }
            }
        }
    }
}

/// Setting any four bytes of a file to extreme values never causes a panic or high memory use.
#[test]
fn false_numbers_never_panic() {
    for (physical, fixed, length, encodings) in TYPES {
        let encodings = encodings.iter().copied().map(Some);
        for encoding in encodings.chain([None]) {
            for version in VERSIONS {
                let entries = entries(30, value(physical, length));
                let file = written(physical, fixed, encoding, version, &entries);
                for at in 4..file.len() - 4 {
                    for number in [-1, i32::MAX, i32::MIN, 0] {
                        let mut file = file.clone();
                        file[at..at + 4].copy_from_slice(&number.to_le_bytes());
                        let error = read(file, 1 << 16).err();
                        let is_io = matches!(error, Some(Error::Io(_)));
                        assert!(!is_io, "{physical} {encoding:?}, {at}: {error:?}");
                    }
                }
            }
        }
    }
}
