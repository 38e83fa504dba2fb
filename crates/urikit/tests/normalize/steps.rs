//! Seeing that a link is its normal form takes less than twice its parsing, and a few instructions for
//! each byte.

use std::hint::black_box;
use urikit::Standard;
use urikit::op::{CowRef, Level};
use urikit_testkit::instructions::{count, size_of_work};

/// What pages link to: long paths, long queries, escapes in them.
const LINKS: [&str; 6] = [
    "https://static.example.com/assets/2024/11/fonts/sans/regular-v12-latin.woff2",
    "https://www.example.org/w/index.php?title=Uniform_Resource_Identifier&action=history#top",
    "https://ads.example.net/pixel?u=%2F%2Fwww.example.org%2Fa%20b&r=&s=1920x1080",
    "http://cdn.example.com/.well-known/js/jquery.min.js?v=3.7.1",
    "http://www.ietf.org/rfc/rfc2396.txt", // RFC 3986, 1.1.2
    "http://example.com/",
];

/// How often each is read.
const ROUNDS: usize = 500;

/// Parses each link that is valid `size / 2` times; an odd size normalises it too.
fn work(standard: Standard, size: usize) {
    for _ in 0..size / 2 {
        for text in LINKS {
            let Ok(reference) = standard.parse(black_box(text)) else {
                continue;
            };
            if black_box(size) % 2 == 1 {
                let normal = black_box(reference).normalize_to(Level::Scheme);
                assert!(matches!(black_box(normal), CowRef::Borrowed(_)));
            }
        }
    }
}

/// Compares the counts of work with and without normalising.
fn assert_cheap(standard: Standard, name: &str) {
    let Some(nothing) = count(name, 0) else {
        return println!("SKIPPED {name}: valgrind is not installed");
    };
    let parsed = count(name, 2 * ROUNDS).unwrap();
    let normalised = count(name, 2 * ROUNDS + 1).unwrap();
    let (parsing, normalising) = (parsed - nothing, normalised - parsed);
    let valid = LINKS
        .into_iter()
        .filter(|text| standard.parse(text).is_ok());
    let bytes: usize = valid.map(str::len).sum();
    let bytes = u64::try_from(bytes * ROUNDS).unwrap();
    println!("{name}: {bytes} bytes, {parsing} instructions parse, {normalising} normalise");
    assert!(bytes > 0 && normalising > 0);
    assert!(normalising < 2 * parsing, "twice the parsing");
    // Once, and not once for each component and rule.
    assert!(normalising < 16 * bytes, "sixteen for each byte");
}

/// One test for each standard.
macro_rules! cheap {
    ($($name:ident = $standard:ident,)*) => {$(
        #[test]
        fn $name() {
            match size_of_work() {
                Some(size) => work(Standard::$standard, size),
                None => assert_cheap(Standard::$standard, concat!("steps::", stringify!($name))),
            }
        }
    )*};
}

cheap! {
    rfc1630 = Rfc1630,
    rfc1738 = Rfc1738,
    rfc1808 = Rfc1808,
    rfc2396 = Rfc2396,
    rfc2732 = Rfc2732,
    rfc3986 = Rfc3986,
    rfc3987 = Rfc3987,
}
