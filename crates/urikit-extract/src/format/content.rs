//! Guesses the format of a document from its beginning.

use super::Format;
use memchr::memmem;
use urikit_mime::mailbox::is_separator;

/// Guesses the format of text from its beginning. `is_section` is true if the file name has the
/// extension of a manual page.
pub(super) fn guess(content: &[u8], is_section: bool) -> Format {
    let content = content.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(content);
    if is_html(content) {
        Format::Html
    } else if is_mail(content) {
        Format::Mail
    } else {
        by_other_content(content, is_section).unwrap_or(Format::Text)
    }
}

/// Returns true if the text begins like an HTML document, after white space and comments. After an
/// XML declaration, only a document type or a root element named `html` makes it HTML.
fn is_html(content: &[u8]) -> bool {
    let mut rest = content.trim_ascii_start();
    let mut is_xml = false;
    loop {
        let (begin, end): (&[u8], &[u8]) = if rest.starts_with(b"<!--") {
            (b"<!--", b"-->")
        } else if starts(rest, b"<?xml") || is_xml && rest.starts_with(b"<?") {
            is_xml = true;
            (b"<?", b"?>")
        } else {
            break;
        };
        let inner = rest.get(begin.len()..).unwrap_or_default();
        let Some(length) = memmem::find(inner, end) else {
            return false;
        };
        let after = inner.get(length + end.len()..).unwrap_or_default();
        rest = after.trim_ascii_start();
    }
    if starts(rest, b"<!doctype") {
        let after = rest.get(b"<!doctype".len()..).unwrap_or_default();
        let name = after.trim_ascii_start();
        let end = name
            .iter()
            .position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'['));
        let is_html = name
            .get(..end.unwrap_or(name.len()))
            .is_some_and(|name| name.eq_ignore_ascii_case(b"html"));
        if is_html && name.len() < after.len() {
            return true;
        }
        // The root element decides about XML with another document type.
        let subset = memchr::memchr2(b'[', b'>', after).filter(|at| after.get(*at) == Some(&b'['));
        let end = if subset.is_some() {
            memmem::find(after, b"]>").map(|at| at + 2)
        } else {
            memchr::memchr(b'>', after).map(|at| at + 1)
        };
        let rest_of_document = end.and_then(|end| after.get(end..)).unwrap_or_default();
        rest = rest_of_document.trim_ascii_start();
        if !is_xml {
            return false;
        }
    }
    let Some(name) = rest.strip_prefix(b"<") else {
        return false;
    };
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    let end = name.iter().position(|byte| !is_name(byte));
    let (name, after) = name.split_at(end.unwrap_or(name.len()));
    let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/');
    let beginnings = if is_xml { &["html"] } else { &BEGINNINGS[..] };
    after.first().is_some_and(ends)
        && beginnings
            .iter()
            .any(|other| name.eq_ignore_ascii_case(other.as_bytes()))
}

/// Elements at the beginning of HTML documents and fragments. Elements that also exist in other
/// vocabularies, such as `header`, are left out.
const BEGINNINGS: [&str; 52] = [
    "html",
    "head",
    "title",
    "base",
    "body",
    "meta",
    "isindex",
    "link",
    "script",
    "style",
    "noscript",
    "template",
    "a",
    "b",
    "i",
    "em",
    "strong",
    "span",
    "font",
    "code",
    "p",
    "br",
    "hr",
    "div",
    "center",
    "pre",
    "blockquote",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "ul",
    "ol",
    "dl",
    "li",
    "table",
    "tr",
    "td",
    "img",
    "picture",
    "form",
    "input",
    "button",
    "iframe",
    "frameset",
    "section",
    "article",
    "main",
    "nav",
    "footer",
];

/// Returns true if the text begins with the `From ` line of a mailbox, or with at least two header
/// fields, one of which is well known.
fn is_mail(content: &[u8]) -> bool {
    let mut lines = content.split(|byte| *byte == b'\n').peekable();
    if let Some(first) = lines.peek()
        && is_separator(first)
    {
        return true;
    }
    let known: [&[u8]; 12] = [
        b"from",
        b"received",
        b"return-path",
        b"mime-version",
        b"message-id",
        b"delivered-to",
        b"newsgroups",
        b"xref",
        b"path",
        b"x-mozilla-status",
        b"content-type",
        b"dkim-signature",
    ];
    let (mut fields, mut has_known) = (0_usize, false);
    for line in lines {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            break;
        }
        if line.starts_with(b" ") || line.starts_with(b"\t") {
            if fields == 0 {
                return false;
            }
            continue;
        }
        let Some(colon) = line.iter().position(|byte| *byte == b':') else {
            // The last line may be incomplete.
            break;
        };
        let name = line.get(..colon).unwrap_or_default();
        if name.is_empty() || !name.iter().all(u8::is_ascii_graphic) {
            return false;
        }
        fields += 1;
        has_known |= known.iter().any(|known| known.eq_ignore_ascii_case(name));
    }
    fields >= 2 && has_known
}

