//! Finds references in tags and text.

use super::attributes::{Value, ValueSyntax, is_url_property, known, value_syntax};
use super::css::Style;
use super::deep::{self, Program};
use super::text::TextNodes;
use super::token::{Attribute, ContentModel, Sink, Tag, Text, TextKind, Tokenizer};
use super::{Each, Event};
use crate::found::{Place, PlaceParts, Syntax, Unresolved};
use crate::reader::Context;
use std::borrow::Cow;
use std::sync::Arc;

/// The kind of text in an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Content {
    Text,
    Style,
    /// A script, which is searched only on request.
    Script,
    /// HTML for browsers that do not run scripts: the content of `noscript`.
    Html,
}

/// Reads HTML that arrives in pieces.
#[derive(Debug)]
pub(crate) struct Scan<'f> {
    tokenizer: Tokenizer,
    elements: Elements<'f>,
}

#[derive(Debug)]
struct Elements<'f> {
    context: Context<'f>,
    text: TextNodes<'f>,
    /// The script being read, and its place in the markup.
    program: Option<(Program, Place<'static>)>,
    /// The scanner for a comment, and the offset at which the comment's text began.
    comment: Option<(Box<Scan<'f>>, usize)>,
    style: Style,
    /// The content of the last element opened, if its text is raw or has no character references.
    content: Content,
    /// The reader of the HTML in a `noscript`, and the offset at which that text began.
    inner: Option<(Box<Scan<'f>>, usize)>,
    /// True if HTML within HTML is being read. HTML nested more deeply is not read.
    reads_inner: bool,
    /// The number of tags in inner HTML that were too long.
    long_inner: usize,
}

impl<'f> Scan<'f> {
    pub(crate) fn new(context: Context<'f>) -> Self {
        Self::with(context, true)
    }

    fn with(context: Context<'f>, reads_inner: bool) -> Self {
        Self {
            // In a `noscript`, scripts do not run, so a nested `noscript` is an ordinary element.
            tokenizer: Tokenizer::new()
                .with_repeated(context.is_deep)
                .with_scripting(reads_inner),
            elements: Elements {
                context,
                text: TextNodes::new(context.finder),
                program: None,
                comment: None,
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
        self.tokenizer.push(piece, &mut Tokens { elements, each });
    }

    /// Ends the document, and returns the number of tags that were too long.
    pub(crate) fn finish(self, each: &mut Each<'_>) -> usize {
        let mut elements = self.elements;
        let mut tokens = Tokens {
            elements: &mut elements,
            each,
        };
        let long = self.tokenizer.finish(&mut tokens);
        elements.end_inner(each);
        long + elements.long_inner
    }

    /// Returns the offset before which no later reference can begin.
    pub(crate) fn undecided_from(&self) -> usize {
        let elements = &self.elements;
        let inner = elements.inner.as_ref();
        let comment = elements.comment.as_ref();
        let program = elements.program.as_ref();
        [
            elements.text.undecided_from(),
            elements.style.undecided_from(),
            inner.map(|(scan, start)| start + scan.undecided_from()),
            comment.map(|(scan, start)| start + scan.undecided_from()),
            program.and_then(|(program, _)| program.undecided_from()),
        ]
        .into_iter()
        .flatten()
        .fold(self.tokenizer.consumed(), usize::min)
    }
}

/// Passes tokens on to [`Elements`].
struct Tokens<'t, 'f, 'c> {
    elements: &'t mut Elements<'f>,
    each: &'t mut Each<'c>,
}

impl Sink for Tokens<'_, '_, '_> {
    #[inline]
    fn wants(&self, name: &[u8]) -> bool {
        known(name).is_some() || self.elements.context.is_deep
    }

    #[inline]
    fn start_tag(&mut self, tag: Tag<'_>) {
        self.elements.start_tag(tag, self.each);
    }

    fn end_tag(&mut self) {
        self.elements.content = Content::Text;
    }

    #[inline]
    fn text(&mut self, text: Text<'_>) {
        self.elements.text(text, self.each);
    }
}

/// The properties of an element that determine how its attributes are read.
struct Element<'t> {
    name: &'t str,
    place: PlaceParts<'t>,
    codebase: Option<Arc<str>>,
    /// True if the `content` of this `meta` element is a refresh.
    is_refresh: bool,
    is_url_property: bool,
    /// True if the `value` of this `param` element is a reference.
    is_ref: bool,
}

impl<'t> Element<'t> {
    /// Collects the properties from a tag. `name` is the name of the tag in lower case.
    fn new(tag: Tag<'t>, name: &'t str) -> Self {
        let value = |name| tag.attribute(name).map(Value::new);
        let text = |name| value(name).map(Value::into_text);
        let is = |name, expected: &[u8]| {
            value(name)
                .is_some_and(|value| value.decoded().trim_ascii().eq_ignore_ascii_case(expected))
        };
        let is_url = |name| value(name).is_some_and(|value| is_url_property(value.decoded()));
        let codebase = match name {
            "object" | "applet" => value("codebase").map(|value| {
                let place = Place::default();
                Arc::from(&*value.one(&place).uri)
            }),
            _ => None,
        };
        Self {
            name,
            place: PlaceParts::of_element(name, text("rel"), text("type")),
            codebase,
            is_refresh: name == "meta" && is("http-equiv", b"refresh"),
            is_url_property: name == "meta" && (is_url("property") || is_url("name")),
            is_ref: name == "param" && is("valuetype", b"ref"),
        }
    }
}

impl Elements<'_> {
    #[inline]
    fn start_tag(&mut self, tag: Tag<'_>, each: &mut Each<'_>) {
        if self.inner.is_some() {
            self.end_inner(each);
        }
        self.content = match tag.model {
            ContentModel::Data => Content::Text,
            _ => content_of(tag),
        };
        self.program = None;
        if self.content == Content::Script && self.context.is_deep {
            self.start_program(tag);
        }
        if tag.has_attributes() {
            self.attributes(tag, each);
        }
    }

    /// Starts reading the content of a `<script>` as a program.
    fn start_program(&mut self, tag: Tag<'_>) {
        let media_type = tag.attribute("type").map(Value::new);
        let media_type = media_type.map(Value::into_text);
        let program = Program::new(media_type.as_deref().unwrap_or_default());
        let place = Place::element_named("script").with_type(media_type);
        self.program = Some((program, place.into_owned()));
    }

    fn attributes(&self, tag: Tag<'_>, each: &mut Each<'_>) {
        let name = lower(tag.name);
        let mut element = None;
        for found in tag.attributes() {
            let attribute = known(found.name);
            let Some((attribute, syntax)) =
                attribute.and_then(|attribute| Some((attribute, value_syntax(&name, attribute)?)))
            else {
                if self.context.is_deep && !found.is_cut {
                    let element = element.get_or_insert_with(|| Element::new(tag, &name));
                    let attribute = lower(found.name);
                    let place = Place::from(&element.place).with_attribute(&*attribute);
                    self.guess(&attribute, &Value::new(found), &place, each);
                }
                continue;
            };
            if found.is_cut && !is_plausible(found.value) {
                continue;
            }
            let element = element.get_or_insert_with(|| Element::new(tag, &name));
            let value = Value::new(found);
            element.place.set_attribute(attribute);
            let place = Place::from(&element.place);
            match syntax {
                ValueSyntax::Content if element.is_url_property => {
                    each(Event::Reference(value.one(&place)));
                }
                ValueSyntax::Content if !element.is_refresh => {
                    self.guess(attribute, &value, &place, each);
                }
                ValueSyntax::One if attribute == "value" && !element.is_ref => {
                    self.guess(attribute, &value, &place, each);
                }
                ValueSyntax::One
                    if element.name == "base" && attribute == "href" && !tag.is_foreign =>
                {
                    each(Event::Base(value.one(&place)));
                }
                ValueSyntax::Document => self.document(found, &value, each),
                syntax => value.references(syntax, &place, element.codebase.as_ref(), each),
            }
        }
    }

    /// Searches a value whose element and attribute do not define it as a reference.
    fn guess(&self, name: &str, value: &Value<'_>, place: &Place<'_>, each: &mut Each<'_>) {
        if self.context.is_deep {
            deep::attribute(self.context.finder, name, value, place, each);
        }
    }

    /// Reads the document in a `srcdoc` attribute.
    fn document(&self, attribute: Attribute<'_>, value: &Value<'_>, each: &mut Each<'_>) {
        if !self.reads_inner {
            return;
        }
        let mut scan = Scan::with(self.context, false);
        let mut outer = |event: Event<'_>| {
            let found = event.into_reference();
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

    #[inline]
    fn text(&mut self, text: Text<'_>, each: &mut Each<'_>) {
        let content = match text.kind {
            TextKind::Script => Content::Script,
            TextKind::Comment if self.context.is_deep && self.reads_inner => {
                return self.comment(text, each);
            }
            TextKind::Comment | TextKind::Doctype => return,
            TextKind::Escaped if self.content == Content::Html => Content::Text,
            _ => self.content,
        };
        match content {
            Content::Script => self.script(text, each),
            Content::Style => self.style.push(text.bytes, text.start, text.is_last, each),
            Content::Html => self.html(text, each),
            Content::Text => self.text.push(text, each),
        }
    }

    fn script(&mut self, text: Text<'_>, each: &mut Each<'_>) {
        if let Some((program, place)) = &mut self.program {
            program.push(
                self.context.finder,
                text.bytes,
                text.start,
                text.is_last,
                place,
                each,
            );
        }
    }

    /// Reads a comment as HTML: it may hide elements, or contain links for human readers.
    fn comment(&mut self, text: Text<'_>, each: &mut Each<'_>) {
        let context = Context {
            is_deep: false,
            ..self.context
        };
        let (mut scan, start) = self
            .comment
            .take()
            .unwrap_or_else(|| (Box::new(Scan::with(context, false)), text.start));
        let mut each = |event: Event<'_>| {
            let mut found = event.into_reference();
            found.range = found.range.start + start..found.range.end + start;
            found.place = found.place.with_syntax(Syntax::Comment);
            each(Event::Reference(found));
        };
        scan.push(text.bytes, &mut each);
        if text.is_last {
            self.long_inner += scan.finish(&mut each);
        } else {
            self.comment = Some((scan, start));
        }
    }

    /// Reads the HTML in a `noscript`.
    fn html(&mut self, text: Text<'_>, each: &mut Each<'_>) {
        let reader = self.inner.get_or_insert_with(|| {
            let scan = Scan::with(self.context, false);
            (Box::new(scan), text.start)
        });
        let (scan, start) = reader;
        scan.push(text.bytes, &mut |event| outer(event, *start, each));
        if text.is_last {
            self.end_inner(each);
        }
    }

    fn end_inner(&mut self, each: &mut Each<'_>) {
        if let Some((scan, start)) = self.inner.take() {
            self.long_inner += scan.finish(&mut |event| outer(event, start, each));
        }
    }
}

