//! `uri check` on large and hostile documents: all links are found, in bounded memory.

use crate::peak::run;
use crate::support::Folder;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs::File;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::time::Duration;

/// A page of 2 GiB: links at its beginning and its end, and a hole.
#[test]
fn a_page_of_two_gigabytes() {
    let folder = Folder::new();
    let path = folder.path().join("large.html");
    let mut file = File::create(&path).unwrap();
    let links = b"<a href=large.html>a</a><a href=gone1>";
    file.write_all(links).unwrap();
    // Write more spaces than are read to decide whether a file is text.
    file.write_all(&[b' '; 16 << 10]).unwrap();
    file.seek(SeekFrom::Start(2 << 30)).unwrap();
    file.write_all(b"<a href=gone2>").unwrap();
    drop(file);
    let run = run(&["check", "--offline", path.to_str().unwrap()], None);
    println!("{:.1?}, {} MB", run.time, run.peak >> 20);
    // The report consists of the name of the file, two problems of three lines each, and the
    // summary after an empty line.
    assert_eq!((run.lines, &*run.err, run.status), (9, "", Some(1)));
    assert!(run.peak < 48 << 20, "{}", run.peak);
}

/// A bomb of 4 GiB in 4 MB: the limit for containers ends it, and the links before it are reported.
#[test]
fn a_compression_bomb() {
    let folder = Folder::new();
    let mut first = GzEncoder::new(Vec::new(), Compression::fast());
    first.write_all(b"<a href=http://a.example/>").unwrap();
    let mut member = GzEncoder::new(Vec::new(), Compression::best());
    member.write_all(&vec![b' '; 64 << 20]).unwrap();
    let bomb = [first.finish().unwrap(), member.finish().unwrap().repeat(64)].concat();
    let path = folder.file("bomb.html.gz", bomb);
    let run = run(&["check", "--offline", "--format", "jsonl", &path], None);
    println!("{:.1?}, {} MB: {}", run.time, run.peak >> 20, run.err);
    // The link, and the error.
    assert_eq!((run.lines, run.status), (2, Some(3)));
    assert!(run.err.contains("200 times"), "{}", run.err);
    assert!(run.peak < 64 << 20, "{}", run.peak);
}

/// Many distinct links to files that do not exist, in a folder of many files with other names.
#[test]
fn many_missing_files() {
    let folder = Folder::new();
    for number in 0..2_000 {
        folder.file(&format!("page-{number:06}.html"), "");
    }
    let mut text = String::new();
    for number in 0..100_000 {
        use std::fmt::Write as _;
        writeln!(text, "<a href=page_{number:07}.html>").unwrap();
    }
    let path = folder.file("all.html", &text);
    let run = run(&["check", "--offline", "-q", &path], None);
    println!("{:.1?}, {} MB", run.time, run.peak >> 20);
    assert_eq!((&*run.err, run.status), ("", Some(1)));
    // The limit allows for the program and the index of names, and for 16 times the text, because
    // each link is a distinct target with its own answer.
    assert!(run.peak < (32 << 20) + 16 * text.len(), "{}", run.peak);
}

/// Pages with text fragments that are searched for in linear time: the text, the beginning of the
/// fragment, and the part of it that is repeated.
const TEXT_FRAGMENTS: [(&str, &str, &str); 6] = [
    ("ab ", "text=ab,zz", ""),
    ("ab ", "text=ab,ab,-zz", ""),
    ("ab ", "text=zz-,ab", ""),
    ("ab ", "text=a", "b%20a"),
    ("ab ", "text=b,-a", "b%20a"),
    ("ab ", "", "text=ab&"),
];

/// A page of 900 KB with the first of these fragments once took more than a minute.
#[test]
fn text_fragments_take_linear_time() {
    const LENGTH: usize = 256 << 10;
    let folder = Folder::new();
    for (text, beginning, part) in TEXT_FRAGMENTS {
        let time = |length: usize| {
            let half = length / 2;
            let (text, parts) = (text.repeat(half / text.len()), part.repeat(half / 8));
            let page = format!("<p>{text}<a href='#:~:{beginning}{parts}'>");
            let path = folder.file("page.html", page);
            run(&["check", "--offline", "-q", "--no-config", &path], None).time
        };
        let is_linear = (0..4).any(|_| {
            let (small, large) = (time(LENGTH), time(4 * LENGTH));
            println!("{beginning} {part}: {small:.1?}, {large:.1?} for four times the page");
            large < 8 * small.max(Duration::from_millis(100))
        });
        assert!(is_linear, "{beginning} {part}");
    }
}
