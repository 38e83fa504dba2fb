//! The command reads hostile documents in linear time. Earlier versions needed quadratic time for
//! these documents. The tests of the library count instructions.

use crate::peak::run;
use crate::support::Folder;
use std::fmt::Write as _;
use std::time::Duration;

/// Formats, each with the beginning, the repeated part and the end of a document.
const DOCUMENTS: [(&str, &str, &str, &str); 26] = [
    ("mail", "Content-Type: text/plain", "; a*1=b", ""),
    ("mail", "Content-Type: text/plain", "; a*1*=b''", ""),
    ("mail", "", "Content-Type: text/plain; a*0=b\n", ""),
    ("mail", "A: ", "=?utf-8?Q?a?= ", ""),
    ("mail", "List-Help: <", "=?utf-8?Q?a?= ", ">"),
    ("mail", "Content-Base: http://a/\n", "Content-Base: b\n", ""),
    ("html", "<a ", "href=b ", ">"),
    ("html", "<a ", "a='b", ""),
    ("html", "<img srcset='", "a 1x, ", "'>"),
    ("html", "<img srcset='", "a (, ", "'>"),
    ("html", "<img srcset='", "a,,,,", "'>"),
    ("html", "<a ping='", "a ", "'>"),
    ("html", "<a style='", "url(a", "'>"),
    ("html", "<a style='", "url(\\a)", "'>"),
    ("html", "<a href='", "&#x26;&am", "'>"),
    ("html", "<a href='", "&#x", "'>"),
    ("html", "<a href='", "%", "'>"),
    ("html", "<a href='", "../", "'>"),
    ("html", "<meta http-equiv=refresh content='0;", "url=", "'>"),
    ("html", "<iframe srcdoc='", "<a href=b>", "'>"),
    ("markdown", "", "[a](b \"&amp;", ""),
    ("markdown", "[a](<", "b ", ">)"),
    ("markdown", "", "<a href='&lt;'>", ""),
    ("text", "<URL:http://a/", "b\n", ">"),
    ("text", "", "<URL:http://a/\n", ""),
    ("text", "", "http://a/(;", ""),
];

/// Other tests share the processor, so a run may take several times as long as it should. Slow runs
/// are repeated.
#[test]
fn four_times_the_input_takes_four_times_as_long() {
    const LENGTH: usize = 1 << 20;
    let folder = Folder::new();
    for (format, beginning, part, end) in DOCUMENTS {
        let time = |length: usize| {
            let text = [beginning, &part.repeat(length / part.len()), end].concat();
            let file = folder.file("a", text);
            let arguments = ["extract", "--json", "--unique", "--as", format, &file];
            run(&arguments, None).time
        };
        let is_linear = (0..4).any(|_| {
            let (small, large) = (time(LENGTH), time(4 * LENGTH));
            println!("{format} {part:?}: {small:.1?} for 1 MB, {large:.1?} for 4 MB");
            large < 8 * small.max(Duration::from_millis(100))
        });
        assert!(is_linear, "{format} {part:?}");
    }
}

/// 480,000 parameters once took 6.3 s, and 18 MB of them 24.7 s.
#[test]
fn mail_parameters() {
    let folder = Folder::new();
    for (count, most) in [(480_000, 4), (18_000_000 / 7, 8)] {
        let parameters = "; a*1=b".repeat(count);
        let text = format!("Content-Type: text/plain{parameters}\n\nhttp://a.example/\n");
        let file = folder.file("a.eml", text);
        let run = run(&["extract", &file], None);
        println!("{count} parameters: {:.1?}", run.time);
        assert_eq!((run.lines, run.status), (1, Some(0)), "{}", run.err);
        assert!(
            run.err
                .contains("header fields with too many parameters: 1")
        );
        assert!(
            run.time < Duration::from_secs(most),
            "{count}: {:?}",
            run.time
        );
    }
}

/// `--unique` prints each of 300,000 references once, in bounded memory and time.
#[test]
fn unique() {
    let folder = Folder::new();
    let mut all = String::new();
    for number in 0..300_000 {
        let _ = writeln!(all, "http://a/{number}");
    }
    let file = folder.file("a.txt", all.repeat(2));
    let run = run(&["extract", "--unique", &file], None);
    assert_eq!(run.lines, 300_000);
    assert!(run.time < Duration::from_secs(10), "{:?}", run.time);
    assert!(run.peak < 64 << 20, "{} kB", run.peak >> 10);
}

/// The dot segments of a base are removed once, not for each of 100,000 references. With the second
/// base, the path of each target would begin with `//`, so the references have no target. Slow runs
/// are repeated, because other tests share the processor.
#[test]
fn dot_segments_of_a_base() {
    dot_segments_after("http://a.example/");
    dot_segments_after("s:/.//");
}

fn dot_segments_after(start: &str) {
    let folder = Folder::new();
    let time = |directory: &str| {
        let base = format!("<base href='{start}{directory}'>");
        let file = folder.file("a.html", base + &"<a href=y>".repeat(100_000));
        let run = run(&["extract", "--count", &file], None);
        assert_eq!((run.lines, run.status), (1, Some(0)), "{}", run.err);
        run.time
    };
    let is_fast = (0..4).any(|_| {
        let (with, without) = (time(&"./x/".repeat(2000)), time(&"x/".repeat(2000)));
        println!("{start}: {with:.1?} with dot segments, {without:.1?} without");
        with < 3 * without
    });
    assert!(is_fast, "{start}");
}
