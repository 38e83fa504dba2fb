//! Reads files that the `parquet` crate wrote, in every encoding, compression and page version, and
//! compares the values.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // a test fails by panicking

mod files;

use files::{Form, Parts, forms, texts, written};
use parquet::basic::Compression;
use parquet::file::properties::WriterVersion;
use urikit_parquet::{Error, Rows, Table, Without};

/// Reads all values of the `url` column up to an error. Returns the values and the error.
fn read(file: Vec<u8>, max: usize) -> (Vec<Result<Vec<u8>, Without>>, Option<Error>) {
    let mut values = Vec::new();
    let error = read_to(file, max, &mut values).err();
    (values, error)
}

fn read_to(file: Vec<u8>, max: usize, to: &mut Vec<Result<Vec<u8>, Without>>) -> Result<(), Error> {
    let table = Table::open(file)?;
    for mut group in table.row_groups(1)? {
        while let Some(pages) = group.next_pages()? {
            let rows = pages.rows();
            assert_eq!(rows.start, to.len() as u64 + 1);
            let mut values = pages.values(max);
            while let Some(rows) = values.next_rows(Vec::new())? {
                match rows {
                    Rows::Stored(stored) => {
                        let mut rest = &stored.data[..];
                        for _ in 0..stored.count {
                            let (length, after) = rest.split_first_chunk().unwrap();
                            let length = u32::from_le_bytes(*length).try_into().unwrap();
                            let (value, after) = after.split_at(length);
                            to.push(Ok(value.to_vec()));
                            rest = after;
                        }
                        assert!(rest.is_empty());
                    }
                    Rows::Decoded(decoded) => {
                        let mut start = 0;
                        let mut without = decoded.without.iter().peekable();
                        for (nth, end) in decoded.ends.iter().enumerate() {
                            to.push(match without.next_if(|(at, _)| *at == nth) {
                                Some((_, why)) => Err(*why),
                                None => Ok(decoded.data[start..*end].to_vec()),
                            });
                            start = *end;
                        }
                    }
                }
            }
            assert_eq!(rows.end, to.len() as u64 + 1);
        }
    }
    Ok(())
}

#[test]
fn values_are_read_as_written() {
    for form in forms() {
        for (count, page) in [(1, 100), (50, 200), (3_000, 20_000), (40_000, 1 << 20)] {
            let texts = texts(count, form.has_nulls);
            let file = written(form, &texts, page);
            for max in [usize::MAX, 30] {
                let (values, error) = read(file.clone(), max);
                assert!(error.is_none(), "{form:?}, {count}: {error:?}");
                let expected = texts.iter().map(|text| match text {
                    None => Err(Without::Null),
                    Some(text) if text.len() > max => Err(Without::TooLong),
                    Some(text) => Ok(text.clone().into_bytes()),
                });
                assert_eq!(values.len(), count, "{form:?}");
                for (nth, (value, expected)) in values.into_iter().zip(expected).enumerate() {
                    assert_eq!(value, expected, "{nth} {form:?}, {count}");
                }
            }
        }
    }
}

/// A row group without rows may have a dictionary.
#[test]
fn row_groups_without_rows() {
    let form = Form {
        encoding: None,
        compression: Compression::SNAPPY,
        version: WriterVersion::PARQUET_1_0,
        has_nulls: false,
    };
    let texts = texts(50, false);
    let parts = Parts::of(&written(form, &texts, 200));
    let (first, second) = texts.split_at(25);
    for (emptied, expected) in [
        (&[0][..], second),
        (&[1], first),
        (&[0, 1], &[]),
        (&[], &texts),
    ] {
        let (values, error) = read(parts.without_values(emptied), usize::MAX);
        assert!(error.is_none(), "{emptied:?}: {error:?}");
        let expected = expected.iter().flatten().map(String::as_bytes);
        let values = values.iter().map(|value| value.as_deref().unwrap());
        assert!(values.eq(expected), "{emptied:?}");
    }
}

