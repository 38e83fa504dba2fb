//! Finds the ids and the text in HTML.

use super::Anchors;
use urikit_extract::document::{HtmlElement, HtmlPart, html_parts};

/// A page that has scripts and less visible text than this is assumed to be built by its scripts.
const MIN_TEXT: usize = 256;

/// Elements that do not separate words.
const INLINE: [&str; 23] = [
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "em", "font", "i", "kbd", "mark", "q",
    "s", "samp", "small", "span", "strong", "sub", "sup", "u", "wbr",
];

/// Adds the ids, the names of anchors and the text in a page.
pub(super) fn read(page: &[u8], anchors: &mut Anchors) {
    let mut has_script = false;
    let mut is_hidden = false;
    html_parts(
        page,
        &["id", "name", "type", "src"],
        &mut |part| match part {
            HtmlPart::Element(element) => {
                // The title, and content that is shown only without scripts, are not part of the
                // visible text.
                is_hidden = ["title", "noscript", "template", "textarea"]
                    .iter()
                    .any(|name| element.is(name));
                has_script |= element.is("script") && is_program(&element);
                if !INLINE.iter().any(|name| element.is(name)) && !anchors.text.ends_with(' ') {
                    anchors.text.push(' ');
                }
                add(&element, anchors);
            }
            HtmlPart::Text(text) if !is_hidden => push_text(&mut anchors.text, &text),
            _ => {}
        },
    );
    let letters = anchors.text.chars().filter(|c| c.is_alphanumeric());
    anchors.has_script = has_script;
    anchors.is_scripted = has_script && letters.take(MIN_TEXT).count() < MIN_TEXT;
}

/// Adds the ids in XML, or in HTML that is part of Markdown.
pub(super) fn ids(page: &[u8], anchors: &mut Anchors) {
    html_parts(page, &["id", "xml:id", "name"], &mut |part| {
        if let HtmlPart::Element(element) = part {
            if let Some(id) = element.attribute("xml:id") {
                anchors.add(id.into_owned());
            }
            add(&element, anchors);
        }
    });
}

/// Adds the id of an element, and the name of an anchor.
fn add(element: &HtmlElement<'_>, anchors: &mut Anchors) {
    if let Some(id) = element.attribute("id") {
        anchors.add(id.into_owned());
    }
    let has_name = element.is("a") || element.is("map");
    if let Some(name) = element.attribute("name").filter(|_| has_name) {
        anchors.add(name.into_owned());
    }
}

/// Returns true for a script that runs, and false for data in a `<script>`.
fn is_program(script: &HtmlElement<'_>) -> bool {
    script.attribute("type").is_none_or(|media_type| {
        let media_type = media_type.trim().to_ascii_lowercase();
        media_type.is_empty() || media_type == "module" || media_type.contains("javascript")
    })
}

/// Appends text, replacing each run of white space with a single space.
pub(super) fn push_text(out: &mut String, text: &str) {
    for c in text.chars() {
        if !c.is_whitespace() {
            out.push(c);
        } else if !out.ends_with(' ') {
            out.push(' ');
        }
    }
}
