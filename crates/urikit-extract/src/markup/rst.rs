//! reStructuredText: `` `text <url>`_ ``, hyperlink targets, images and figures, and links in text,
//! with backslashes removed. Comments are not searched.

use super::{Prose, add_line, indent, is_blank, lines, trim, unescaped_end};
use crate::found::{Bases, Place, Syntax};
use crate::reader::{Context, Each, Noticed};
use core::ops::Range;
use memchr::{memchr, memchr2, memmem};

/// Reads a complete document.
pub(crate) fn read(
    document: &[u8],
    context: Context<'_>,
    bases: &Bases,
    each: &mut Each<'_>,
) -> Noticed {
    let mut reader = RstReader {
        document,
        prose: Prose::new(document, context, bases, each),
        paragraph: None,
        open: OpenBlock::Nothing,
    };
    for line in lines(document) {
        reader.line(line);
    }
    reader.end_target();
    reader.end_paragraph();
    reader.prose.finish()
}

/// A construct that continues on lines with deeper indentation.
enum OpenBlock {
    Nothing,
    Comment {
        indent: usize,
    },
    /// A target, whose URL may be broken across several lines.
    Target {
        indent: usize,
        range: Range<usize>,
    },
}

struct RstReader<'p, 'c> {
    document: &'p [u8],
    prose: Prose<'p, 'c>,
    /// The lines of text since the last empty line or explicit markup.
    paragraph: Option<Range<usize>>,
    open: OpenBlock,
}

/// An explicit markup block, with the range of its argument.
enum Explicit {
    Target(Range<usize>),
    Url(Range<usize>, Syntax),
    Text(Range<usize>),
    Comment,
}

impl RstReader<'_, '_> {
    fn line(&mut self, range: Range<usize>) {
        let line = self.document.get(range.clone()).unwrap_or_default();
        let depth = indent(line);
        let is_blank = is_blank(line);
        match &mut self.open {
            OpenBlock::Comment { indent } if is_blank || depth > *indent => return,
            OpenBlock::Target { indent, range: url } if !is_blank && depth > *indent => {
                url.end = range.end;
                return;
            }
            _ => self.end_target(),
        }
        if is_blank {
            self.end_paragraph();
            return;
        }
        let content = range.start + depth..range.end;
        match self.explicit(content.clone()) {
            Some(explicit) => {
                self.end_paragraph();
                match explicit {
                    Explicit::Target(url) => {
                        self.open = OpenBlock::Target {
                            indent: depth,
                            range: url,
                        }
                    }
                    Explicit::Url(url, syntax) => self.url(url, syntax),
                    Explicit::Text(text) => self.inline(text),
                    Explicit::Comment => self.open = OpenBlock::Comment { indent: depth },
                }
            }
            None => add_line(&mut self.paragraph, range),
        }
    }

    /// Recognizes the explicit markup that begins on a line. `range` excludes the indentation.
    fn explicit(&self, range: Range<usize>) -> Option<Explicit> {
        let line = self.document.get(range.clone())?;
        let from = |at: usize| trim(self.document, range.start + at..range.end);
        if let Some(value) = line.strip_prefix(b":target:") {
            return Some(Explicit::Url(from(line.len() - value.len()), Syntax::Link));
        }
        if line.starts_with(b"__ ") {
            return Some(Explicit::Target(from(3)));
        }
        let rest = line.strip_prefix(b"..")?;
        if rest.is_empty() {
            return Some(Explicit::Comment);
        }
        let markup = rest.strip_prefix(b" ")?.trim_ascii_start();
        let start = line.len() - markup.len();
        if let Some(name) = markup.strip_prefix(b"_") {
            return Some(match name_end(name) {
                Some(end) => Explicit::Target(from(start + 1 + end)),
                None => Explicit::Comment,
            });
        }
        if markup.starts_with(b"[") {
            return Some(Explicit::Text(from(start)));
        }
        // `|name| image:: uri`
        let directive = match markup.strip_prefix(b"|") {
            Some(name) => name.get(memchr(b'|', name)? + 1..)?.trim_ascii_start(),
            None => markup,
        };
        let Some(end) = memmem::find(directive, b"::") else {
            return Some(Explicit::Comment);
        };
        let name = directive.get(..end)?;
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_+:.".contains(byte);
        let argument = from(line.len() - directive.len() + end + 2);
        Some(if !name.iter().all(is_name) {
            Explicit::Comment
        } else if matches!(name, b"image" | b"figure") {
            Explicit::Url(argument, Syntax::Image)
        } else {
            Explicit::Text(argument)
        })
    }

