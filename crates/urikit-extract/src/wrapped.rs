//! Wrapped links: `<URL:…>`, `<…>` and `"…"`, with white space in them.
//!
//! RFC 1738 (Appendix), RFC 2396 (Appendix E) and RFC 3986 (Appendix C) agree: within the wrapper, white space and line
//! ends were put there to break a long line, and are no part of the URL. In plain text more comes in that way: the
//! marks of quoted mail at the beginning of lines, and the foot and head of a page.

use crate::link::{Kind, Link, standard_of};
use crate::scheme;
use crate::text::Text;
use std::borrow::Cow;

/// A wrapper is no longer than this, in bytes.
const LONGEST: usize = 4096;

/// Marks of quoted mail at the beginning of a line are no longer than this.
const LONGEST_MARK: usize = 80;

/// How many white bytes between the wrapper and what it wraps are passed over.
const WIDEST: usize = 80;

/// What a wrapper closes with, and how it is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wrapper {
    /// `<…>`: no white space in it is part of the URL.
    Angles,
    /// `"…"`: so do line ends; but a space says that it is a sentence.
    Quotes,
}

/// The wrapped link whose content begins at `content`: at a scheme, or behind the colon of a `URL:` that begins at
/// `start`. `None` where that is in no wrapper.
pub(crate) fn link<'t>(
    text: &Text<'t>,
    start: usize,
    content: usize,
    floor: usize,
) -> Option<Link<'t>> {
    let open = opening(text, start, floor)?;
    let wrapper = match text.at(open)? {
        b'<' => Wrapper::Angles,
        _ => Wrapper::Quotes,
    };
    if let Some(end) = unbroken(text, content, wrapper) {
        if wrapper == Wrapper::Quotes {
            // Nothing was put in: the quotation marks are the text's own.
            return None;
        }
        let uri = core::str::from_utf8(text.slice(content, end)).ok()?;
        return is_good(uri, start < content).then(|| Link {
            range: open..end + 1,
            uri: Cow::Borrowed(uri),
            kind: Kind::Wrapped,
            alternative: None,
        });
    }
    let (lines, end) = lines(text, content, wrapper, marks(text, open, floor))?;
    let (uri, alternative) = join(&lines)?;
    is_good(&uri, start < content).then(|| Link {
        range: open..end + 1,
        uri: Cow::Owned(uri),
        kind: Kind::Wrapped,
        alternative,
    })
}

/// Where the wrapper opens: right before `start`, or before the white space there.
fn opening(text: &Text<'_>, start: usize, floor: usize) -> Option<usize> {
    let lowest = floor.max(start.saturating_sub(WIDEST));
    let mut at = start;
    while at > lowest
        && text
            .before(at)
            .is_some_and(|byte| byte.is_ascii_whitespace())
    {
        at -= 1;
    }
    let open = at.checked_sub(1).filter(|open| *open >= lowest)?;
    match text.before(at)? {
        b'<' => Some(open),
        b'"' if at == start => Some(open),
        _ => None,
    }
}

/// Where the wrapper closes, if nothing white stands before that.
fn unbroken(text: &Text<'_>, content: usize, wrapper: Wrapper) -> Option<usize> {
    (content..content + LONGEST)
        .find_map(|at| match (text.at(at), wrapper) {
            (Some(b'>'), Wrapper::Angles) | (Some(b'"'), Wrapper::Quotes) => Some(Some(at)),
            (None | Some(0..=b' ' | b'<' | b'>' | b'"'), _) => Some(None),
            _ => None,
        })
        .flatten()
}

/// Whether the content is an absolute reference: one of any scheme behind `URL:`, and else one that would be found
/// without the wrapper.
fn is_good(uri: &str, is_named: bool) -> bool {
    let Ok(reference) = standard_of(uri).parse(uri) else {
        return false;
    };
    let Some(name) = reference.scheme() else {
        return false;
    };
    let is_empty = reference.path().is_empty() && reference.authority().is_none();
    !is_empty && (is_named || reference.authority().is_some() || scheme::is_known(name.as_bytes()))
}

/// How many marks of quoted mail stand before the wrapper on its line: `> > `.
fn marks(text: &Text<'_>, open: usize, floor: usize) -> usize {
    let lowest = open.saturating_sub(1024);
    let behind = text.slice(lowest, open);
    let start = match behind.iter().rposition(|byte| *byte == b'\n') {
        Some(at) => at + 1,
        None if lowest == 0 => 0,
        None => return 0,
    };
    let _ = floor; // a link before it on the line takes nothing from the marks
    let line = behind.get(start..).unwrap_or_default();
    let marks = line
        .iter()
        .take_while(|byte| matches!(byte, b'>' | b'|' | b' ' | b'\t'));
    marks.filter(|byte| matches!(byte, b'>' | b'|')).count()
}

