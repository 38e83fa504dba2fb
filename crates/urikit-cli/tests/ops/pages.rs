//! Parquet pages: each kind, several kinds in one file, and damaged pages.

use crate::support::{Folder, uri};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::fmt::Write as _;
use std::sync::Arc;

/// The maximum number of rows in a page.
const PAGE: usize = 500;

/// The number of rows in a row group.
const ROW_GROUP: usize = 6_000;

/// Returns a file with a text column.
fn file(rows: &[Option<String>], properties: WriterPropertiesBuilder) -> Vec<u8> {
    let is_required = rows.iter().all(Option::is_some) && rows.len() % 2 == 1;
    let repetition = if is_required { "required" } else { "optional" };
    let schema = format!("message m {{ {repetition} binary url (UTF8); }}");
    let schema = Arc::new(parse_message_type(&schema).unwrap());
    let properties = properties
        .set_data_page_row_count_limit(PAGE)
        .set_write_batch_size(PAGE)
        .build();
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).unwrap();
    for rows in rows.chunks(ROW_GROUP) {
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let values: Vec<_> = rows
            .iter()
            .flatten()
            .map(|it| ByteArray::from(it.as_str()))
            .collect();
        let levels: Vec<_> = rows.iter().map(|it| i16::from(it.is_some())).collect();
        let levels = (!is_required).then_some(&*levels);
        let typed = column.typed::<ByteArrayType>();
        assert_eq!(
            typed.write_batch(&values, levels, None).unwrap(),
            values.len()
        );
        column.close().unwrap();
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}

/// Returns true if the row with this number has no value.
type IsNull = fn(usize) -> bool;

/// Returns rows. In a page, some rows, all or none may have no value.
fn rows(count: usize, is_null: IsNull) -> Vec<Option<String>> {
    let row = |nth: usize| {
        let path = "p/".repeat(nth % 150);
        let distinct = if nth % 12_000 < 3_000 { nth % 7 } else { nth };
        (!is_null(nth)).then(|| format!("http://h{distinct}.example/{path}"))
    };
    (0..count).map(row).collect()
}

fn kinds() -> Vec<(&'static str, WriterPropertiesBuilder)> {
    let new = || WriterProperties::builder().set_dictionary_enabled(false);
    let zstd = Compression::ZSTD(ZstdLevel::default());
    vec![
        ("plain", new()),
        ("snappy", new().set_compression(Compression::SNAPPY)),
        (
            "second version",
            new()
                .set_writer_version(WriterVersion::PARQUET_2_0)
                .set_encoding(Encoding::PLAIN),
        ),
        ("deltas", new().set_encoding(Encoding::DELTA_BYTE_ARRAY)),
        (
            "lengths first",
            new()
                .set_encoding(Encoding::DELTA_LENGTH_BYTE_ARRAY)
                .set_compression(zstd),
        ),
        ("dictionary", new().set_dictionary_enabled(true)),
        // The pages that follow a full dictionary are plain.
        (
            "dictionary, then plain",
            new()
                .set_dictionary_enabled(true)
                .set_dictionary_page_size_limit(20_000)
                .set_compression(Compression::SNAPPY),
        ),
    ]
}

#[test]
fn pages_of_all_kinds_have_the_same_rows() {
    let folder = Folder::new();
    let patterns: [(&str, IsNull); 5] = [
        ("none", |_| false),
        ("all", |_| true),
        ("some", |nth| nth % 5 == 2),
        ("pages", |nth| nth / PAGE % 3 == 1),
        ("some of some pages", |nth| {
            nth / PAGE % 2 == 1 && nth % 3 == 1
        }),
    ];
    for (nulls, is_null) in patterns {
        let rows = rows(20_001, is_null);
        let mut expected = String::new();
        for row in &rows {
            let host = row.as_ref().and_then(|row| row.split('/').nth(2));
            let _ = writeln!(expected, "{}", host.unwrap_or_default());
        }
        let first = rows.iter().position(Option::is_none).map(|nth| nth + 1);
        for (kind, properties) in kinds() {
            let path = folder.file("table", file(&rows, properties));
            for jobs in ["-j1", "-j3"] {
                let read = uri(["get", "{host}", "-f", &path, jobs]);
                assert!(read.out == expected, "{kind}, nulls: {nulls}, {jobs}");
                let message = first.map(|row| format!("uri: {path}:{row}:1: `url` has no value\n"));
                let message = message.unwrap_or_default();
                assert!(read.err.starts_with(&message), "{kind}: {}", read.err);
                assert_eq!(
                    read.status,
                    i32::from(first.is_some()),
                    "{kind}: {}",
                    read.err
                );
            }
        }
    }
}

/// A value that is too long is rejected, but the values next to it are not.
#[test]
fn a_value_is_too_long() {
    let folder = Folder::new();
    let rows = rows(20_000, |_| false);
    let long = |row: &&Option<String>| row.as_ref().is_some_and(|row| row.len() > 300);
    let count = rows.iter().filter(long).count();
    for (kind, properties) in kinds() {
        let path = folder.file("table", file(&rows, properties));
        let read = uri(["get", "{url}", "--max-line", "300", "-f", &path]);
        let good = read.out.lines().filter(|line| !line.is_empty()).count();
        assert_eq!(
            (read.out.lines().count(), good),
            (20_000, 20_000 - count),
            "{kind}"
        );
        let first = rows.iter().position(|row| long(&row)).unwrap() + 1;
        let message = format!("{path}:{first}:1: the value is longer than 300 bytes (--max-line)");
        assert!(read.err.contains(&message), "{kind}: {}", read.err);
    }
}

/// The pages before and after a damaged page are read.
#[test]
fn a_damaged_page_is_an_error_in_its_place() {
    let folder = Folder::new();
    let rows = rows(18_000, |_| false);
    let mut bytes = file(
        &rows,
        WriterProperties::builder().set_dictionary_enabled(false),
    );
    let value = b"http://h7000.example/";
    let at = bytes
        .windows(value.len())
        .position(|it| it == value)
        .unwrap();
    bytes[at - 2] = 0xFF; // a byte of its length
    let path = folder.file("table", &bytes);
    for jobs in ["-j1", "-j3"] {
        let read = uri(["get", "{host}", "-f", &path, jobs]);
        assert_eq!(read.status, 3, "{jobs}");
        // The first value of the page is longer than the page.
        let message = "a page declares 500 values, but has 0";
        let message = format!("rows 7001 to 7500: not valid Parquet: {message}");
        assert_eq!(read.err, format!("uri: {path}: {message}\n"));
        let hosts: Vec<_> = read.out.lines().collect();
        assert_eq!(hosts.iter().position(|host| *host == "h7000.example"), None);
        for there in ["h6999.example", "h7500.example", "h17999.example"] {
            assert!(hosts.contains(&there), "{jobs}: {there}");
        }
    }
}
