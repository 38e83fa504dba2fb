//! `uri get --add`: the rows of tables, with columns added.

use crate::support::{Folder, uri, uri_with};

const TABLE: &str = "id,\"url\",note\r\n\
                     1,http://a.example.co.uk/?x,\"q \"\"1\"\"\"\r\n\
                     2,,\r\n\
                     3,http://b c/,n\r\n\
                     4,\"mailto:a,b@c\",\"two\nlines\"";

const ADD: [&str; 6] = [
    "get",
    "--add",
    "host={host}",
    "--add",
    "domain={domain:lower}",
    "-q",
];

#[test]
fn csv_is_copied_as_it_is_written() {
    let expected = "id,\"url\",note,host,domain\r\n\
                    1,http://a.example.co.uk/?x,\"q \"\"1\"\"\",a.example.co.uk,example.co.uk\r\n\
                    2,,,,\r\n\
                    3,http://b c/,n,,\r\n\
                    4,\"mailto:a,b@c\",\"two\nlines\",,\r\n";
    let folder = Folder::new();
    let file = folder.file("t.csv", TABLE);
    for jobs in ["-j1", "-j2"] {
        let outcome = uri(ADD.iter().chain(&["--column", "url", "-f", &file, jobs]));
        assert_eq!((outcome.out.as_str(), outcome.status), (expected, 1));
    }
    let piped = uri_with(ADD.iter().chain(&["--column", "2"]), TABLE.as_bytes());
    assert_eq!(piped.out, expected);
    let loud = uri_with(
        ["get", "--add", "h={host}", "--column", "url"],
        TABLE.as_bytes(),
    );
    let place = "uri: -:4:11: not valid under RFC 3986: found a space\n";
    assert!(loud.err.starts_with(place), "{}", loud.err);
    // TSV stays TSV, cells are quoted where necessary, and an empty value is not null.
    let tsv = uri_with(
        ["get", "--add", "v={query:v:decode}", "--column", "u"],
        b"u\tn\n?v=a,b\t1\n?v=a%09%22\t2\n",
    );
    assert_eq!(
        tsv.out,
        "u\tn\tv\n?v=a,b\t1\ta,b\n?v=a%09%22\t2\t\"a\t\"\"\"\n"
    );
}

#[test]
fn json_lines_are_copied_as_they_are_written() {
    let lines = b"{\"u\":\"http://a/?q=\",\"n\":1.50,\"l\":[{\"k\":null}] }\r\n{}\n\n{\"u\":7}\n";
    let add = [
        "get",
        "-q",
        "--add",
        "q={query:q}",
        "--add",
        "p={port}",
        "--field",
        "u",
    ];
    let outcome = uri_with(add, lines);
    assert_eq!(
        outcome.out,
        "{\"u\":\"http://a/?q=\",\"n\":1.50,\"l\":[{\"k\":null}] ,\"q\":\"\",\"p\":null}\n\
         {\"q\":null,\"p\":null}\n{\"u\":7,\"q\":null,\"p\":null}\n"
    );
    assert_eq!(outcome.status, 1);
    // No column can be added to a line that is not an object.
    let outcome = uri_with(
        ["get", "--add", "h={host}", "--field", "u"],
        b"[1]\n{\"u\":\"//a\"}\n",
    );
    assert_eq!(
        (outcome.out.as_str(), outcome.status),
        ("{\"u\":\"//a\",\"h\":\"a\"}\n", 1)
    );
    let message = "uri: -:1:1: the line is not a JSON object, and is left out\n";
    assert!(outcome.err.starts_with(message), "{}", outcome.err);
}

#[test]
fn another_format_can_be_given() {
    let table = b"u,n\nhttp://a/,\"1\"\"\"\n?,\n";
    let formats = [
        (
            "jsonl",
            "{\"u\":\"http://a/\",\"n\":\"1\\\"\",\"h\":\"a\"}\n{\"u\":\"?\",\"n\":\"\",\"h\":null}\n",
        ),
        ("csv", "u,n,h\nhttp://a/,\"1\"\"\",a\n?,,\n"),
        ("tsv", "u\tn\th\nhttp://a/\t\"1\"\"\"\ta\n?\t\t\n"),
        ("text", "u,n,h\nhttp://a/,\"1\"\"\",a\n?,,\n"),
    ];
    for (format, expected) in formats {
        let add = [
            "get",
            "--add",
            "h={host}",
            "--column",
            "u",
            "--output-format",
            format,
        ];
        assert_eq!(uri_with(add, table).out, expected, "{format}");
    }
    let tsv = ["get", "--add", "h={host}", "--column", "u", "--csv"];
    assert_eq!(
        uri_with(tsv, b"u\tn\n//a\tx,y\n").out,
        "u,n,h\n//a,\"x,y\",a\n"
    );
    let tabs = [
        "get",
        "--add",
        "h={host}",
        "--column",
        "u",
        "--output-format",
        "tsv",
    ];
    assert_eq!(
        uri_with(tabs, b"u\tn\n//a\t'x,y\n").out,
        "u\tn\th\n//a\t'x,y\ta\n"
    );
    let safe = [
        "get",
        "--add",
        "h={host}",
        "--column",
        "u",
        "--csv",
        "--csv-safe",
    ];
    assert_eq!(uri_with(safe, b"u,n\n//a,=1\n").out, "u,n,h\n//a,'=1,a\n");
    let lines =
        b"{\"u\":\"//a\",\"n\":1,\"l\":[1]}\n{\"n\":null,\"u\":\"?\"}\n{\"x\":1,\"u\":\"//b\"}\n";
    let json = uri_with(["get", "--add", "h={host}", "--field", "u", "--csv"], lines);
    assert_eq!(json.out, "u,n,l,h\n//a,1,[1],a\n?,,,\n//b,,,b\n");
    assert_eq!(json.status, 1);
    let message = "uri: -:3:1: `x` is not a key of the first line\n";
    assert!(json.err.starts_with(message), "{}", json.err);
}