    fn end_target(&mut self) {
        if let OpenBlock::Target { range, .. } =
            core::mem::replace(&mut self.open, OpenBlock::Nothing)
        {
            self.url(range, Syntax::Definition);
        }
    }

    /// Reports a URL, unless it is the name of another target.
    fn url(&mut self, range: Range<usize>, syntax: Syntax) {
        let range = trim(self.document, range);
        let written = self.document.get(range.clone()).unwrap_or_default();
        let is_name = written.ends_with(b"_") && !written.ends_with(b"\\_");
        if !written.is_empty() && !is_name {
            let place = Place::in_syntax(syntax);
            self.prose.link(range, &unescaped(written), place);
        }
    }

    fn end_paragraph(&mut self) {
        if let Some(range) = self.paragraph.take() {
            self.inline(range);
        }
    }

    /// Reads text with inline markup.
    fn inline(&mut self, range: Range<usize>) {
        let mut at = range.start;
        let mut has_close = true;
        while let Some(rest) = self.document.get(at..range.end).filter(|it| !it.is_empty()) {
            let plain = memchr2(b'\\', b'`', rest).unwrap_or(rest.len());
            self.prose.copy(at..at + plain);
            at += plain;
            match rest.get(plain..).unwrap_or_default() {
                [b'\\', next, ..] => {
                    let meaning: &[u8] = if next.is_ascii_whitespace() {
                        b""
                    } else {
                        core::slice::from_ref(next)
                    };
                    self.prose.replace(at..at + 2, meaning);
                    at += 2;
                }
                [b'`', b'`', inner @ ..] if has_close => {
                    let end = memmem::find(inner, b"``");
                    has_close = end.is_some();
                    let end = end.unwrap_or_default();
                    self.prose.end();
                    self.prose.copy(at + 2..at + 2 + end);
                    self.prose.end();
                    at += if has_close { end + 4 } else { 2 };
                }
                [b'`', inner @ ..] if has_close => {
                    if let Some(end) = unescaped_end(inner, b'`') {
                        let is_reference = inner.get(end + 1) == Some(&b'_');
                        self.phrase(at + 1..at + 1 + end, is_reference);
                        at += end + 2;
                    } else {
                        has_close = false;
                        at += 1;
                    }
                }
                [byte, ..] => {
                    if *byte == b'\\' {
                        self.prose.copy(at..at + 1);
                    } else {
                        self.prose.end();
                    }
                    at += 1;
                }
                [] => {}
            }
        }
        self.prose.end();
    }

    /// Reads the text between backquotes.
    fn phrase(&mut self, range: Range<usize>, is_reference: bool) {
        self.prose.end();
        let inner = self.document.get(range.clone()).unwrap_or_default();
        let url = inner.strip_suffix(b">").filter(|_| is_reference);
        let open = url.and_then(|url| {
            let open = memchr::memrchr(b'<', url)?;
            let before = open.checked_sub(1).and_then(|last| url.get(last));
            before.is_none_or(u8::is_ascii_whitespace).then_some(open)
        });
        match open {
            Some(open) => {
                self.prose.copy(range.start..range.start + open);
                self.url(range.start + open + 1..range.end - 1, Syntax::Link);
            }
            None => self.prose.copy(range),
        }
        self.prose.end();
    }
}

/// Returns the end of a target's name with its colon: `name:`, `` `name`: ``, or `_:`.
fn name_end(name: &[u8]) -> Option<usize> {
    if let Some(quoted) = name.strip_prefix(b"`") {
        let end = memchr(b'`', quoted)? + 2;
        return (name.get(end) == Some(&b':')).then_some(end + 1);
    }
    let mut at = 0;
    loop {
        at += memchr2(b':', b'\\', name.get(at..)?)?;
        match (name.get(at), name.get(at + 1)) {
            (Some(b':'), None | Some(b' ' | b'\t')) => return Some(at + 1),
            (Some(b':'), _) => at += 1,
            _ => at += 2,
        }
    }
}

/// Removes white space and backslashes from a URL.
fn unescaped(written: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(written.len());
    let mut bytes = written.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => out.extend(bytes.next().filter(|next| !next.is_ascii_whitespace())),
            byte if byte.is_ascii_whitespace() => {}
            byte => out.push(*byte),
        }
    }
    out
}
