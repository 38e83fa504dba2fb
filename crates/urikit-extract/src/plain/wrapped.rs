//! Wrapped links: `<URL:…>`, `<…>` and `"…"`, with white space in them.
//!
//! RFC 1738 (Appendix), RFC 2396 (Appendix E) and RFC 3986 (Appendix C) agree: within the wrapper,
//! white space and line ends were added to break a long line, and are not part of the URL. In
//! plain text other things get in the same way: the quotation marks of mail replies at the
//! beginning of lines (`> `), and the footer and header of a page.

use super::input::Input;
use super::leader::{Leader, MAX_SPACE, space_end};
use super::opaque::can_follow;
use super::scheme::{self, is_host};
use crate::link::{Kind, Link, Marks, standard_of};
use std::borrow::Cow;

/// The longest wrapper, in bytes.
const MAX_LENGTH: usize = 4096;

/// The kinds of wrappers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wrapper {
    /// `<…>`: white space in it is not part of the URL.
    Angles,
    /// `"…"`: line ends are not part of the URL, but a space means that it is a sentence.
    Quotes,
}

/// The link in angle brackets whose scheme begins at `content`, with or without `URL:`. `None` if
/// there is no wrapper.
pub(crate) fn angles<'t>(text: &Input<'t>, content: usize, floor: usize) -> Option<Link<'t>> {
    let lowest = floor.max(content.saturating_sub(2 * MAX_SPACE));
    let at = space_start(text, content, lowest);
    match text.before(at)? {
        b'<' if at > lowest => within(text, at - 1, content, false),
        b':' | b'/' => named(text, content, floor),
        _ => None,
    }
}

/// The link in angle brackets whose scheme begins at `content`, after `URL:`. Any scheme is
/// accepted.
pub(crate) fn named<'t>(text: &Input<'t>, content: usize, floor: usize) -> Option<Link<'t>> {
    let lowest = floor.max(content.saturating_sub(2 * MAX_SPACE));
    let mut end = space_start(text, content, lowest);
    // `<URL://http://…`, as some people write it.
    if text.slice(end.saturating_sub(3), end) == b"://" {
        end -= 2;
    }
    let prefix = end
        .checked_sub(4)
        .filter(|prefix| *prefix > lowest && text.has(*prefix, b"URL:"))?;
    let at = space_start(text, prefix, lowest);
    if at > lowest && text.before(at) == Some(b'<') {
        return within(text, at - 1, content, true);
    }
    None
}

/// The beginning of the white space that ends at `end`.
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

/// The link whose wrapper opens at `open`.
fn within<'t>(text: &Input<'t>, open: usize, content: usize, is_named: bool) -> Option<Link<'t>> {
    let Some(end) = unbroken(text, content) else {
        return broken(text, open, content, Wrapper::Angles, is_named);
    };
    let uri = core::str::from_utf8(text.slice(content, end)).ok()?;
    let marks = marks(uri, is_named, true)?;
    Some(Link {
        range: open..end + 1,
        uri: Cow::Borrowed(uri),
        kind: Kind::Wrapped,
        alternative: None,
        marks,
    })
}

/// The link in double quotes that begins at `start`, after the opening quote, and is broken over
/// lines.
pub(crate) fn quoted<'t>(text: &Input<'t>, start: usize) -> Option<Link<'t>> {
    broken(text, start.checked_sub(1)?, start, Wrapper::Quotes, false)
}

/// The link in a wrapper with white space in it.
fn broken<'t>(
    text: &Input<'t>,
    open: usize,
    content: usize,
    wrapper: Wrapper,
    is_named: bool,
) -> Option<Link<'t>> {
    let content = lines(text, content, wrapper, &Leader::of(text, open))?;
    if wrapper == Wrapper::Quotes && content.lines.len() < 2 {
        // Between quotation marks, an unbroken link is a bare one.
        return None;
    }
    let (uri, alternative) = join(&content.lines)?;
    let marks = marks(&uri, is_named, !content.has_spaces)?;
    Some(Link {
        range: open..content.end + 1,
        uri: Cow::Owned(uri),
        kind: Kind::Wrapped,
        alternative,
        marks,
    })
}

/// The closing angle bracket, unless white space comes before it.
fn unbroken(text: &Input<'_>, content: usize) -> Option<usize> {
    (content..content + MAX_LENGTH)
        .find_map(|at| match text.at(at) {
            Some(b'>') => Some(Some(at)),
            None | Some(0..=b' ' | b'<' | b'"') => Some(None),
            _ => None,
        })
        .flatten()
}

