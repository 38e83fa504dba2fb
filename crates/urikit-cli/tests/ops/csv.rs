//! CSV as input and output.

use crate::support::{Folder, uri, uri_with};
use std::fmt::Write as _;

const TABLE: &str = "name,url\r\n\"A, B\",http://a/x\r\nC,\"http://b/?q=1,2\"\nD\nE,http://a b/\n";

#[test]
fn references_come_from_a_column() {
    let folder = Folder::new();
    let file = folder.file("t.csv", TABLE);
    for column in ["url", "2"] {
        let outcome = uri(["get", "{host}|{query}", "--csv-column", column, "-f", &file]);
        assert_eq!(outcome.out, "a|\nb|q=1,2\n|\n\n");
        let place = format!("uri: {file}:5:11: not valid under RFC 3986: found a space\n");
        assert!(outcome.err.starts_with(&place), "{outcome:?}");
        assert_eq!(outcome.status, 1);
    }
    let outcome = uri_with(["normalize", "--csv-column", "url"], b"url\nHTTP://A\n");
    assert_eq!((outcome.out.as_str(), outcome.status), ("http://a/\n", 0));
    let outcome = uri(["normalize", "--csv-column", "nope", "-f", &file]);
    assert_eq!((outcome.out.as_str(), outcome.status), ("", 3));
    assert!(
        outcome
            .err
            .ends_with(": no column `nope`; the columns are name, url\n"),
        "{outcome:?}"
    );
    let (mut rows, mut hosts) = (String::from("n,url\n"), String::new());
    for number in 0..30_000 {
        let _ = writeln!(rows, "{number},http://h{number}/");
        let _ = writeln!(hosts, "h{number}");
    }
    let file = folder.file("long.csv", rows);
    assert!(uri(["get", "{host}", "--csv-column", "url", "-f", &file]).out == hosts);
}

#[test]
fn results_are_columns() {
    let outcome = uri([
        "get",
        "--csv",
        "{host},{query:q:decode},{segment:1}-{port:default}",
        "http://a/b?q=%22x%22%2C%20y%0A",
        "http://a b/",
        "ftp://c",
    ]);
    assert_eq!(
        outcome.out,
        "host,query:q:decode,{segment:1}-{port:default}\na,\"\"\"x\"\", y\n\",b-80\n,,\nc,,-21\n"
    );
    assert_eq!(outcome.status, 1);
    let outcome = uri(["parse", "--csv", "http://u:p@h:1/a,b?q#f", "^"]);
    assert_eq!(
        outcome.out,
        "input,valid,error,form,scheme,authority,userinfo,user,password,host,host_kind,port,path,\
         params,query,fragment,domain,suffix,error_class,error_offset,error_found,error_expected,\
         error_production,error_section\n\
         \"http://u:p@h:1/a,b?q#f\",true,,absolute,http,u:p@h:1,u:p,u,p,h,name,1,\"/a,b\",,q,f,,h\
         ,,,,,,\n\
         ^,false,\"expected a path character, `/`, `?`, `#` or the end, but found `^` at byte 0 \
         (segment, RFC 3986, 3.3)\",,,,,,,,,,,,,,,,syntax,0,^,\"a path character, `/`, `?`, `#` or \
         the end\",segment,\"RFC 3986, 3.3\"\n"
    );
    assert_eq!(outcome.status, 1);
    // The last of several formats applies.
    let json = uri(["parse", "--json", "a"]).out;
    let csv = uri(["parse", "--csv", "a"]).out;
    for (options, out) in [
        (&["--json", "--csv"][..], &csv),
        (&["--csv", "--json"], &json),
        (&["--csv", "--output-format", "jsonl"], &json),
        (&["--output-format", "jsonl", "--csv"], &csv),
        (&["--json", "--output-format", "csv"], &csv),
        (&["--csv", "--csv"], &csv),
    ] {
        let outcome = uri([&["parse"], options, &["a"]].concat());
        assert_eq!((&outcome.out, outcome.status), (out, 0), "{options:?}");
    }
    // The output can be read again.
    let written = uri(["parse", "--csv", "http://a/b,c"]).out;
    let read = uri_with(
        ["get", "{path}", "--csv-column", "input"],
        written.as_bytes(),
    );
    assert_eq!(read.out, "/b,c\n");
}

