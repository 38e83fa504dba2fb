//! Benchmarks for finding links in text, and references in HTML, Markdown and mail. The reported
//! count is the number of links or references, as each contestant defines them.

use crate::Contestant;
use crate::data::Texts;
use linkify::{LinkFinder, LinkKind};
use lol_html::{HtmlRewriter, Settings, element};
use pulldown_cmark::{Event, Options, Parser, Tag};
use regex::bytes::Regex;
use std::cell::Cell;
use std::hint::black_box;
use urikit_extract::Finder;
use urikit_extract::document::{Extractor, Format};

/// Finds links in text.
pub fn links(texts: Texts) -> Vec<Contestant> {
    let ours = Finder::new();
    let ours_all = Finder::new().addresses(true);
    let linkify = LinkFinder::new();
    let mut urls = LinkFinder::new();
    urls.kinds(&[LinkKind::Url]);
    // A pattern commonly used with ripgrep.
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

fn found(
    name: &'static str,
    texts: Texts,
    work: impl Fn(&'static str) -> usize + 'static,
) -> Contestant {
    Contestant {
        name,
        run: Box::new(move || texts.iter().map(|text| work(black_box(text))).sum()),
    }
}

pub fn html(texts: Texts) -> Vec<Contestant> {
    vec![
        found("urikit", texts, |text| references(Format::Html, text)),
        // This function reads only attributes, and ignores text, entities and bases.
        found("lol_html, four attributes", texts, |text| {
            let count = Cell::new(0);
            let counts = |name: &'static str| {
                let count = &count;
                move |element: &mut lol_html::html_content::Element<'_, '_>| {
                    count.set(count.get() + usize::from(element.get_attribute(name).is_some()));
                    Ok(())
                }
            };
            let settings = Settings::new()
                .append_element_content_handler(element!("a[href]", counts("href")))
                .append_element_content_handler(element!("link[href]", counts("href")))
                .append_element_content_handler(element!("img[src]", counts("src")))
                .append_element_content_handler(element!("script[src]", counts("src")));
            let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
            let is_read = rewriter
                .write(text.as_bytes())
                .and_then(|()| rewriter.end());
            black_box(is_read.is_ok());
            count.get()
        }),
    ]
}

pub fn mail(texts: Texts) -> Vec<Contestant> {
    let linkify = LinkFinder::new();
    vec![
        found("urikit", texts, |text| references(Format::Mail, text)),
        // linkify searches the HTML as text, without decoding it.
        found("linkify, undecoded", texts, move |text| {
            linkify.links(text).map(black_box).count()
        }),
    ]
}

pub fn markdown(texts: Texts) -> Vec<Contestant> {
    vec![
        found("urikit", texts, |text| references(Format::Markdown, text)),
        found("pulldown-cmark", texts, |text| {
            let events = Parser::new_ext(text, OPTIONS).into_offset_iter();
            let links = events.map(black_box).filter(|(event, _)| {
                matches!(event, Event::Start(Tag::Link { .. } | Tag::Image { .. }))
            });
            links.count()
        }),
    ]
}

/// The Markdown options that Urikit itself uses.
const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_HEADING_ATTRIBUTES)
    .union(Options::ENABLE_YAML_STYLE_METADATA_BLOCKS)
    .union(Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS)
    .union(Options::ENABLE_MATH);

fn references(format: Format, text: &str) -> usize {
    let mut count = 0;
    let each = &mut |reference: urikit_extract::document::Found<'_>| {
        black_box(&reference);
        count += 1;
    };
    match Extractor::new().extract(format, text.as_bytes(), each) {
        Ok(_) => count,
        Err(_) => 0,
    }
}
