//! Time is linear, whatever the path.

use std::hash::Hash as _;
use std::time::{Duration, Instant};
use urikit::Standard;
use urikit::op::{Level, Normal};

#[test]
fn time_is_linear() {
    const REPEATED: [(&str, &str); 14] = [
        ("a/", ""),
        ("../", ""),
        ("a/", "../"),
        ("a/../", ""),
        ("./", ""),
        ("/", ""),
        ("/", "../"),
        ("%2e%2e/", ""),
        ("%2E%2f", ""),
        ("%41", ""),
        ("%C3%A9", ""),
        ("%F0%90%80", ""),
        ("@", ""),
        ("a:", ""),
    ];
    let time = |text: &str, other: &str| {
        let once = || {
            let start = Instant::now();
            for standard in Standard::ALL {
                let (Ok(a), Ok(b)) = (standard.parse(text), standard.parse(other)) else {
                    continue;
                };
                std::hint::black_box((a.normalize(Level::Scheme), a.compare(b), b.compare(a)));
                Normal::new(a).hash(&mut std::hash::DefaultHasher::new());
            }
            start.elapsed()
        };
        (0..3).map(|_| once()).min().unwrap()
    };
    for before in ["http://a/", "x:/", "mailto:", "urn:", "", "//", "x://a@"] {
        for (first, second) in REPEATED {
            let text = |n: usize| format!("{before}{}{}", first.repeat(n), second.repeat(n));
            let other = |n: usize| format!("{}x", text(n));
            let (short, long) = (
                time(&text(10_000), &other(10_000)),
                time(&text(40_000), &other(40_000)),
            );
            // Four times as much, and generous to a busy machine; a square would be sixteen.
            let limit = short.max(Duration::from_micros(100)) * 12;
            assert!(
                long < limit,
                "{before}{first}{second}…: {short:?}, then {long:?}"
            );
        }
    }
}
