//! Stage 5: references that are written in another form and must be restored: wrapped links, which
//! may be broken across several lines, and defanged indicators.
//!
//! A wrapper is `<URL:…>`, `<…>` or `"…"`. RFC 1738 (Appendix), RFC 2396 (Appendix E) and RFC 3986
//! (Appendix C) agree that white space and line breaks within a wrapper were added to break a long
//! line, and are not part of the URL. Plain text may contain other additions: the quote marks of
//! mail (`> `) at the beginning of lines, and the footer and header of a page.
//!
//! Defanged indicators are URLs, hosts and addresses of attackers, written so that they are not
//! followed by mistake: `hxxp://a[.]example`, `a(dot)example`, `https[:]//a.example`,
//! `jo[@]a.example`. By default, defanged indicators are not returned. If the option is enabled,
//! the word around a mark is restored and searched again.

use super::authority::is_host;
use super::opaque::can_follow;
use super::start::{is_known, is_scheme_byte, needs_host};
use super::text::{Input, char_start};
use super::{Finder, Outcome};
use crate::link::{Kind, Link, Marks, standard_of};
use memchr::memrchr;
use std::borrow::Cow;
use std::ops::Range;

/// The maximum length of a wrapper, in bytes.
const MAX_WRAPPER: usize = 4096;

/// The kinds of wrappers that may have white space in them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wrapper {
    /// `<…>`: white space inside the brackets is not part of the URL.
    Angles,
    /// `"…"`: line breaks are not part of the URL, but a space shows that the content is a
    /// sentence.
    Quotes,
}

/// Returns the link in angle brackets whose scheme begins at `content`, with or without `URL:`.
/// Returns `None` if the link has no wrapper.
pub(super) fn in_angles<'t>(text: &Input<'t>, content: usize, floor: usize) -> Option<Link<'t>> {
    let lowest = floor.max(content.saturating_sub(2 * MAX_SPACE));
    let at = space_start(text, content, lowest);
    match text.before(at)? {
        b'<' if at > lowest => wrapped(text, at - 1, content, false),
        b':' | b'/' => after_url(text, content, floor),
        _ => None,
    }
}

/// Returns the link in angle brackets whose scheme begins at `content` after `URL:`, which accepts
/// any scheme.
pub(super) fn after_url<'t>(text: &Input<'t>, content: usize, floor: usize) -> Option<Link<'t>> {
    let lowest = floor.max(content.saturating_sub(2 * MAX_SPACE));
    let mut end = space_start(text, content, lowest);
    // Some people write `<URL://http://…`.
    if text.slice(end.saturating_sub(3), end) == b"://" {
        end -= 2;
    }
    let prefix = end
        .checked_sub(4)
        .filter(|prefix| *prefix > lowest && text.has(*prefix, b"URL:"))?;
    let at = space_start(text, prefix, lowest);
    if at > lowest && text.before(at) == Some(b'<') {
        return wrapped(text, at - 1, content, true);
    }
    None
}

/// Returns the beginning of the white space that ends at `end`.
fn space_start(text: &Input<'_>, end: usize, lowest: usize) -> usize {
    let mut at = end;
    while at > lowest
        && text
            .before(at)
            .is_some_and(|byte| byte.is_ascii_whitespace())
    {
        at -= 1;
    }
    at
}

/// Returns the link whose wrapper opens at `open`.
fn wrapped<'t>(text: &Input<'t>, open: usize, content: usize, is_named: bool) -> Option<Link<'t>> {
    let Some(end) = unbroken(text, content) else {
        return broken(text, open, content, Wrapper::Angles, is_named);
    };
    let uri = core::str::from_utf8(text.slice(content, end)).ok()?;
    let marks = wrapped_marks(uri, is_named, true)?;
    Some(Link {
        range: open..end + 1,
        uri: Cow::Borrowed(uri),
        kind: Kind::Wrapped,
        alternative: None,
        marks,
    })
}

/// Returns the link in double quotes that starts at `start`, after the opening quote, and is broken
/// over several lines.
pub(super) fn in_quotes<'t>(text: &Input<'t>, start: usize) -> Option<Link<'t>> {
    broken(text, start.checked_sub(1)?, start, Wrapper::Quotes, false)
}

