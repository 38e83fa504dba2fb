//! The states of the tokenizer (HTML living standard, 13.2.5.1 to 13.2.5.71).
//!
//! Each method reads from the cursor up to a change of state. A method that needs more input leaves
//! the cursor before the first byte whose meaning is undecided.

use super::cursor::{Cursor, NeedMoreInput, ends_name};
use super::foreign::Foreign;
use super::tag::{ContentModel, Tag, content_model, read_attributes};
use super::{MAX_TAG, Sink, TextKind, Tokenizer};

/// The state that reads the next byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    Data,
    /// RCDATA or RAWTEXT, up to the end tag of the named element.
    RawText(TextKind, &'static str),
    Script(Script),
    Plaintext,
    /// A comment. `is_start` is true until the first byte of the comment has been read.
    Comment {
        is_start: bool,
    },
    /// A document type, or anything else that begins with `<!`, `<?` or `</` and ends at `>`.
    BogusComment(TextKind),
    Cdata,
}

impl State {
    /// Returns the kind of text that the state reads.
    pub(super) const fn text_kind(self) -> TextKind {
        match self {
            Self::Data => TextKind::Escaped,
            Self::RawText(kind, _) | Self::BogusComment(kind) => kind,
            Self::Script(_) => TextKind::Script,
            Self::Plaintext | Self::Cdata => TextKind::Literal,
            Self::Comment { .. } => TextKind::Comment,
        }
    }
}

/// The state of a script, in which `<script>` may nest after `<!--`. The numbers count the dashes
/// just read, up to two.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Script {
    #[default]
    Plain,
    Escaped(u8),
    /// In `<script>` after `<!--`.
    DoubleEscaped(u8),
}

impl Script {
    fn set_dashes(&mut self, count: u8) {
        match self {
            Self::Plain => {}
            Self::Escaped(dashes) | Self::DoubleEscaped(dashes) => *dashes = count,
        }
    }
}

pub(super) type StateResult = Result<(), NeedMoreInput>;

impl Tokenizer {
    /// Data state (13.2.5.1) and tag open state (13.2.5.6).
    pub(super) fn data(&mut self, cursor: &mut Cursor<'_>, sink: &mut impl Sink) -> StateResult {
        let start = cursor.position();
        while cursor.seek(b'<') {
            match cursor.peek_after(1) {
                Some(b'a'..=b'z' | b'A'..=b'Z') => {
                    self.text(*cursor, start, TextKind::Escaped, true, sink);
                    return self.start_tag(cursor, sink);
                }
                // At the end of the document, `</` is text.
                Some(b'/') if cursor.is_complete() && cursor.rest().len() == 2 => cursor.bump(),
                Some(b'/') => {
                    self.text(*cursor, start, TextKind::Escaped, true, sink);
                    return self.end_tag_open(cursor, sink);
                }
                Some(b'!') => {
                    self.text(*cursor, start, TextKind::Escaped, true, sink);
                    return self.markup_declaration_open(cursor);
                }
                Some(b'?') => {
                    self.text(*cursor, start, TextKind::Escaped, true, sink);
                    cursor.bump();
                    self.state = State::BogusComment(TextKind::Comment);
                    return Ok(());
                }
                None if !cursor.is_complete() => {
                    self.text(*cursor, start, TextKind::Escaped, false, sink);
                    return Err(NeedMoreInput);
                }
                _ => cursor.bump(),
            }
        }
        self.text(*cursor, start, TextKind::Escaped, false, sink);
        Ok(())
    }

    /// End tag open state (13.2.5.7), with the cursor at `</`.
    fn end_tag_open(&mut self, cursor: &mut Cursor<'_>, sink: &mut impl Sink) -> StateResult {
        match cursor.peek_after(2) {
            Some(b'a'..=b'z' | b'A'..=b'Z') => return self.end_tag(cursor, sink),
            Some(b'>') => cursor.advance(3),
            Some(_) => {
                cursor.advance(2);
                self.state = State::BogusComment(TextKind::Comment);
            }
            None => return Err(NeedMoreInput),
        }
        Ok(())
    }

