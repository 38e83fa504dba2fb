//! Finds the ids in Markdown: those of headings (by slug profile), explicit ids, and those in HTML.

use super::html::{self, push_text};
use super::slug::Slugger;
use super::{Anchors, Profile};
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd};
use std::panic::catch_unwind;

/// Adds the ids and the text in a document.
pub(super) fn read(document: &str, profile: Profile, anchors: &mut Anchors) {
    let mut reader = Reader {
        profile,
        slugger: Slugger::new(profile),
        heading: None,
        id: None,
        images: 0,
        html: String::new(),
        anchors,
    };
    let mut options = options(profile);
    let attributes = Options::ENABLE_HEADING_ATTRIBUTES;
    // The parser (0.13.6) panics at the attributes of an underlined heading in a quote.
    if options.contains(attributes)
        && document.contains('{')
        && catch_unwind(|| Parser::new_ext(document, options).count()).is_err()
    {
        options.remove(attributes);
    }
    for event in Parser::new_ext(document, options) {
        reader.take(event);
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
    // mdBook uses this parser, and its rules for attributes. Other tools differ.
    if profile == Profile::Mdbook {
        options |= Options::ENABLE_HEADING_ATTRIBUTES;
    }
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

struct Reader<'a> {
    profile: Profile,
    slugger: Slugger,
    /// The text of the heading that is being read.
    heading: Option<String>,
    /// The id that the heading declares, if the parser reads such ids.
    id: Option<String>,
    /// The number of images whose description is being read.
    images: usize,
    html: String,
    anchors: &'a mut Anchors,
}

impl Reader<'_> {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(Tag::Heading { id, .. }) => {
                self.heading = Some(String::new());
                self.id = id.map(CowStr::into_string);
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
        let written = explicit_id(&heading).filter(|_| self.profile.has_explicit_ids());
        let id = match self.id.take().or_else(|| written.map(str::to_owned)) {
            Some(id) => {
                self.slugger.declare(&id);
                id
            }
            None => self.slugger.id(&heading),
        };
        self.anchors.add_heading(id);
    }
}
