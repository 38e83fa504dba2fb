//! Parquet in and out.

use crate::support::{Folder, command, uri, uri_with};
use std::fmt::Write as _;
use std::path::Path;

/// `uri ARGUMENTS > FILE`; the exit status.
fn write(arguments: &[&str], file: &Path) -> i32 {
    let mut uri = command();
    uri.args(arguments)
        .stdout(std::fs::File::create(file).unwrap());
    uri.output().unwrap().status.code().unwrap()
}

/// Written by pyarrow 21: `id` (1, 2, 3), `url` (http://a/, null, http://c/|), `l` (lists).
const PYARROW: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ops/pyarrow.parquet");

#[test]
fn a_column_of_parquet() {
    for column in ["url", "2"] {
        let outcome = uri(["get", "{host}", "--column", column, "-f", PYARROW]);
        assert_eq!((outcome.out.as_str(), outcome.status), ("a\n\n\n", 1));
        let expected = format!("uri: {PYARROW}:2:1: `url` has no value\nuri: {PYARROW}:3:10: ");
        assert!(outcome.err.starts_with(&expected), "{}", outcome.err);
    }
    for (column, message) in [
        ("id", "the column `id` is not text"),
        ("l.list.element", "the column `l.list.element` is not text"),
        (
            "x",
            "no column `x`; the columns are id, url, l.list.element",
        ),
    ] {
        let outcome = uri(["get", "{host}", "--column", column, "-f", PYARROW]);
        assert_eq!(outcome.err, format!("uri: {PYARROW}: {message}\n"));
        assert_eq!(outcome.status, 3);
    }
    // It is the only column of text.
    assert_eq!(uri(["get", "{host}", "-f", PYARROW]).out, "a\n\n\n");
    let piped = uri_with(["get", "{host}"], &std::fs::read(PYARROW).unwrap());
    assert_eq!(piped.status, 3);
    assert!(
        piped
            .err
            .starts_with("uri: -: Parquet can only be read from uncompressed files"),
        "{}",
        piped.err
    );
}

#[test]
fn what_is_written_is_read_again() {
    let folder = Folder::new();
    let mut text = String::new();
    for number in 0..300_000 {
        let odd = if number % 1_000 == 3 { "|" } else { "" };
        let _ = writeln!(
            text,
            "http://h{}.example/{number}{odd}?q={}",
            number % 77,
            number % 5
        );
    }
    let lines = folder.file("lines", &text);
    let table = folder.path().join("table.parquet");
    let path = table.to_str().unwrap();
    let template = "{url},{host},{port},{query:q}";
    let status = write(
        &["get", template, "-f", &lines, "--output-format", "parquet"],
        &table,
    );
    assert_eq!(status, 1);
    let plain = uri(["get", "-q", "{path}", "-f", &lines]);
    for jobs in ["-j1", "-j4"] {
        // Three row groups.
        let read = uri(["get", "-q", "{path}", "--column", "url", "-f", path, jobs]);
        assert!(read.out == plain.out, "{jobs}");
    }
    let lost = uri(["get", "{path}", "--column", "url", "-f", path]).err;
    assert!(
        lost.ends_with(
            "uri: 300 of 300000 inputs were rejected; only the first 10 were reported:\n  \
             300  `url` has no value\n"
        ),
        "{lost}"
    );
    let queries = uri(["decode", "-q", "--column", "query:q", "-f", path]).out;
    assert!(queries.starts_with("0\n1\n2\n\n4\n0\n"));
}

/// A damaged file is an error, never more.
#[test]
fn damaged_parquet_is_an_error() {
    let folder = Folder::new();
    let whole = std::fs::read(PYARROW).unwrap();
    let mut seed = 7_u64;
    for round in 0..150 {
        let mut bytes = whole.clone();
        for _ in 0..=round % 4 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let at = usize::try_from(seed >> 33).unwrap() % (bytes.len() - 8) + 4;
            bytes[at] = seed.to_le_bytes()[3];
        }
        let file = folder.file("damaged", &bytes);
        let outcome = uri(["get", "{host}", "--column", "url", "-f", &file]);
        assert!([0, 1, 3].contains(&outcome.status), "{round}: {outcome:?}");
        assert!(!outcome.err.contains("panicked"), "{round}: {outcome:?}");
    }
    // The first is the type of the field with the place of the dictionary, and makes it a page that
    // follows those that need it. The second is in that place, and hides the number of rows.
    let page = [
        "rows 1 to 3: not valid Parquet: a page refers to a dictionary that does not exist",
        "not valid Parquet: a dictionary follows other pages",
    ];
    for (at, messages) in [
        (507, &page[..]),
        (
            508,
            &["not valid Parquet: the row group declares 0 rows, but its column has 3"],
        ),
        (
            whole.len(),
            &["not valid Parquet: the end of the file is missing"],
        ),
    ] {
        let mut bytes = whole.clone();
        match bytes.get_mut(at) {
            Some(byte) => *byte = 1,
            None => bytes.truncate(at - 20),
        }
        let file = folder.file("damaged", &bytes);
        let outcome = uri(["get", "{host}", "--column", "url", "-f", &file]);
        let message = |it| format!("uri: {file}: {it}\n");
        assert_eq!(
            outcome.err,
            messages.iter().map(message).collect::<String>()
        );
        assert_eq!(outcome.status, 3);
    }
}

#[test]
fn parquet_needs_text() {
    let folder = Folder::new();
    let file = folder.path().join("t");
    let arguments = [
        "get",
        "{decode:path}",
        "--output-format",
        "parquet",
        "http://a/%FF",
    ];
    assert_eq!(write(&arguments, &file), 1);
    let read = uri(["get", "{url}", "-f", file.to_str().unwrap()]);
    assert!(
        read.err.contains("`decode:path` has no value"),
        "{}",
        read.err
    );
}
