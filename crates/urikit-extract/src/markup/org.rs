//! Org: `[[target][description]]`, link abbreviations, `#+INCLUDE`, and links in text. Comments are
//! not searched. Links within the document and links to programs are not reported.

use super::{Prose, add_line, has_scheme, indent, is_blank, lines, trim, unescaped_end};
use crate::found::{Bases, Place, Syntax};
use crate::reader::{Context, Each, Noticed};
use core::ops::Range;
use memchr::{memchr, memchr2, memmem};
use std::collections::HashMap;

/// Types of links that refer to a place in Org files or to a program.
const INTERNAL: [&[u8]; 7] = [
    b"id",
    b"elisp",
    b"shell",
    b"help",
    b"info",
    b"coderef",
    b"attachment",
];

/// The marks of literal and of struck-out text. The mark of code, `~`, ends a link in all text.
const MARKS: [u8; 2] = [b'=', b'+'];

/// Reads a complete document.
pub(crate) fn read(
    document: &[u8],
    context: Context<'_>,
    bases: &Bases,
    each: &mut Each<'_>,
) -> Noticed {
    let mut reader = OrgReader {
        document,
        prose: Prose::new(document, context, bases, each),
        abbreviations: HashMap::new(),
    };
    let mut paragraph = None;
    let mut is_comment = false;
    for range in lines(document) {
        let line = document.get(range.clone()).unwrap_or_default();
        let indented = line.get(indent(line)..).unwrap_or_default();
        let is_keyword = indented.starts_with(b"#+");
        let is_skipped = is_comment || indented == b"#" || indented.starts_with(b"# ");
        if is_blank(line) || is_keyword || is_skipped {
            if let Some(paragraph) = paragraph.take() {
                reader.inline(paragraph);
            }
            if is_keyword {
                let begins = starts(indented, b"#+begin_comment");
                let ends = starts(indented, b"#+end_comment");
                is_comment = (is_comment || begins) && !ends;
                if !is_comment {
                    reader.keyword(range);
                }
            }
            continue;
        }
        add_line(&mut paragraph, range);
    }
    if let Some(paragraph) = paragraph {
        reader.inline(paragraph);
    }
    reader.prose.finish()
}

struct OrgReader<'p, 'c> {
    document: &'p [u8],
    prose: Prose<'p, 'c>,
    /// `#+LINK: name url`
    abbreviations: HashMap<&'p [u8], &'p [u8]>,
}

impl OrgReader<'_, '_> {
    /// Reads a line such as `#+LINK: name url`.
    fn keyword(&mut self, range: Range<usize>) {
        let line = self.document.get(range.clone()).unwrap_or_default();
        let Some(colon) = memchr(b':', line) else {
            return;
        };
        let value = trim(self.document, range.start + colon + 1..range.end);
        let text = self.document.get(value.clone()).unwrap_or_default();
        let name = line.get(..colon).unwrap_or_default().trim_ascii();
        if name.eq_ignore_ascii_case(b"#+link") {
            if let Some(space) = memchr2(b' ', b'\t', text) {
                let (name, url) = text.split_at(space);
                self.abbreviations.insert(name, url.trim_ascii());
            }
        } else if name.eq_ignore_ascii_case(b"#+include")
            || name.eq_ignore_ascii_case(b"#+setupfile")
        {
            let quoted = text.strip_prefix(b"\"");
            let end = match quoted {
                Some(quoted) => memchr(b'"', quoted).unwrap_or(quoted.len()),
                None => memchr2(b' ', b'\t', text).unwrap_or(text.len()),
            };
            let start = value.start + usize::from(quoted.is_some());
            self.target(start..start + end);
            return;
        }
        self.inline(value);
    }

    fn inline(&mut self, range: Range<usize>) {
        let mut at = range.start;
        while let Some(rest) = self.document.get(at..range.end) {
            let Some(open) = memmem::find(rest, b"[[") else {
                break;
            };
            self.prose.copy_marked(at..at + open, MARKS);
            at += open;
            let start = at + 2;
            let target = self.document.get(start..range.end);
            let target = target.and_then(|target| unescaped_end(target, b']'));
            let Some(length) = target else {
                // The brackets of this target are never closed, so those of later targets cannot be
                // closed either.
                break;
            };
            at = start + length;
            let after = self.document.get(at..range.end).unwrap_or_default();
            if !after.starts_with(b"][") && !after.starts_with(b"]]") {
                self.prose.copy(start - 2..at);
                continue;
            }
            self.prose.end();
            self.target(start..at);
            at += 2;
            if after.starts_with(b"][") {
                let rest = self.document.get(at..range.end).unwrap_or_default();
                let length = memmem::find(rest, b"]]").unwrap_or(rest.len());
                let description = self.document.get(at..at + length).unwrap_or_default();
                if description.starts_with(b"file:") {
                    self.target(at..at + length);
                } else {
                    self.prose.copy(at..at + length);
                    self.prose.end();
                }
                at += length + 2;
            }
        }
        self.prose.copy_marked(at.min(range.end)..range.end, MARKS);
        self.prose.end();
    }

    fn target(&mut self, range: Range<usize>) {
        let range = trim(self.document, range);
        let written = self.document.get(range.clone()).unwrap_or_default();
        let text = unescaped(written);
        let place = Place::in_syntax(Syntax::Link);
        let scheme = memchr(b':', &text).filter(|_| has_scheme(&text) || text.contains(&b':'));
        let name = scheme.map(|colon| text.split_at(colon));
        if let Some((name, tag)) = name
            && let Some(url) = self.abbreviations.get(name).copied()
        {
            let tag = tag.get(1..).unwrap_or_default();
            if self.prose.may_use(url.len() + tag.len(), range.start) {
                self.prose.link(range, &expanded(url, tag), place);
            }
            return;
        }
        if let Some(path) = text.strip_prefix(b"file:")
            && !path.starts_with(b"//")
        {
            let end = memmem::find(path, b"::").unwrap_or(path.len());
            return self
                .prose
                .link(range, path.get(..end).unwrap_or_default(), place);
        }
        let is_path = [&b"./"[..], b"../", b"/", b"#"]
            .iter()
            .any(|start| text.starts_with(start));
        let is_internal = name.is_some_and(|(name, _)| INTERNAL.contains(&name));
        if is_path || has_scheme(&text) && !is_internal {
            self.prose.link(range, &text, place);
        } else {
            self.prose.copy(range);
            self.prose.end();
        }
    }
}

/// Removes line endings, and the backslashes that escape brackets and other backslashes.
fn unescaped(written: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(written.len());
    let mut rest = written;
    while let [byte, after @ ..] = rest {
        rest = after;
        match (byte, after) {
            (b'\\', [next @ (b'[' | b']' | b'\\'), after @ ..]) => {
                out.push(*next);
                rest = after;
            }
            (b'\r' | b'\n', _) => {}
            _ => out.push(*byte),
        }
    }
    out
}

/// Expands an abbreviation: the tag replaces `%s` or `%h`, or follows the URL.
fn expanded(url: &[u8], tag: &[u8]) -> Vec<u8> {
    let place = memmem::find(url, b"%s").or_else(|| memmem::find(url, b"%h"));
    let (before, after) = match place {
        Some(at) => (url.get(..at), url.get(at + 2..)),
        None => (Some(url), None),
    };
    [before.unwrap_or_default(), tag, after.unwrap_or_default()].concat()
}

fn starts(text: &[u8], word: &[u8]) -> bool {
    text.get(..word.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(word))
}
