//! Finding links in text. The count is the number of links.

use crate::Contestant;
use crate::data::Texts;
use linkify::{LinkFinder, LinkKind};
use regex::bytes::Regex;
use std::hint::black_box;
use urikit_extract::Finder;

pub fn all(texts: Texts) -> Vec<Contestant> {
    let ours = Finder::new();
    let ours_all = Finder::new().addresses(true);
    let linkify = LinkFinder::new();
    let mut urls = LinkFinder::new();
    urls.kinds(&[LinkKind::Url]);
    // A pattern that people use with ripgrep.
    let regex = Regex::new(r#"https?://[^\s<>"]+"#).unwrap();
    vec![
        found("urikit", texts, move |text| {
            ours.links(text).map(black_box).count()
        }),
        found("urikit, addresses too", texts, move |text| {
            ours_all.links(text).map(black_box).count()
        }),
        found("linkify", texts, move |text| {
            linkify.links(text).map(black_box).count()
        }),
        found("linkify, URLs only", texts, move |text| {
            urls.links(text).map(black_box).count()
        }),
        found("regex", texts, move |text| {
            regex.find_iter(text.as_bytes()).map(black_box).count()
        }),
    ]
}

pub(super) fn found(
    name: &'static str,
    texts: Texts,
    work: impl Fn(&'static str) -> usize + 'static,
) -> Contestant {
    Contestant {
        name,
        run: Box::new(move || texts.iter().map(|text| work(black_box(text))).sum()),
    }
}
