//! `extract` on containers with forged numbers, and on damaged ones: a small file takes little
//! memory and time, and a message states which limit ended the run.

use crate::peak::run;
use crate::support::{Folder, uri, xz, zip};
use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::time::Duration;
use urikit_testkit::data::shared;

/// The memory that reading a small container may take, in bytes. A PDF stream and its text may have
/// at most 64 MiB each.
const MOST: usize = 224 << 20;

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut out = ZlibEncoder::new(Vec::new(), Compression::best());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::best());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

/// Returns a compressed PDF stream.
fn stream(keys: &str, data: &[u8]) -> Vec<u8> {
    let data = zlib(data);
    let length = data.len();
    let head = format!("<< {keys} /Filter /FlateDecode /Length {length} >>\nstream\n");
    [head.as_bytes(), &data, b"\nendstream"].concat()
}

/// Returns a PDF file of these objects, with the numbers 1, 2, and so on. The first is the catalog.
fn pdf(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut file = b"%PDF-1.5\n".to_vec();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (index, object) in objects.iter().enumerate() {
        writeln!(table, "{:010} 00000 n ", file.len()).unwrap();
        writeln!(file, "{} 0 obj", index + 1).unwrap();
        file.extend_from_slice(object);
        file.extend_from_slice(b"\nendobj\n");
    }
    let start = file.len();
    let size = objects.len() + 1;
    write!(
        file,
        "{table}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF"
    )
    .unwrap();
    file
}

const CATALOG: &str = "<< /Type /Catalog /Pages 2 0 R >>";

/// Returns a PDF file with one page. The page is object 3, and the other objects begin at 4.
fn one_page(page: &str, others: &[Vec<u8>]) -> Vec<u8> {
    let page = format!("<< /Type /Page /Parent 2 0 R {page} >>");
    let tree = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>";
    let first = [CATALOG, tree, &page].map(|object| object.as_bytes().to_vec());
    pdf(&[&first[..], others].concat())
}

/// Returns the beginning of an object stream whose entries all have the same offset, and an object.
fn shared_entries(count: usize, object: &str) -> Vec<u8> {
    let index = (0..count)
        .map(|entry| format!("{} 0 ", 100 + entry))
        .collect::<Vec<_>>()
        .concat();
    let keys = format!("/Type /ObjStm /N {count} /First {}", index.len());
    stream(&keys, format!("{index}{object}").as_bytes())
}

/// Returns a PDF file whose page and links are in object stream 4, so its table is in a stream too.
fn with_shared_entries(count: usize, object: &str) -> Vec<u8> {
    let links = (0..count)
        .map(|entry| format!("{} 0 R ", 100 + entry))
        .collect::<Vec<_>>()
        .concat();
    let page = format!("/Annots [{links}]");
    let mut file = one_page(&page, &[shared_entries(count, object)]);
    let start = file.len();
    let mut entries = Vec::new();
    let mut add = |kind: u8, value: usize| {
        entries.push(kind);
        entries.extend_from_slice(&u32::try_from(value).unwrap().to_be_bytes());
    };
    add(0, 0);
    for number in 1..=4 {
        let header = format!("{number} 0 obj\n");
        add(1, memchr::memmem::find(&file, header.as_bytes()).unwrap());
    }
    for _ in 0..count {
        add(2, 4);
    }
    let keys = format!("/Type /XRef /W [1 4 0] /Index [0 5 100 {count}] /Size 9 /Root 1 0 R");
    file.extend_from_slice(b"9 0 obj\n");
    file.extend_from_slice(&stream(&keys, &entries));
    write!(file, "\nendobj\nstartxref\n{start}\n%%EOF").unwrap();
    file
}

/// Returns a file with encryption revision 5 and an empty password. The text in the file is not
/// encrypted, so decrypting it yields nonsense.
fn encrypted() -> Vec<u8> {
    let hash = "766edcd872bc061516ae2c8cd27773e4466e9961ccf7041db4e61118e86a657c";
    let salts = "73616c7473616c7473616c7473616c74";
    let key = "00".repeat(32);
    let encryption = format!(
        "/Encrypt << /Filter /Standard /V 5 /R 5 /U <{hash}{salts}> /UE <{key}> /StmF /X /StrF /X \
         /CF << /X << /CFM /AESV3 >> >> >> /Size"
    );
    let text = format!(
        "<< /Length {} >> stream\n{}\nendstream",
        8 << 20,
        "x".repeat(8 << 20)
    );
    let file = one_page("/Contents 4 0 R", &[text.into_bytes()]);
    let at = memchr::memmem::rfind(&file, b"/Size").unwrap();
    let (before, after) = file.split_at(at);
    let after = after.strip_prefix(b"/Size").unwrap();
    [before, encryption.as_bytes(), after].concat()
}

