//! Tags and text of HTML with their offsets, from the tokenizer of `lol_html`.
//!
//! The tokenizer reads the bytes as they are: the charset is given to it as `x-user-defined`,
//! which maps each byte to one character, so that nothing is decoded and nothing is lost.
//!
//! Its memory is limited. If unclosed elements fill it, a new tokenizer continues at the same
//! offset. A tag or comment that is too long for it is treated as text.

use encoding_rs::X_USER_DEFINED;
use lol_html::errors::RewritingError;
use lol_html::html_content::{Attribute as LolAttribute, BailOut, TextType};
use lol_html::send::{ElementContentHandlers, HtmlRewriter, Settings};
use lol_html::{
    AsciiCompatibleEncoding, DocumentContentHandlers, MemorySettings, OutputSink, Selector,
};
use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The longest tag or comment, in bytes; a longer one is text. The open elements count towards the
/// same limit.
pub(crate) const MAX_TAG: usize = 16 << 20;
/// How much is passed to the tokenizer at once, in bytes.
const PIECE: usize = 1 << 16;

/// A start tag, a piece of text, or the end of a foreign element whose text has no references.
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
    /// The offset of the value.
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
    /// Literally.
    Literal,
    /// The content of a raw text element; its start tag came before.
    Raw,
    Script,
}

impl From<TextType> for TextKind {
    fn from(kind: TextType) -> Self {
        match kind {
            TextType::Data | TextType::RCData => Self::Escaped,
            TextType::PlainText | TextType::CDataSection => Self::Literal,
            TextType::RawText => Self::Raw,
            TextType::ScriptData => Self::Script,
        }
    }
}

/// What the tokenizer's handlers pass to the lexer.
#[derive(Default, Debug)]
struct Shared {
    tokens: Vec<Token>,
    /// The offset in the document at which this tokenizer began.
    base: usize,
    /// How much of its input this tokenizer has processed.
    consumed: usize,
    /// The end of the last token. When text is read again, nothing before this is passed on twice.
    floor: usize,
    /// The total length of the element names that this tokenizer has seen.
    names: usize,
    gave_up: bool,
    /// The input that it has not processed.
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

/// Splits HTML that arrives in pieces into tags and text.
pub(crate) struct Lexer {
    rewriter: HtmlRewriter<'static, Sink>,
    sink: Sink,
    wanted: fn(&str) -> bool,
    /// How many tags and comments were too long.
    long: usize,
}

impl core::fmt::Debug for Lexer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Lexer").field(&self.sink).finish()
    }
}

impl Lexer {
    /// A lexer that keeps the attributes whose name, in lower case, is `wanted`.
    pub(crate) fn new(wanted: fn(&str) -> bool) -> Self {
        let sink = Sink(Arc::default());
        Self {
            rewriter: rewriter(&sink, wanted),
            sink,
            wanted,
            long: 0,
        }
    }

    /// The offset before which no later token can begin.
    pub(crate) fn consumed(&self) -> usize {
        let shared = self.sink.lock();
        shared.base + shared.consumed
    }

    /// Takes the next piece of the document, and calls `each` with the tokens that it completes.
    pub(crate) fn push(&mut self, piece: &[u8], each: &mut dyn FnMut(Token)) {
        for piece in piece.chunks(PIECE) {
            if self.rewriter.write(piece).is_err() {
                self.resume(each);
            }
            self.drain(each);
        }
    }

    /// Ends the document. Returns how many tags and comments were too long, and read as text.
    pub(crate) fn finish(mut self, each: &mut dyn FnMut(Token)) -> usize {
        loop {
            let fresh = rewriter(&self.sink, self.wanted);
            let rewriter = core::mem::replace(&mut self.rewriter, fresh);
            let is_ended = rewriter.end().is_ok();
            self.drain(each);
            if is_ended {
                return self.long;
            }
            self.resume(each);
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

    /// Continues where the tokenizer gave up.
    fn resume(&mut self, each: &mut dyn FnMut(Token)) {
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

    /// Replaces a tokenizer that gave up. Returns the input to be read again.
    fn restart(&mut self, each: &mut dyn FnMut(Token)) -> Vec<u8> {
        self.drain(each);
        let mut shared = self.sink.lock();
        let rest = core::mem::take(&mut shared.rest);
        let start = shared.base + shared.consumed;
        let is_too_long = shared.consumed == 0 || rest.len() > MAX_TAG / 2;
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
        self.long += 1;
        each(Token::Text(Text {
            kind: TextKind::Escaped,
            start,
            bytes: rest,
            is_last: true,
        }));
        Vec::new()
    }
}

/// Stops the tokenizer in a case that its own limit does not cover.
#[derive(Debug)]
struct LongNames;

impl core::fmt::Display for LongNames {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("the names of the open elements are too long in total")
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
        if shared.names > MAX_TAG && shared.consumed > 0 {
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
                .with_max_allowed_memory_usage(MAX_TAG)
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

/// The bytes that the characters of `x-user-defined` stand for: those beyond US-ASCII are from
/// U+F780 on.
fn bytes(text: Cow<'_, str>) -> Vec<u8> {
    if text.is_ascii() {
        return text.into_owned().into_bytes();
    }
    text.chars()
        .map(|character| u8::try_from(u32::from(character) & 0xFF).unwrap_or(b'?'))
        .collect()
}
