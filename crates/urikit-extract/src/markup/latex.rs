//! LaTeX: `\href`, `\url` and similar commands, `\hyperbaseurl`, and links in text, with escapes
//! such as `\_` and `\%` removed. Verbatim text is searched as written. Comments are not searched.

use super::Prose;
use crate::found::{Bases, Place, Syntax};
use crate::reader::{Context, Each, Noticed};
use core::ops::Range;
use memchr::{memchr, memmem};
use urikit::op::Layer;

/// The maximum length of an argument, in bytes, if an earlier argument was not closed. This limit
/// keeps the work linear.
const MAX_NEAR: usize = 1 << 10;

/// Environments whose content is not parsed as TeX.
const VERBATIM: [&[u8]; 6] = [
    b"verbatim",
    b"verbatim*",
    b"Verbatim",
    b"lstlisting",
    b"minted",
    b"comment",
];

/// Reads a complete document.
pub(crate) fn read(
    document: &[u8],
    context: Context<'_>,
    bases: &Bases,
    each: &mut Each<'_>,
) -> Noticed {
    let mut reader = LatexReader {
        document,
        prose: Prose::new(document, context, bases, each),
        unclosed: false,
    };
    let mut at = 0;
    while at < document.len() {
        at = reader.next(at);
    }
    reader.prose.finish()
}

struct LatexReader<'p, 'c> {
    document: &'p [u8],
    prose: Prose<'p, 'c>,
    /// True if an argument was not closed. The length of later arguments is then limited.
    unclosed: bool,
}

impl LatexReader<'_, '_> {
    fn from(&self, at: usize) -> &[u8] {
        self.document.get(at..).unwrap_or_default()
    }

    /// Reads the construct at an offset, and returns its end.
    fn next(&mut self, at: usize) -> usize {
        let rest = self.from(at);
        let is_special = |byte: &u8| matches!(byte, b'\\' | b'%' | b'{' | b'}' | b'\n');
        let plain = rest.iter().position(is_special).unwrap_or(rest.len());
        if plain > 0 {
            self.prose.copy(at..at + plain);
            return at + plain;
        }
        match rest {
            [b'\n', ..] => {
                self.prose.copy(at..at + 1);
                self.prose.may_end();
                at + 1
            }
            [b'{', b'}', ..] => {
                self.prose.replace(at..at + 2, b"");
                at + 2
            }
            [b'%', one, two, ..] if one.is_ascii_hexdigit() && two.is_ascii_hexdigit() => {
                self.prose.copy(at..at + 1);
                at + 1
            }
            [b'%', ..] => {
                let end = comment_end(self.document, at);
                self.prose.replace(at..end, b"");
                end
            }
            [b'\\', next, ..] if next.is_ascii_alphabetic() => self.command(at),
            [b'\\', next, ..] => self.symbol(at, *next),
            _ => {
                self.prose.end();
                at + 1
            }
        }
    }

    /// Reads a backslash and a character that is not a letter.
    fn symbol(&mut self, at: usize, next: u8) -> usize {
        let end = at + 2;
        match next {
            b'_' | b'%' | b'#' | b'&' | b'$' | b'{' | b'}' => {
                self.prose.replace(at..end, &[next]);
            }
            b'-' | b'/' => self.prose.replace(at..end, b""),
            b'~' | b'^' if self.from(end).starts_with(b"{}") => {
                self.prose.replace(at..end + 2, &[next]);
                return end + 2;
            }
            b' ' | b'\n' | b'\\' => self.prose.replace(at..end, b"\n"),
            _ => self.prose.end(),
        }
        end
    }

    fn command(&mut self, at: usize) -> usize {
        let rest = self.from(at + 1);
        let is_letter = |byte: &&u8| byte.is_ascii_alphabetic();
        let length = rest.iter().take_while(is_letter).count();
        let end = at + 1 + length;
        let name = rest.get(..length).unwrap_or_default();
        match name {
            b"href" | b"url" | b"nolinkurl" | b"burl" | b"hyperimage" | b"hyperref"
            | b"hyperbaseurl" => self.reference(name == b"hyperbaseurl", end),
            b"verb" => {
                self.prose.end();
                let Some(delimiter) = self.document.get(end).copied() else {
                    return end;
                };
                let length = memchr(delimiter, line(self.from(end + 1))).unwrap_or(0);
                self.raw(end + 1..end + 1 + length);
                end + 1 + length
            }
            b"begin" => self.environment(end),
            b"textasciitilde" => self.character(at, end, b"~"),
            b"textunderscore" => self.character(at, end, b"_"),
            b"textbackslash" => self.character(at, end, b"\\"),
            b"textasciicircum" => self.character(at, end, b"^"),
            b"slash" => self.character(at, end, b"/"),
            b"allowbreak" | b"linebreak" => self.character(at, end, b""),
            _ => {
                self.prose.end();
                end
            }
        }
    }

    /// Replaces a command that represents a character, including the space or the braces that end
    /// its name.
    fn character(&mut self, at: usize, end: usize, meaning: &[u8]) -> usize {
        let end = match self.from(end) {
            [b'{', b'}', ..] => end + 2,
            [b' ', ..] => end + 1,
            _ => end,
        };
        self.prose.replace(at..end, meaning);
        end
    }

