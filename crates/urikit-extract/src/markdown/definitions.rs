//! The link reference definitions and footnotes of a document, which all sections may use
//! (CommonMark 0.31, 4.7 and 6.3).

use super::events::options;
use crate::decode::as_text;
use memchr::memmem;
use pulldown_cmark::{Event, Parser, Tag};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use unicase::UniCase;

/// The maximum memory for definitions, in bytes.
const MAX_MEMORY: usize = 24 << 20;

/// The memory that a definition needs in addition to its strings, in bytes.
const OVERHEAD: usize = 112;

/// The maximum length of a label in bytes: 999 characters.
const MAX_LABEL: usize = 4000;

/// A label, which is compared without regard to case, as `pulldown-cmark` compares it.
type Label = UniCase<Cow<'static, str>>;

#[derive(Debug, Default)]
pub(super) struct Definitions {
    links: Vec<Definition>,
    /// The index in `links` for each label.
    labels: HashMap<Label, usize>,
    footnotes: HashSet<Label>,
    /// The memory needed so far, in bytes.
    memory: usize,
    /// The length of the longest destination with its title.
    longest: usize,
    /// True if definitions were omitted because they need too much memory.
    is_full: bool,
}

/// The first definition of a label.
#[derive(Debug)]
pub(super) struct Definition {
    /// The offset in the document at which the definition begins.
    pub(super) start: usize,
    pub(super) destination: Box<str>,
    /// The length of the destination and the title.
    length: usize,
}

impl Definitions {
    /// Adds the definitions in a section that begins at this offset in the document.
    pub(super) fn collect(&mut self, section: &[u8], start: usize) {
        if memmem::find(section, b"]:").is_none() {
            return;
        }
        let text = as_text(section);
        let parser = Parser::new_ext(&text, options());
        for (label, definition) in parser.reference_definitions().iter() {
            let title = definition.title.as_ref().map_or(0, |title| title.len());
            let length = definition.dest.len() + title;
            self.longest = self.longest.max(length);
            let first = Definition {
                start: start + definition.span.start,
                destination: Box::from(&*definition.dest),
                length,
            };
            if self.link(label).is_none() && self.has_room(label.len() + definition.dest.len()) {
                self.labels.insert(owned(label), self.links.len());
                self.links.push(first);
            }
        }
        if memmem::find(section, b"[^").is_some() {
            for event in parser {
                if let Event::Start(Tag::FootnoteDefinition(label)) = event
                    && self.has_room(label.len())
                {
                    self.footnotes.insert(owned(&label));
                }
            }
        }
    }

    /// Counts a definition with strings of this length. Returns false if it needs too much memory.
    fn has_room(&mut self, length: usize) -> bool {
        let memory = self.memory + length + OVERHEAD;
        if memory > MAX_MEMORY {
            self.is_full = true;
            return false;
        }
        self.memory = memory;
        true
    }

    /// Returns the definition of a label.
    pub(super) fn link(&self, label: &str) -> Option<&Definition> {
        let index = *self.labels.get(&UniCase::new(Cow::Borrowed(label)))?;
        self.links.get(index)
    }

    /// Returns true if the uses of definitions in the sections of a document may exceed the limit
    /// of `pulldown-cmark`, which depends on the length of the text.
    pub(super) fn may_exceed<'s>(
        &self,
        sections: impl Iterator<Item = &'s [u8]>,
        length: usize,
        max_uses: usize,
    ) -> bool {
        if self.longest == 0 {
            return false;
        }
        let mut total = 0_usize;
        for section in sections {
            let ends = memchr::memchr_iter(b']', section);
            let expanded = ends.map(|end| self.longest_use(section.get(..end).unwrap_or_default()));
            let expanded = expanded.fold(0, usize::saturating_add);
            total = total.saturating_add(expanded);
            if expanded >= max_uses {
                return true;
            }
        }
        total >= max_uses.max(length)
    }

    /// Returns an upper bound for the length of the definition that a link uses. `before` is the
    /// text before the closing bracket of its label.
    fn longest_use(&self, before: &[u8]) -> usize {
        // A longer label cannot be that of a definition.
        let before = before
            .get(before.len().saturating_sub(MAX_LABEL)..)
            .unwrap_or_default();
        let Some(start) = memchr::memrchr(b'[', before) else {
            return 0;
        };
        let (before, label) = before.split_at_checked(start + 1).unwrap_or_default();
        let is_plain = |label: &str| {
            let is_other = |byte: u8| byte < b' ' || byte == b'\\';
            !before.ends_with(b"\\[") && !label.bytes().any(is_other) && !label.contains("  ")
        };
        match core::str::from_utf8(label) {
            Ok(label) if is_plain(label) => {
                let definition = self.link(label.trim_matches(' '));
                definition.map_or(0, |definition| definition.length)
            }
            // The parser may change this label.
            _ => self.longest,
        }
    }

    pub(super) const fn is_full(&self) -> bool {
        self.is_full
    }

    /// Returns definitions of the footnotes that a section refers to, to be parsed before the
    /// section. Without a definition, the parser reads `[^label]` as text.
    pub(super) fn footnotes_of(&self, section: &str) -> String {
        let mut definitions = String::new();
        if self.footnotes.is_empty() {
            return definitions;
        }
        for at in memmem::find_iter(section.as_bytes(), b"[^") {
            let Some(label) = footnote_label(section.get(at + 2..).unwrap_or_default()) else {
                continue;
            };
            // In tables, the parser removes this escape.
            for label in [label.replace("\\|", "|"), label] {
                if self
                    .footnotes
                    .contains(&UniCase::new(Cow::Borrowed(&*label)))
                {
                    definitions.push_str("[^");
                    definitions.push_str(&label);
                    definitions.push_str("]:\n\n");
                }
            }
        }
        if !definitions.is_empty() {
            // The thematic break ends the last footnote, even if the section is indented.
            definitions.push_str("***\n");
        }
        definitions
    }
}

fn owned(label: &str) -> Label {
    UniCase::new(Cow::Owned(label.to_owned()))
}

/// Returns the label at the start of the text, with white space collapsed.
fn footnote_label(text: &str) -> Option<String> {
    let mut length = 0;
    let mut is_escaped = false;
    for byte in text.bytes() {
        match byte {
            b']' if !is_escaped => break,
            b'[' if !is_escaped => return None,
            _ => {}
        }
        is_escaped = byte == b'\\' && !is_escaped;
        length += 1;
        if length > 4000 {
            return None;
        }
    }
    let label = text.get(..length)?;
    let mut joined = String::with_capacity(length);
    for (nth, line) in label.lines().enumerate() {
        // The parser skips the markers of block quotes.
        let markers: &[char] = if nth == 0 { &[] } else { &[' ', '\t', '>'] };
        for word in line.trim_start_matches(markers).split_ascii_whitespace() {
            if !joined.is_empty() {
                joined.push(' ');
            }
            joined.push_str(word);
        }
    }
    Some(joined).filter(|label| !label.is_empty())
}
