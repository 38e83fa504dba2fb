//! `uri extract` on archives, mail and other files that contain documents.

use crate::support::{Folder, uri, uri_with, zip};
use serde_json::json;
use std::io::Write as _;

/// A link in a PDF has no position, so messages about it name only the page.
#[test]
fn invalid_links_in_pdf_are_reported() {
    let folder = Folder::new();
    let file = "%PDF-1.5\n\
        1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n\
        2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj\n\
        3 0 obj << /Type /Page /Annots [4 0 R 5 0 R 6 0 R] >> endobj\n\
        4 0 obj << /A << /S /URI /URI (http://a.example/b c) >> >> endobj\n\
        5 0 obj << /A << /S /URI /URI (http://a.example:x/) >> >> endobj\n\
        6 0 obj << /A << /S /URI /URI (http://a.example/d e) >> >> endobj\n\
        trailer << /Root 1 0 R >>";
    let path = folder.file("x.pdf", file);
    let outcome = uri(["extract", "--strict", &path]);
    assert_eq!(
        outcome.err,
        format!(
            "uri: {path}!/1: not valid under RFC 3986: found a space (the first of 2; -v reports \
             each)\nuri: {path}!/1: not valid under RFC 3986: found `/`\n"
        )
    );
    assert_eq!((outcome.status, outcome.out.lines().count()), (1, 3));
    let verbose = uri(["extract", "-v", &path]).err;
    let lines = verbose.lines().filter(|line| line.starts_with("uri:"));
    assert_eq!(lines.count(), 3, "{verbose}");
    let quiet = uri(["extract", "-q", "--strict", &path]);
    assert_eq!((quiet.status, &*quiet.err), (1, ""));
}

/// An entry that cannot be read has the status of a file that cannot be read.
#[test]
fn entries_that_are_not_supported() {
    let folder = Folder::new();
    let record = |url: &str, coding: &str, body: &[u8]| {
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: {coding}\r\n\r\n"
        );
        let head = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/{url}\r\n\
             Content-Type: application/http\r\nContent-Length: {}\r\n\r\n{head}",
            head.len() + body.len()
        );
        [head.as_bytes(), body, b"\r\n\r\n"].concat()
    };
    let good = record("a", "br", b"http://b.example/");
    let file = [&good[..], &record("c", "br", b"\x1b\x14\0\xff")].concat();
    let path = folder.file("x.warc", file);
    let outcome = uri(["extract", &path]);
    assert_eq!(outcome.out, "http://b.example/\n");
    assert_eq!(
        outcome.err,
        format!("uri: {path}!/http://a.example/c: the content coding br is not supported\n")
    );
    assert_eq!(outcome.status, 3);
    let path = folder.file("y.warc", good);
    assert_eq!(uri(["extract", &path]).status, 0);
}

/// Writing a web archive needs no library.
#[test]
fn entries_of_containers_have_a_path() {
    let folder = Folder::new();
    let page = "\n<a href=q>";
    let length = page.len();
    let file = folder.file(
        "x.warc",
        format!(
            "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.example/d/\r\n\
             Content-Type: text/html\r\nContent-Length: {length}\r\n\r\n{page}\r\n\r\n"
        ),
    );
    let entry = format!("{file}!/http://a.example/d/");
    let plain = uri(["extract", "-nH", &file]);
    assert_eq!(plain.out, format!("{entry}:2:http://a.example/d/q\n"));
    assert_eq!((plain.err.as_str(), plain.status), ("", 0));
    let line = &uri(["extract", "--json", &file]).json()[0];
    assert_eq!(line["source"], json!(file));
    assert_eq!(line["place"]["entry"], json!(entry));
    // In text, it is a link.
    let text = uri(["extract", "--as", "text", &file]);
    assert_eq!(text.out, "http://a.example/d/\n");
}