    /// Reads the argument of a command such as `\url`, in braces or between identical characters.
    fn reference(&mut self, is_base: bool, end: usize) -> usize {
        self.prose.end();
        let mut at = end + blanks(self.from(end));
        if self.document.get(at) == Some(&b'[') {
            let options = self.from(at);
            let Some(length) = memchr(b']', near(options)) else {
                return at + 1;
            };
            at += length + 1;
            at += blanks(self.from(at));
        }
        let Some(range) = self.argument(at) else {
            return end;
        };
        let written = self.document.get(range.clone()).unwrap_or_default();
        let uri = unescaped(written);
        if uri.is_empty() {
            return range.end + 1;
        }
        let after = range.end + 1;
        let place = Place::in_syntax(Syntax::Link);
        self.prose.link(range, &uri, place);
        if is_base {
            let mut long = 0;
            let uri = String::from_utf8_lossy(&uri).into_owned();
            let bases = self.prose.bases().within(Layer::Embedded, &uri, &mut long);
            let bases = bases.into_owned();
            self.prose.noticed.exceeded.long_bases += long;
            self.prose.set_bases(bases);
        }
        after
    }

    fn argument(&mut self, at: usize) -> Option<Range<usize>> {
        let rest = self.from(at);
        let open = *rest.first()?;
        let inner = rest.get(1..)?;
        let inner = if self.unclosed { near(inner) } else { inner };
        let length = match open {
            b'{' => braced(inner),
            open if open.is_ascii_punctuation() && !matches!(open, b'\\' | b'}') => {
                return memchr(open, line(inner)).map(|length| at + 1..at + 1 + length);
            }
            _ => return None,
        };
        self.unclosed |= length.is_none();
        length.map(|length| at + 1..at + 1 + length)
    }

    /// Reads the start of an environment, and its content if that is not TeX.
    fn environment(&mut self, end: usize) -> usize {
        self.prose.end();
        let rest = self.from(end);
        let name = rest.strip_prefix(b"{").and_then(|rest| {
            let rest = rest.get(..64).unwrap_or(rest);
            rest.get(..memchr(b'}', rest)?)
        });
        let Some(name) = name.filter(|name| VERBATIM.contains(name)) else {
            return end;
        };
        let start = end + name.len() + 2;
        let closing = [b"\\end{", name, b"}"].concat();
        let content = self.from(start);
        let length = memmem::find(content, &closing).unwrap_or(content.len());
        if name != b"comment" {
            self.raw(start..start + length);
        }
        start + length
    }

    /// Searches text as written.
    fn raw(&mut self, range: Range<usize>) {
        self.prose.copy(range);
        self.prose.end();
    }
}

/// Returns the end of a comment, after its line ending and the white space at the start of the
/// next line.
fn comment_end(document: &[u8], at: usize) -> usize {
    let rest = document.get(at..).unwrap_or_default();
    let Some(length) = memchr(b'\n', rest) else {
        return document.len();
    };
    let next = at + length + 1;
    next + blanks(document.get(next..).unwrap_or_default())
}

/// Limits the search for a closing delimiter that may be missing.
fn near(text: &[u8]) -> &[u8] {
    text.get(..MAX_NEAR).unwrap_or(text)
}

/// Returns the rest of a line, up to the limit.
fn line(text: &[u8]) -> &[u8] {
    let near = near(text);
    let length = memchr(b'\n', near).unwrap_or(near.len());
    near.get(..length).unwrap_or_default()
}

fn blanks(text: &[u8]) -> usize {
    text.iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count()
}

/// Returns the length of an argument up to its closing brace.
fn braced(text: &[u8]) -> Option<usize> {
    let (mut depth, mut at) = (0_usize, 0);
    loop {
        match text.get(at)? {
            b'\\' => at += 1,
            b'{' => depth += 1,
            b'}' if depth == 0 => return Some(at),
            b'}' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
}

/// Removes escapes, white space, and line-joining comments from a URL.
fn unescaped(written: &[u8]) -> Vec<u8> {
    const TILDE: &[u8] = b"textasciitilde";
    let mut out = Vec::with_capacity(written.len());
    let mut rest = written;
    while let [byte, after @ ..] = rest {
        rest = after;
        match (byte, after) {
            (b'\\', [b'~', b'{', b'}', after @ ..]) => {
                out.push(b'~');
                rest = after;
            }
            (b'\\', [next, after @ ..]) if next.is_ascii_punctuation() => {
                out.push(*next);
                rest = after;
            }
            (b'\\', _) if after.starts_with(TILDE) => {
                out.push(b'~');
                let after = after.get(TILDE.len()..).unwrap_or_default();
                rest = after.strip_prefix(b"{}").unwrap_or(after);
                rest = rest.strip_prefix(b" ").unwrap_or(rest);
            }
            (b'%', [b'\n', ..] | [b'\r', b'\n', ..]) => {}
            (byte, _) if byte.is_ascii_whitespace() => {}
            (b'{', [b'}', after @ ..]) => rest = after,
            (byte, _) => out.push(*byte),
        }
    }
    out
}
