//! `--max-line` bounds the memory for one line.

use crate::peak::run;
use crate::support::{Folder, uri, uri_with};

/// Every subcommand that reads lines.
const READERS: [&[&str]; 11] = [
    &["explain"],
    &["parse"],
    &["resolve", "--base", "http://a/"],
    &["relativize", "--base", "http://a/"],
    &["normalize"],
    &["edit", "-s", "host=b"],
    &["get", "{host}"],
    &["audit"],
    &["encode", "--component", "query"],
    &["decode", "--component", "query"],
    &["fetch", "--plan"],
];

#[cfg(target_os = "linux")]
#[test]
fn a_file_without_line_ends_is_an_error() {
    for reader in READERS {
        let arguments = [reader, &["-f", "/dev/zero"]].concat();
        let run = run(&arguments, None);
        let message = "uri: /dev/zero: line 1 is longer than 67108864 bytes (--max-line), so \
                       reading stops there\n";
        assert_eq!(
            (run.err.as_str(), run.status),
            (message, Some(3)),
            "{reader:?}"
        );
        println!("{}: {} MB for /dev/zero", reader[0], run.peak >> 20);
        assert!(run.peak < 256 << 20, "{reader:?}: {} kB", run.peak >> 10);
    }
}

/// The limit for lines also applies to rows, and therefore to cells.
#[cfg(target_os = "linux")]
#[test]
fn a_cell_without_an_end_is_an_error() {
    let folder = Folder::new();
    let mut cell = b"n,url\n1,http://a/\n2,\"http://b/".to_vec();
    cell.resize(80 << 20, b'b');
    let cell = folder.file("cell.csv", cell);
    for (file, number, lines) in [("/dev/zero", 1, 0), (&cell, 3, 1)] {
        let run = run(&["get", "{host}", "--csv-column", "url", "-f", file], None);
        let message = format!(
            "uri: {file}: the row on line {number} is longer than 67108864 bytes (--max-line), so \
             reading stops there\n"
        );
        assert_eq!((run.err, run.status, run.lines), (message, Some(3), lines));
        println!("{}: {} MB", file, run.peak >> 20);
        assert!(run.peak < 256 << 20, "{file}: {} kB", run.peak >> 10);
    }
    let input = b"url,x\nhttp://a/,1\nhttp://bb/,1\nhttp://c/,1\n";
    for (max, status, out) in [("10", 3, "a\n"), ("11", 0, "a\nbb\nc\n")] {
        let arguments = ["get", "{host}", "--csv-column", "url", "--max-line", max];
        let outcome = uri_with(arguments, input);
        assert_eq!((outcome.out.as_str(), outcome.status), (out, status));
    }
}

#[test]
fn lines_before_it_and_other_files_are_read() {
    let folder = Folder::new();
    let long = format!("http://b/{}", "x".repeat(100));
    let first = folder.file("1", format!("http://a/\r\n{long}\nhttp://c/\n"));
    let second = folder.file("2", "http://d/");
    let arguments = [
        "get",
        "{host}",
        "--max-line",
        "108",
        "-f",
        &first,
        "-f",
        &second,
    ];
    let outcome = uri(arguments);
    assert_eq!(outcome.out, "a\nd\n");
    let message = "line 2 is longer than 108 bytes (--max-line), so reading stops there";
    assert_eq!(outcome.err, format!("uri: {first}: {message}\n"));
    assert_eq!(outcome.status, 3);
    let arguments = [
        "get",
        "{host}",
        "--max-line",
        "109",
        "-f",
        &first,
        "-f",
        &second,
    ];
    assert_eq!(uri(arguments).out, "a\nb\nc\nd\n");
}

/// A long line is found at the end of a file, after many lines, with NUL, and across reads.
#[test]
fn the_limit_holds_everywhere() {
    let lines = "http://a/\n".repeat(20_000);
    let long = format!("http://b/{}", "x".repeat(200_000));
    for (input, status, count) in [
        (long.clone(), 3, 0),
        (format!("{lines}{long}"), 3, 20_000),
        (format!("{lines}{long}\n{lines}"), 3, 20_000),
        (lines.clone(), 0, 20_000),
    ] {
        for jobs in ["-j1", "-j3"] {
            let arguments = ["get", "{host}", "--max-line", "200008", jobs];
            let outcome = uri_with(arguments, input.as_bytes());
            assert_eq!(
                (outcome.status, outcome.out.lines().count()),
                (status, count)
            );
            let more = uri_with(
                ["get", "{host}", "--max-line", "200009", jobs],
                input.as_bytes(),
            );
            assert_eq!(more.status, 0);
        }
    }
    let outcome = uri_with(
        ["get", "{host}", "-0", "--max-line", "9"],
        b"http://a/\0http://bb/\0",
    );
    assert_eq!((outcome.out.as_str(), outcome.status), ("a\n", 3));
    assert!(
        outcome.err.contains("line 2 is longer than 9 bytes"),
        "{}",
        outcome.err
    );
}
