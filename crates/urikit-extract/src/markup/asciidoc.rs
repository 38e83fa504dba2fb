//! AsciiDoc: `link:`, URL and `mailto:` macros, cross references, images and other media, includes,
//! and links in text, with attributes such as `{url}` replaced. Comments are not searched.

use super::{Prose, add_line, has_scheme, is_blank, lines, trim};
use crate::found::{Bases, Place, Syntax};
use crate::reader::{Context, Each, Noticed};
use core::ops::Range;
use memchr::{memchr, memchr2, memmem};
use std::borrow::Cow;
use std::collections::HashMap;

/// The names of macros, each with its kind. The name is followed by a target and `[`.
const MACROS: [(&[u8], Macro); 13] = [
    (b"link:", Macro::Link),
    (b"image::", Macro::Image),
    (b"image:", Macro::Image),
    (b"video::", Macro::Link),
    (b"audio::", Macro::Link),
    (b"include::", Macro::Link),
    (b"xref:", Macro::Reference),
    (b"mailto:", Macro::Url),
    (b"http://", Macro::Url),
    (b"https://", Macro::Url),
    (b"ftp://", Macro::Url),
    (b"irc://", Macro::Url),
    (b"file://", Macro::Url),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Macro {
    /// A link, whose target follows the name of the macro.
    Link,
    /// An image, whose target follows the name of the macro, and is relative to `imagesdir`.
    Image,
    /// A cross-reference, whose target is a section, or a file and a section.
    Reference,
    /// The target includes the name.
    Url,
}

/// The marks of literal text and of highlighted text.
const MARKS: [u8; 2] = [b'+', b'#'];

/// Reads a complete document.
pub(crate) fn read(
    document: &[u8],
    context: Context<'_>,
    bases: &Bases,
    each: &mut Each<'_>,
) -> Noticed {
    let mut reader = AsciidocReader {
        document,
        prose: Prose::new(document, context, bases, each),
        attributes: HashMap::new(),
    };
    let mut is_comment = false;
    let mut paragraph = None;
    for range in lines(document) {
        let line = document.get(range.clone()).unwrap_or_default();
        let is_fence = line.len() >= 4 && line.iter().all(|byte| *byte == b'/');
        is_comment ^= is_fence;
        let is_line_comment = line.starts_with(b"//") && !line.starts_with(b"///");
        let is_skipped = is_fence || is_comment || is_line_comment;
        let attribute = attribute(line).filter(|_| !is_skipped);
        if is_skipped || attribute.is_some() || is_blank(line) {
            if let Some(paragraph) = paragraph.take() {
                reader.inline(paragraph);
            }
            if let Some((name, value)) = attribute {
                let value = trim(document, range.start + value..range.end);
                let text = document.get(value.clone()).unwrap_or_default();
                let text = reader.substituted(text).into_owned();
                reader.attributes.insert(name, text);
                reader.inline(value);
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

/// Returns the name of an attribute entry, `:name: value`, and the offset of its value.
fn attribute(line: &[u8]) -> Option<(&[u8], usize)> {
    let rest = line.strip_prefix(b":")?;
    let length = memchr(b':', rest)?;
    let name = rest.get(..length)?;
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_".contains(byte);
    (!name.is_empty() && name.iter().all(is_name)).then_some((name, length + 2))
}

struct AsciidocReader<'p, 'c> {
    document: &'p [u8],
    prose: Prose<'p, 'c>,
    attributes: HashMap<&'p [u8], Vec<u8>>,
}

impl AsciidocReader<'_, '_> {
    fn inline(&mut self, range: Range<usize>) {
        // The offset up to which the text has been passed on, and the offset up to which it has
        // been searched.
        let (mut done, mut at) = (range.start, range.start);
        while let Some(rest) = self.document.get(at..range.end) {
            let Some(next) = memchr2(b'[', b'<', rest) else {
                break;
            };
            let place = at + next;
            at = place + 1;
            let found = match rest.get(next..) {
                Some([b'<', b'<', inner @ ..]) => section(inner)
                    .map(|length| (place, place + 2..place + 2 + length, Macro::Reference)),
                Some([b'[', ..]) => self.find_macro(done, place),
                _ => None,
            };
            let Some((start, target, kind)) = found else {
                continue;
            };
            self.prose.copy_marked(done..start, MARKS);
            self.prose.end();
            at = at.max(target.end);
            done = at;
            self.target(target, kind);
        }
        self.prose.copy_marked(done..range.end, MARKS);
        self.prose.end();
    }

    /// Finds the macro whose target ends before the opening bracket at `end`. Returns the macro's
    /// start, target and kind.
    fn find_macro(&self, from: usize, end: usize) -> Option<(usize, Range<usize>, Macro)> {
        let text = self.document.get(from..end)?;
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"<>[]\"".contains(byte);
        let word = text.iter().rposition(is_end).map_or(0, |last| last + 1);
        let word_start = from + word;
        let word = text.get(word..)?;
        let mut at = 0;
        while let Some(colon) = memchr(b':', word.get(at..)?) {
            let colon = at + colon;
            at = colon + 1;
            for (name, kind) in MACROS {
                // Align the first colon in the name with this colon.
                let before = memchr(b':', name).unwrap_or_default();
                let Some(start) = colon.checked_sub(before) else {
                    continue;
                };
                let Some(target) = word.get(start..).and_then(|word| word.strip_prefix(name))
                else {
                    continue;
                };
                let previous = start.checked_sub(1).and_then(|last| word.get(last));
                if target.is_empty()
                    || previous.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'\\')
                {
                    continue;
                }
                let begin = match kind {
                    Macro::Url => word_start + start,
                    _ => end - target.len(),
                };
                return Some((word_start + start, begin..end, kind));
            }
        }
        None
    }

    fn target(&mut self, range: Range<usize>, kind: Macro) {
        let written = self.document.get(range.clone()).unwrap_or_default();
        let (mut range, mut written) = (range, written);
        if let Some(inner) = written
            .strip_prefix(b"++")
            .and_then(|inner| inner.strip_suffix(b"++"))
        {
            (range, written) = (range.start + 2..range.end - 2, inner);
        }
        let text = self.substituted(written);
        let is_file = text.contains(&b'#') || text.contains(&b'.') || text.contains(&b'/');
        let folder: &[u8] = match kind {
            Macro::Image if !has_scheme(&text) && !text.starts_with(b"/") => {
                let folder = self.attributes.get(&b"imagesdir"[..]);
                folder.map(Vec::as_slice).unwrap_or_default()
            }
            _ => b"",
        };
        let added = folder.len() + text.len().saturating_sub(written.len());
        if !self.prose.may_use(added, range.start) {
            return;
        }
        let uri: Cow<'_, [u8]> = match kind {
            Macro::Reference if !is_file => Cow::Owned([b"#", &*text].concat()),
            _ if folder.is_empty() => text,
            _ => {
                let slash: &[u8] = if folder.ends_with(b"/") { b"" } else { b"/" };
                Cow::Owned([folder, slash, &*text].concat())
            }
        };
        let place = Place::in_syntax(match kind {
            Macro::Image => Syntax::Image,
            _ => Syntax::Link,
        });
        self.prose.link(range, &uri, place);
    }

    /// Replaces the attributes in the text. Keeps unknown attributes, and those whose value would
    /// make the text too long.
    fn substituted<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        if memchr(b'{', text).is_none() {
            return Cow::Borrowed(text);
        }
        let mut out = Vec::new();
        let mut rest = text;
        while let Some(open) = memchr(b'{', rest) {
            let (before, inner) = rest.split_at(open);
            out.extend_from_slice(before);
            let length = memchr2(b'}', b'{', inner.get(1..).unwrap_or_default());
            let name = length.and_then(|length| inner.get(1..=length));
            let value = name.and_then(|name| self.attributes.get(name));
            match (value, name) {
                (Some(value), Some(name)) if out.len() + value.len() <= MAX_VALUE => {
                    out.extend_from_slice(value);
                    rest = inner.get(name.len() + 2..).unwrap_or_default();
                }
                _ => {
                    out.push(b'{');
                    rest = inner.get(1..).unwrap_or_default();
                }
            }
        }
        out.extend_from_slice(rest);
        Cow::Owned(out)
    }
}

/// The maximum length of text after its attributes have been replaced, in bytes.
const MAX_VALUE: usize = 1 << 10;

/// The maximum length of a cross reference's target, in bytes.
const MAX_SECTION: usize = 256;

/// Returns the length of the target of a cross reference, `<<target,text>>`, on one line.
fn section(text: &[u8]) -> Option<usize> {
    let text = text.get(..MAX_SECTION).unwrap_or(text);
    let line = text.get(..memchr(b'\n', text).unwrap_or(text.len()))?;
    let end = memmem::find(line, b">>")?;
    let inner = line.get(..end)?;
    let length = memchr(b',', inner).unwrap_or(end);
    let is_target = |byte: &u8| !byte.is_ascii_whitespace() && !b"<>\"".contains(byte);
    let target = inner.get(..length)?;
    (!target.is_empty() && target.iter().all(is_target)).then_some(length)
}