/// Whatever the number, the reader does not panic or take a second, and the values before an error
/// are correct.
#[test]
fn false_numbers_are_errors_or_do_not_matter() {
    let mut counts = [0; 2];
    for form in forms() {
        let texts = texts(40, form.has_nulls);
        let parts = Parts::of(&written(form, &texts, 200));
        for place in parts.places() {
            for number in [-1, i64::from(i32::MAX), i64::MAX] {
                let (values, error) = read(parts.with(place, number), usize::MAX);
                let expected = texts.iter().take(values.len());
                let is_right = values.iter().zip(expected).all(|(value, text)| {
                    value.as_ref().ok().map(Vec::as_slice) == text.as_ref().map(String::as_bytes)
                });
                let name = format!("{form:?}, {place:?}, {number}: {error:?}");
                assert!(is_right, "{name}");
                assert!(error.is_some() || values.len() == texts.len(), "{name}");
                counts[usize::from(error.is_some())] += 1;
            }
        }
    }
    println!("{} ignored, {} errors", counts[0], counts[1]);
    assert!(counts[0] > 1_000 && counts[1] > 1_000, "{counts:?}");
}

/// Setting any four bytes of a page to extreme values never causes a panic.
#[test]
fn false_numbers_in_pages_never_panic() {
    for form in forms() {
        let is_plain = form.compression == parquet::basic::Compression::UNCOMPRESSED;
        if !is_plain {
            continue;
        }
        let file = written(form, &texts(30, form.has_nulls), 200);
        for at in 4..file.len() - 4 {
            for number in [-1, i32::MAX, i32::MIN, 0] {
                let mut file = file.clone();
                file[at..at + 4].copy_from_slice(&number.to_le_bytes());
                let error = read_bounded(file).err();
                assert!(
                    !matches!(error, Some(Error::Io(_))),
                    "{form:?}, {at}: {error:?}"
                );
            }
        }
    }
}

/// Reads up to a million rows: a run of levels can represent 2³¹ of them.
fn read_bounded(file: Vec<u8>) -> Result<(), Error> {
    let table = Table::open(file)?;
    for column in 0..table.columns().len() {
        let Ok(groups) = table.row_groups(column) else {
            continue;
        };
        for mut group in groups {
            while let Some(pages) = group.next_pages()? {
                let first = pages.rows().start;
                let mut values = pages.values(usize::MAX);
                while values.rows().start - first < 1 << 20
                    && values.next_rows(Vec::new())?.is_some()
                {}
            }
        }
    }
    Ok(())
}

/// If two numbers disagree, the message contains both, and the preceding rows are returned.
#[test]
fn messages_have_both_numbers() {
    let form = Form {
        encoding: Some(parquet::basic::Encoding::PLAIN),
        ..forms()[0]
    };
    let parts = Parts::of(&written(form, &texts(40, false), 1 << 20));
    let mut found = Vec::new();
    for number in [10, 30] {
        for place in parts.places() {
            let (values, error) = read(parts.with(place, number), usize::MAX);
            found.extend(error.map(|error| format!("{} values, then {error}", values.len())));
        }
    }
    let differ = |rows: u64, what: &str| format!("{rows} values, then not valid Parquet: {what}");
    for expected in [
        differ(0, "a group of the schema declares 10 children, but has 2"),
        differ(0, "the file declares 30 rows, but its row groups have 40"),
        differ(0, "the row group declares 10 rows, but its column has 20"),
        differ(0, "the row group declares 20 rows, but its column has 30"),
        differ(0, "the row group declares 20 rows, but its pages have 30"),
        differ(20, "the row group declares 20 rows, but its pages have 30"),
        differ(10, "a page declares 10 values, but has 20"),
        differ(30, "a page declares 10 values, but has 20"),
        differ(
            20,
            "a page declares 912 bytes, but has 30 after decompression",
        ),
    ] {
        assert!(found.contains(&expected), "{expected}: {found:#?}");
    }
}