/// Returns the link in a wrapper whose content has white space.
fn broken<'t>(
    text: &Input<'t>,
    open: usize,
    content: usize,
    wrapper: Wrapper,
    is_named: bool,
) -> Option<Link<'t>> {
    let content = lines(text, content, wrapper, &LinePrefix::of(text, open))?;
    if wrapper == Wrapper::Quotes && content.lines.len() < 2 {
        // An unbroken link in quotation marks is a bare link.
        return None;
    }
    let (uri, alternative) = join(&content.lines)?;
    let marks = wrapped_marks(&uri, is_named, !content.has_spaces)?;
    Some(Link {
        range: open..content.end + 1,
        uri: Cow::Owned(uri),
        kind: Kind::Wrapped,
        alternative,
        marks,
    })
}

/// Returns the offset of the closing angle bracket, unless white space precedes it.
fn unbroken(text: &Input<'_>, content: usize) -> Option<usize> {
    (content..content + MAX_WRAPPER)
        .find_map(|at| match text.at(at) {
            Some(b'>') => Some(Some(at)),
            None | Some(0..=b' ' | b'<' | b'"') => Some(None),
            _ => None,
        })
        .flatten()
}

/// Returns the properties of a wrapper's content if the content is an absolute reference. After
/// `URL:`, the reference may have any scheme. Otherwise, the content is accepted only if it would
/// be a link without the wrapper. If `may_be_invalid` is true, an invalid reference is accepted if
/// a host follows its `://`.
fn wrapped_marks(uri: &str, is_named: bool, may_be_invalid: bool) -> Option<Marks> {
    let text = Input::new(uri.as_bytes(), true);
    let Ok(reference) = standard_of(uri).parse(uri) else {
        let host = uri.split_once("://")?.0.len() + 3;
        // Chats write `<http://a.example|text>`.
        let is_link = may_be_invalid && is_host(&text, host) && !uri.contains('|');
        return is_link.then_some(Marks {
            is_suspect: true,
            ..Marks::default()
        });
    };
    let scheme = reference.scheme()?.as_bytes();
    let is_link = match reference.host() {
        Some(host) if host.as_str().is_empty() => {
            reference.path().as_str().len() > 1 && (is_named || !needs_host(scheme))
        }
        // `...` and `*` are placeholders, not hosts.
        Some(_) => {
            let userinfo = reference
                .userinfo()
                .map_or(0, |userinfo| userinfo.as_str().len() + 1);
            is_named || is_host(&text, scheme.len() + 3 + userinfo)
        }
        None if is_named => !reference.path().is_empty() || reference.query().is_some(),
        None => {
            let rest = scheme.len() + 1;
            is_known(scheme)
                && (can_follow(&text, scheme, rest)
                    || may_be_invalid && !needs_host(scheme) && !is_element(text.slice_from(rest)))
        }
    };
    is_link.then(Marks::default)
}

/// Returns true if the text after a colon is a name, as in the XML elements `<geo:lat>` and
/// `<tag:a/>`.
fn is_element(rest: &[u8]) -> bool {
    let name = rest.strip_suffix(b"/").unwrap_or(rest);
    name.iter()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | 0x80..))
}

/// The content of a wrapper.
struct Content<'t> {
    /// The lines, without their prefixes.
    lines: Vec<&'t [u8]>,
    /// The offset at which the wrapper closes.
    end: usize,
    /// True if a line contains white space other than at its ends.
    has_spaces: bool,
}

