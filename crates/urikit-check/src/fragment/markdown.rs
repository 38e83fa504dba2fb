//! Finds the ids in Markdown: those of headings (by slug profile), explicit ids, and those in HTML.

use super::html::{self, push_text};
use super::slug::Slugger;
use super::{Anchors, Profile};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use urikit_extract::document::{HtmlPart, html_parts};

/// Adds the ids and the text of a document to `anchors`.
pub(super) fn read(document: &str, profile: Profile, anchors: &mut Anchors) {
    let mut reader = Reader {
        profile,
        slugger: Slugger::new(profile),
        heading: None,
        is_html_heading: false,
        tail: 0,
        images: 0,
        is_code: false,
        paragraph: String::new(),
        block: None,
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

/// Returns true if a tag, without its `<`, is one of `h1` to `h6`.
fn is_heading(tag: &str) -> bool {
    let mut bytes = tag.bytes();
    let is_name =
        matches!(bytes.next(), Some(b'h' | b'H')) && matches!(bytes.next(), Some(b'1'..=b'6'));
    is_name
        && bytes
            .next()
            .is_none_or(|byte| !byte.is_ascii_alphanumeric())
}

/// Returns the text after a tag or comment, which is given without its `<`.
fn after_tag(tag: &str) -> &str {
    if let Some(comment) = tag.strip_prefix("!--") {
        return comment.split_once("-->").map_or("", |(_, rest)| rest);
    }
    let mut quote = None;
    let end = tag.bytes().position(|byte| {
        match (byte, quote) {
            (b'"' | b'\'', None) => quote = Some(byte),
            (byte, Some(open)) if byte == open => quote = None,
            _ => {}
        }
        byte == b'>' && quote.is_none()
    });
    end.and_then(|end| tag.get(end + 1..)).unwrap_or_default()
}

struct Reader<'a> {
    profile: Profile,
    slugger: Slugger,
    /// The text of the heading that is being read.
    heading: Option<String>,
    /// True if the heading is in HTML.
    is_html_heading: bool,
    /// The offset in `heading` of the plain text at its end.
    tail: usize,
    /// The number of images whose description is being read.
    images: usize,
    /// True in a code block.
    is_code: bool,
    /// The text of the current paragraph, in which there may be attributes.
    paragraph: String,
    /// The HTML block that is being read.
    block: Option<String>,
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
            Event::Text(text) => {
                if !self.is_code && self.heading.is_none() && self.profile.has_attributes() {
                    self.paragraph.push_str(&text);
                }
                self.text(&text);
            }
            Event::Code(text) => self.text(&text),
            Event::SoftBreak | Event::HardBreak => self.text(" "),
            Event::Start(Tag::CodeBlock(_)) => self.is_code = true,
            Event::Start(Tag::HtmlBlock) => self.block = Some(String::new()),
            Event::End(TagEnd::HtmlBlock) => {
                let block = self.block.take().unwrap_or_default();
                self.html(&block);
            }
            // A block arrives line by line, and a tag can continue on the next line.
            Event::Html(html) | Event::InlineHtml(html) => match &mut self.block {
                Some(block) => block.push_str(&html),
                None => self.html(&html),
            },
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
                end @ (TagEnd::Paragraph | TagEnd::Item | TagEnd::TableCell | TagEnd::CodeBlock),
            ) => {
                self.is_code &= end != TagEnd::CodeBlock;
                push_text(&mut self.anchors.text, " ");
                self.end_paragraph();
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

    /// Adds the ids in the attributes of a paragraph and of its parts, as in `{: #id }`.
    fn end_paragraph(&mut self) {
        for part in self.paragraph.split('{').skip(1) {
            let attributes = part
                .split_once('}')
                .map_or("", |(attributes, _)| attributes);
            let words = attributes.split_whitespace();
            for id in words.filter_map(|word| word.trim_start_matches(':').strip_prefix('#')) {
                self.anchors.add(id.to_owned());
            }
        }
        self.paragraph.clear();
    }

    /// Reads HTML. Forges also make ids from the headings in it.
    fn html(&mut self, html: &str) {
        self.html.push_str(html);
        if !matches!(self.profile, Profile::Github | Profile::Gitlab) {
            return;
        }
        let mut rest = html;
        while let Some((text, tag)) = rest.split_once('<') {
            self.html_text(text);
            rest = after_tag(tag);
            if is_heading(tag) {
                self.heading = Some(String::new());
                self.is_html_heading = true;
                self.tail = 0;
            } else if self.is_html_heading && tag.strip_prefix('/').is_some_and(is_heading) {
                self.heading = self.heading.take().map(|text| text.trim().to_owned());
                self.is_html_heading = false;
                self.end_heading();
            }
        }
        self.html_text(rest);
    }

    /// Adds text in HTML to the heading that is being read.
    fn html_text(&mut self, text: &str) {
        if let Some(heading) = self.heading.as_mut().filter(|_| self.is_html_heading) {
            html_parts(text.as_bytes(), &[], &mut |part| {
                if let HtmlPart::Text(text) = part {
                    push_text(heading, &text);
                }
            });
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