    /// Markup declaration open state (13.2.5.42), with the cursor at `<!`.
    fn markup_declaration_open(&mut self, cursor: &mut Cursor<'_>) -> StateResult {
        let rest = cursor.rest().get(2..).unwrap_or_default();
        let begins = |word: &[u8]| {
            rest.get(..word.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(word))
        };
        let may_begin = |word: &[u8]| {
            let start = word.get(..rest.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(rest))
        };
        let words: [&[u8]; 3] = [b"--", b"[CDATA[", b"doctype"];
        if rest.starts_with(b"--") {
            cursor.advance(4);
            self.state = State::Comment { is_start: true };
        } else if self.foreign.has_cdata() && rest.starts_with(b"[CDATA[") {
            cursor.advance(9);
            self.state = State::Cdata;
        } else if begins(b"doctype") {
            cursor.advance(2);
            self.state = State::BogusComment(TextKind::Doctype);
        } else if !cursor.is_complete() && words.into_iter().any(may_begin) {
            return Err(NeedMoreInput);
        } else {
            cursor.advance(2);
            self.state = State::BogusComment(TextKind::Comment);
        }
        Ok(())
    }

    /// Tag name state of a start tag (13.2.5.8), with the cursor at its `<`.
    fn start_tag(&mut self, cursor: &mut Cursor<'_>, sink: &mut impl Sink) -> StateResult {
        self.attributes.clear();
        let mut inner = cursor.limited(MAX_TAG);
        inner.bump();
        let name = inner.take_while(|byte| !ends_name(byte));
        let is_foreign = self.foreign.is_inside();
        let wants = |name: &[u8]| sink.wants(name) || is_foreign && Foreign::wants(name);
        let is_self_closing = read_attributes(&mut inner, wants, &mut self.attributes);
        let is_cut = is_self_closing.is_err();
        if is_cut && !is_last_tag(*cursor) {
            return self.cut_tag(cursor, sink);
        }
        let is_self_closing = is_self_closing.unwrap_or_default();
        let (model, lower) = match content_model(name) {
            (_, "noscript") if !self.is_scripting => (ContentModel::Data, ""),
            known => known,
        };
        let mut tag = Tag {
            name,
            model,
            is_foreign,
            input: cursor.input(),
            start: self.start,
            has_no_content: false,
            is_cut,
            spans: self.attributes.list(),
        };
        if is_foreign {
            tag.is_foreign = self.foreign.start(tag, is_self_closing);
        } else if matches!(model, ContentModel::Svg | ContentModel::MathMl) {
            self.foreign.enter(model, is_self_closing);
            tag.is_foreign = true;
        }
        if tag.is_foreign {
            tag.has_no_content = is_self_closing;
        } else {
            self.foreign.start_html();
            self.state = match model {
                ContentModel::Rcdata => State::RawText(TextKind::Escaped, lower),
                ContentModel::RawText => State::RawText(TextKind::Raw, lower),
                ContentModel::Script => State::Script(Script::default()),
                ContentModel::Plaintext => State::Plaintext,
                ContentModel::Data | ContentModel::Svg | ContentModel::MathMl => State::Data,
            };
        }
        sink.start_tag(tag);
        cursor.set_position(inner.position());
        Ok(())
    }

    /// Tag name state of an end tag (13.2.5.8), with the cursor at its `</`. Attributes of end tags
    /// have no meaning.
    fn end_tag(&mut self, cursor: &mut Cursor<'_>, sink: &mut impl Sink) -> StateResult {
        let mut inner = cursor.limited(MAX_TAG);
        inner.advance(2);
        let name = inner.take_while(|byte| !ends_name(byte));
        if !inner.take(b'>')
            && read_attributes(&mut inner, |_| false, &mut self.attributes).is_err()
        {
            if !is_last_tag(*cursor) {
                return self.cut_tag(cursor, sink);
            }
            cursor.set_position(cursor.input().len());
            return Ok(());
        }
        if self.foreign.is_inside() || self.state != State::Data {
            sink.end_tag();
        }
        self.foreign.end(name);
        self.state = State::Data;
        cursor.set_position(inner.position());
        Ok(())
    }

