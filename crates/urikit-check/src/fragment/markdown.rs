//! Finds the ids in Markdown: those of headings (by slug profile), explicit ids, and those in HTML.

use super::html::{self, push_text};
use super::slug::Slugger;
use super::{Anchors, Profile};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Adds the ids and the text of a document to `anchors`.
pub(super) fn read(document: &str, profile: Profile, anchors: &mut Anchors) {
    let mut reader = Reader {
        profile,
        slugger: Slugger::new(profile),
        heading: None,
        tail: 0,
        images: 0,
        html: String::new(),
        anchors,
    };
    let mut text_end = 0;
    for (event, range) in Parser::new_ext(document, options(profile)).into_offset_iter() {
        let is_text = matches!(event, Event::Text(_));
        if matches!(event, Event::End(TagEnd::Heading(_))) {
            // In `# Heading {#id} #`, the attributes are not at the end.
            let after = document.get(text_end..range.end).unwrap_or_default();
            if after.contains('#') {
                reader.end_tail();
            }
        }
        reader.take(event);
        if is_text {
            text_end = range.end;
        } else {
            reader.end_tail();
        }
    }
    let html = reader.html;
    html::ids(html.as_bytes(), anchors);
}

fn options(profile: Profile) -> Options {
    let mut options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS;
    if profile.is_smart() {
        options |= Options::ENABLE_SMART_PUNCTUATION;
    }
    options
}

/// Returns the id that a heading declares, as in `Heading {#id}` or `Heading {: #id }`.
fn explicit_id(heading: &str) -> Option<&str> {
    let inner = heading.trim_end().strip_suffix('}')?;
    let (_, attributes) = inner.rsplit_once('{')?;
    let attributes = attributes.strip_prefix(':').unwrap_or(attributes);
    let mut words = attributes.split_whitespace();
    if !attributes.trim_start().starts_with(['#', '.']) {
        return None;
    }
    words.find_map(|word| word.strip_prefix('#'))
}

/// Returns the text of a heading without its attributes, and the id in the attributes, as in
/// `Heading {.class #id}`. The attributes must be in `tail`, the plain text at the end of the
/// heading.
///
/// These are the rules of mdBook's parser, `pulldown-cmark`. The parser's own option for attributes
/// is not used, because version 0.13.6 panics when an underlined heading in a quote has attributes.
fn attributes<'h>(heading: &'h str, tail: &str) -> Option<(&'h str, Option<&'h str>)> {
    let (text, inner) = heading.trim_end().strip_suffix('}')?.rsplit_once('{')?;
    if inner.contains(['}', '<', '>', '\\']) || !tail.contains('{') {
        return None;
    }
    let ids = inner
        .split_ascii_whitespace()
        .filter_map(|word| word.strip_prefix('#'));
    Some((text, { ids }.rfind(|id| !id.is_empty())))
}

struct Reader<'a> {
    profile: Profile,
    slugger: Slugger,
    /// The text of the heading that is being read.
    heading: Option<String>,
    /// The offset in `heading` of the plain text at its end.
    tail: usize,
    /// The number of images whose description is being read.
    images: usize,
    html: String,
    anchors: &'a mut Anchors,
}

impl Reader<'_> {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(Tag::Heading { .. }) => {
                self.heading = Some(String::new());
                self.tail = 0;
            }
            Event::End(TagEnd::Heading(_)) => self.end_heading(),
            Event::Start(Tag::Image { .. }) => self.images += 1,
            Event::End(TagEnd::Image) => self.images = self.images.saturating_sub(1),
            Event::Text(text) | Event::Code(text) => self.text(&text),
            Event::SoftBreak | Event::HardBreak => self.text(" "),
            Event::Html(html) | Event::InlineHtml(html) => self.html.push_str(&html),
            Event::Start(Tag::FootnoteDefinition(name)) => {
                let (definition, profile) = (name.into_string(), self.profile);
                match profile {
                    Profile::Github => self.anchors.add(format!("fn-{definition}")),
                    Profile::Mdbook => self.anchors.add(format!("footnote-{definition}")),
                    Profile::Mkdocs => self.anchors.add(format!("fn:{definition}")),
                    _ => {}
                }
            }
            Event::FootnoteReference(name) => {
                let name = name.into_string();
                match self.profile {
                    Profile::Github => self.anchors.add(format!("fnref-{name}")),
                    Profile::Mdbook => self.anchors.add(format!("fr-{name}-1")),
                    Profile::Mkdocs => self.anchors.add(format!("fnref:{name}")),
                    _ => {}
                }
            }
            Event::End(
                TagEnd::Paragraph | TagEnd::Item | TagEnd::TableCell | TagEnd::CodeBlock,
            ) => {
                push_text(&mut self.anchors.text, " ");
            }
            _ => {}
        }
    }

    /// Handles the end of a run of plain text.
    fn end_tail(&mut self) {
        self.tail = self.heading.as_ref().map_or(0, String::len);
    }

    fn text(&mut self, text: &str) {
        push_text(&mut self.anchors.text, text);
        let is_read = self.images == 0 || self.profile.reads_images();
        if let Some(heading) = self.heading.as_mut().filter(|_| is_read) {
            heading.push_str(text);
        }
    }

    fn end_heading(&mut self) {
        push_text(&mut self.anchors.text, " ");
        let Some(heading) = self.heading.take() else {
            return;
        };
        let (text, id) = match self.profile {
            Profile::Mdbook => {
                let tail = heading.get(self.tail..).unwrap_or_default();
                attributes(&heading, tail).unwrap_or((&heading, None))
            }
            profile => (
                heading.as_str(),
                explicit_id(&heading).filter(|_| profile.has_explicit_ids()),
            ),
        };
        let id = match id {
            Some(id) => {
                self.slugger.declare(id);
                id.to_owned()
            }
            None => self.slugger.id(text),
        };
        self.anchors.add_heading(id);
    }
}
