//! Scripts: URLs with a scheme anywhere, and strings that are paths.
//!
//! A script is read line by line, and a long line in blocks. What is a string is decided within a
//! line: the language itself is not parsed, so a quotation mark in a comment or in a regular
//! expression has no effect after the line.

use super::literal::is_reference;
use super::{Hidden, whole};
use crate::found::Syntax;
use crate::plain::Finder;
use std::borrow::Cow;

/// The longest block, in bytes.
const BLOCK: usize = 1 << 16;

/// Reads a script that arrives in pieces.
#[derive(Default, Debug)]
pub(in super::super) struct Script {
    /// The line so far.
    line: Vec<u8>,
    /// Its offset in the document.
    start: usize,
}

impl Script {
    /// The offset before which no later reference can begin.
    pub(super) fn undecided_from(&self) -> Option<usize> {
        (!self.line.is_empty()).then_some(self.start)
    }

    /// Takes a piece at an offset of the document.
    pub(super) fn push(
        &mut self,
        finder: &Finder,
        piece: &[u8],
        start: usize,
        is_last: bool,
        each: &mut dyn FnMut(Hidden<'_>),
    ) {
        let mut start = start;
        for part in piece.split_inclusive(|byte| *byte == b'\n') {
            if self.line.is_empty() {
                self.start = start;
            }
            start += part.len();
            let mut part = part;
            while !part.is_empty() {
                let (taken, rest) = part.split_at(part.len().min(BLOCK - self.line.len()));
                self.line.extend_from_slice(taken);
                part = rest;
                if self.line.ends_with(b"\n") {
                    block(finder, &self.line, self.start, each);
                    self.line.clear();
                    self.start = start - part.len();
                } else if self.line.len() == BLOCK {
                    let is_separator =
                        |byte: &u8| byte.is_ascii_whitespace() || b"\"`{}".contains(byte);
                    let end = self.line.iter().rposition(is_separator);
                    let end = end.map_or(BLOCK, |last| last + 1);
                    block(
                        finder,
                        self.line.get(..end).unwrap_or_default(),
                        self.start,
                        each,
                    );
                    self.line.drain(..end);
                    self.start += end;
                }
            }
        }
        if is_last {
            block(finder, &self.line, self.start, each);
            self.line.clear();
        }
    }
}

/// The links in a block at an offset, in order.
fn block(finder: &Finder, text: &[u8], start: usize, each: &mut dyn FnMut(Hidden<'_>)) {
    let mut links = finder.links(text).peekable();
    let mut strings = Strings::new(text).peekable();
    loop {
        let from = |range: &core::ops::Range<usize>| range.start;
        let next = links.peek().map(|link| from(&link.range));
        let string = strings.peek().map(from);
        if let Some(at) = next
            && string.is_none_or(|string| at <= string)
        {
            let Some(link) = links.next() else {
                return;
            };
            let range = link.range();
            while strings.next_if(|string| string.start < range.end).is_some() {}
            each(Hidden {
                range: range.start + start..range.end + start,
                kind: link.kind(),
                text: Cow::Borrowed(text.get(range).unwrap_or_default()),
                uri: link.uri,
                syntax: Syntax::Script,
                marks: link.marks,
                alternative: link.alternative,
            });
        } else if let Some(range) = strings.next() {
            let written = text.get(range.clone()).unwrap_or_default();
            if links
                .peek()
                .is_some_and(|link| link.range.start < range.end)
            {
                continue;
            }
            each(whole(
                range.start + start..range.end + start,
                Cow::Borrowed(written),
                written,
                Syntax::Script,
            ));
        } else {
            return;
        }
    }
}

/// The strings in a text that are references, without their quotation marks.
struct Strings<'t> {
    text: &'t [u8],
    at: usize,
    /// Quotation marks that begin no more strings: the last one is not closed.
    ended: Vec<u8>,
}

impl<'t> Strings<'t> {
    const fn new(text: &'t [u8]) -> Self {
        Self {
            text,
            at: 0,
            ended: Vec::new(),
        }
    }

    /// The closing quotation mark of the string that begins at an offset.
    fn close(&self, from: usize, quote: u8) -> Option<usize> {
        let mut at = from;
        loop {
            at += memchr::memchr2(quote, b'\\', self.text.get(at..)?)?;
            if self.text.get(at) == Some(&quote) {
                return Some(at);
            }
            at += 2;
        }
    }
}

impl Iterator for Strings<'_> {
    type Item = core::ops::Range<usize>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self.text.get(self.at..)?;
            let open = self.at + memchr::memchr3(b'"', b'\'', b'`', rest)?;
            let quote = *self.text.get(open)?;
            self.at = open + 1;
            if self.ended.contains(&quote) {
                continue;
            }
            let Some(close) = self.close(open + 1, quote) else {
                self.ended.push(quote);
                continue;
            };
            self.at = close + 1;
            let range = open + 1..close;
            if self.text.get(range.clone()).is_some_and(is_reference) {
                return Some(range);
            }
        }
    }
}