    /// Waits for the rest of a tag. If the tag is too long, treats its start as text.
    fn cut_tag(&mut self, cursor: &mut Cursor<'_>, sink: &mut impl Sink) -> StateResult {
        if cursor.rest().len() < MAX_TAG {
            return Err(NeedMoreInput);
        }
        self.long_tags += 1;
        let start = cursor.position();
        cursor.advance(MAX_TAG);
        self.text(*cursor, start, TextKind::Escaped, false, sink);
        Ok(())
    }

    /// RCDATA state (13.2.5.2) and RAWTEXT state (13.2.5.3): text up to the end tag of an element.
    pub(super) fn raw_text(
        &mut self,
        cursor: &mut Cursor<'_>,
        kind: TextKind,
        name: &str,
        sink: &mut impl Sink,
    ) -> StateResult {
        let start = cursor.position();
        while cursor.seek(b'<') {
            match cursor.is_at_end_tag(name) {
                Ok(true) => {
                    self.text(*cursor, start, kind, true, sink);
                    return self.end_tag(cursor, sink);
                }
                Ok(false) => cursor.bump(),
                Err(NeedMoreInput) => break,
            }
        }
        self.undecided(cursor, start, kind, sink)
    }

    /// Script data state (13.2.5.4): text up to the end tag of `script`.
    pub(super) fn script(
        &mut self,
        cursor: &mut Cursor<'_>,
        mut script: Script,
        sink: &mut impl Sink,
    ) -> StateResult {
        let start = cursor.position();
        let is_at_end = seek_script_end(cursor, &mut script);
        self.state = State::Script(script);
        if is_at_end {
            self.text(*cursor, start, TextKind::Script, true, sink);
            return self.end_tag(cursor, sink);
        }
        self.undecided(cursor, start, TextKind::Script, sink)
    }

    /// PLAINTEXT state (13.2.5.5).
    pub(super) fn plaintext(&mut self, cursor: &mut Cursor<'_>, sink: &mut impl Sink) {
        let start = cursor.position();
        cursor.set_position(cursor.input().len());
        self.text(*cursor, start, TextKind::Literal, false, sink);
    }

    /// Comment states (13.2.5.43 to 13.2.5.52), after `<!--`. The dashes of `<!--` may also be
    /// those of `-->`.
    pub(super) fn comment(
        &mut self,
        cursor: &mut Cursor<'_>,
        is_start: bool,
        sink: &mut impl Sink,
    ) -> StateResult {
        let start = cursor.position();
        while cursor.seek(b'>') {
            let dashes = match cursor.since(start) {
                [.., b'-', b'-'] => 2,
                [.., b'-', b'-', b'!'] => 3,
                [] if is_start => 0,
                [b'-'] if is_start => 1,
                _ => {
                    cursor.bump();
                    continue;
                }
            };
            cursor.set_position(cursor.position() - dashes);
            self.text(*cursor, start, TextKind::Comment, true, sink);
            cursor.advance(dashes + 1);
            self.state = State::Data;
            return Ok(());
        }
        // The last three bytes may begin `--!>`.
        cursor.set_position(cursor.position().saturating_sub(3).max(start));
        let result = self.undecided(cursor, start, TextKind::Comment, sink);
        let is_start = is_start && cursor.position() == start;
        self.state = State::Comment { is_start };
        result
    }

