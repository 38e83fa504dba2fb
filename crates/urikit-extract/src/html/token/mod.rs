//! Splits HTML into tags, text and comments with their offsets (HTML living standard, 13.2.5). The
//! input arrives in pieces.
//!
//! The tokenizer follows the states of the standard as far as they distinguish tags, attributes,
//! text and comments. Tokens are slices of the input. Only a tag split between pieces is copied.
//! Other tokens are passed on in pieces. Character references are not decoded here, and NULs are
//! kept.
//!
//! The name of an element, and whether it is in [foreign content](foreign), determine how its
//! content is read.

mod cursor;
mod foreign;
mod states;
mod tag;
#[cfg(test)]
mod tests;

use core::mem;
use cursor::Cursor;
use foreign::Foreign;
use states::{State, StateResult};
use tag::AttributeSpans;
pub(crate) use tag::{Attribute, ContentModel, Tag};

/// The maximum length of a tag, in bytes. The start of a longer tag is read as text.
pub(crate) const MAX_TAG: usize = 16 << 20;

/// A piece of text or of a comment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    pub(crate) kind: TextKind,
    /// The offset in the document.
    pub(crate) start: usize,
    pub(crate) bytes: &'a [u8],
    /// True if the text ends with this piece.
    pub(crate) is_last: bool,
}

/// The kind of text, which determines how it is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TextKind {
    /// Text with character references.
    Escaped,
    /// Text without character references.
    Literal,
    /// The content of a raw text element, whose start tag has already been passed on.
    Raw,
    Script,
    Comment,
    /// The document type.
    Doctype,
}

/// Receives the tokens, in order.
pub(crate) trait Sink {
    /// Returns true if attributes with this name are wanted. The name is as written.
    fn wants(&self, name: &[u8]) -> bool;

    fn start_tag(&mut self, tag: Tag<'_>);

    /// Receives an end tag in foreign content, or that of an element whose text is not markup.
    fn end_tag(&mut self);

    fn text(&mut self, text: Text<'_>);
}

/// Splits HTML that arrives in pieces into tokens.
#[derive(Debug)]
pub(crate) struct Tokenizer {
    state: State,
    foreign: Foreign,
    attributes: AttributeSpans,
    /// True if the content of `noscript` is raw text, as in browsers that run scripts.
    is_scripting: bool,
    /// The input that has not been read.
    rest: Vec<u8>,
    /// The offset of the first unread byte in the document.
    start: usize,
    /// The length that `rest` must reach before it is read again. This length is doubled each time,
    /// which keeps the work for small pieces linear.
    retry_at: usize,
    /// True if the end of the last text has not been passed on yet.
    in_text: bool,
    /// The number of tags that were too long.
    long_tags: usize,
}

impl Tokenizer {
    pub(crate) fn new() -> Self {
        Self {
            state: State::Data,
            foreign: Foreign::default(),
            attributes: AttributeSpans::default(),
            is_scripting: true,
            rest: Vec::new(),
            start: 0,
            retry_at: 0,
            in_text: false,
            long_tags: 0,
        }
    }

    /// Sets whether to keep all attributes with the same name instead of only the first.
    pub(crate) fn with_repeated(mut self, yes: bool) -> Self {
        self.attributes.keeps_repeated = yes;
        self
    }

    /// Sets whether the content of `noscript` is raw text. Without scripting, the content is
    /// markup.
    pub(crate) fn with_scripting(mut self, yes: bool) -> Self {
        self.is_scripting = yes;
        self
    }

    /// Returns the offset before which no later token can begin.
    pub(crate) const fn consumed(&self) -> usize {
        self.start
    }

    /// Reads the next piece of the document.
    pub(crate) fn push(&mut self, piece: &[u8], sink: &mut impl Sink) {
        if self.rest.is_empty() {
            let read = self.read(piece, false, sink);
            self.rest
                .extend_from_slice(piece.get(read..).unwrap_or_default());
        } else {
            self.rest.extend_from_slice(piece);
            if self.rest.len() < self.retry_at {
                return;
            }
            let mut rest = mem::take(&mut self.rest);
            let read = self.read(&rest, false, sink);
            rest.drain(..read);
            self.rest = rest;
        }
        self.retry_at = MAX_TAG.min(2 * self.rest.len());
    }

    /// Ends the document. Returns the number of tags that were too long and were read as text.
    pub(crate) fn finish(mut self, sink: &mut impl Sink) -> usize {
        let rest = mem::take(&mut self.rest);
        self.read(&rest, true, sink);
        self.text(
            Cursor::new(&[], true),
            0,
            self.state.text_kind(),
            true,
            sink,
        );
        self.long_tags
    }

    /// Reads `input` up to the point where more is needed, and returns the length read.
    fn read(&mut self, input: &[u8], is_complete: bool, sink: &mut impl Sink) -> usize {
        let mut cursor = Cursor::new(input, is_complete);
        while !cursor.is_at_end() {
            let result: StateResult = match self.state {
                State::Data => self.data(&mut cursor, sink),
                State::RawText(kind, name) => self.raw_text(&mut cursor, kind, name, sink),
                State::Script(script) => self.script(&mut cursor, script, sink),
                State::Plaintext => {
                    self.plaintext(&mut cursor, sink);
                    Ok(())
                }
                State::Comment { is_start } => self.comment(&mut cursor, is_start, sink),
                State::BogusComment(kind) => self.bogus_comment(&mut cursor, kind, sink),
                State::Cdata => self.cdata(&mut cursor, sink),
            };
            if result.is_err() {
                break;
            }
        }
        self.start += cursor.position();
        cursor.position()
    }

    /// Passes on the text from `from` up to the cursor, unless it is empty.
    fn text(
        &mut self,
        cursor: Cursor<'_>,
        from: usize,
        kind: TextKind,
        is_last: bool,
        sink: &mut impl Sink,
    ) {
        let bytes = cursor.since(from);
        if bytes.is_empty() && !(is_last && self.in_text) {
            return;
        }
        self.in_text = !is_last;
        sink.text(Text {
            kind,
            start: self.start + from,
            bytes,
            is_last,
        });
    }
}