/// Returns the content of the wrapper that begins at `content`. Returns `None` if its lines are
/// separate links or strings.
fn lines<'t>(
    text: &Input<'t>,
    content: usize,
    wrapper: Wrapper,
    prefix: &LinePrefix<'_>,
) -> Option<Content<'t>> {
    let close = match wrapper {
        Wrapper::Angles => b'>',
        Wrapper::Quotes => b'"',
    };
    let mut lines: Vec<&[u8]> = Vec::new();
    let mut has_spaces = false;
    let mut start = content;
    let mut at = content;
    while at < content + MAX_WRAPPER {
        let byte = text.at(at)?;
        match byte {
            _ if byte == close => {
                lines.push(text.slice(start, at));
                let end = at;
                return Some(Content {
                    lines,
                    end,
                    has_spaces,
                });
            }
            b'\n' => {
                let line = text.slice(start, at);
                // A quotation mark at the end of the line suggests strings in a program:
                // `'<http://a/x/'⏎ 'y.html>'`.
                if matches!(line.trim_ascii_end(), [.., b'\'' | b'"' | b'`']) {
                    return None;
                }
                lines.push(line);
                at = prefix.skip(text, at + 1)?;
                start = at;
                let first = space_end(text, at);
                if begins_link(text, first) || matches!(text.at(first), Some(b'\'' | b'`')) {
                    return None;
                }
            }
            b' ' | b'\t' if !is_line_edge(text, at, start) => {
                at = space_end(text, at);
                has_spaces = true;
                // The content is a sentence, or another link follows.
                if wrapper == Wrapper::Quotes || begins_link(text, at) {
                    return None;
                }
            }
            b'\t' | b'\r' | 0x0C => at += 1,
            0..=0x1F | 0x7F | b'<' | b'"' => return None,
            _ => at += 1,
        }
    }
    None
}

/// Returns true if the white space at `at` is at the beginning or the end of its line.
fn is_line_edge(text: &Input<'_>, at: usize, start: usize) -> bool {
    at == start
        || text
            .before(at)
            .is_some_and(|byte| byte.is_ascii_whitespace())
        || text.at(space_end(text, at)) == Some(b'\n')
}

/// Returns true if a scheme followed by `://` begins at this offset.
fn begins_link(text: &Input<'_>, start: usize) -> bool {
    let mut at = start;
    while at < start + MAX_SPACE && text.at(at).is_some_and(is_scheme_byte) {
        at += 1;
    }
    at > start && text.has(at, b"://")
}

/// Joins lines, without white space and without page footers and headers. If a line ends with a
/// hyphen, also returns the lines joined without such hyphens.
fn join(lines: &[&[u8]]) -> Option<(String, Option<String>)> {
    let mut uri = Vec::new();
    let mut hyphens = Vec::new();
    let kept = without_page_breaks(lines)?;
    let last = kept.len().saturating_sub(1);
    for (index, line) in kept.iter().enumerate() {
        let words = line.split(u8::is_ascii_whitespace);
        for (count, word) in words.filter(|word| !word.is_empty()).enumerate() {
            if count > 0 && is_in_authority(&uri, word) {
                return None;
            }
            uri.extend(word);
        }
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

/// Returns true if a word after a space would continue the authority of a link:
/// `<http://a.example and more>`. Hosts are not broken at spaces, and the joined host could have a
/// different owner.
fn is_in_authority(uri: &[u8], word: &[u8]) -> bool {
    let ends = |text: &[u8]| text.iter().any(|byte| matches!(byte, b'/' | b'?' | b'#'));
    let slashes = uri.windows(3).position(|part| part == b"://");
    let authority = slashes.and_then(|at| uri.get(at + 3..));
    authority.is_some_and(|authority| !ends(authority))
        && !matches!(word.first(), Some(b'/' | b'?' | b'#'))
}

/// Returns the lines without page breaks: without the footer before a form feed (`… [Page 20]`),
/// and without the header after it. Returns `None` if an empty line remains, because an empty line
/// ends the paragraph.
fn without_page_breaks<'a>(lines: &[&'a [u8]]) -> Option<Vec<&'a [u8]>> {
    let is_blank = |line: &[u8]| line.iter().all(u8::is_ascii_whitespace);
    let is_footer = |line: &[u8]| {
        let text = line.trim_ascii_end();
        text.ends_with(b"]")
            && text
                .windows(6)
                .any(|part| part.eq_ignore_ascii_case(b"[page "))
    };
    let mut kept: Vec<&[u8]> = Vec::with_capacity(lines.len());
    // These flags say whether the next line comes before a page header, or between the header and
    // the text.
    let mut is_before_header = false;
    let mut is_before_text = false;
    for &line in lines {
        if let Some(feed) = line.iter().position(|byte| *byte == 0x0C) {
            drop_last(&mut kept, is_blank);
            if kept.last().is_some_and(|line| is_footer(line)) {
                kept.pop();
                drop_last(&mut kept, is_blank);
            }
            // The header may begin on the line of the form feed.
            is_before_header = is_blank(line.get(feed + 1..).unwrap_or_default());
            is_before_text = true;
        } else if is_before_header {
            is_before_header = is_blank(line);
        } else if !(is_before_text && is_blank(line)) {
            is_before_text = false;
            kept.push(line);
        }
    }
    let last = kept.iter().rposition(|line| !is_blank(line))?;
    let is_paragraph = kept.iter().take(last).all(|line| !is_blank(line));
    is_paragraph.then_some(kept)
}