/// The location in an office document is printed in place of the line.
#[test]
fn locations_in_office_documents() {
    let folder = Folder::new();
    let targets = "<Relationships><Relationship Id='r1' Target='worksheets/sheet1.xml'/>\
        <Relationship Id='h1' TargetMode='External' Target='http://b.example/'/></Relationships>";
    let cells = "<worksheet><sheetData><row><c r='B7' t='inlineStr'><is><t>http://a.example/ x</t>\
        </is></c></row></sheetData><hyperlinks><hyperlink ref='C8' r:id='h1'/></hyperlinks>";
    let book = "<workbook><sheets><sheet name='My&#10;list' r:id='r1'/></sheets></workbook>";
    let sheet = "xl/worksheets/sheet1.xml";
    let path = folder.file(
        "x.xlsx",
        zip(&[
            ("xl/workbook.xml", book.as_bytes()),
            ("xl/_rels/workbook.xml.rels", targets.as_bytes()),
            ("xl/worksheets/_rels/sheet1.xml.rels", targets.as_bytes()),
            (sheet, cells.as_bytes()),
        ]),
    );
    let plain = uri(["extract", "-H", "--column", &path]);
    let entry = format!("{path}!/{sheet}");
    assert_eq!(
        plain.out,
        format!("{entry}:My\\nlist!B7:http://a.example/\n{entry}:My\\nlist!C8:http://b.example/\n")
    );
    let line = &uri(["extract", "--json", &path]).json()[0];
    let place = json!({"sheet": "My\nlist", "cell": "B7", "entry": entry});
    assert_eq!(line["place"], place);

    // The addresses of cells and the numbers of rows are optional (18.3.1.4, 18.3.1.73).
    let cell = |address: &str, host: &str| {
        format!("<c{address} t='inlineStr'><is><t>http://{host}.example/</t></is></c>")
    };
    let sheet = [
        "<worksheet><sheetData><row><c/>",
        &cell("", "a"),
        "</row><row>",
        &cell(" r='B7'", "b"),
        &cell("", "c"),
        "</row><row>",
        &cell("", "d"),
        "</row><row r='10'>",
        &cell("", "e"),
        &cell(" r='Z10'", "f"),
        &cell("", "g"),
    ];
    let files = [
        ("xl/workbook.xml", b"<workbook/>".to_vec()),
        ("xl/worksheets/sheet1.xml", sheet.concat().into_bytes()),
    ];
    let path = folder.file(
        "y.xlsx",
        zip(&files.each_ref().map(|(name, text)| (*name, &**text))),
    );
    let found = uri(["extract", "-nI", &path]).out;
    let cells = found.lines().map(|line| line.split("http").next().unwrap());
    let cells: Vec<_> = cells.map(|cell| cell.trim_end_matches(':')).collect();
    assert_eq!(cells, ["B1", "B7", "C7", "A8", "A10", "Z10", "AA10"]);

    let document = "<w:document><w:p/><w:p><w:t>http://a.example/</w:t></w:p></w:document>";
    let path = folder.file("x.docx", zip(&[("word/document.xml", document.as_bytes())]));
    assert_eq!(
        uri(["extract", "-nI", &path]).out,
        "paragraph 2:http://a.example/\n"
    );
    let line = &uri(["extract", "--json", &path]).json()[0];
    assert_eq!(line["place"]["paragraph"], json!(2));

    let list = "<p:presentation><p:sldId r:id='r1'/></p:presentation>";
    let targets = "<Relationships><Relationship Id='r1' Target='slides/s.xml'/></Relationships>";
    let slide = "<p:sld><a:p><a:t>http://a.example/</a:t></a:p></p:sld>";
    let files = [
        ("ppt/presentation.xml", list),
        ("ppt/_rels/presentation.xml.rels", targets),
        ("ppt/slides/s.xml", slide),
    ];
    let path = folder.file(
        "x.pptx",
        zip(&files.map(|(name, text)| (name, text.as_bytes()))),
    );
    assert_eq!(
        uri(["extract", "-nI", &path]).out,
        "slide 1:http://a.example/\n"
    );
    let line = &uri(["extract", "--json", &path]).json()[0];
    assert_eq!(line["place"]["slide"], json!(1));
}

/// Tables, and files that are compressed with xz and bzip2.
#[test]
fn tables_and_packed_files() {
    let folder = Folder::new();
    let table = "id,url\n1,http://a.example/b,c\n2,\"see \"\"http://a.example/d\"\"\"\n";
    let path = folder.file("x.csv", table);
    let found = "2:3:http://a.example/b\n3:10:http://a.example/d\n";
    assert_eq!(uri(["extract", "--column", "-I", &path]).out, found);
    let other = folder.file("x.txt", table);
    assert_eq!(
        uri(["extract", "--as", "csv", "--column", "-I", &other]).out,
        found
    );
    let mut packed = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
    packed.write_all(table.as_bytes()).unwrap();
    let path = folder.file("x.csv.bz2", packed.finish().unwrap());
    assert_eq!(uri(["extract", "--column", "-I", &path]).out, found);
}

