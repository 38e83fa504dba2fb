//! CSV in and out.

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
        let place = format!("uri: {file}:5:9: not valid under RFC 3986: found a space\n");
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
         params,query,fragment\n\
         \"http://u:p@h:1/a,b?q#f\",true,,absolute,http,u:p@h:1,u:p,u,p,h,name,1,\"/a,b\",,q,f\n\
         ^,false,\"expected a path character, `/`, `?`, `#` or the end, but found `^` at byte 0 \
         (segment, RFC 3986, 3.3)\",,,,,,,,,,,,,\n"
    );
    assert_eq!(outcome.status, 1);
    for arguments in [
        ["get", "--csv", "--json", "x"],
        ["parse", "--csv", "--json", "x"],
    ] {
        assert_eq!(uri(arguments).status, 2);
    }
    // The output can be read again.
    let written = uri(["parse", "--csv", "http://a/b,c"]).out;
    let read = uri_with(
        ["get", "{path}", "--csv-column", "input"],
        written.as_bytes(),
    );
    assert_eq!(read.out, "/b,c\n");
}
