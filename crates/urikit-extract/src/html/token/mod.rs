//! Tags, text and comments of HTML with their offsets (HTML living standard, 13.2.5), out of input
//! that arrives in pieces.
//!
//! The tokenizer follows the states of the standard as far as they decide what is a tag, an
//! attribute, a text or a comment. It copies nothing: tokens are slices of the input. Character
//! references are not decoded here, and a NUL stays. A tag that is incomplete is kept until the
//! rest arrives; all other tokens are passed on in pieces. How the content of an element is read
//! depends on its name and on whether it is foreign ([`foreign`]), not on a tree.

mod element;
mod foreign;
mod raw;
mod seek;
mod tag;
#[cfg(test)]
mod tests;

use core::mem;
pub(crate) use element::Model;
use foreign::Foreign;
use raw::{End, Script};
pub(crate) use tag::{Attribute, Tag};
use tag::{Outcome, Spans};

/// The longest tag, in bytes; the beginning of a longer one is text.
pub(crate) const MAX_TAG: usize = 16 << 20;

/// A piece of a text or of a comment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    pub(crate) kind: TextKind,
    /// The offset in the document.
    pub(crate) start: usize,
    pub(crate) bytes: &'a [u8],
    /// Whether the text is complete.
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
    Comment,
    /// The document type.
    Doctype,
}

