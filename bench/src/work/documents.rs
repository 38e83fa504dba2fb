//! References in HTML, Markdown and mail. The count is the number of references, or a similar
//! number.

use super::extract::found;
use crate::Contestant;
use crate::data::Texts;
use linkify::LinkFinder;
use lol_html::{HtmlRewriter, Settings, element};
use pulldown_cmark::{Event, Options, Parser, Tag};
use std::cell::Cell;
use std::hint::black_box;
use urikit_extract::document::{Extractor, Format};

pub fn html(texts: Texts) -> Vec<Contestant> {
    vec![
        found("urikit", texts, |text| references(Format::Html, text)),
        // This reads only the attributes, and not text, entities and bases.
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

/// The options that Urikit sets.
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
