//! From tags and text to references.

use super::attributes::{Holds, belongs_in_head, holds, is_url_property, is_wanted};
use super::event::{Each, Event};
use super::lexer::{Attribute, Lexer, Tag, Text, TextKind, Token};
use super::style::Style;
use super::text::TextNodes;
use super::value::Value;
use crate::found::{Place, Unresolved};
use crate::plain::Finder;
use std::borrow::Cow;
use std::sync::Arc;

/// What the text of an element is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Content {
    Text,
    Style,
    /// A program. It is not searched for references.
    Script,
    /// HTML for browsers that do not support frames or scripts.
    Html,
}

/// Reads HTML that arrives in pieces.
#[derive(Debug)]
pub(crate) struct Scan<'f> {
    lexer: Lexer,
    elements: Elements<'f>,
}

#[derive(Debug)]
struct Elements<'f> {
    finder: &'f Finder,
    text: TextNodes<'f>,
    style: Style,
    /// The content of the element that was opened last, if its text is raw or has no references.
    content: Content,
    /// The reader for HTML within raw text, and the offset at which that text began.
    inner: Option<(Box<Scan<'f>>, usize)>,
    /// Whether HTML within HTML is read. It is read one level deep.
    reads_inner: bool,
    /// How many tags and comments in it were too long.
    long_inner: usize,
}

impl<'f> Scan<'f> {
    pub(crate) fn new(finder: &'f Finder) -> Self {
        Self::with(finder, true)
    }

    fn with(finder: &'f Finder, reads_inner: bool) -> Self {
        Self {
            lexer: Lexer::new(is_wanted),
            elements: Elements {
                finder,
                text: TextNodes::new(finder),
                style: Style::default(),
                content: Content::Text,
                inner: None,
                reads_inner,
                long_inner: 0,
            },
        }
    }

    pub(crate) fn push(&mut self, piece: &[u8], each: &mut Each<'_>) {
        let elements = &mut self.elements;
        self.lexer
            .push(piece, &mut |token| elements.take(token, each));
    }

    /// Ends the document. Returns how many tags and comments were too long.
    pub(crate) fn finish(self, each: &mut Each<'_>) -> usize {
        let mut elements = self.elements;
        let long = self.lexer.finish(&mut |token| elements.take(token, each));
        elements.end_inner(each);
        long + elements.long_inner
    }

    /// The offset before which no later reference can begin.
    pub(crate) fn undecided_from(&self) -> usize {
        let elements = &self.elements;
        let inner = elements.inner.as_ref();
        [
            elements.text.undecided_from(),
            elements.style.undecided_from(),
            inner.map(|(scan, start)| start + scan.undecided_from()),
        ]
        .into_iter()
        .flatten()
        .fold(self.lexer.consumed(), usize::min)
    }
}

impl Elements<'_> {
    fn take(&mut self, token: Token, each: &mut Each<'_>) {
        match token {
            Token::Start(tag) => {
                self.end_inner(each);
                self.start(&tag, each);
            }
            Token::End => self.content = Content::Text,
            Token::Text(text) => self.text(&text, each),
        }
    }

    fn start(&mut self, tag: &Tag, each: &mut Each<'_>) {
        self.content = match tag.name.as_str() {
            "style" => Content::Style,
            "script" => Content::Script,
            "noscript" | "noframes" | "noembed" | "iframe" if self.reads_inner => Content::Html,
            _ => Content::Text,
        };
        if !tag.is_foreign && !belongs_in_head(&tag.name) {
            each(Event::BodyBegins);
        }
        let nowhere = Place::default();
        let value = |name: &str| {
            let found = tag.attributes.iter().find(|other| other.name == name);
            found.map(|found| Value::new(found, &nowhere))
        };
        let is = |name: &str, expected: &[u8]| {
            value(name)
                .is_some_and(|value| value.decoded().trim_ascii().eq_ignore_ascii_case(expected))
        };
        let is_refresh = tag.name == "meta" && is("http-equiv", b"refresh");
        let is_property = tag.name == "meta"
            && ["property", "name"]
                .into_iter()
                .any(|name| value(name).is_some_and(|value| is_url_property(value.decoded())));
        let is_param = tag.name == "param" && is("valuetype", b"ref");
        let codebase = match tag.name.as_str() {
            "object" | "applet" => value("codebase").map(|value| Arc::from(&*value.one().uri)),
            _ => None,
        };
        let text = |name| {
            let text = String::from_utf8_lossy(value(name)?.decoded()).into_owned();
            Some(Cow::Owned(text))
        };
        let place = Place::element_named(tag.name.as_str())
            .with_rel(text("rel"))
            .with_type(text("type"));
        for found in &tag.attributes {
            let Some(holds) = holds(&tag.name, &found.name) else {
                continue;
            };
            let value = Value::new(found, &place);
            match holds {
                Holds::Content if is_property => each(Event::Reference(value.one())),
                Holds::Content if !is_refresh => {}
                Holds::One if found.name == "value" && !is_param => {}
                Holds::One if tag.name == "base" && found.name == "href" => {
                    each(Event::Base(value.one()));
                }
                Holds::Document => self.document(found, &value, each),
                holds => value.references(holds, codebase.as_ref(), each),
            }
        }
    }

    /// Reads the document in an attribute (`srcdoc`).
    fn document(&self, attribute: &Attribute, value: &Value<'_>, each: &mut Each<'_>) {
        if !self.reads_inner {
            return;
        }
        let mut scan = Scan::with(self.finder, false);
        let mut outer = |event: Event<'_>| {
            let (Event::Reference(found) | Event::Base(found)) = event else {
                return;
            };
            let (range, written) = value.locate(found.range.clone());
            let text = if range.len() == attribute.value.len() && written.is_empty() {
                found.text
            } else {
                Cow::Borrowed(written)
            };
            each(Event::Reference(Unresolved {
                range,
                text,
                ..found
            }));
        };
        scan.push(value.decoded(), &mut outer);
        scan.finish(&mut outer);
    }

    fn text(&mut self, text: &Text, each: &mut Each<'_>) {
        let content = match text.kind {
            TextKind::Script => Content::Script,
            TextKind::Escaped if self.content == Content::Html => Content::Text,
            _ => self.content,
        };
        match content {
            Content::Script => {}
            Content::Style => self.style.push(&text.bytes, text.start, text.is_last, each),
            Content::Html => {
                let reader = self.inner.get_or_insert_with(|| {
                    let scan = Scan::with(self.finder, false);
                    (Box::new(scan), text.start)
                });
                let (scan, start) = reader;
                scan.push(&text.bytes, &mut |event| outer(event, *start, each));
                if text.is_last {
                    self.end_inner(each);
                }
            }
            Content::Text => {
                let is_escaped = text.kind == TextKind::Escaped;
                self.text
                    .push(&text.bytes, text.start, is_escaped, text.is_last, each);
            }
        }
    }

    fn end_inner(&mut self, each: &mut Each<'_>) {
        if let Some((scan, start)) = self.inner.take() {
            self.long_inner += scan.finish(&mut |event| outer(event, start, each));
        }
    }
}

/// Passes on an event of HTML within HTML. A base URI there does not apply to the outer document.
fn outer(event: Event<'_>, start: usize, each: &mut Each<'_>) {
    if let Event::Reference(mut found) | Event::Base(mut found) = event {
        found.range = found.range.start + start..found.range.end + start;
        each(Event::Reference(found));
    }
}