/// Receives the tokens, in order.
pub(crate) trait Sink {
    /// Whether an attribute with this name, as written, is passed on.
    fn wants(&self, name: &[u8]) -> bool;
    fn start(&mut self, tag: Tag<'_>);
    /// An end tag in foreign content.
    fn end(&mut self);
    fn text(&mut self, text: Text<'_>);
}

/// What the input is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Data,
    /// Text up to the end tag of this element.
    Raw(TextKind, &'static str),
    Script(Script),
    Plaintext,
    /// A comment; whether it begins here.
    Comment(bool),
    /// A document type, or anything else between `<!`, `<?` or `</` and `>`.
    Bogus(TextKind),
    Cdata,
}

/// Splits HTML that arrives in pieces into tokens.
#[derive(Debug)]
pub(crate) struct Lexer {
    state: State,
    foreign: Foreign,
    spans: Spans,
    /// The input that has not been read.
    rest: Vec<u8>,
    /// The offset in the document of what has not been read.
    start: usize,
    /// How much input must be there before it is read again, so that small pieces cost no more
    /// than large ones.
    wait: usize,
    /// Whether a text has begun that has not been ended.
    in_text: bool,
    /// How many tags were too long.
    long: usize,
}

/// How far the input was read.
enum Step {
    To(usize),
    /// What follows depends on more input.
    Wait(usize),
}

impl Lexer {
    pub(crate) fn new() -> Self {
        Self {
            state: State::Data,
            foreign: Foreign::default(),
            spans: Spans::default(),
            rest: Vec::new(),
            start: 0,
            wait: 0,
            in_text: false,
            long: 0,
        }
    }

    /// The same, with all attributes of a name.
    pub(crate) fn with_repeated(mut self, yes: bool) -> Self {
        self.spans.keeps_all = yes;
        self
    }

    /// The offset before which no later token can begin.
    pub(crate) const fn consumed(&self) -> usize {
        self.start
    }

    /// Takes the next piece of the document.
    pub(crate) fn push(&mut self, piece: &[u8], sink: &mut impl Sink) {
        if self.rest.is_empty() {
            let read = self.read(piece, false, sink);
            self.keep(piece.get(read..).unwrap_or_default());
            return;
        }
        self.rest.extend_from_slice(piece);
        if self.rest.len() < self.wait {
            return;
        }
        let mut rest = mem::take(&mut self.rest);
        let read = self.read(&rest, false, sink);
        if read == rest.len() {
            rest.clear();
        } else {
            rest.drain(..read);
        }
        self.rest = rest;
        self.wait = MAX_TAG.min(2 * self.rest.len());
    }

    fn keep(&mut self, rest: &[u8]) {
        self.rest.extend_from_slice(rest);
        self.wait = MAX_TAG.min(2 * rest.len());
    }

    /// Ends the document. Returns how many tags were too long, and read as text.
    pub(crate) fn finish(mut self, sink: &mut impl Sink) -> usize {
        let rest = mem::take(&mut self.rest);
        self.read(&rest, true, sink);
        self.end_text(sink);
        self.long
    }

    /// Reads what can be read. Returns how much that is.
    fn read(&mut self, input: &[u8], is_complete: bool, sink: &mut impl Sink) -> usize {
        let mut at = 0;
        while at < input.len() {
            let step = match self.state {
                State::Data => self.data(input, at, is_complete, sink),
                State::Raw(kind, name) => {
                    let end = raw::raw_text(input, at, name);
                    self.raw(input, at, end, kind, is_complete, sink)
                }
                State::Script(mut script) => {
                    let end = raw::script(input, at, &mut script);
                    self.state = State::Script(script);
                    self.raw(input, at, end, TextKind::Script, is_complete, sink)
                }
                State::Plaintext => {
                    self.text(input, at, input.len(), TextKind::Literal, false, sink);
                    Step::To(input.len())
                }
                State::Comment(is_begin) => {
                    let end = raw::comment(input, at, is_begin);
                    self.raw(input, at, end, TextKind::Comment, is_complete, sink)
                }
                State::Bogus(kind) => {
                    let end = raw::bogus(input, at);
                    self.raw(input, at, end, kind, is_complete, sink)
                }
                State::Cdata => {
                    let end = raw::cdata(input, at);
                    self.raw(input, at, end, TextKind::Literal, is_complete, sink)
                }
            };
            match step {
                Step::To(next) => at = next,
                Step::Wait(next) => {
                    at = next;
                    break;
                }
            }
        }
        self.start += at;
        at
    }

    /// Passes on a text that is not empty.
    fn text(
        &mut self,
        input: &[u8],
        from: usize,
        to: usize,
        kind: TextKind,
        is_last: bool,
        sink: &mut impl Sink,
    ) {
        let bytes = input.get(from..to).unwrap_or_default();
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

    fn end_text(&mut self, sink: &mut impl Sink) {
        let kind = match self.state {
            State::Data => TextKind::Escaped,
            State::Raw(kind, _) | State::Bogus(kind) => kind,
            State::Script(_) => TextKind::Script,
            State::Plaintext | State::Cdata => TextKind::Literal,
            State::Comment(_) => TextKind::Comment,
        };
        self.text(&[], 0, 0, kind, true, sink);
    }

    /// A text that is not made of tags, with its end as far as it is known.
    fn raw(
        &mut self,
        input: &[u8],
        at: usize,
        end: End,
        kind: TextKind,
        is_complete: bool,
        sink: &mut impl Sink,
    ) -> Step {
        match end {
            End::At(end, next) => {
                self.text(input, at, end, kind, true, sink);
                if matches!(self.state, State::Raw(..) | State::Script(_)) {
                    return self.end_tag(input, next, is_complete, sink);
                }
                self.state = State::Data;
                Step::To(next)
            }
            End::NotBefore(end) => {
                let end = if is_complete { input.len() } else { end };
                self.text(input, at, end, kind, false, sink);
                if let State::Comment(is_begin) = &mut self.state {
                    *is_begin &= end == at;
                }
                if end < input.len() {
                    Step::Wait(end)
                } else {
                    Step::To(end)
                }
            }
        }
    }

    /// Text up to a `<` that begins markup, and that markup.
    fn data(&mut self, input: &[u8], at: usize, is_complete: bool, sink: &mut impl Sink) -> Step {
        let mut from = at;
        loop {
            let Some(open) = seek::find(input, b'<', from) else {
                self.text(input, at, input.len(), TextKind::Escaped, false, sink);
                return Step::To(input.len());
            };
            let next = input.get(open + 1).copied();
            let is_end_at_end = is_complete && next == Some(b'/') && open + 2 == input.len();
            match next {
                Some(b'a'..=b'z' | b'A'..=b'Z') => {
                    self.text(input, at, open, TextKind::Escaped, true, sink);
                    return self.start_tag(input, open, is_complete, sink);
                }
                Some(b'/' | b'!' | b'?') if !is_end_at_end => {
                    self.text(input, at, open, TextKind::Escaped, true, sink);
                    return self.other(input, open, is_complete, sink);
                }
                None if !is_complete => {
                    self.text(input, at, open, TextKind::Escaped, false, sink);
                    return Step::Wait(open);
                }
                _ => from = open + 1,
            }
        }
    }

    /// `</`, `<!` or `<?`.
    fn other(
        &mut self,
        input: &[u8],
        open: usize,
        is_complete: bool,
        sink: &mut impl Sink,
    ) -> Step {
        let rest = input.get(open + 2..).unwrap_or_default();
        let may_become = |whole: &[u8]| {
            let start = whole.get(..rest.len());
            !is_complete && start.is_some_and(|start| start.eq_ignore_ascii_case(rest))
        };
        let is_doctype = rest
            .get(..7)
            .is_some_and(|word| word.eq_ignore_ascii_case(b"doctype"));
        self.state = State::Bogus(TextKind::Comment);
        match (input.get(open + 1), rest.first()) {
            (Some(b'/'), Some(b'a'..=b'z' | b'A'..=b'Z')) => {
                self.state = State::Data;
                return self.end_tag(input, open, is_complete, sink);
            }
            (Some(b'/'), Some(b'>')) => {
                self.state = State::Data;
                return Step::To(open + 3);
            }
            (Some(b'/'), None) => {
                self.state = State::Data;
                return Step::Wait(open);
            }
            (Some(b'!'), _) if rest.starts_with(b"--") => {
                self.state = State::Comment(true);
                return Step::To(open + 4);
            }
            (Some(b'!'), _) if self.foreign.has_cdata() && rest.starts_with(b"[CDATA[") => {
                self.state = State::Cdata;
                return Step::To(open + 9);
            }
            (Some(b'!'), _) if is_doctype => {
                self.state = State::Bogus(TextKind::Doctype);
            }
            (Some(b'!'), _)
                if [&b"--"[..], b"[CDATA[", b"doctype"]
                    .into_iter()
                    .any(may_become) =>
            {
                self.state = State::Data;
                return Step::Wait(open);
            }
            _ => {}
        }
        Step::To(
            open + if input.get(open + 1) == Some(&b'?') {
                1
            } else {
                2
            },
        )
    }

    /// A tag that is incomplete.
    fn cut(&mut self, input: &[u8], open: usize, sink: &mut impl Sink) -> Step {
        if input.len() - open < MAX_TAG {
            return Step::Wait(open);
        }
        self.long += 1;
        self.text(input, open, open + MAX_TAG, TextKind::Escaped, false, sink);
        Step::To(open + MAX_TAG)
    }

    fn start_tag(
        &mut self,
        input: &[u8],
        open: usize,
        is_complete: bool,
        sink: &mut impl Sink,
    ) -> Step {
        self.spans.clear();
        let limited = input.get(..open + MAX_TAG).unwrap_or(input);
        let is_foreign = self.foreign.is_inside();
        let wants = |name: &[u8]| sink.wants(name) || is_foreign && Foreign::wants(name);
        let outcome = tag::read(limited, open + 1, wants, &mut self.spans);
        let (name_end, read) = match outcome {
            Outcome::Read(read) => (read.name_end, Some(read)),
            Outcome::Cut(name_end) if is_complete && input.len() - open < MAX_TAG => {
                (name_end, None)
            }
            Outcome::Cut(_) => return self.cut(input, open, sink),
        };
        let name = input.get(open + 1..name_end).unwrap_or_default();
        let (model, lower) = element::model(name);
        let mut tag = Tag {
            name,
            model,
            is_foreign,
            input,
            start: self.start,
            is_closed: false,
            is_cut: read.is_none(),
            spans: self.spans.list(),
        };
        let is_self_closing = read.is_some_and(|read| read.is_self_closing);
        if is_foreign {
            tag.is_foreign = self.foreign.start(tag, is_self_closing);
        } else if matches!(model, Model::Svg | Model::MathMl) {
            self.foreign.enter(model, is_self_closing);
            tag.is_foreign = true;
        }
        if tag.is_foreign {
            tag.is_closed = is_self_closing;
        } else {
            self.foreign.start_html();
            self.state = match model {
                Model::Rcdata => State::Raw(TextKind::Escaped, lower),
                Model::RawText => State::Raw(TextKind::Raw, lower),
                Model::Script => State::Script(Script::default()),
                Model::Plaintext => State::Plaintext,
                Model::Data | Model::Svg | Model::MathMl => State::Data,
            };
        }
        sink.start(tag);
        Step::To(read.map_or(input.len(), |read| read.end))
    }

    fn end_tag(
        &mut self,
        input: &[u8],
        open: usize,
        is_complete: bool,
        sink: &mut impl Sink,
    ) -> Step {
        let limited = input.get(..open + MAX_TAG).unwrap_or(input);
        let read = match tag::read_end(limited, open + 2, &mut self.spans) {
            Outcome::Read(read) => read,
            Outcome::Cut(_) if is_complete && input.len() - open < MAX_TAG => {
                return Step::To(input.len());
            }
            Outcome::Cut(_) => return self.cut(input, open, sink),
        };
        if self.foreign.is_inside() {
            sink.end();
        }
        let name = input.get(open + 2..read.name_end).unwrap_or_default();
        self.foreign.end(name);
        self.state = State::Data;
        Step::To(read.end)
    }
}