/// Returns the kind of text in an element whose text is not markup.
fn content_of(tag: Tag<'_>) -> Content {
    let is = |name: &str| tag.name.eq_ignore_ascii_case(name.as_bytes());
    match tag.model {
        _ if tag.has_no_content => Content::Text,
        ContentModel::RawText if is("style") => Content::Style,
        ContentModel::Script => Content::Script,
        ContentModel::RawText if is("noscript") && !tag.is_foreign => Content::Html,
        _ => Content::Text,
    }
}

/// Returns a name in lower case.
fn lower(name: &[u8]) -> Cow<'_, str> {
    match core::str::from_utf8(name) {
        Ok(name) if !name.bytes().any(|byte| byte.is_ascii_uppercase()) => Cow::Borrowed(name),
        _ => Cow::Owned(String::from_utf8_lossy(name).to_ascii_lowercase()),
    }
}

/// Returns true if a value that is cut off by the end of the document may be the start of a
/// reference. Markup in the value means that a closing quotation mark is missing.
fn is_plausible(value: &[u8]) -> bool {
    let is_other = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'<' | b'>');
    !value.is_empty() && !value.iter().any(is_other)
}

/// Passes on an event from HTML within HTML. A base URI in the inner HTML does not apply to the
/// outer document.
fn outer(event: Event<'_>, start: usize, each: &mut Each<'_>) {
    let mut found = event.into_reference();
    found.range = found.range.start + start..found.range.end + start;
    each(Event::Reference(found));
}
