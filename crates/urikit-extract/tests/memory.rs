//! The memory used by a stream and by Markdown does not depend on the length of the text.

#![allow(clippy::unwrap_used, clippy::panic)] // a test fails by panicking

use std::env;
use std::fs;
use std::process::Command;
use urikit_extract::Finder;
use urikit_extract::document::{Extractor, Format, Found};

/// The environment variable with the number of megabytes, set in the child process that streams.
const MEGABYTES: &str = "URIKIT_STREAM_MEGABYTES";

/// Returns the peak memory of this process in kilobytes. Returns `None` if the system does not
/// report it.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Streams this many megabytes, a quarter for each kind of text: prose with links, one endless
/// line, and two kinds of text with overlong links.
fn work(megabytes: usize) {
    let finder = Finder::new().abbreviated(true).addresses(true);
    let prose =
        "See <URL:http://a.example/b-\n  c>, http://a.example/d and jo@a.example; www.a.example. ";
    for (piece, beginning) in [
        (prose, ""),
        ("a", "http://a/"),
        ("http://a,", ""),
        ("a:", "<URL:"),
    ] {
        let piece = piece.repeat(65_536 / piece.len());
        let mut stream = finder.stream();
        let mut count = 0_usize;
        stream.push(beginning, |_| count += 1);
        for _ in 0..megabytes * 4 {
            stream.push(&piece, |_| count += 1);
        }
        stream.finish(|_| count += 1);
        std::hint::black_box(count);
    }
}

/// Reads this many megabytes of Markdown as in documentation, alone and after an HTML tag that does
/// not end.
fn read_markdown(megabytes: usize) {
    let documentation = "## A heading\n\nSee [a link](http://a.example/b), `code`, <http://c.example/>,\n\
         ![an image](d.png), [a reference][r] and http://e.example/.\n\n\
         - one [item](f)\n- another\n\n  ```sh\n  code [a](b)\n  ```\n\n\
         | a | b |\n|---|---|\n| [c](d) | e |\n\n<p align=center><img src=g>\n\n";
    let piece = documentation.repeat(65_536 / documentation.len());
    for beginning in ["[r]: http://r.example/\n\n", "<div title='\n\n"] {
        let extractor = Extractor::new().positions(true);
        let mut extraction = extractor.begin(Format::Markdown);
        let mut count = 0_usize;
        let mut each = |_: Found<'_>| count += 1;
        extraction.push(beginning.as_bytes(), &mut each).unwrap();
        for _ in 0..megabytes << 4 {
            extraction.push(piece.as_bytes(), &mut each).unwrap();
        }
        extraction.finish(&mut each);
        std::hint::black_box(count);
    }
}

/// Returns the peak memory used by a process that runs this test with this many megabytes.
fn peak_of(name: &str, megabytes: usize) -> u64 {
    let output = Command::new(env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture", "--test-threads=1"])
        .env(MEGABYTES, megabytes.to_string())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}");
    let peak = text.lines().find_map(|line| line.split_once("peak "));
    let (_, peak) = peak.unwrap_or_else(|| panic!("no peak in {text}"));
    peak.trim().parse().unwrap()
}

#[test]
fn memory_does_not_grow() {
    if let Ok(megabytes) = env::var(MEGABYTES) {
        work(megabytes.parse().unwrap());
        println!("peak {}", peak().unwrap());
        return;
    }
    if peak().is_none() {
        println!("SKIPPED memory: the system has no /proc");
        return;
    }
    // 50 MB are enough for the buffers to reach their final size: a link may be 1 MiB long, and
    // buffers grow by doubling.
    let name = "memory_does_not_grow";
    let (small, large) = (peak_of(name, 50), peak_of(name, 200));
    assert!(
        large < small + 1024,
        "{small} kB for 50 MB, {large} kB for 200 MB"
    );
    assert!(large < 16 * 1024, "{large} kB");
    println!("{small} kB at most for streams of 50 MB, {large} kB for 200 MB");
}

#[test]
fn markdown() {
    if let Ok(megabytes) = env::var(MEGABYTES) {
        read_markdown(megabytes.parse().unwrap());
        println!("peak {}", peak().unwrap());
        return;
    }
    if peak().is_none() {
        println!("SKIPPED memory: the system has no /proc");
        return;
    }
    let (small, large) = (peak_of("markdown", 8), peak_of("markdown", 24));
    assert!(
        large < small + 4096,
        "{small} kB for 8 MB, {large} kB for 24 MB"
    );
    println!("{small} kB at most for 8 MB of Markdown, {large} kB for 24 MB");
}
