//! Tags and text of HTML, by `lol_html`, with their offsets.
//!
//! The tokenizer runs over the bytes as they are: they are given to it as `x-user-defined`, in which each byte is one
//! character, so that nothing is decoded and nothing is lost.
//!
//! Its memory is limited. Where elements that are never closed fill it, a new tokenizer goes on at the same place. A tag or a comment that is too
//! long for it is given as text.

use encoding_rs::X_USER_DEFINED;
use lol_html::errors::RewritingError;
use lol_html::html_content::{Attribute as LolAttribute, BailOut, TextType};
use lol_html::send::{ElementContentHandlers, HtmlRewriter, Settings};
use lol_html::{
    AsciiCompatibleEncoding, DocumentContentHandlers, MemorySettings, OutputSink, Selector,
};
use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A tag or comment that is longer, in bytes, is no tag; what elements are open takes from the same.
pub(crate) const LONGEST_TAG: usize = 16 << 20;
/// How much is given to the tokenizer at once.
const PIECE: usize = 1 << 16;

/// A start tag or a piece of text; where an element of foreign content ends whose text is none.
#[derive(Debug)]
pub(crate) enum Token {
    Start(Tag),
    /// The end of `<style>` or `<script>` in SVG.
    End,
    Text(Text),
}

#[derive(Debug)]
pub(crate) struct Tag {
    /// In lower case.
    pub(crate) name: String,
    pub(crate) is_foreign: bool,
    /// Those that the caller wants.
    pub(crate) attributes: Vec<Attribute>,
}

#[derive(Debug)]
pub(crate) struct Attribute {
    /// In lower case.
    pub(crate) name: String,
    /// As written.
    pub(crate) value: Vec<u8>,
    /// Where the value begins.
    pub(crate) start: usize,
}

/// A piece of a text node.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) kind: TextKind,
    pub(crate) start: usize,
    pub(crate) bytes: Vec<u8>,
    pub(crate) is_last: bool,
}

/// How a text is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TextKind {
    /// With character references.
    Escaped,
    /// As it stands.
    Plain,
    /// The content of an element that HTML does not look into: which one, its start tag has said.
    Raw,
    Script,
}

impl From<TextType> for TextKind {
    fn from(kind: TextType) -> Self {
        match kind {
            TextType::Data | TextType::RCData => Self::Escaped,
            TextType::PlainText | TextType::CDataSection => Self::Plain,
            TextType::RawText => Self::Raw,
            TextType::ScriptData => Self::Script,
        }
    }
}

/// What the handlers leave for the lexer.
#[derive(Default, Debug)]
struct Shared {
    tokens: Vec<Token>,
    /// Where the tokenizer's text begins in the whole.
    base: usize,
    /// How much of its text it has dealt with.
    consumed: usize,
    /// Behind the last token: where it is read anew, nothing before this is given again.
    floor: usize,
    /// How long the names of this tokenizer's elements are together.
    names: usize,
    gave_up: bool,
    /// What it gave up on.
    rest: Vec<u8>,
}

#[derive(Clone, Debug)]
struct Sink(Arc<Mutex<Shared>>);

impl Sink {
    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OutputSink for Sink {
    fn handle_chunk(&mut self, chunk: &[u8]) {
        let mut shared = self.lock();
        if shared.gave_up {
            shared.rest.extend_from_slice(chunk);
        } else {
            shared.consumed += chunk.len();
        }
    }
}

/// Takes HTML in pieces and gives tags and text.
pub(crate) struct Lexer {
    rewriter: HtmlRewriter<'static, Sink>,
    sink: Sink,
    wanted: fn(&str) -> bool,
}

impl core::fmt::Debug for Lexer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Lexer").field(&self.sink).finish()
    }
}

impl Lexer {
    /// One that gives the attributes whose name, in lower case, is wanted.
    pub(crate) fn new(wanted: fn(&str) -> bool) -> Self {
        let sink = Sink(Arc::default());
        Self {
            rewriter: rewriter(&sink, wanted),
            sink,
            wanted,
        }
    }

    /// How much was dealt with: no token to come begins before.
    pub(crate) fn consumed(&self) -> usize {
        let shared = self.sink.lock();
        shared.base + shared.consumed
    }

    /// Takes the next piece of the document, and gives what it completes.
    pub(crate) fn push(&mut self, piece: &[u8], each: &mut dyn FnMut(Token)) {
        for piece in piece.chunks(PIECE) {
            if self.rewriter.write(piece).is_err() {
                self.go_on(each);
            }
            self.drain(each);
        }
    }

    /// Ends the document.
    pub(crate) fn finish(mut self, each: &mut dyn FnMut(Token)) {
        loop {
            let fresh = rewriter(&self.sink, self.wanted);
            let rewriter = core::mem::replace(&mut self.rewriter, fresh);
            let is_ended = rewriter.end().is_ok();
            self.drain(each);
            if is_ended {
                return;
            }
            self.go_on(each);
        }
    }

    fn drain(&self, each: &mut dyn FnMut(Token)) {
        let mut tokens = core::mem::take(&mut self.sink.lock().tokens);
        for token in tokens.drain(..) {
            each(token);
        }
        let mut shared = self.sink.lock();
        if shared.tokens.is_empty() {
            shared.tokens = tokens;
        }
    }

