//! Parquet as input and output.

use crate::support::{Folder, command, uri, uri_with};
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use std::fmt::Write as _;
use std::fs::File;
use std::path::Path;

/// Runs `uri ARGUMENTS > FILE`. Returns the exit status.
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
    // The file has only one text column, so --column is not needed.
    assert_eq!(uri(["get", "{host}", "-f", PYARROW]).out, "a\n\n\n");
    let piped = uri_with(["get", "{host}"], &std::fs::read(PYARROW).unwrap());
    assert_eq!(piped.status, 3);
    assert!(
        piped
            .err
            .starts_with("uri: -: Parquet can be read only from uncompressed files"),
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

/// A damaged file causes an error, but never a crash.
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
    // The first damaged byte is the type of the field with the position of the dictionary, which
    // then appears to follow the pages that need it. The second byte is in that position, and hides
    // the number of rows.
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

/// The rows of a file as the `parquet` crate prints them, and the compressed sizes of its columns.
fn rows(file: &Path) -> (Vec<String>, Vec<i64>) {
    let reader = SerializedFileReader::new(File::open(file).unwrap()).unwrap();
    let groups = reader.metadata().row_groups();
    let columns = groups.iter().flat_map(|group| group.columns());
    let sizes = columns.map(|column| column.compressed_size()).collect();
    let rows = reader.get_row_iter(None).unwrap();
    (rows.map(|row| row.unwrap().to_string()).collect(), sizes)
}

#[test]
fn columns_are_added_to_parquet() {
    let folder = Folder::new();
    let file = folder.path().join("added");
    let add = ["get", "-q", "--add", "host={host}", "--add", "q={query}"];
    let status = write(
        &[&add[..], &["--column", "url", "-f", PYARROW]].concat(),
        &file,
    );
    assert_eq!(status, 1);
    let (before, old_sizes) = rows(Path::new(PYARROW));
    let (after, sizes) = rows(&file);
    assert_eq!(sizes[..old_sizes.len()], old_sizes, "the pages are copied");
    let hosts = ["\"a\"", "null", "null"];
    let expected = before.iter().zip(hosts).map(|(row, host)| {
        let row = row.strip_suffix('}').unwrap();
        format!("{row}, host: {host}, q: null}}")
    });
    assert_eq!(after, expected.collect::<Vec<_>>());
    // If a filter drops rows, the other rows remain as they are, including lists.
    for (condition, kept) in [("host=a", &[0][..]), ("!host", &[]), ("host", &[0])] {
        let dropping = [
            &add[..],
            &["--column", "url", "-f", PYARROW, "--where", condition],
        ]
        .concat();
        write(&dropping, &file);
        let kept: Vec<_> = kept.iter().map(|nth| after[*nth].clone()).collect();
        assert_eq!(rows(&file).0, kept, "{condition}");
    }
    for (arguments, status, message) in [
        (
            &["--add", "id={host}"][..],
            2,
            "already has a column with this name",
        ),
        (
            &["--add", "l={host}"],
            2,
            "already has a column with this name",
        ),
        (
            &["--add", "h={host}", "--json"],
            3,
            "the column `l.list.element` is nested, so rows can be written only as Parquet",
        ),
    ] {
        let outcome = uri(["get", "--column", "url", "-f", PYARROW]
            .iter()
            .chain(arguments));
        assert_eq!(outcome.status, status, "{arguments:?}");
        assert!(
            outcome.err.contains(message),
            "{arguments:?} {}",
            outcome.err
        );
    }
}

#[test]
fn folders_of_parquet_are_one_table() {
    let folder = Folder::new();
    let mut expected = Vec::new();
    for (name, lines) in [
        ("year=2023/month=__HIVE_DEFAULT_PARTITION__", "//c\n"),
        ("year=2023/month=a%2Fb", "//a\n//b\n"),
        ("year=2024/month=1", "//d\n//e\n//f\n"),
    ] {
        std::fs::create_dir_all(folder.path().join(name)).unwrap();
        let file = folder.path().join(name).join("part.parquet");
        let list = folder.file("list", lines);
        let status = write(
            &["get", "{url}", "--output-format", "parquet", "-f", &list],
            &file,
        );
        assert_eq!(status, 0);
        let (year, month) = name.split_once('/').unwrap();
        let month = match month {
            "month=a%2Fb" => "\"a/b\"",
            "month=1" => "\"1\"",
            _ => "null",
        };
        for line in lines.lines() {
            let year = year.strip_prefix("year=").unwrap();
            let host = line.strip_prefix("//").unwrap();
            expected.push(format!(
                "{{url: \"{line}\", year: \"{year}\", month: {month}, h: \"{host}\"}}"
            ));
        }
    }
    std::fs::remove_file(folder.path().join("list")).unwrap();
    let out = Folder::new();
    let file = out.path().join("all");
    let path = folder.path().to_str().unwrap();
    for source in [path.to_owned(), format!("{path}/*/*/*.parquet")] {
        for jobs in ["-j1", "-j2"] {
            let add = ["get", "--add", "h={host}", "-f", &source, jobs];
            assert_eq!(write(&add, &file), 0);
            assert_eq!(rows(&file).0, expected);
            let filtered = [&add[..], &["--where", "host~[bdf]"]].concat();
            assert_eq!(write(&filtered, &file), 0);
            let hosts = ["//b\"", "//d\"", "//f\""];
            let is_kept = |row: &&String| hosts.iter().any(|host| row.contains(host));
            let kept = expected.iter().filter(is_kept);
            let kept: Vec<_> = kept.cloned().collect();
            assert_eq!(rows(&file).0, kept);
        }
    }
    // The name of a partition column is taken, and other columns or partitions are errors.
    let taken = uri(["get", "--add", "year={host}", "-f", path]);
    assert_eq!(taken.status, 2, "{taken:?}");
    let odd = folder.path().join("year=2024/odd.parquet");
    let written = write(
        &["get", "{url},{host}", "--output-format", "parquet", "//g"],
        &odd,
    );
    assert_eq!(written, 0);
    let outcome = uri(["get", "--add", "h={path}", "--column", "url", "-f", path]);
    assert_eq!(outcome.status, 3, "{outcome:?}");
    assert!(
        outcome.err.contains("the columns are url, host, year"),
        "{}",
        outcome.err
    );
}

/// Each row group is written with its rows, even if only some groups lose rows.
#[test]
fn row_groups_stay() {
    let folder = Folder::new();
    let mut text = String::new();
    for number in 0..300_000 {
        let host = if number < 140_000 { "first" } else { "other" };
        let _ = writeln!(text, "http://{host}/{number}?q={}", number % 5);
    }
    let list = folder.file("list", &text);
    let [table, added] = ["table", "added"].map(|name| folder.path().join(name));
    let arguments = [
        "get",
        "{url},{query:q}",
        "--output-format",
        "parquet",
        "-f",
        &list,
    ];
    assert_eq!(write(&arguments, &table), 0);
    let path = table.to_str().unwrap();
    let get = [
        "get",
        "--add",
        "n={segment:1}",
        "--column",
        "url",
        "-f",
        path,
    ];
    assert_eq!(write(&get, &added), 0);
    let read = |file: &Path, column| {
        uri([
            "get",
            "{url}",
            "--column",
            column,
            "-f",
            file.to_str().unwrap(),
        ])
        .out
    };
    assert!(read(&added, "url") == text);
    let numbers = read(&added, "n");
    assert!(
        numbers
            .lines()
            .enumerate()
            .all(|(nth, line)| line == nth.to_string())
    );
    let first = [
        &get[..],
        &["--where", "host=other", "--where", "query!=q=3"],
    ]
    .concat();
    assert_eq!(write(&first, &added), 0);
    let kept = text
        .lines()
        .filter(|line| line.contains("other") && !line.ends_with('3'));
    let kept = kept.collect::<Vec<_>>().join("\n") + "\n";
    assert!(read(&added, "url") == kept);
    let numbers = read(&added, "n");
    let paths = kept
        .lines()
        .map(|line| line.split(['/', '?']).nth(3).unwrap());
    assert!(numbers.lines().eq(paths));
}

/// The rows of a damaged page are missing, so the output is incomplete and has no footer.
#[test]
fn a_damaged_page_is_an_error() {
    let folder = Folder::new();
    let mut bytes = std::fs::read(PYARROW).unwrap();
    bytes[507] = 1;
    let damaged = folder.file("damaged", &bytes);
    let file = folder.path().join("added");
    assert_eq!(
        write(
            &[
                "get", "--add", "h={host}", "--column", "url", "-f", &damaged
            ],
            &file
        ),
        3
    );
    assert!(SerializedFileReader::new(File::open(&file).unwrap()).is_err());
}