/// Returns files with forged numbers, the status, and a part of the message.
#[allow(clippy::too_many_lines)] // a table
fn forged() -> Vec<(&'static str, Vec<u8>, i32, &'static str)> {
    let objects = "objects for each byte of the file";
    let numbers = format!("[{}]", "1 ".repeat(100_000));
    let font = |map: &str| {
        let text = "<01>Tj ".repeat(100) + "(\u{1}\u{1}\u{1}\u{1})Tj ";
        let page = "/Contents 4 0 R /Resources << /Font << /F 5 0 R >> >>";
        let others = [
            stream("", format!("BT /F 1 Tf {}", text.repeat(1000)).as_bytes()),
            b"<< /Type /Font /Subtype /Type1 /ToUnicode 6 0 R >>".to_vec(),
            stream("", map.as_bytes()),
        ];
        one_page(page, &others)
    };
    let long = "0041".repeat(10_000);
    let nested = "[".repeat(100_000);
    let overlapping = {
        // Each stream extends to the end of the file.
        let mut file = b"%PDF-1.5\n".to_vec();
        let mut table = "xref\n0 20000\n0000000000 65535 f \n".to_owned();
        for number in 1..20_000 {
            writeln!(table, "{:010} 00000 n ", file.len()).unwrap();
            writeln!(file, "{number} 0 obj <</Length 9999999>> stream").unwrap();
        }
        let start = file.len();
        let end = format!("{table}trailer <</Root 1 0 R>>\nstartxref\n{start}\n%%EOF");
        [file, end.into_bytes()].concat()
    };
    vec![
        (
            "entries.pdf",
            with_shared_entries(2000, &numbers),
            3,
            objects,
        ),
        (
            "numbers.pdf",
            one_page("/Annots 100 0 R", &[])
                .into_iter()
                .chain(numbers.bytes())
                .collect(),
            1,
            "",
        ),
        (
            "operators.pdf",
            one_page("/Contents 4 0 R", &[stream("", &b"Q ".repeat(8 << 20))]),
            3,
            objects,
        ),
        (
            "operands.pdf",
            one_page("/Contents 4 0 R", &[stream("", &b"[[1]]".repeat(4 << 20))]),
            3,
            objects,
        ),
        (
            "array.pdf",
            one_page(
                "/Contents 4 0 R",
                &[stream("", format!("[{}", "1 ".repeat(2 << 20)).as_bytes())],
            ),
            3,
            "more than 2^20",
        ),
        (
            "spaces.pdf",
            one_page("/Contents 4 0 R", &[stream("", &vec![b' '; 100 << 20])]),
            3,
            "64 MiB",
        ),
        (
            "range.pdf",
            font("1 beginbfrange <00000000> <FFFFFFFF> <0041> endbfrange"),
            0,
            "",
        ),
        (
            "long.pdf",
            font(&format!("1 beginbfchar <01> <{long}> endbfchar")),
            0,
            "",
        ),
        (
            "nested.pdf",
            one_page(&format!("/Annots {nested}"), &[]),
            3,
            "nested too deeply",
        ),
        ("overlapping.pdf", overlapping, 3, ""),
        (
            "filters.pdf",
            one_page(
                "/Contents 4 0 R",
                &[format!(
                    "<< /Filter [{}] /Length 1 >> stream\nx\nendstream",
                    "/LZWDecode ".repeat(1000)
                )
                .into_bytes()],
            ),
            3,
            "4 filters",
        ),
        (
            "brotli.pdf",
            one_page(
                "/Contents 4 0 R",
                &[
                    b"<< /Filter /BrotliDecode /Length 4 >> stream\n\x11\x1e\x00\x00\nendstream"
                        .to_vec(),
                ],
            ),
            3,
            "large window",
        ),
        (
            "length.pdf",
            one_page(
                "/Contents 4 0 R",
                &[b"<< /Length 4 0 R >> stream\n(x)Tj\nendstream".to_vec()],
            ),
            1,
            "",
        ),
        (
            "forms.pdf",
            // Each form paints the next one ten times.
            one_page(
                "/Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >>",
                &(4..14)
                    .map(|number| {
                        let next = format!("<< /XObject << /X {} 0 R >> >>", number + 2);
                        let keys = format!("/Subtype /Form /Resources {next}");
                        stream(&keys, "/X Do ".repeat(10).as_bytes())
                    })
                    .collect::<Vec<_>>(),
            ),
            3,
            objects,
        ),
        (
            "long-forms.pdf",
            one_page(
                "/Contents 4 0 R /Resources << /XObject << /X 5 0 R /Y 6 0 R >> >>",
                &[
                    stream("", b"/X Do"),
                    stream(
                        "/Subtype /Form",
                        &[b"/Y Do", &*b" ".repeat(60 << 20)].concat(),
                    ),
                    stream("/Subtype /Form", &b" ".repeat(60 << 20)),
                ],
            ),
            3,
            "200 times its size",
        ),
        (
            "states.pdf",
            one_page("/Contents 4 0 R", &[stream("", &b"q ".repeat(1 << 20))]),
            1,
            "",
        ),
        (
            "predictor.pdf",
            one_page(
                "/Contents 4 0 R",
                &[stream(
                    "/DecodeParms << /Predictor 2 /Colors 9999999999 /Columns 9999999999 >>",
                    &b" ".repeat(8 << 20),
                )],
            ),
            1,
            "",
        ),
        ("encrypted.pdf", encrypted(), 1, ""),
        (
            "kids.pdf",
            pdf(&[CATALOG.into(), b"<< /Kids [2 0 R 2 0 R] >>".to_vec()]),
            1,
            "",
        ),
    ]
}

