//! No version of the scanner reads past the end of its input. Valgrind's memcheck detects every
//! read past the end of inputs of 0 to 300 bytes. Memcheck does not support AVX-512. For AVX-512
//! and NEON, the unit tests of `urikit-scan` use guard pages instead.

#![cfg(all(feature = "std", target_arch = "x86_64"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test fails by panicking

use std::env;
use std::hint::black_box;
use std::process::{Command, Stdio};
use urikit::op::{Level, Options};
use urikit::percent::{Place, decode};
use urikit::{Standard, limit_scanner};

/// If this environment variable is set, the test does the work itself, at the level that the value
/// names.
const LEVEL: &str = "URIKIT_LEVEL_OF_WORK";
const LEVELS: [&str; 3] = ["portable", "ssse3", "avx2"];

/// The inputs are prefixes of these strings, repeated, so they end at every byte of each string.
const LONG: [&str; 6] = [
    "http://www.example.com/a/b-c/d.e/f~g/",
    "https://user:pass@a_b.example:8080/a/../b?c=d#e",
    "http://a/%41%2F%c3%A9+%7E",
    "../../a/./b/../c.d/",
    "%E3%82%A2+a",
    "x-y.z:a:b/c?d",
];

/// Returns a string of this length, in an allocation of exactly that size.
fn text(piece: &str, length: usize) -> Box<str> {
    let mut text = piece.repeat(length / piece.len() + 1);
    text.truncate(length);
    text.into_boxed_str()
}

fn work(level: &str) {
    assert!(limit_scanner(level));
    let mut out = String::new();
    for piece in LONG {
        for length in 0..=300 {
            let text = text(piece, length);
            for standard in Standard::ALL {
                let base = format!("http://a/{}", text.replace(['%', '#', ':', '@'], "/"));
                let base = base.into_boxed_str();
                if let (Ok(reference), Ok(base)) = (standard.parse(&text), standard.parse(&base)) {
                    black_box(reference.normalize_to(Level::Scheme));
                    out.clear();
                    let _ = black_box(reference.resolve_into(base, Options::default(), &mut out));
                }
            }
            if let Ok(data) = decode(&text, Place::Query, Standard::Rfc3986) {
                let _ = black_box((
                    data.decode_utf8(),
                    data.form().decode_utf8(),
                    data.to_bytes(),
                ));
            }
        }
    }
}

#[test]
fn nothing_past_the_end_is_read() {
    if let Ok(level) = env::var(LEVEL) {
        return work(&level);
    }
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("SKIPPED memory: valgrind is not installed; ./test --install installs it");
        return;
    }
    let program = env::current_exe().expect("a test is a program");
    for level in LEVELS {
        if !limit_scanner(level) {
            println!("SKIPPED memory: no {level} here");
            continue;
        }
        let output = Command::new("valgrind")
            .args(["--error-exitcode=9", "--partial-loads-ok=no", "--quiet"])
            .arg(&program)
            .args([
                "nothing_past_the_end_is_read",
                "--exact",
                "--test-threads=1",
            ])
            .env(LEVEL, level)
            .stdin(Stdio::null())
            .output()
            .expect("valgrind starts again");
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{level}: {messages}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"));
    }
}
