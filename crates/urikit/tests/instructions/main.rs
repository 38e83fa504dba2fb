//! Compares the instruction counts of the main functions with recorded numbers, to detect changes
//! that make a function slower.
//!
//! The numbers depend on the compiler: `1.95.0.toml` is for `rustc 1.95.0`, and other versions skip
//! the test. The numbers also depend on the processor, which must have AVX2, and on the test
//! profile, which has no incremental compilation. If a number has changed, the test prints the new
//! file.

#![cfg(target_arch = "x86_64")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test fails by panicking

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use urikit::op::{Level, Options};
use urikit::percent::{Place, decode};
use urikit::{AnyRef, Standard};
use urikit_testkit::instructions::{count, size_of_work};

/// The allowed difference between counts, in thousandths.
const SLACK: u64 = 10;
const REPEATED: usize = 1600;

/// URLs of one or more blocks, some with a port, a userinfo or an address.
const URLS: [&str; 10] = [
    "http://a.example/",
    "http://www.ietf.org/rfc/rfc2396.txt",
    "https://www.example.com/a/b/index.html?page=2",
    "https://user@www.example.com:8080/a/b/c",
    "http://192.0.2.1/a/b/c/d.html",
    "ftp://ftp.example.org/pub/a/b/c/README",
    "https://www.example.com/search?q=a%2Fb&page=10&sort=name#result-7",
    "https://static.example.net/assets/2026/11/21/a-rather-long-name-of-a-file-that-goes-on.js?v=1",
    "https://news.example.org/2026/11/21/world/a-title-of-many-words-as-they-are-in-news/?from=home&campaign=autumn&id=1234567890",
    "http://a_b.example/x",
];
const RELATIVE: [&str; 8] = [
    "../std/index.html",
    "g",
    "../../g;x=1/../y",
    "#fragment-of-some-length",
    "/absolute/path/to/a/file.html",
    "?query=only",
    "./chapter/section-1.html#place",
    "//other.example/path",
];

type Run = Box<dyn Fn()>;

/// Returns the functions to count, by name.
fn works() -> Vec<(String, Run)> {
    let mut works: Vec<(String, Run)> = Vec::new();
    let mut add = |name: &str, run: Run| works.push((name.to_owned(), run));
    for standard in Standard::ALL {
        add(
            &format!("parse_{standard}"),
            Box::new(move || {
                for text in URLS {
                    let _ = black_box(standard.parse(black_box(text)));
                }
            }),
        );
    }
    add(
        "parse_const",
        Box::new(|| {
            for text in URLS {
                let _ = black_box(Standard::Rfc3986.parse_const(black_box(text)));
            }
        }),
    );
    add(
        "parse_relative",
        Box::new(|| {
            for text in RELATIVE {
                let _ = black_box(Standard::Rfc3986.parse(black_box(text)));
            }
        }),
    );
    let parse = |text| Standard::Rfc3986.parse(text).expect("a reference");
    let urls: [AnyRef<'_>; 10] = URLS.map(parse);
    add(
        "components",
        Box::new(move || {
            for url in black_box(urls) {
                let authority = url.authority();
                black_box((
                    url.scheme(),
                    authority,
                    url.path(),
                    url.query(),
                    url.fragment(),
                ));
            }
        }),
    );
    add(
        "is_normal",
        Box::new(move || {
            for url in black_box(urls) {
                black_box(url.is_normal(Level::Scheme));
            }
        }),
    );
    add(
        "compare",
        Box::new(move || {
            for url in black_box(urls) {
                black_box(url.compare(url));
            }
        }),
    );
    let (base, relative) = (parse("http://a/b/c/d;p?q"), RELATIVE.map(parse));
    add(
        "resolve_into",
        Box::new(move || {
            let mut out = String::with_capacity(200);
            for reference in black_box(relative) {
                out.clear();
                let _ = black_box(reference.resolve_into(base, Options::default(), &mut out));
            }
        }),
    );
    add(
        "decode",
        Box::new(|| {
            let mut out = Vec::with_capacity(1000);
            for text in [
                "a%20b%2Fc",
                "page=1&name=R%C3%A9sum%C3%A9&path=%2Fa%2Fb%2Fc&last=100%25",
            ] {
                out.clear();
                let data =
                    decode(black_box(text), Place::Query, Standard::Rfc3986).expect("escapes");
                data.bytes_into(&mut out);
                black_box(&out);
            }
        }),
    );
    works
}

/// Runs one of the functions, in a process that was started for it. Numbers start at 1; 0 runs no
/// function.
#[test]
fn work() {
    let Some(nth) = size_of_work() else { return };
    let works = works();
    for (_, run) in &works {
        run(); // what is done only once
    }
    if let Some((_, run)) = nth.checked_sub(1).and_then(|nth| works.get(nth)) {
        for _ in 0..REPEATED {
            run();
        }
    }
}

#[test]
fn no_function_takes_more_instructions_than_it_did() {
    if size_of_work().is_some() {
        return;
    }
    let compiler = Command::new("rustc").arg("--version").output();
    let compiler = compiler.map_or(String::new(), |output| {
        String::from_utf8_lossy(&output.stdout).into_owned()
    });
    let version = compiler.split_whitespace().nth(1).unwrap_or("unknown");
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/instructions")
        .join(format!("{version}.toml"));
    let Ok(numbers) = std::fs::read_to_string(&file) else {
        println!("SKIPPED instructions: no numbers for rustc {version}");
        return;
    };
    if !std::arch::is_x86_feature_detected!("avx2") {
        println!("SKIPPED instructions: the numbers are for a processor with AVX2");
        return;
    }
    let numbers: BTreeMap<String, u64> = toml::from_str(&numbers).expect("names and numbers");
    let Some(nothing) = count("work", 0) else {
        println!("SKIPPED instructions: valgrind is not installed; ./test --install installs it");
        return;
    };
    let mut wrong = Vec::new();
    let mut found = String::new();
    let works = works();
    for (nth, (name, _)) in works.iter().enumerate() {
        let all = count("work", nth + 1).expect("valgrind counts again");
        let instructions = all.saturating_sub(nothing) / REPEATED as u64;
        let _ = writeln!(found, "{name} = {instructions}");
        let expected = numbers.get(name).copied().unwrap_or(0);
        if instructions.abs_diff(expected) * 1000 > expected * SLACK {
            wrong.push(format!("{name}: {instructions}, not {expected}"));
        }
    }
    println!("{found}");
    assert_eq!(numbers.len(), works.len());
    assert!(
        wrong.is_empty(),
        "{}\n\nThe file would be:\n{found}",
        wrong.join("\n")
    );
}