/// A small file takes little memory and time regardless of the numbers in it.
#[test]
fn forged_numbers() {
    let folder = Folder::new();
    for (name, file, status, message) in forged() {
        let path = folder.file(name, &file);
        let run = run(&["extract", &path], None);
        println!(
            "{name}: {} bytes, {} kB of memory, {:?}, {:?} {}",
            file.len(),
            run.peak >> 10,
            run.time,
            run.status,
            run.err.trim()
        );
        assert!(run.err.contains(message), "{name}: {}", run.err);
        let allowed = [Some(status), Some(i32::from(run.lines == 0))];
        assert!(
            run.status == Some(status) || status == 0 && allowed.contains(&run.status),
            "{name}: {:?} {}",
            run.status,
            run.err
        );
        assert!(run.peak < MOST, "{name}: {} kB", run.peak >> 10);
        assert!(run.time < Duration::from_secs(60), "{name}: {:?}", run.time);
    }
}

/// The work for pages that share their fonts is proportional to the file.
#[test]
fn pages_that_share_fonts() {
    let folder = Folder::new();
    let file = |count: usize| {
        let kids = (0..count)
            .map(|page| format!("{} 0 R ", page + 5))
            .collect::<Vec<_>>()
            .concat();
        let fonts = (0..2 * count)
            .map(|font| format!("/F{font} 4 0 R "))
            .collect::<Vec<_>>()
            .concat();
        let tree = format!("<< /Kids [{kids}] /Resources 3 0 R >>");
        let font = "<< /Type /Font /Subtype /Type1 >>".to_owned();
        let mut objects = vec![
            CATALOG.to_owned(),
            tree,
            format!("<< /Font << {fonts} >> >>"),
            font,
        ];
        let content = "/F1 1 Tf (http://a.example/) Tj";
        for page in 0..count {
            objects.push(format!(
                "<< /Type /Page /Contents {} 0 R >>",
                5 + count + page
            ));
        }
        for _ in 0..count {
            let length = content.len();
            objects.push(format!(
                "<< /Length {length} >> stream\n{content}\nendstream"
            ));
        }
        pdf(&objects
            .into_iter()
            .map(String::into_bytes)
            .collect::<Vec<_>>())
    };
    let mut times = Vec::new();
    for count in [2000, 8000] {
        let path = folder.file("x.pdf", file(count));
        let run = run(&["extract", &path], None);
        assert_eq!((run.status, run.lines), (Some(0), count), "{}", run.err);
        assert!(run.peak < MOST, "{} kB", run.peak >> 10);
        times.push(run.time);
    }
    // For four times as many pages, quadratic work would take 16 times as long.
    assert!(
        times[1] < times[0] * 10 + Duration::from_millis(500),
        "{times:?}"
    );
}

