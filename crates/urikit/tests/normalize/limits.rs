//! Time is linear, whatever the path.

use std::hash::Hash as _;
use std::hint::black_box;
use urikit::Standard;
use urikit::op::{Level, Normal};
use urikit_testkit::assert_linear;

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
    // A list of addresses, and one of header fields.
    const LISTS: [(&str, &str); 2] = [("mailto:a@b", ",a@B"), ("mailto:?a=b", "&A=b")];
    let befores = ["http://a/", "x:/", "mailto:", "urn:", "", "//", "x://a@"];
    let texts = befores
        .into_iter()
        .flat_map(|before| REPEATED.map(|(first, second)| (before, first, second)));
    let lists = LISTS.map(|(before, first)| (before, first, ""));
    for (before, first, second) in texts.chain(lists) {
        let text = |n: usize| format!("{before}{}{}", first.repeat(n), second.repeat(n));
        let other = |n: usize| format!("{}x", text(n));
        let name = format!("{before}{first}{second}…");
        assert_linear(&name, 10_000, |size| {
            let (text, other) = (text(size), other(size));
            move || {
                for standard in Standard::ALL {
                    let (Ok(a), Ok(b)) = (standard.parse(&text), standard.parse(&other)) else {
                        continue;
                    };
                    black_box((a.normalize_to(Level::Scheme), a.compare(b), b.compare(a)));
                    Normal(a).hash(&mut std::hash::DefaultHasher::new());
                }
            }
        });
    }
}