fn drop_last<'a>(lines: &mut Vec<&'a [u8]>, is_blank: impl Fn(&'a [u8]) -> bool) {
    while lines.last().is_some_and(|line| is_blank(line)) {
        lines.pop();
    }
}

/// The maximum length of the quote marks (`>`) on a line, in bytes.
const MAX_QUOTE_PREFIX: usize = 80;

/// The prefix of a line is examined only if the wrapper begins within this many bytes of the start
/// of the line.
const MAX_PREFIX_DISTANCE: usize = 1024;

/// The maximum length of white space between a wrapper and its content, in bytes.
const MAX_SPACE: usize = 80;

/// The prefix of each line of a paragraph: the markers of a quotation, a comment or a list.
#[derive(Debug, Default)]
pub(super) struct LinePrefix<'t> {
    /// The number of quote markers: two in `> > `.
    quotes: usize,
    /// The mark of a comment or a list (`#`, `//`, ` * `).
    comment: &'t [u8],
}

impl<'t> LinePrefix<'t> {
    /// Returns the prefix of the line in which a wrapper opens.
    pub(super) fn of(text: &Input<'t>, open: usize) -> Self {
        let lowest = open.saturating_sub(MAX_PREFIX_DISTANCE);
        let preceding = text.slice(lowest, open);
        let start = match memrchr(b'\n', preceding) {
            Some(at) => at + 1,
            None if lowest == 0 => 0,
            None => return Self::default(),
        };
        let line = preceding.get(start..).unwrap_or_default();
        let marks = line
            .iter()
            .take_while(|byte| matches!(byte, b'>' | b'|' | b' ' | b'\t'));
        let quotes = marks.filter(|byte| matches!(byte, b'>' | b'|')).count();
        let line = line.trim_ascii_start();
        let length = line
            .iter()
            .take_while(|byte| b"#/*;%-+!".contains(byte))
            .count();
        let is_mark = matches!(line.get(length), None | Some(b' ' | b'\t'));
        let comment = line.get(..length).filter(|_| quotes == 0 && is_mark);
        Self {
            quotes,
            comment: comment.unwrap_or_default(),
        }
    }

    /// Returns the beginning of the text on the line at `start`. Returns `None` if the line does
    /// not continue the comment.
    pub(super) fn skip(&self, text: &Input<'_>, start: usize) -> Option<usize> {
        if self.comment.is_empty() {
            return Some(skip_quote_marks(text, start, self.quotes));
        }
        let at = space_end(text, start);
        if text.at(at) == Some(b'\n') {
            return Some(at);
        }
        // `/*` occurs only on the first line, and `*`, `-` and `+` may be list markers.
        let (mark, is_needed): (&[u8], bool) = match self.comment {
            [b'/', b'*', ..] | [b'*', ..] => (b"*", false),
            mark @ [b'-' | b'+'] => (mark, false),
            mark => (mark, true),
        };
        if text.has(at, mark) {
            // A longer mark is a different mark: `##` is not `#`.
            return (text.at(at + mark.len()) != mark.last().copied() || !is_needed)
                .then_some(at + mark.len());
        }
        (!is_needed).then_some(at)
    }
}

/// Returns the beginning of the text on the line at `start`, after its quote marks (`>`).
fn skip_quote_marks(text: &Input<'_>, start: usize, quote_marks: usize) -> usize {
    let mut at = start;
    let mut left = quote_marks;
    while left > 0 && at < start + MAX_QUOTE_PREFIX {
        match text.at(at) {
            Some(b'>' | b'|') => left -= 1,
            Some(b' ' | b'\t') => {}
            _ => break,
        }
        at += 1;
    }
    at
}