/// The content as lines, without the marks at their beginning, and where the wrapper closes.
fn lines<'t>(
    text: &Text<'t>,
    content: usize,
    wrapper: Wrapper,
    marks: usize,
) -> Option<(Vec<&'t [u8]>, usize)> {
    let close = match wrapper {
        Wrapper::Angles => b'>',
        Wrapper::Quotes => b'"',
    };
    let mut lines = Vec::new();
    let mut start = content;
    let mut at = content;
    while at < content + LONGEST {
        let byte = text.at(at)?;
        match byte {
            _ if byte == close => {
                lines.push(text.slice(start, at));
                return Some((lines, at));
            }
            b'\n' => {
                lines.push(text.slice(start, at));
                at = behind_marks(text, at + 1, marks);
                start = at;
            }
            b' ' | b'\t' if wrapper == Wrapper::Quotes && !is_line_edge(text, at, start) => {
                return None;
            }
            b'\t' | b'\r' | 0x0C => at += 1,
            0..=0x1F | 0x7F | b'<' | b'"' => return None,
            _ => at += 1,
        }
    }
    None
}

/// Whether the white space at `at` is at the beginning or the end of its line.
fn is_line_edge(text: &Text<'_>, at: usize, start: usize) -> bool {
    let is_white = |byte: &u8| byte.is_ascii_whitespace();
    if text.slice(start, at).iter().all(is_white) {
        return true;
    }
    let mut end = at;
    while end < at + WIDEST && matches!(text.at(end), Some(b' ' | b'\t' | b'\r')) {
        end += 1;
    }
    text.at(end) == Some(b'\n')
}

/// Where the line that begins at `start` goes on behind its marks.
fn behind_marks(text: &Text<'_>, start: usize, marks: usize) -> usize {
    let mut at = start;
    let mut left = marks;
    while left > 0 && at < start + LONGEST_MARK {
        match text.at(at) {
            Some(b'>' | b'|') => left -= 1,
            Some(b' ' | b'\t') => {}
            _ => break,
        }
        at += 1;
    }
    at
}

/// The lines as one, without white space and without the foot and head of a page; and the other reading where a line ends
/// in a hyphen.
fn join(lines: &[&[u8]]) -> Option<(String, Option<String>)> {
    let mut uri = Vec::new();
    let mut hyphens = Vec::new();
    let kept = without_page_breaks(lines);
    let last = kept.len().saturating_sub(1);
    for (index, line) in kept.iter().enumerate() {
        uri.extend(line.iter().filter(|byte| !byte.is_ascii_whitespace()));
        if index < last && uri.last() == Some(&b'-') {
            hyphens.push(uri.len() - 1);
        }
    }
    let alternative = (!hyphens.is_empty()).then(|| {
        let kept = uri
            .iter()
            .enumerate()
            .filter(|(at, _)| !hyphens.contains(at));
        kept.map(|(_, byte)| *byte).collect()
    });
    let alternative: Option<Vec<u8>> = alternative;
    let alternative = alternative.and_then(|bytes| String::from_utf8(bytes).ok());
    let alternative = alternative.filter(|text| standard_of(text).parse(text).is_ok());
    Some((String::from_utf8(uri).ok()?, alternative))
}

/// The lines without those around a form feed that are a page's foot (`… [Page 20]`) and the next one's head.
fn without_page_breaks<'a>(lines: &[&'a [u8]]) -> Vec<&'a [u8]> {
    let is_blank = |line: &[u8]| line.iter().all(u8::is_ascii_whitespace);
    let is_foot = |line: &[u8]| {
        let text = line.trim_ascii_end();
        text.ends_with(b"]")
            && text
                .windows(6)
                .any(|part| part.eq_ignore_ascii_case(b"[page "))
    };
    let mut kept: Vec<&[u8]> = Vec::with_capacity(lines.len());
    let mut is_head = false;
    for &line in lines {
        if let Some(feed) = line.iter().position(|byte| *byte == 0x0C) {
            while kept.last().is_some_and(|line| is_blank(line)) {
                kept.pop();
            }
            if kept.last().is_some_and(|line| is_foot(line)) {
                kept.pop();
            }
            is_head = true;
            let behind = line.get(feed + 1..).unwrap_or_default();
            if !is_blank(behind) {
                // The head begins behind the form feed.
                is_head = false;
            }
        } else if is_head && !is_blank(line) {
            is_head = false;
        } else {
            kept.push(line);
        }
    }
    kept
}
