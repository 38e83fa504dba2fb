//! The formats of documents, and how they are recognized.

mod content;
mod table;

use crate::decode::{Mark, mark};
use core::fmt;
use core::str::FromStr;
use urikit_mime::mailbox::is_separator;

/// The format of a document, which decides how it is read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Format {
    /// Plain text.
    Text,
    /// HTML of any version, and XHTML.
    Html,
    /// A mail or news message with its MIME parts (RFC 5322, RFC 5536, RFC 2045), or a mailbox of
    /// messages (RFC 4155).
    Mail,
    /// Markdown: CommonMark with tables, footnotes, strikethrough, task lists, heading attributes,
    /// metadata blocks and mathematics.
    Markdown,
    /// XML of any vocabulary: RSS, Atom, SVG, sitemaps. Without the feature `xml`, it is read as
    /// plain text.
    Xml,
    /// A style sheet.
    Css,
    /// reStructuredText.
    Rst,
    /// AsciiDoc.
    Asciidoc,
    /// Org, the format of Emacs.
    Org,
    /// LaTeX, and bibliographies of BibTeX.
    Latex,
    /// roff: manual pages.
    Roff,
    /// A Jupyter notebook.
    Jupyter,
    /// iCalendar (RFC 5545) or vCard (RFC 6350).
    Icalendar,
    /// An HTTP archive (HAR).
    Har,
}

impl Format {
    /// How much of a file [`Format::guess`] looks at, in bytes.
    pub const GUESS_LENGTH: usize = 8192;

    /// All formats.
    pub const ALL: [Self; 14] = [
        Self::Text,
        Self::Html,
        Self::Mail,
        Self::Markdown,
        Self::Xml,
        Self::Css,
        Self::Rst,
        Self::Asciidoc,
        Self::Org,
        Self::Latex,
        Self::Roff,
        Self::Jupyter,
        Self::Icalendar,
        Self::Har,
    ];

    /// The name in lower case, such as `html`, which the [`FromStr`] implementation parses.
    pub fn as_str(self) -> &'static str {
        let mut table = table::TABLE.iter();
        let facts = table.find(|facts| facts.format == self);
        facts.map_or("", |facts| facts.name)
    }

    /// The format of a media type, with or without parameters; `None` if that is no text.
    ///
    /// ```
    /// use urikit_extract::document::Format;
    /// let format = |name: &str| Format::of_media_type(name.as_bytes());
    /// assert_eq!(format("text/html; charset=utf-8"), Some(Format::Html));
    /// assert_eq!(format("image/svg+xml"), Some(Format::Xml));
    /// assert_eq!(format("application/json"), Some(Format::Text));
    /// assert_eq!(format("image/png"), None);
    /// ```
    pub fn of_media_type(name: &[u8]) -> Option<Self> {
        let name = name.split(|byte| *byte == b';').next()?.trim_ascii();
        let name = core::str::from_utf8(name).ok()?;
        table::by_type(&name.to_ascii_lowercase())
    }

    /// Whether documents of any length are read: text and HTML in constant memory, mailboxes in
    /// that of their largest message. The others are held in memory until they end.
    pub const fn is_streamed(self) -> bool {
        matches!(self, Self::Text | Self::Html | Self::Mail)
    }

    /// Guesses the format of a file from its name and its first bytes, of which
    /// [`GUESS_LENGTH`](Self::GUESS_LENGTH) are enough. `None` means that the file is binary:
    /// there is a NUL among these bytes, and they do not begin with a byte order mark of UTF-16.
    ///
    /// The file name extension takes precedence. Otherwise the beginning of the content decides: a
    /// document type or an element of HTML, the `From ` line of a mailbox, the header fields of a
    /// message.
    ///
    /// ```
    /// use urikit_extract::document::Format;
    /// assert_eq!(Format::guess("index.html", b""), Some(Format::Html));
    /// assert_eq!(Format::guess("-", b"<!DOCTYPE html><title>"), Some(Format::Html));
    /// assert_eq!(Format::guess("1", b"Received: from a\r\nFrom: b@c\r\n"), Some(Format::Mail));
    /// assert_eq!(Format::guess("notes", b"see http://a.example/"), Some(Format::Text));
    /// assert_eq!(Format::guess("a.png", b"\x89PNG\r\n\x1a\n\0\0\0\r"), None);
    /// ```
    pub fn guess(name: &str, content: &[u8]) -> Option<Self> {
        let content = content.get(..Self::GUESS_LENGTH).unwrap_or(content);
        let decoded = match mark(content) {
            Mark::Utf16(encoding, mark) => Some((encoding, mark)),
            Mark::None | Mark::Utf8 => None,
        };
        let decoded = decoded.map(|(encoding, mark)| {
            let text = content.get(mark..).unwrap_or_default();
            encoding.decode_without_bom_handling(text).0
        });
        let content = decoded.as_deref().map_or(content, str::as_bytes);
        if memchr::memchr(0, content).is_some() {
            return None;
        }
        Some(by_name(name).unwrap_or_else(|| by_content(content)))
    }
}