/// Reading a damaged compressed file ends with status 3, even if the damage follows the last
/// document.
#[test]
fn damage_is_an_error() {
    let folder = Folder::new();
    let mut tar = vec![0; 512];
    let page = b"http://a.example/\n";
    tar[..1].copy_from_slice(b"a");
    tar[124..136].copy_from_slice(format!("{:011o}\0", page.len()).as_bytes());
    tar[257..265].copy_from_slice(b"ustar\x0000");
    tar[148..156].copy_from_slice(b"        ");
    let sum: u32 = tar.iter().map(|octet| u32::from(*octet)).sum();
    tar[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    tar.extend_from_slice(page);
    tar.resize(1024 + 1024, 0);
    // The data is stored uncompressed, so changing it does not stop the unpacking.
    let stored = |bytes: &[u8]| {
        let mut out = GzEncoder::new(Vec::new(), Compression::none());
        out.write_all(bytes).unwrap();
        out.finish().unwrap()
    };
    let zstd = |bytes: &[u8]| {
        let mut out = zstd::Encoder::new(Vec::new(), 1).unwrap();
        out.include_checksum(true).unwrap();
        out.write_all(bytes).unwrap();
        out.finish().unwrap()
    };
    let warc = b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: text/plain\r\n\
        WARC-Target-URI: http://b.example/\r\nContent-Length: 17\r\n\r\nhttp://a.example/\r\n\r\n";
    for (name, file) in [
        ("a.tar.gz", stored(&tar)),
        ("a.tar.zst", zstd(&tar)),
        ("a.txt.gz", stored(page)),
        ("a.txt.zst", zstd(page)),
        ("a.warc.gz", stored(warc)),
        ("a.warc.zst", zstd(warc)),
    ] {
        let path = folder.file(name, &file);
        let right = uri(["extract", &path]);
        assert_eq!((right.status, right.err.as_str()), (0, ""), "{name}");
        let mut damaged = file.clone();
        let last = damaged.len() - if name.ends_with("gz") { 6 } else { 1 };
        damaged[last] ^= 1;
        let path = folder.file(name, &damaged);
        let wrong = uri(["extract", &path]);
        assert_eq!(wrong.status, 3, "{name}: {}", wrong.err);
        // A list of inputs is also read to its end, so the damage is found.
        if name.contains("txt") {
            let path = folder.file("list", &damaged);
            let wrong = uri(["parse", "-f", &path]);
            assert_eq!(wrong.status, 3, "{name}: {}", wrong.err);
        }
        let path = folder.file(name, &file[..file.len() - 3]);
        let cut = uri(["extract", &path]);
        assert_eq!(cut.status, 3, "{name}: {}", cut.err);
    }
}

/// A Zstandard window may have at most 128 MiB, and 8 MiB within another file.
#[test]
fn windows() {
    let folder = Folder::new();
    let frame = |log: u32| {
        // A raw block in a frame with this window (RFC 8878, 3.1.1).
        let page = b"http://a.example/\n";
        let length = u8::try_from(page.len()).unwrap();
        let window = u8::try_from((log - 10) << 3).unwrap();
        let head = [0x28, 0xB5, 0x2F, 0xFD, 0, window, length << 3 | 1, 0, 0];
        [&head[..], page].concat()
    };
    for (log, status) in [(27, 0), (28, 3), (31, 3)] {
        let path = folder.file("a.txt.zst", frame(log));
        let outcome = uri(["extract", &path]);
        assert_eq!(outcome.status, status, "{log}: {}", outcome.err);
        assert_eq!(uri(["parse", "-f", &path]).status, status, "{log}");
    }
    for (log, status) in [(23, 0), (24, 3)] {
        let path = folder.file("a.txt.zst.gz", gzip(&frame(log)));
        let outcome = uri(["extract", &path]);
        assert_eq!(outcome.status, status, "{log}: {}", outcome.err);
    }
}

/// The parts of a small office document need little memory, and the uses of its shared strings are
/// limited.
#[test]
#[allow(clippy::too_many_lines)] // a table
fn office_documents() {
    let folder = Folder::new();
    let list = |count: usize, item: &str| item.repeat(count);
    let cells = format!(
        "<worksheet><sheetData>{}",
        list(100_000, "<c r='A1' t='s'><v>0</v></c>")
    );
    let many = format!(
        "<sst><si><t>{}</t></si></sst>",
        list(10_000, "http://a.example/ ")
    );
    let strings = format!(
        "<sst>{}",
        list(400_000, "<si><t>http://a.example/</t></si>")
    );
    let targets = format!(
        "<Relationships>{}",
        list(
            100_000,
            "<Relationship Id='a' Target='http://a.example/' TargetMode='External'/>"
        )
    );
    let long = format!("{targets}{}", " ".repeat(16 << 20));
    let nested = format!(
        "<w:document>{}http://a.example/",
        list(1_000_000, "<w:p><w:t>")
    );
    let fields = format!(
        "<w:document>{}",
        list(
            300_000,
            "<w:fldChar w:fldCharType='begin'/><w:instrText>x</w:instrText>"
        )
    );
    let sheets = format!("<workbook>{}", list(200_000, "<sheet name='x' r:id='a'/>"));
    let sheet = "xl/worksheets/sheet1.xml";
    for (name, files, status, message) in [
        (
            "uses.xlsx",
            vec![
                ("xl/workbook.xml", ""),
                (sheet, &*cells),
                ("xl/sharedStrings.xml", &many),
            ],
            0,
            "used too often",
        ),
        (
            "strings.xlsx",
            vec![
                ("xl/workbook.xml", ""),
                (sheet, &cells),
                ("xl/sharedStrings.xml", &strings),
            ],
            3,
            "more than 64 MiB of memory",
        ),
        (
            "sheets.xlsx",
            vec![
                ("xl/workbook.xml", &*sheets),
                ("xl/_rels/workbook.xml.rels", &targets),
                (sheet, &cells),
            ],
            1,
            "",
        ),
        (
            "targets.docx",
            vec![
                ("word/document.xml", "<w:document/>"),
                ("word/_rels/document.xml.rels", &targets),
            ],
            1,
            "",
        ),
        (
            "long.docx",
            vec![
                ("word/document.xml", "<w:document/>"),
                ("word/_rels/document.xml.rels", &long),
            ],
            3,
            "at most 16777216 bytes",
        ),
        ("nested.docx", vec![("word/document.xml", &*nested)], 0, ""),
        ("fields.docx", vec![("word/document.xml", &*fields)], 1, ""),
    ] {
        let files: Vec<_> = files
            .iter()
            .map(|(name, text)| (*name, text.as_bytes()))
            .collect();
        let path = folder.file(name, zip(&files));
        let run = run(&["extract", &path], None);
        println!(
            "{name}: {} kB of memory, {:?}, {} bytes printed, {:?} {}",
            run.peak >> 10,
            run.time,
            run.printed,
            run.status,
            run.err.trim()
        );
        assert!(run.err.contains(message), "{name}: {}", run.err);
        assert!(
            run.status == Some(status),
            "{name}: {:?} {}",
            run.status,
            run.err
        );
        assert!(run.peak < MOST, "{name}: {} kB", run.peak >> 10);
        assert!(run.time < Duration::from_secs(60), "{name}: {:?}", run.time);
    }
}

/// The dictionary of xz has the same limits as the window of Zstandard.
#[test]
fn dictionaries_of_xz() {
    let folder = Folder::new();
    let page = b"http://a.example/\n";
    // 128 MiB, 192 MiB, and 4 GiB - 1
    for (dictionary, status) in [(30, 0), (31, 3), (40, 3)] {
        let path = folder.file("a.txt.xz", xz(dictionary, page));
        for arguments in [&["extract", &path][..], &["parse", "-f", &path]] {
            let run = run(arguments, None);
            assert_eq!(run.status, Some(status), "{dictionary}: {}", run.err);
            assert!(run.peak < MOST, "{dictionary}: {} kB", run.peak >> 10);
        }
    }
    // 8 MiB and 12 MiB
    for (dictionary, status) in [(22, 0), (23, 3)] {
        let path = folder.file("a.txt.xz.gz", gzip(&xz(dictionary, page)));
        let outcome = uri(["extract", &path]);
        assert_eq!(outcome.status, status, "{dictionary}: {}", outcome.err);
    }
}

/// Blocks of bzip2 have at most 900 kB, even in nested files.
#[test]
fn blocks_of_bzip2() {
    let folder = Folder::new();
    let pack = |bytes: &[u8]| {
        let mut out = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
        out.write_all(bytes).unwrap();
        out.finish().unwrap()
    };
    let mut file = pack(&vec![b'\n'; 60 << 20]);
    for _ in 0..6 {
        file = pack(&file);
    }
    let path = folder.file("a.bz2", &file);
    let run = run(&["extract", &path], None);
    assert_eq!(run.status, Some(1), "{}", run.err);
    assert!(run.peak < 64 << 20, "{} kB", run.peak >> 10);
}

/// Records of ARC with a false length, a line without an end, and long URLs.
#[test]
fn records_of_arc() {
    let folder = Folder::new();
    let record =
        |url: &str, length: &str| format!("{url} 0.0.0.0 20000101000000 text/html {length}\n");
    let head = record("filedesc://a.arc", "0");
    let long = record(&format!("http://a.example/{}", "b".repeat(60_000)), "9");
    for (name, rest, statuses) in [
        (
            "length.arc",
            record("http://a.example/", "18446744073709551615") + "\r\n\r\n<a href=b>",
            &[3][..],
        ),
        (
            "number.arc",
            record("http://a.example/", "99999999999999999999"),
            &[3],
        ),
        ("line.arc", "x".repeat(64 << 20), &[3]),
        ("empty.arc", "\n".repeat(64 << 20), &[1]),
        ("urls.arc", (long + "<a href=b>").repeat(500), &[0, 3]),
    ] {
        let path = folder.file(name, head.clone() + &rest);
        let run = run(&["extract", "--json", &path], None);
        println!(
            "{name}: {} kB, {:?}, {}",
            run.peak >> 10,
            run.time,
            run.err.trim()
        );
        assert!(
            run.status.is_some_and(|it| statuses.contains(&it)),
            "{name}: {}",
            run.err
        );
        assert!(run.peak < 64 << 20, "{name}: {} kB", run.peak >> 10);
        assert!(run.time < Duration::from_secs(60), "{name}: {:?}", run.time);
    }
}

/// A cell that never ends takes constant memory.
#[test]
fn a_long_cell() {
    let folder = Folder::new();
    for (name, part) in [("a.csv", "x\n"), ("b.csv", "\"\""), ("c.tsv", "x\t")] {
        let file = format!("\"{}\" http://a.example/", part.repeat(32 << 20));
        let path = folder.file(name, file);
        let run = run(&["extract", &path], None);
        assert_eq!((run.status, run.lines), (Some(0), 1), "{name}: {}", run.err);
        assert!(run.peak < 32 << 20, "{name}: {} kB", run.peak >> 10);
    }
}

/// The output that a long base adds is limited for the entire file, even if it has many entries.
#[test]
fn a_long_base_in_each_entry() {
    let folder = Folder::new();
    let base = format!("http://a.example/{}/", "x".repeat(8000));
    let page = format!("<base href='{base}'>{}", "<a href=y>".repeat(200_000));
    let file = gzip(page.as_bytes());
    let path = folder.file("a.html.gz", &file);
    let run = run(&["extract", &path], None);
    assert_eq!(run.status, Some(3), "{}", run.err);
    assert!(run.err.contains("references omitted"), "{}", run.err);
    let most = 64 * page.len() + (1 << 20) + 512 * run.lines;
    assert!(run.printed <= most, "{} bytes", run.printed);
    assert!(run.peak < 96 << 20, "{} kB", run.peak >> 10);
}

/// Files from attacks: reading each ends soon, within the memory limit, and with status 3.
#[test]
fn recorded_attacks() {
    let Some(folder) = shared("recorded_attacks", "attack") else {
        return;
    };
    for name in [
        "amp_500_10000.pdf",
        "amp_2000_20000.pdf",
        "objarr30.pdf",
        "pcops16.pdf",
        "pf1000.pdf",
        "pf4000.pdf",
        "crc.tar.gz",
        "base.html.gz",
    ] {
        let path = folder.join(name);
        let bytes = fs::metadata(&path).unwrap().len();
        let run = run(&["extract".as_ref(), path.as_os_str()], None);
        println!(
            "{name}: {bytes} bytes, {} kB of memory, {:?}, {} bytes printed, {:?} {}",
            run.peak >> 10,
            run.time,
            run.printed,
            run.status,
            run.err.trim()
        );
        assert!(run.peak < MOST, "{name}: {} kB", run.peak >> 10);
        assert!(run.time < Duration::from_secs(60), "{name}: {:?}", run.time);
        if ["pcops16.pdf", "crc.tar.gz", "base.html.gz"].contains(&name) {
            assert_eq!(run.status, Some(3), "{name}: {}", run.err);
        }
    }
}