    /// Bogus comment state (13.2.5.41), and the states of a document type (13.2.5.53 to 13.2.5.68).
    pub(super) fn bogus_comment(
        &mut self,
        cursor: &mut Cursor<'_>,
        kind: TextKind,
        sink: &mut impl Sink,
    ) -> StateResult {
        let start = cursor.position();
        if cursor.seek(b'>') {
            self.text(*cursor, start, kind, true, sink);
            cursor.bump();
            self.state = State::Data;
            return Ok(());
        }
        self.undecided(cursor, start, kind, sink)
    }

    /// CDATA section states (13.2.5.69 to 13.2.5.71).
    pub(super) fn cdata(&mut self, cursor: &mut Cursor<'_>, sink: &mut impl Sink) -> StateResult {
        let start = cursor.position();
        if cursor.seek_text(b"]]>") {
            self.text(*cursor, start, TextKind::Literal, true, sink);
            cursor.advance(3);
            self.state = State::Data;
            return Ok(());
        }
        // The last two bytes may begin `]]>`.
        cursor.set_position(cursor.position().saturating_sub(2).max(start));
        self.undecided(cursor, start, TextKind::Literal, sink)
    }

    /// Passes on the text up to the cursor, or to the end of a complete document. Fails if the
    /// remaining input cannot be interpreted without the next piece.
    fn undecided(
        &mut self,
        cursor: &mut Cursor<'_>,
        start: usize,
        kind: TextKind,
        sink: &mut impl Sink,
    ) -> StateResult {
        if cursor.is_complete() {
            cursor.set_position(cursor.input().len());
        }
        self.text(*cursor, start, kind, false, sink);
        if cursor.is_at_end() {
            Ok(())
        } else {
            Err(NeedMoreInput)
        }
    }
}

/// Returns true if the document ends within the tag at the cursor, and the tag is not too long.
fn is_last_tag(cursor: Cursor<'_>) -> bool {
    cursor.is_complete() && cursor.rest().len() < MAX_TAG
}

/// Moves to the end tag of a script (13.2.5.4 and 13.2.5.15 to 13.2.5.31). If the input has no such
/// tag, moves to the first byte whose meaning is undecided, and returns false.
fn seek_script_end(cursor: &mut Cursor<'_>, script: &mut Script) -> bool {
    loop {
        let dashes = match *script {
            Script::Plain => {
                if !cursor.seek(b'<') {
                    return false;
                }
                let tail = cursor.rest().get(1..).unwrap_or_default();
                if tail.starts_with(b"!--") {
                    *script = Script::Escaped(2);
                    cursor.advance(4);
                    continue;
                }
                match cursor.is_at_end_tag("script") {
                    Ok(true) => return true,
                    Ok(false) if !b"!--".starts_with(tail) => cursor.bump(),
                    _ => return false,
                }
                continue;
            }
            Script::Escaped(dashes) | Script::DoubleEscaped(dashes) => dashes,
        };
        let start = cursor.position();
        let is_found = cursor.seek_any([b'<', b'-', b'>']);
        let dashes = if cursor.position() == start {
            dashes
        } else {
            0
        };
        script.set_dashes(dashes);
        if !is_found {
            return false;
        }
        match cursor.peek() {
            Some(b'-') => {
                script.set_dashes(2.min(dashes + 1));
                cursor.bump();
            }
            Some(b'>') => {
                script.set_dashes(0);
                if dashes == 2 {
                    *script = Script::Plain;
                }
                cursor.bump();
            }
            _ => {
                script.set_dashes(0);
                let is_double = matches!(script, Script::DoubleEscaped(_));
                let ends = cursor.is_at_end_tag("script");
                let begins = cursor.has_name(1, "script");
                match (is_double, ends, begins) {
                    (false, Ok(true), _) => return true,
                    (true, Ok(true), _) => {
                        *script = Script::Escaped(0);
                        cursor.advance(9);
                    }
                    (false, _, Ok(true)) => {
                        *script = Script::DoubleEscaped(0);
                        cursor.advance(8);
                    }
                    (_, Ok(false), Ok(false)) | (true, Ok(false), _) => cursor.bump(),
                    _ => return false,
                }
            }
        }
    }
}