#[test]
fn filters_drop_rows() {
    let add = [
        "get",
        "-q",
        "--add",
        "host={host}",
        "--column",
        "url",
        "--where",
        "host",
    ];
    let outcome = uri_with(add, TABLE.as_bytes());
    let expected = "id,\"url\",note,host\r\n\
                    1,http://a.example.co.uk/?x,\"q \"\"1\"\"\",a.example.co.uk\r\n";
    assert_eq!((outcome.out.as_str(), outcome.status), (expected, 1));
}

#[test]
fn names_and_columns_must_fit() {
    let folder = Folder::new();
    let [a, b, tabs, json, lines] = [
        folder.file("a.csv", "u,n\n//a,1\n"),
        folder.file("b.csv", "u,m\n//b,2\n"),
        folder.file("c.tsv", "u\tn\n//b\t2\n"),
        folder.file("d.jsonl", "{\"u\":\"//a\"}\n{\"u\":\"//b\",\"h\":1}\n"),
        folder.file("lines", "//a\n"),
    ];
    let add = ["get", "--add", "h={host}"];
    for (arguments, status, message) in [
        (
            &["--column", "u", "-f", &a, "-f", &b][..],
            3,
            "the columns are u, m, but those of the \
          first file are u, n",
        ),
        (
            &["--column", "u", "-f", &a, "-f", &tabs],
            3,
            "the file is TSV, but the first one is CSV",
        ),
        (
            &["--column", "u", "-f", &a, "-f", "none"],
            3,
            "none: No such file",
        ),
        (
            &["--column", "u", "-f", &a, "--add", "n={url}"],
            2,
            "already has a column with this name",
        ),
        (
            &["--column", "u", "-f", &a, "--add", "h={url}"],
            2,
            "uses the name `h` twice",
        ),
        (
            &["--field", "u", "-f", &json],
            3,
            "line 2 already has the key `h`",
        ),
        (&["-f", &lines], 3, "--add needs a table"),
        (
            &["--column", "u", "-f", &a, "--count"],
            2,
            "cannot be used with",
        ),
        (&["http://a/"], 2, "cannot be used with"),
        (&["--add", "={host}"], 2, "expected NAME=TEMPLATE"),
        (&["--add", "x={hots}"], 2, "did you mean \"host\""),
    ] {
        let outcome = uri(add.iter().chain(arguments));
        assert_eq!(outcome.status, status, "{arguments:?} {outcome:?}");
        assert!(outcome.err.contains(message), "{arguments:?} {outcome:?}");
    }
    // Files with the same columns form one table, and a row with too many cells is not written.
    let same = folder.file("e.csv", "u,n\n//b,2,3\n//c\n//d,4");
    let outcome = uri(add.iter().chain(&["--column", "u", "-f", &same, "-f", &a]));
    assert_eq!(outcome.out, "u,n,h\n//c,,c\n//d,4,d\n//a,1,a\n");
    let message = "the row has 3 cells, but the table has 2 columns; it is left out";
    assert!(
        outcome
            .err
            .starts_with(&format!("uri: {same}:2:1: {message}")),
        "{}",
        outcome.err
    );
}

#[test]
fn many_rows_keep_their_order() {
    use std::fmt::Write as _;
    let (mut table, mut expected) = ("n,u\n".to_owned(), "n,u,h\n".to_owned());
    for number in 0..60_000 {
        let row = format!("\"{number}\n\",http://h{number}/");
        let _ = writeln!(table, "{row}");
        let _ = writeln!(expected, "{row},h{number}");
    }
    let folder = Folder::new();
    let file = folder.file("long.csv", table);
    let outcome = uri([
        "get", "--add", "h={host}", "--column", "u", "-f", &file, "-j2",
    ]);
    assert!(outcome.out == expected);
}