/// Returns true if the text begins with this word, ignoring case.
fn starts(text: &[u8], word: &[u8]) -> bool {
    text.get(..word.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// Returns the format of text that is neither HTML nor mail. Returns `None` for plain text.
fn by_other_content(content: &[u8], is_section: bool) -> Option<Format> {
    let start = content.trim_ascii_start();
    let is_word = |word: &&[u8]| {
        start
            .get(..word.len())
            .is_some_and(|begin| begin.eq_ignore_ascii_case(word))
    };
    if start.starts_with(b"<") {
        return is_xml(start).then_some(Format::Xml);
    }
    if start.starts_with(b"{") {
        return json(start);
    }
    if [&b"BEGIN:VCALENDAR"[..], b"BEGIN:VCARD"]
        .iter()
        .any(is_word)
    {
        return Some(Format::Icalendar);
    }
    if is_roff(content) || is_section && begins_with_request(start) {
        return Some(Format::Roff);
    }
    let has = |word: &[u8]| memmem::find(content, word).is_some();
    (has(b"\\documentclass") || has(b"\\begin{document}")).then_some(Format::Latex)
}

/// Returns true if the text begins with an XML declaration or the root element of a common
/// vocabulary.
fn is_xml(start: &[u8]) -> bool {
    const ROOTS: [&[u8]; 9] = [
        b"<?xml",
        b"<rss",
        b"<feed",
        b"<rdf:RDF",
        b"<urlset",
        b"<sitemapindex",
        b"<svg",
        b"<opml",
        b"<!DOCTYPE svg",
    ];
    ROOTS.iter().any(|root| {
        let after = start.strip_prefix(*root).and_then(|rest| rest.first());
        after.is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b'>')
    })
}

fn json(start: &[u8]) -> Option<Format> {
    let has = |word: &[u8]| memmem::find(start, word).is_some();
    let first = start.get(1..)?.trim_ascii_start();
    if (first.starts_with(b"\"cells\"") && has(b"\"cell_type\"")) || has(b"\"nbformat\"") {
        return Some(Format::Jupyter);
    }
    let is_first = |name: &[u8]| first.starts_with(name);
    if is_first(b"\"Envelope\"") || is_first(b"\"Container\"") && has(b"\"Envelope\"") {
        return Some(Format::Wat);
    }
    (first.starts_with(b"\"log\"") && has(b"\"creator\"")).then_some(Format::Har)
}

/// Returns true if the text begins with comments and requests, and one of the requests begins a
/// manual page or loads a common macro package. The text of macros that the requests define may
/// begin with an escape, as in the preamble that pod2man writes.
fn is_roff(content: &[u8]) -> bool {
    for line in content.split(|byte| *byte == b'\n').take(200) {
        let is_title = [&b".TH "[..], b".Dd ", b".Dt ", b".Sh NAME", b".SH NAME"]
            .iter()
            .any(|title| line.starts_with(title));
        if is_title {
            return true;
        }
        let is_request = matches!(line.first(), Some(b'.' | b'\'' | b'\\'));
        if !is_request && !line.trim_ascii().is_empty() {
            return false;
        }
    }
    false
}

/// Returns true if the text begins with a roff request or comment: `.so man1/a.1`, `'\" t`.
fn begins_with_request(start: &[u8]) -> bool {
    match start {
        [b'.' | b'\'', b'\\', b'"' | b'#', ..] | [b'\\', b'"' | b'#', ..] => true,
        [b'.', rest @ ..] => {
            let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
            line.trim_ascii_start()
                .first()
                .is_some_and(u8::is_ascii_alphabetic)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[test]
    fn document_types_of_xml() {
        for (document, expected) in [
            ("<!DOCTYPE\n html PUBLIC 'x'>", Format::Html),
            ("<!DOCTYPE wml [<!ENTITY a '>'>]>\n<html>", Format::Html),
            ("<!DOCTYPE html-x>\n<article>", Format::Xml),
        ] {
            let document = format!("<?xml version='1.0'?>\n{document}");
            assert_eq!(super::guess(document.as_bytes(), false), expected);
        }
    }

    #[test]
    fn guesses_by_name_and_content() {
        let mail = "From a@b Thu Jan  1 00:00:00 1998\nA: b\n";
        for (name, content, expected) in [
            ("a/README.md", "<html>", Format::Markdown),
            ("a.b/c", "Subject: x\nFrom: y\n\n", Format::Mail),
            ("c.HTM", "", Format::Html),
            ("c.mdx", "<html>", Format::Markdown),
            ("c.qmd", "", Format::Markdown),
            ("c.Rmd", "", Format::Markdown),
            ("c.scss", "", Format::Css),
            ("c.less", "", Format::Css),
            ("c.csv", "Subject: x\nFrom: y\n\n", Format::Csv),
            ("c.tsv", "", Format::Tsv),
            (
                "c",
                "\u{FEFF}\n<!-- x --> <!-- y -->\n<HTML lang=en>",
                Format::Html,
            ),
            (
                "c",
                "<?xml version='1.0'?>\n<!DOCTYPE html><html>",
                Format::Html,
            ),
            ("c", "<?xml version='1.0'?><svg>", Format::Xml),
            (
                "c",
                "<?xml version='1.0'?><?xml-stylesheet href='a'?><!-- x -->\n<html>",
                Format::Html,
            ),
            (
                "c",
                "<?xml version='1.0'?><rss><description>&lt;<![CDATA[<html>",
                Format::Xml,
            ),
            (
                "c",
                "<?xml version='1.0'?>\n<!-- <html> -->\n<article>",
                Format::Xml,
            ),
            ("c", "<?xml version='1.0'?><htmlUrl>", Format::Xml),
            ("c", "\n<rss version='2.0'>", Format::Xml),
            ("c", "<feedback>", Format::Text),
            ("a.svg", "", Format::Xml),
            ("c.1", ".\\\" comment\n.TH ls 1\n", Format::Roff),
            ("log.1", "2024 .TH\n", Format::Text),
            ("log.1", "./a: http://b.example/\n", Format::Text),
            ("a.3type", ".so man7/b.7\n", Format::Roff),
            ("a.3type", "\n'\\\" t\nx", Format::Roff),
            ("a.b", ".so man7/b.7\n", Format::Text),
            // pod2man
            (
                "c",
                ".\\\" Automatically generated\n.ie n \\{\\\n\\{\\\n'br\\}\n.TH A 1\n",
                Format::Roff,
            ),
            ("c", "BEGIN:VCALENDAR\r\n", Format::Icalendar),
            ("c", "% x\n\\documentclass{article}", Format::Latex),
            (
                "c",
                "{\"cells\": [{\"cell_type\": \"code\"",
                Format::Jupyter,
            ),
            ("c", "{\"log\": {\"creator\": {}", Format::Har),
            ("c", "{\"logs\": {\"creator\": {}", Format::Text),
            ("c", "{\"Envelope\": {", Format::Wat),
            ("c", "{\"Container\": {}, \"Envelope\":", Format::Wat),
            ("c", "{\"Container\": {}", Format::Text),
            ("c", "<header>", Format::Text),
            ("-", "<script>x", Format::Html),
            ("-", " <BR>\n<a href=x>", Format::Html),
            ("-", "<p", Format::Text),
            ("-", "<p\n>", Format::Html),
            ("-", "<http://a.example/>", Format::Text),
            ("-", "<a@b.example>", Format::Text),
            ("c", mail, Format::Mail),
            ("c", "From here on it is text\n", Format::Text),
            ("c", "Path: a!b\nNewsgroups: c.d\n\tx\n\n", Format::Mail),
            ("c", "Note: a\nFrom: b", Format::Mail),
            ("c", "Note: a\nElse: b", Format::Text),
            ("c", "From: only one", Format::Text),
            ("c", "", Format::Text),
        ] {
            assert_eq!(
                Format::guess(name, content.as_bytes()),
                Some(expected),
                "{name}: {content}"
            );
        }
        assert_eq!(Format::guess("a.txt", b"a\0b"), None);
        assert_eq!(Format::guess("a", b"\xFF\xFE<\0p\0>\0"), Some(Format::Html));
        assert_eq!(
            Format::guess("a", b"\xFE\xFF\0<\0H\0T\0M\0L\0>"),
            Some(Format::Html)
        );
        // UTF-32, and UTF-16 with a NUL.
        assert_eq!(Format::guess("a", b"\xFF\xFE\0\0a\0\0\0"), None);
        assert_eq!(Format::guess("a", b"\xFF\xFEa\0\0\0"), None);
    }
}