/// The marks of the content if it is an absolute reference: of any scheme after `URL:`, otherwise
/// one that would be found without the wrapper. With `may_be_invalid`, it may break other rules than
/// that a host follows `://`.
fn marks(uri: &str, is_named: bool, may_be_invalid: bool) -> Option<Marks> {
    let text = Input::new(uri.as_bytes(), true);
    let Ok(reference) = standard_of(uri).parse(uri) else {
        let host = uri.split_once("://")?.0.len() + 3;
        // `<http://a.example|text>` is what chats write.
        let is_link = may_be_invalid && is_host(&text, host) && !uri.contains('|');
        return is_link.then_some(Marks {
            is_suspect: true,
            ..Marks::default()
        });
    };
    let scheme = reference.scheme()?.as_bytes();
    let is_link = match reference.host() {
        Some(host) if host.as_str().is_empty() => {
            reference.path().as_str().len() > 1 && (is_named || !scheme::needs_host(scheme))
        }
        // `...` and `*` are placeholders.
        Some(_) => {
            let userinfo = reference
                .userinfo()
                .map_or(0, |userinfo| userinfo.as_str().len() + 1);
            is_named || is_host(&text, scheme.len() + 3 + userinfo)
        }
        None if is_named => !reference.path().is_empty() || reference.query().is_some(),
        None => {
            let rest = scheme.len() + 1;
            scheme::is_known(scheme)
                && (can_follow(&text, scheme, rest)
                    || may_be_invalid
                        && !scheme::needs_host(scheme)
                        && !is_element(text.slice_from(rest)))
        }
    };
    is_link.then(Marks::default)
}

/// Whether what follows a colon is a name, as in the elements of XML: `<geo:lat>`, `<tag:a/>`.
fn is_element(rest: &[u8]) -> bool {
    let name = rest.strip_suffix(b"/").unwrap_or(rest);
    name.iter()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | 0x80..))
}

/// What is between the marks of a wrapper.
struct Content<'t> {
    /// Its lines, without what they begin with.
    lines: Vec<&'t [u8]>,
    /// The offset at which the wrapper closes.
    end: usize,
    /// Whether there is white space within a line.
    has_spaces: bool,
}

/// The content of the wrapper. `None` if there is none: its lines are several links or strings.
fn lines<'t>(
    text: &Input<'t>,
    content: usize,
    wrapper: Wrapper,
    leader: &Leader<'_>,
) -> Option<Content<'t>> {
    let close = match wrapper {
        Wrapper::Angles => b'>',
        Wrapper::Quotes => b'"',
    };
    let mut lines: Vec<&[u8]> = Vec::new();
    let mut has_spaces = false;
    let mut start = content;
    let mut at = content;
    while at < content + MAX_LENGTH {
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
                // `'<http://a/x/'⏎ 'y.html>'`
                if matches!(line.trim_ascii_end(), [.., b'\'' | b'"' | b'`']) {
                    return None;
                }
                lines.push(line);
                at = leader.skip(text, at + 1)?;
                start = at;
                let first = space_end(text, at);
                if is_link(text, first) || matches!(text.at(first), Some(b'\'' | b'`')) {
                    return None;
                }
            }
            b' ' | b'\t' if !is_line_edge(text, at, start) => {
                at = space_end(text, at);
                has_spaces = true;
                // A sentence, or another link.
                if wrapper == Wrapper::Quotes || is_link(text, at) {
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

/// Whether the white space at `at` is at the beginning or the end of its line.
fn is_line_edge(text: &Input<'_>, at: usize, start: usize) -> bool {
    at == start
        || text
            .before(at)
            .is_some_and(|byte| byte.is_ascii_whitespace())
        || text.at(space_end(text, at)) == Some(b'\n')
}

/// Whether a scheme and `://` begin here.
fn is_link(text: &Input<'_>, start: usize) -> bool {
    let mut at = start;
    while at < start + MAX_SPACE && text.at(at).is_some_and(scheme::is_scheme_byte) {
        at += 1;
    }
    at > start && text.has(at, b"://")
}

/// The lines joined, without white space and without page footers and headers; and the other
/// reading if a line ends with a hyphen.
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

/// Whether the authority of a link goes on in a word after a space: `<http://a.example and more>`.
/// Nobody breaks a host in this way, and the joined one may be another's.
fn is_in_authority(uri: &[u8], word: &[u8]) -> bool {
    let ends = |text: &[u8]| text.iter().any(|byte| matches!(byte, b'/' | b'?' | b'#'));
    let slashes = uri.windows(3).position(|part| part == b"://");
    let authority = slashes.and_then(|at| uri.get(at + 3..));
    authority.is_some_and(|authority| !ends(authority))
        && !matches!(word.first(), Some(b'/' | b'?' | b'#'))
}

/// The lines, without those around a form feed that are a page footer (`… [Page 20]`) and the
/// header of the next page. `None` if an empty line remains, since it ends the paragraph.
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
    // Before a page's header; and between it and the text.
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