/// References in attachments are printed in order, with the path of the attachment.
#[test]
fn archives_attached_to_mail_have_a_path() {
    let folder = Folder::new();
    let mail = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://first.example/\n\
                --b\nContent-Type: application/warc; name=x.warc\n\n\
                WARC/1.0\nWARC-Type: resource\nWARC-Target-URI: http://a.example/d/\n\
                Content-Type: text/html\nContent-Length: 11\n\n\n<a href=q>\n\n\
                --b\n\nhttp://last.example/\n--b--\n";
    let file = folder.file("m.eml", mail);
    let entry = format!("{file}!/x.warc!/http://a.example/d/");
    let plain = uri(["extract", "-nH", &file]);
    let lines = [
        format!("{file}:5:http://first.example/"),
        format!("{entry}:2:http://a.example/d/q"),
        format!("{file}:20:http://last.example/"),
    ];
    assert_eq!(plain.out, lines.map(|line| line + "\n").concat());
    assert_eq!((plain.err.as_str(), plain.status), ("", 0));
    let piped = uri_with(["extract", "-nH", "--as", "mail"], mail.as_bytes());
    assert_eq!(piped.out, plain.out.replace(&file, "-"));
    let found = uri(["extract", "--json", &file]).json();
    let entries = found.iter().map(|line| line["place"]["entry"].as_str());
    let entries: Vec<_> = entries.collect();
    assert_eq!(entries, [None, Some(entry.as_str()), None]);
    assert!(found.iter().all(|line| line["source"] == json!(file)));
    // The lines around a reference are those of the file that it is in.
    let around = uri(["extract", "-C0", "-H", &file]);
    assert_eq!(
        around.out,
        format!(
            "{file}-5-http://first.example/\n{file}:5:http://first.example/\n\
             {entry}-2-<a href=q>\n{entry}:2:http://a.example/d/q\n--\n\
             {file}-20-http://last.example/\n{file}:20:http://last.example/\n"
        )
    );
    assert_eq!(uri(["extract", "-c", &file]).out, "3\n");
    let cut = mail.replace("Content-Length: 11", "Content-Length: 1111");
    let cut = uri(["extract", &folder.file("cut.eml", cut)]);
    assert_eq!(cut.status, 3);
    assert!(cut.out.ends_with("http://last.example/\n"), "{}", cut.out);
    assert!(
        cut.err.contains("cut.eml!/x.warc!/http://a.example/d/: "),
        "{}",
        cut.err
    );
}

/// Makes a tar archive with one file.
fn tar(name: &[u8], content: &[u8]) -> Vec<u8> {
    let mut header = [0; 512];
    for (to, byte) in header.iter_mut().zip(name) {
        *to = *byte;
    }
    header[100..108].copy_from_slice(b"0000644\0");
    header[124..136].copy_from_slice(format!("{:011o}\0", content.len()).as_bytes());
    header[156] = b'0';
    header[257..265].copy_from_slice(b"ustar\x0000");
    header[148..156].fill(b' ');
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    let mut archive = [&header, content].concat();
    archive.resize(archive.len().next_multiple_of(512) + 1024, 0);
    archive
}

/// A line end in the name of an entry would forge a line, and an escape would reach a terminal
/// later.
#[test]
fn names_of_entries_are_escaped() {
    let folder = Folder::new();
    let file = folder.file(
        "a.tar",
        tar(b"x\nforged.txt:1:\x1b[31m\xc2\x9b\\ \xc3\xa9", b"http://a/"),
    );
    let escaped = r"x\nforged.txt:1:\u{1b}[31m\u{9b}\ é";
    let outcome = uri(["extract", "-H", &file]);
    assert_eq!(outcome.out, format!("{file}!/{escaped}:http://a/\n"));
    let outcome = uri(["extract", "-HC1", &file]);
    assert!(
        outcome
            .out
            .lines()
            .all(|line| line.starts_with(&format!("{file}!/{escaped}")))
    );
    // -0 and JSON are exact.
    let raw = "x\nforged.txt:1:\u{1b}[31m\u{9b}\\ é";
    let outcome = uri(["extract", "-H0", &file]);
    assert_eq!(outcome.out, format!("{file}!/{raw}\0http://a/\n"));
    assert!(
        uri(["extract", "--json", &file])
            .out
            .contains(r"a.tar!/x\nforged.txt")
    );
}
