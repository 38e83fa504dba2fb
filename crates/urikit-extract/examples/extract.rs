//! Finds links in text and in HTML, and resolves those in HTML against the URL of the page.
//!
//! `cargo run -p urikit-extract --example extract`, or with a file and its URL:
//! `cargo run -p urikit-extract --example extract -- page.html http://example.com/page.html`

use std::error::Error;
use urikit::op::Layer;
use urikit_extract::Finder;
use urikit_extract::document::{Extractor, Format};

/// The text contains a link that is broken across two lines, and one at the end of a sentence.
const TEXT: &str =
    "See <URL:http://ds.internic.\n   net/rfc> or http://info.cern.ch/ (or www.w3.org).";
const PAGE: &[u8] =
    br#"<base href="/docs/"><a href="a.html#top">a</a> <img srcset="b.png, c.png 2x">"#;

fn in_text(text: &str) {
    // Links without a scheme must be enabled.
    for link in Finder::new().abbreviated(true).links(text) {
        println!("{:?}  {:?}  {}", link.range(), link.kind(), link.as_str());
    }
}

fn in_document(name: &str, content: &[u8], url: &str) -> Result<(), Box<dyn Error>> {
    let format = Format::guess(name, content).unwrap_or(Format::Text);
    let extractor = Extractor::new().base(Layer::Retrieval, url)?;
    extractor.extract(format, content, &mut |reference| {
        // The target is `None` if the reference is invalid and cannot be repaired.
        let target = reference.target();
        println!(
            "{}  {}",
            reference.text(),
            target.as_deref().unwrap_or("(not valid)")
        );
    })?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    if let [file, url] = &arguments[..] {
        return in_document(file, &std::fs::read(file)?, url);
    }
    in_text(TEXT);
    in_document("page.html", PAGE, "http://example.com/index.html")
}
