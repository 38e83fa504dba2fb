//! Maintains the frontier of a crawler: resolves links against their page, normalizes them, removes
//! duplicates, and sorts them by host.
//!
//! `cargo run --example crawler`

use std::collections::HashSet;
use urikit::{Uri, UriBuf};

fn frontier(page: Uri<'_>, links: &[&str]) -> Vec<UriBuf> {
    let mut seen = HashSet::new();
    for link in links {
        let Ok(mut target) = page.join(link) else {
            continue; // not a reference, or one without a target
        };
        target.remove_fragment();
        if target.host().is_some() {
            seen.insert(target.into_normalized());
        }
    }
    let mut frontier: Vec<_> = seen.into_iter().collect();
    frontier.sort_by(|a, b| a.host().cmp(&b.host()).then_with(|| a.cmp(b)));
    frontier
}

fn main() -> Result<(), urikit::ParseError> {
    let page = Uri::parse("http://Example.com/a/b?c")?;
    let links = [
        "../d",
        "/%64",
        "HTTP://EXAMPLE.COM:80/d#top",
        "//example.org",
        "mailto:a@b",
        "a b",
    ];
    for uri in frontier(page, &links) {
        println!("{uri}");
    }
    Ok(())
}

#[cfg(test)]
#[test]
fn each_target_is_taken_once() {
    let page = Uri::parse("http://h/a/b").unwrap();
    let found = frontier(
        page,
        &[
            "c",
            "./c#x",
            "HTTP://H:80/a/%63",
            "//g/",
            "",
            "mailto:a@b",
            "::",
        ],
    );
    assert_eq!(found, ["http://g/", "http://h/a/b", "http://h/a/c"]);
    main().unwrap();
}