/// The format for a file name extension.
fn by_name(name: &str) -> Option<Format> {
    let file = name.rsplit(['/', '\\']).next()?;
    let (_, extension) = file.rsplit_once('.')?;
    table::by_extension(&extension.to_ascii_lowercase())
}

fn by_content(content: &[u8]) -> Format {
    let content = content.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(content);
    if is_html(content) {
        Format::Html
    } else if is_mail(content) {
        Format::Mail
    } else {
        content::guess(content).unwrap_or(Format::Text)
    }
}

/// Whether a text begins, after white space and comments, as HTML documents do.
fn is_html(content: &[u8]) -> bool {
    let mut rest = content.trim_ascii_start();
    while let Some(comment) = rest.strip_prefix(b"<!--") {
        let Some(end) = memchr::memmem::find(comment, b"-->") else {
            return false;
        };
        rest = comment
            .get(end + 3..)
            .unwrap_or_default()
            .trim_ascii_start();
    }
    if starts(rest, b"<?xml") {
        let end = memchr::memchr(b'>', rest).unwrap_or(rest.len());
        let rest = rest.get(end..).unwrap_or_default();
        return memchr::memmem::find(rest, b"<html").is_some();
    }
    if starts(rest, b"<!doctype html") {
        return true;
    }
    let Some(name) = rest.strip_prefix(b"<") else {
        return false;
    };
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    let end = name.iter().position(|byte| !is_name(byte));
    let (name, after) = name.split_at(end.unwrap_or(name.len()));
    let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/');
    after.first().is_some_and(ends)
        && BEGINNINGS
            .iter()
            .any(|other| name.eq_ignore_ascii_case(other.as_bytes()))
}

/// Elements that documents and fragments of HTML begin with. Those of other vocabularies too, such
/// as `header`, are left out.
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

/// Whether a text begins with the `From ` line of a mailbox, or with header fields, at least one
/// of them well-known.
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

/// Whether a text begins with a word, ignoring case.
fn starts(text: &[u8], word: &[u8]) -> bool {
    text.get(..word.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(word))
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The name of a [`Format`] was expected, and something else found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownFormat;

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected one of text, html, mail, markdown, xml, css, rst, asciidoc, org, ")?;
        f.write_str("latex, roff, jupyter, icalendar, har")
    }
}

impl core::error::Error for UnknownFormat {}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        Self::ALL
            .into_iter()
            .find(|format| format.as_str() == name)
            .ok_or(UnknownFormat)
    }
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[test]
    fn guesses_by_name_and_content() {
        let mail = "From a@b Thu Jan  1 00:00:00 1998\nA: b\n";
        for (name, content, expected) in [
            ("a/README.md", "<html>", Format::Markdown),
            ("a.b/c", "Subject: x\nFrom: y\n\n", Format::Mail),
            ("c.HTM", "", Format::Html),
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
            ("c", "\n<rss version='2.0'>", Format::Xml),
            ("c", "<feedback>", Format::Text),
            ("a.svg", "", Format::Xml),
            ("c.1", ".\\\" comment\n.TH ls 1\n", Format::Roff),
            ("log.1", "2024 .TH\n", Format::Text),
            ("c", "BEGIN:VCALENDAR\r\n", Format::Icalendar),
            ("c", "% x\n\\documentclass{article}", Format::Latex),
            (
                "c",
                "{\"cells\": [{\"cell_type\": \"code\"",
                Format::Jupyter,
            ),
            ("c", "{\"log\": {\"creator\": {}", Format::Har),
            ("c", "{\"logs\": {\"creator\": {}", Format::Text),
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