/// Returns the end of the white space at `start` within the line.
pub(super) fn space_end(text: &Input<'_>, start: usize) -> usize {
    let mut at = start;
    while at < start + MAX_SPACE && matches!(text.at(at), Some(b' ' | b'\t' | b'\r')) {
        at += 1;
    }
    at
}

// Defanged indicators.

/// Defanged forms of punctuation, ignoring case.
const DEFANGED_MARKS: [(&[u8], &str); 24] = [
    (b"[.]", "."),
    (b"(.)", "."),
    (b"{.}", "."),
    (b"[dot]", "."),
    (b"(dot)", "."),
    (b"{dot}", "."),
    (b"[.", "."),
    (b"[:]", ":"),
    (b"(:)", ":"),
    (b"{:}", ":"),
    (b"[://]", "://"),
    (b"(://)", "://"),
    (b"{://}", "://"),
    (b"[:/]", ":/"),
    (b"[/]", "/"),
    (b"[//]", "//"),
    (b"[@]", "@"),
    (b"(@)", "@"),
    (b"{@}", "@"),
    (b"[at]", "@"),
    (b"(at)", "@"),
    (b"{at}", "@"),
    (b"[dash]", "-"),
    (b"[-]", "-"),
];

/// Defanged forms of schemes.
const DEFANGED_SCHEMES: [(&[u8], &str); 8] = [
    (b"hxxps", "https"),
    (b"hxxp", "http"),
    (b"hxtps", "https"),
    (b"hxtp", "http"),
    (b"htxps", "https"),
    (b"htxp", "http"),
    (b"fxps", "ftps"),
    (b"fxp", "ftp"),
];

/// Returns true if a defanged dot is at this offset, which means that the host continues after it.
pub(super) fn is_defanged_dot(text: &Input<'_>, at: usize) -> bool {
    if !matches!(text.at(at), Some(b'[' | b'(' | b'{')) {
        return false;
    }
    let dots = DEFANGED_MARKS
        .iter()
        .filter(|(mark, became)| *became == "." && mark.len() > 2);
    dots.into_iter().any(|(mark, _)| text.has(at, mark))
}

/// Returns true if a scheme is defanged.
pub(super) fn is_defanged_scheme(name: &[u8]) -> bool {
    DEFANGED_SCHEMES
        .iter()
        .any(|(scheme, _)| name.eq_ignore_ascii_case(scheme))
}

/// Returns true if defanged punctuation begins at this offset.
pub(super) fn is_defanging_mark(text: &Input<'_>, at: usize) -> bool {
    DEFANGED_MARKS.iter().any(|(mark, _)| text.has(at, mark))
}

/// A refanged word.
pub(super) struct Refanged {
    pub(super) text: String,
    marks: Vec<RefangedMark>,
}

/// A mark in a word, and its replacement in the restored text.
struct RefangedMark {
    word: Range<usize>,
    text: Range<usize>,
}

impl Refanged {
    pub(super) fn new(word: &str) -> Self {
        let input = Input::new(word.as_bytes(), true);
        let mut text = String::with_capacity(word.len());
        let mut marks = Vec::new();
        let (mut at, mut kept) = (0, 0);
        while at < word.len() {
            let has = |(mark, _): &&(&[u8], &str)| input.has(at, mark);
            let is_start = input
                .before(at)
                .is_none_or(|before| !before.is_ascii_alphanumeric());
            let found = match input.at(at) {
                Some(b'[' | b'(' | b'{') => DEFANGED_MARKS.iter().find(has),
                Some(b'h' | b'H' | b'f' | b'F') if is_start => {
                    DEFANGED_SCHEMES.iter().find(|scheme| {
                        has(scheme)
                            && matches!(
                                input.at(at + scheme.0.len()),
                                Some(b':' | b'[' | b'(' | b'{')
                            )
                    })
                }
                _ => None,
            };
            let Some((mark, became)) = found else {
                at += 1;
                continue;
            };
            text.push_str(word.get(kept..at).unwrap_or_default());
            let start = text.len();
            text.push_str(became);
            marks.push(RefangedMark {
                word: at..at + mark.len(),
                text: start..text.len(),
            });
            at += mark.len();
            kept = at;
        }
        text.push_str(word.get(kept..).unwrap_or_default());
        Self { text, marks }
    }

