//! Links out of text. What counts is how many there are.

use crate::Contestant;
use linkify::{LinkFinder, LinkKind};
use std::hint::black_box;
use urikit_extract::Finder;

pub fn all(texts: &[String]) -> Vec<Contestant<'_>> {
    let ours = Finder::new();
    let ours_all = Finder::new().addresses(true);
    let linkify = LinkFinder::new();
    let mut urls = LinkFinder::new();
    urls.kinds(&[LinkKind::Url]);
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
    ]
}

fn found<'d>(
    name: &'static str,
    texts: &'d [String],
    work: impl Fn(&'d str) -> usize + 'd,
) -> Contestant<'d> {
    Contestant {
        name,
        run: Box::new(move || texts.iter().map(|text| work(black_box(text))).sum()),
    }
}
