//! Operations on large inputs: compressed files, and the values of tables.

use crate::support::{Folder, Outcome, uri, uri_with, xz};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use std::fmt::Write as _;
use std::io::Write as _;

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn zstandard(content: &[u8]) -> Vec<u8> {
    zstd::encode_all(content, 1).unwrap()
}

fn bzip2(content: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// Returns the hosts found, on one line.
fn hosts(arguments: &[&str], file: &str) -> (String, i32) {
    let outcome = uri(["get", "{host}", "-f", file].iter().chain(arguments));
    (outcome.out.replace('\n', " "), outcome.status)
}

const LINES: &[u8] = b"http://a/\r\nhttp://b/\nhttp://c/";

#[test]
fn compressed_files_are_recognised_by_their_content() {
    let folder = Folder::new();
    let two = [gzip(b"http://a/\nhttp://"), gzip(b"b/\nhttp://c/\n")].concat();
    let frames = [
        zstandard(b"http://a/\n"),
        zstandard(b"http://b/\nhttp://c/"),
    ]
    .concat();
    for (name, content) in [
        ("plain.gz", LINES.to_vec()),
        ("gzip", gzip(LINES)),
        ("padded", [gzip(LINES), vec![0; 512]].concat()),
        ("two", two),
        ("zstd.txt", zstandard(LINES)),
        ("frames", frames),
        ("xz", xz(22, LINES)),
        (
            "streams",
            [xz(22, b"http://a/\nhttp://"), xz(22, b"b/\nhttp://c/")].concat(),
        ),
        ("bzip2", bzip2(LINES)),
        (
            "two.bz2",
            [bzip2(b"http://a/\nht"), bzip2(b"tp://b/\nhttp://c/")].concat(),
        ),
    ] {
        let file = folder.file(name, &content);
        assert_eq!(hosts(&[], &file), ("a b c ".to_owned(), 0), "{name}");
        let stdin = uri_with(["get", "{host}"], &content);
        assert_eq!(
            (stdin.out.as_str(), stdin.status),
            ("a\nb\nc\n", 0),
            "{name}"
        );
    }
    // A truncated file is read up to its end.
    let mut text = String::new();
    for number in 0..20_000_u32 {
        let _ = writeln!(
            text,
            "http://h{}.example/",
            number.wrapping_mul(2_654_435_761)
        );
    }
    for (name, content) in [
        ("gz", gzip(text.as_bytes())),
        ("zst", zstandard(text.as_bytes())),
        ("bz2", bzip2(text.as_bytes())),
    ] {
        let file = folder.file(name, content.get(..content.len() / 2).unwrap());
        let outcome = uri(["get", "{host}", "-f", &file]);
        assert_eq!(outcome.status, 3, "{name}");
        assert!(
            outcome.out.lines().count() > 5_000,
            "{name}: {}",
            outcome.out.len()
        );
        assert!(
            outcome.err.starts_with(&format!("uri: {file}: ")),
            "{}",
            outcome.err
        );
    }
    for (name, empty) in [("gz", gzip(b"")), ("bz2", bzip2(b""))] {
        let empty = folder.file(name, empty);
        assert_eq!(hosts(&[], &empty), (String::new(), 0));
    }
    // A line of text that begins like bzip2
    let text = uri_with(["get", "{path}"], b"BZh9\nBZh91A\n");
    assert_eq!(text.out, "BZh9\nBZh91A\n");
    let damaged = xz(22, LINES);
    let file = folder.file("damaged.xz", damaged.get(..damaged.len() - 4).unwrap());
    assert_eq!(uri(["get", "{host}", "-f", &file]).status, 3);
}

#[test]
fn columns_of_csv_and_tsv() {
    let folder = Folder::new();
    let csv = "id,url\n1,http://a/\n2,\"http://b/?x,y\"\n";
    let tsv = "id\turl\n1\thttp://a/\n2\thttp://b/?x,y\n";
    for (name, content) in [
        ("csv", csv.as_bytes().to_vec()),
        ("csv.gz", gzip(csv.as_bytes())),
        ("tsv", tsv.as_bytes().to_vec()),
        ("tsv.zst", zstandard(tsv.as_bytes())),
        ("csv.xz", xz(22, csv.as_bytes())),
        ("tsv.bz2", bzip2(tsv.as_bytes())),
    ] {
        let file = folder.file(name, content);
        for column in ["url", "2"] {
            let found = hosts(&["--column", column], &file);
            assert_eq!(found, ("a b ".to_owned(), 0), "{name}");
        }
    }
    // Without --column, the lines of the file are references.
    let file = folder.file("urls.csv", "http://a/\nhttp://b/?x,y\n");
    assert_eq!(hosts(&[], &file), ("a b ".to_owned(), 0));
    let nul = uri_with(
        ["get", "{host}", "--column", "u"],
        b"u\nhttp://a/\nb\0c\nhttp://d/\n",
    );
    assert_eq!((nul.out.as_str(), nul.status), ("a\n\nd\n", 1));
}

const JSON_LINES: &str = r#"{"id":1,"url":"http://a/"}
{"url":null}

{"url":7}
{"url":"http://b/ c"}
{"url":
{"url":"http:\/\/d\/","a":{"url":"http://e/"}}
"#;

#[test]
fn fields_of_json_lines() {
    let folder = Folder::new();
    let file = folder.file("lines", JSON_LINES);
    let outcome = uri(["get", "{host}", "--field", "url", "-f", &file]);
    assert_eq!(
        (outcome.out.as_str(), outcome.status),
        ("a\n\n\n\n\nd\n", 1)
    );
    let expected = format!(
        "uri: {file}:2:1: `url` has no value\n\
         uri: {file}:4:1: `url` is a number, not a string\n\
         uri: {file}:5:10: not valid under RFC 3986: found a space\n  http://b/ c\n           ^\n  \
         expected a path character, `/`, `?`, `#` or the end\n  segment, RFC 3986, 3.3\n\
         uri: {file}:6:1: not JSON: EOF while parsing a value\n\
         uri: 4 of 6 inputs were rejected:\n  \
         1  `url` has no value\n  \
         1  `url` is a number, not a string\n  \
         1  found a space (segment, RFC 3986, 3.3)\n  \
         1  not JSON: EOF while parsing a value\n"
    );
    assert_eq!(outcome.err, expected);
    let nested = uri(["get", "{host}", "--field", "a.url", "-q", "-f", &file]);
    assert_eq!(nested.out, "\n\n\n\n\ne\n");
}

/// Each subcommand prints a line for each record, even for one without a value.
#[test]
fn a_record_without_a_value_has_its_line() {
    let folder = Folder::new();
    let file = folder.file(
        "lines",
        "{\"u\":\"http://a/\"}\n{}\n{\"u\":\"http://b/\"}\n",
    );
    for arguments in [
        &["parse"][..],
        &["resolve", "--base", "http://x/"],
        &["relativize", "--base", "http://x/"],
        &["normalize"],
        &["edit", "--sort-query"],
        &["get", "{url}"],
        &["encode"],
        &["decode"],
        &["audit"],
    ] {
        let run = |more: &[&str]| -> Outcome {
            let file = ["--field", "u", "-f", file.as_str()];
            uri(arguments.iter().chain(&file).chain(more))
        };
        let lines = run(&["--json"]);
        assert_eq!(lines.status, 1, "{arguments:?}");
        let records = lines.json();
        assert_eq!(records.len(), 3, "{arguments:?}");
        assert_eq!(records[1]["input"], json!(""));
        assert_eq!(records[1]["valid"], json!(false), "{arguments:?}");
        assert_eq!(records[1]["error"]["message"], json!("`u` has no value"));
        assert_eq!(
            lines.err, "uri: 1 of 3 inputs was rejected:\n  1  `u` has no value\n",
            "{arguments:?}"
        );
        let rows = run(&["--output-format", "csv"]);
        assert_eq!(rows.out.lines().count(), 4, "{arguments:?}: {}", rows.out);
        let text = run(&[]);
        assert_eq!(text.status, 1);
        assert!(
            text.err
                .contains(&format!("uri: {file}:2:1: `u` has no value\n"))
        );
        if !["parse", "audit"].contains(&arguments[0]) {
            assert_eq!(text.out.lines().count(), 3, "{arguments:?}: {}", text.out);
            assert_eq!(text.out.lines().nth(1), Some(""), "{arguments:?}");
        }
    }
}

#[test]
fn web_archives_and_their_indexes() {
    let folder = Folder::new();
    let record = |fields: &str, content: &str| {
        let length = content.len();
        format!("WARC/1.0\r\n{fields}Content-Length: {length}\r\n\r\n{content}\r\n\r\n")
    };
    let records = [
        record("WARC-Type: warcinfo\r\n", "software: x\r\n"),
        record(
            "WARC-Target-URI: http://a/\r\n",
            "WARC/1.0\r\nWARC-Target-URI: http://no/\r\n",
        ),
        record("warc-target-uri: <http://b/|>\r\n", ""),
        record("WARC-Target-URI: http://c/\r\n", &"x".repeat(100_000)),
    ];
    let members: Vec<u8> = records.iter().flat_map(|it| gzip(it.as_bytes())).collect();
    for (name, content) in [
        ("warc", records.concat().into_bytes()),
        ("warc.gz", members),
    ] {
        let file = folder.file(name, content);
        let outcome = uri(["get", "{host}", "-f", &file]);
        assert_eq!(
            (outcome.out.as_str(), outcome.status),
            ("a\n\nc\n", 1),
            "{name}"
        );
        assert!(
            outcome.err.starts_with(&format!("uri: {file}:3:10: ")),
            "{}",
            outcome.err
        );
    }
    let index = "!meta {}\ncom,a)/ 20200101000000 {\"url\": \"http://a/\", \"length\": \"1\"}\n\
                 com,b)/ 20200101000000 {\"url\": \"http://b/\", \"redirect\": \"http://c/\"}\n";
    let file = folder.file("index", index);
    assert_eq!(hosts(&[], &file), ("a b ".to_owned(), 0));
    assert_eq!(
        hosts(&["--field", "redirect", "-q"], &file),
        (" c ".to_owned(), 1)
    );
}

/// Many sources of several formats, on many threads.
#[test]
fn several_files_keep_their_order() {
    let folder = Folder::new();
    let mut arguments = vec!["get".to_owned(), "{host}".to_owned(), "-q".to_owned()];
    let mut expected = String::new();
    for number in 0..6 {
        let mut text = String::new();
        for line in 0..15_000 {
            let odd = if line % 1000 == 7 { "|" } else { "" };
            let _ = writeln!(text, "http://h{number}-{line}/{odd}");
            let _ = match odd {
                "" => writeln!(expected, "h{number}-{line}"),
                _ => writeln!(expected),
            };
        }
        let content = match number % 3 {
            0 => gzip(text.as_bytes()),
            1 => zstandard(text.as_bytes()),
            _ => text.into_bytes(),
        };
        arguments.extend(["-f".to_owned(), folder.file(&number.to_string(), content)]);
    }
    for jobs in ["-j1", "-j2", "-j5"] {
        let outcome = uri(arguments.iter().map(String::as_str).chain([jobs]));
        assert!(outcome.out == expected, "{jobs}");
        assert_eq!(outcome.status, 1);
    }
    // The printed messages do not depend on the number of threads either.
    let messages = |jobs| {
        uri(arguments
            .iter()
            .map(String::as_str)
            .filter(|it| *it != "-q")
            .chain([jobs]))
        .err
    };
    assert_eq!(messages("-j1"), messages("-j5"));
}

#[test]
fn of_many_messages_the_first_are_printed() {
    let folder = Folder::new();
    let mut text = "u\n".to_owned();
    for number in 0..40_000 {
        let _ = writeln!(
            text,
            "http://a/{}",
            if number % 3 == 0 { "|" } else { "^ " }
        );
    }
    let file = folder.file("table", text);
    for jobs in ["-j1", "-j4"] {
        let outcome = uri(["normalize", "--column", "u", "-f", &file, jobs]);
        assert_eq!(
            outcome.err.matches("\nuri: ").count(),
            10,
            "{}",
            outcome.err
        );
        assert!(
            outcome.err.ends_with(
                "uri: 40000 of 40000 inputs were rejected; only the first 10 were reported:\n  \
                 26666  found `^` (segment, RFC 3986, 3.3)\n  \
                 13334  found `|` (segment, RFC 3986, 3.3)\n"
            ),
            "{}",
            outcome.err
        );
        assert_eq!(outcome.out.lines().count(), 40_000);
    }
}