    /// Goes on where the tokenizer gave up.
    fn go_on(&mut self, each: &mut dyn FnMut(Token)) {
        let mut open = vec![self.restart(each)];
        while let Some(next) = open.pop() {
            let mut start = 0;
            while let Some(piece) = next.get(start..).filter(|rest| !rest.is_empty()) {
                let piece = piece.get(..PIECE).unwrap_or(piece);
                start += piece.len();
                if self.rewriter.write(piece).is_err() {
                    open.push(next.get(start..).unwrap_or_default().to_vec());
                    open.push(self.restart(each));
                    break;
                }
                self.drain(each);
            }
        }
    }

    /// Puts a new tokenizer in the place of one that gave up; gives what is to be read again.
    fn restart(&mut self, each: &mut dyn FnMut(Token)) -> Vec<u8> {
        self.drain(each);
        let mut shared = self.sink.lock();
        let rest = core::mem::take(&mut shared.rest);
        let start = shared.base + shared.consumed;
        let is_too_long = shared.consumed == 0 || rest.len() > LONGEST_TAG / 2;
        shared.base = start;
        shared.consumed = 0;
        shared.names = 0;
        shared.gave_up = false;
        if is_too_long {
            shared.base += rest.len();
        }
        drop(shared);
        self.rewriter = rewriter(&self.sink, self.wanted);
        if !is_too_long {
            return rest;
        }
        each(Token::Text(Text {
            kind: TextKind::Escaped,
            start,
            bytes: rest,
            is_last: true,
        }));
        Vec::new()
    }
}

/// Why the tokenizer is stopped, where its own limit does not.
#[derive(Debug)]
struct LongNames;

impl core::fmt::Display for LongNames {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("the names of open elements are too long together")
    }
}

impl core::error::Error for LongNames {}

fn rewriter(sink: &Sink, wanted: fn(&str) -> bool) -> HtmlRewriter<'static, Sink> {
    let (tags, texts, stops) = (sink.clone(), sink.clone(), sink.clone());
    let encoding = AsciiCompatibleEncoding::new(X_USER_DEFINED);
    let on_tag = move |element: &mut lol_html::send::Element<'_, '_>| {
        let mut shared = tags.lock();
        let name = element.tag_name();
        shared.names += name.len();
        if shared.names > LONGEST_TAG && shared.consumed > 0 {
            return Err(LongNames.into());
        }
        let at = element.source_location().bytes();
        if shared.base + at.start < shared.floor {
            return Ok(());
        }
        shared.floor = shared.base + at.end;
        let attributes = element
            .attributes()
            .iter()
            .filter_map(|attribute| read(attribute, shared.base, wanted))
            .collect();
        let is_foreign = element.namespace_uri() != "http://www.w3.org/1999/xhtml";
        let has_no_text = is_foreign && matches!(name.as_str(), "style" | "script");
        shared.tokens.push(Token::Start(Tag {
            name,
            is_foreign,
            attributes,
        }));
        drop(shared);
        if has_no_text && !element.is_self_closing() {
            let ends = tags.clone();
            element.on_end_tag(Box::new(move |_| {
                ends.lock().tokens.push(Token::End);
                Ok(())
            }))?;
        }
        Ok(())
    };
    let on_text = move |chunk: &mut lol_html::html_content::TextChunk<'_>| {
        let mut shared = texts.lock();
        let mut start = shared.base + chunk.source_location().bytes().start;
        let mut bytes = bytes(Cow::Borrowed(chunk.as_str()));
        if start < shared.floor {
            let again = bytes.len().min(shared.floor - start);
            bytes.drain(..again);
            start += again;
        }
        shared.floor = start + bytes.len();
        let text = Text {
            kind: chunk.text_type().into(),
            start,
            bytes,
            is_last: chunk.last_in_text_node(),
        };
        shared.tokens.push(Token::Text(text));
        Ok(())
    };
    let on_stop = move |_: &RewritingError, _: &mut BailOut<'_>| stops.lock().gave_up = true;
    let mut settings = Settings::new_send()
        .with_strict(false)
        .with_memory_settings(
            MemorySettings::new()
                .with_max_allowed_memory_usage(LONGEST_TAG)
                .with_graceful_bail_out_on_memory_limit_exceeded(true),
        )
        .with_graceful_bail_out_on_content_handler_error(true)
        .append_bail_out_handler(on_stop)
        .append_document_content_handler(DocumentContentHandlers::default().text(on_text));
    if let Some(encoding) = encoding {
        settings = settings.with_encoding(encoding);
    }
    if let Ok(every) = "*".parse::<Selector>() {
        let handlers = ElementContentHandlers::default().element(on_tag);
        settings = settings.append_element_content_handler((Cow::Owned(every), handlers));
    }
    HtmlRewriter::new(settings, sink.clone())
}

/// An attribute that is wanted and has a value.
fn read(attribute: &LolAttribute<'_>, base: usize, wanted: fn(&str) -> bool) -> Option<Attribute> {
    let name = attribute.name();
    if !wanted(&name) {
        return None;
    }
    let start = base + attribute.value_source_location()?.bytes().start;
    Some(Attribute {
        name,
        value: bytes(Cow::Owned(attribute.value())),
        start,
    })
}

/// The bytes behind the characters of `x-user-defined`: those beyond US-ASCII are at U+F780 and up.
fn bytes(text: Cow<'_, str>) -> Vec<u8> {
    if text.is_ascii() {
        return text.into_owned().into_bytes();
    }
    text.chars()
        .map(|character| u8::try_from(u32::from(character) & 0xFF).unwrap_or(b'?'))
        .collect()
}