    /// Converts an offset in the restored text to an offset in the word. An offset within a
    /// replacement becomes the end of its mark.
    pub(super) fn written(&self, offset: usize) -> usize {
        let passed = self
            .marks
            .iter()
            .rev()
            .find(|mark| mark.text.start < offset);
        match passed {
            None => offset,
            Some(mark) => mark.word.end + offset.saturating_sub(mark.text.end),
        }
    }

    /// Converts an offset in the word to an offset in the restored text. An offset within a mark
    /// becomes the beginning of its replacement.
    pub(super) fn refanged(&self, offset: usize) -> usize {
        let passed = self
            .marks
            .iter()
            .rev()
            .find(|mark| mark.word.start <= offset);
        match passed {
            None => offset,
            Some(mark) if offset < mark.word.end => mark.text.start,
            Some(mark) => mark.text.end + offset - mark.word.end,
        }
    }
}

/// The maximum distance between the beginning of an indicator and its mark, in bytes.
const MAX_BEFORE: usize = 256;

/// The maximum distance, in bytes, between a mark and the end of the authority that contains it.
const MAX_AFTER: usize = 768;

impl Finder {
    /// Returns the indicator around the mark or the scheme's colon at `at`.
    pub(super) fn indicator<'t>(&self, text: &Input<'t>, at: usize, floor: usize) -> Outcome<'t> {
        let is_word = |byte: u8| byte > b' ' && !b"<>\"'`|,;".contains(&byte) && byte != 0x7F;
        let lowest = floor.max(at.saturating_sub(MAX_BEFORE));
        let before = text.slice(lowest, at);
        let start = before.iter().rposition(|byte| !is_word(*byte));
        let start = lowest + start.map_or(0, |before| before + 1);
        let limit = start.saturating_add(self.max_length);
        let mut reach = MAX_AFTER;
        loop {
            let last = at.saturating_add(reach).min(limit);
            let run = text.run(at, last, is_word);
            let end = char_start(text, run.min(last));
            let Some(mut link) = self.indicator_in(text, at, start..end) else {
                return Outcome::NoLink;
            };
            // Punctuation ends the link only if the word does not continue after it.
            let rest = text.slice(link.range.end, end);
            if run <= last || rest.iter().any(u8::is_ascii_alphanumeric) {
                return Outcome::Link(link);
            }
            if last == limit {
                link.marks.is_cut = true;
                return Outcome::Link(link);
            }
            reach = reach.saturating_mul(2);
        }
    }

    /// Returns the indicator to which the mark at `at` belongs, within this word.
    fn indicator_in<'t>(
        &self,
        text: &Input<'t>,
        at: usize,
        word: Range<usize>,
    ) -> Option<Link<'t>> {
        let start = word.start;
        let refanged = Refanged::new(text.string(start, word.end)?);
        let finder = Finder::new()
            .max_length(self.max_length)
            .abbreviated(true)
            .addresses(true)
            .any_domain();
        let links = finder.links(&refanged.text);
        // An indicator has a mark in its scheme or authority, not only in later components.
        let mark = refanged.refanged(at - start);
        let found = links
            .filter(|link| link.kind != Kind::Defanged)
            .find(|link| link.range.start <= mark && mark < authority_end(link, &refanged.text));
        let link = found?;
        let range =
            start + refanged.written(link.range.start)..start + refanged.written(link.range.end);
        Some(Link {
            range,
            uri: Cow::Owned(link.uri.into_owned()),
            kind: Kind::Defanged,
            alternative: None,
            marks: link.marks,
        })
    }
}

/// Returns the end of a mail address, or of a link's authority.
fn authority_end(link: &Link<'_>, text: &str) -> usize {
    let written = text.get(link.range.clone()).unwrap_or_default();
    let start = written.find("://").map_or(0, |at| at + 3);
    let rest = written.get(start..).unwrap_or_default();
    let length = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    link.range.start + start + length
}