/// Spreadsheets run a cell that begins with one of these characters.
#[test]
fn no_cell_is_a_formula() {
    let folder = Folder::new();
    let inputs = ["=1+2", "+1", "-1", "@a", "%09a", "%0Da", "a=1", "'=1", ""];
    let file = folder.file("inputs", inputs.join("\n"));
    for format in [&["--output-format", "csv"][..], &["--csv"]] {
        let arguments = ["get", "{decode:path},=x", "-f", &file];
        let plain = uri(arguments.iter().chain(format));
        assert_eq!(
            plain.out,
            "decode:path,=x\n=1+2,=x\n+1,=x\n-1,=x\n@a,=x\n\ta,=x\n\"\ra\",=x\na=1,=x\n'=1,=x\n"
        );
        let safe = uri(arguments.iter().chain(format).chain(&["--csv-safe"]));
        assert_eq!(
            safe.out,
            "decode:path,'=x\n'=1+2,'=x\n'+1,'=x\n'-1,'=x\n'@a,'=x\n'\ta,'=x\n\"'\ra\",'=x\n\
             a=1,'=x\n'=1,'=x\n"
        );
        assert_eq!((plain.status, safe.status), (0, 0));
    }
    let records = uri([
        "parse",
        "--output-format",
        "csv",
        "--csv-safe",
        "-1",
        "--",
        "-a",
    ]);
    assert_eq!(records.status, 2, "an option");
    let records = uri(["parse", "--output-format", "csv", "--csv-safe", "--", "-a"]);
    assert!(records.out.contains("\n'-a,true,"), "{}", records.out);
    for other in [&[][..], &["--json"], &["--output-format", "parquet"]] {
        let outcome = uri(["parse", "--csv-safe", "http://a/"].iter().chain(other));
        assert_eq!(outcome.status, 2, "{other:?}");
        assert!(
            outcome.err.contains("--csv-safe applies only to CSV"),
            "{}",
            outcome.err
        );
    }
}

/// Programs disagree on which column counts.
#[test]
fn a_chosen_column_has_one_name() {
    let table = b"url,id,url\nhttp://a/,1,http://b/\n";
    let outcome = uri_with(["get", "{host}", "--column", "url"], table);
    assert_eq!((outcome.out.as_str(), outcome.status), ("", 3));
    let message = "uri: -: several columns have the name `url`; give a column number instead\n";
    assert_eq!(outcome.err, message);
    for (column, expected) in [("1", "a\n"), ("3", "b\n"), ("id", "\n")] {
        let outcome = uri_with(["get", "{host}", "--column", column], table);
        assert_eq!(outcome.out, expected);
    }
    let lines = b"{\"u\":\"http://a/\",\"u\":\"http://b/\"}\n{\"u\":\"http://c/\"}\n";
    let outcome = uri_with(["get", "{host}", "--field", "u"], lines);
    assert_eq!((outcome.out.as_str(), outcome.status), ("\nc\n", 1));
    let message = "uri: -:1:1: `u` occurs more than once\n";
    assert!(outcome.err.starts_with(message), "{}", outcome.err);
    let head = "WARC/1.0\r\nWARC-Target-URI: http://a/\r\nWARC-Target-URI: http://b/\r\n";
    let record = format!("{head}Content-Length: 0\r\n\r\n\r\n\r\n");
    let outcome = uri_with(["get", "{host}"], record.as_bytes());
    let message = "uri: -:1:1: `WARC-Target-URI` occurs more than once\n";
    assert!(outcome.err.starts_with(message), "{}", outcome.err);
    let record = "WARC/1.0\r\nContent-Length: 0\r\nContent-Length: 9\r\n\r\n";
    let outcome = uri_with(["get", "{host}"], record.as_bytes());
    assert_eq!(
        (outcome.err.as_str(), outcome.status),
        ("uri: -: record 1 has two Content-Lengths\n", 3)
    );
}
