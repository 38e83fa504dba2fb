//! Tests that `agree` and `same_site` take at most three times as many instructions as
//! `url::Url::parse`. Unlike times, instruction counts repeat exactly.

#![allow(clippy::unwrap_used, clippy::cast_precision_loss)] // a test fails by panicking

use std::hint::black_box;
use urikit_audit::Keep;
use urikit_testkit::instructions::{count, size_of_work};

/// Ordinary URLs.
const URLS: [&str; 4] = [
    "https://www.example.com/path/to/page?query=1#fragment",
    "https://user@example.com:8080/a/b/c",
    "http://example.com",
    "http://192.0.2.1/a/b",
];
/// The number of times each URL is read.
const TIMES: usize = 500;

fn each(mut work: impl FnMut(&'static str)) {
    let times = size_of_work().unwrap_or(0);
    for _ in 0..times {
        for url in URLS {
            work(black_box(url));
        }
    }
}

#[test]
fn url_parse() {
    each(|url| drop(black_box(url::Url::parse(url))));
}

#[test]
fn agree() {
    each(|url| drop(black_box(urikit_audit::agree(url))));
}

/// Ordinary targets of links on the page `BASE`: URLs of the same host and of another host, and
/// parts of URLs.
const TARGETS: [&str; 4] = [
    "https://www.example.com/path/to/page?query=1#fragment",
    "https://other.example.com:8080/a/b/c",
    "/path/to/page?query=1#fragment",
    "a.html",
];
const BASE: &str = "https://www.example.com/login";

#[test]
fn same_site() {
    let times = size_of_work().unwrap_or(0);
    for _ in 0..times {
        for target in TARGETS {
            let keep = black_box(Keep::Origin);
            let answer = urikit_audit::same_site(black_box(BASE), black_box(target), keep);
            drop(black_box(answer));
        }
    }
}

#[test]
fn same_site_costs_at_most_three_parses() {
    let of = |name| Some(count(name, TIMES)? - count(name, 0)?);
    let Some((same_site, parse)) = of("same_site").zip(of("url_parse")) else {
        println!("SKIPPED instructions: valgrind is not installed; ./test --install installs it");
        return;
    };
    let ratio = same_site as f64 / parse as f64;
    println!("same_site: {ratio:.2} times the instructions of url::Url::parse");
    assert!(ratio < 3.0, "{same_site}, {parse}");
}

#[test]
fn agree_costs_at_most_three_parses() {
    let of = |name| Some(count(name, TIMES)? - count(name, 0)?);
    let Some((agree, parse)) = of("agree").zip(of("url_parse")) else {
        println!("SKIPPED instructions: valgrind is not installed; ./test --install installs it");
        return;
    };
    let ratio = agree as f64 / parse as f64;
    println!("agree: {ratio:.2} times the instructions of url::Url::parse");
    assert!(ratio < 3.0, "{agree}, {parse}");
}
