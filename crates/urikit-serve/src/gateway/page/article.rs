//! Newsgroup articles: the header fields that readers need, and the text with collapsed
//! quotations.

use super::Page;
use super::frame::{Frame, write};
use super::text::{Text, linked};
use askama::Template;
use encoding_rs::{Encoding, WINDOWS_1252};
use std::fmt::Write as _;
use urikit_extract::Finder;
use urikit_mime::transfer::{self, Decoder};
use urikit_mime::{ContentType, header};

/// The fields that the page shows.
const FIELDS: [&str; 6] = [
    "Subject",
    "From",
    "Date",
    "Newsgroups",
    "Organization",
    "Message-ID",
];

/// The maximum length of the header, in bytes. The rest is shown as text.
const MOST_HEADER: usize = 64 << 10;

/// The minimum number of quoted lines that are collapsed.
const FOLDED: usize = 4;

/// The page of an article.
pub(super) struct ArticlePage {
    frame: Frame,
    finder: Finder,
    /// The header, until it is complete.
    header: Option<Vec<u8>>,
    decoder: Option<Decoder>,
    text: Text,
    quotes: Quotes,
}

/// The fields of an article.
#[derive(Template)]
#[template(path = "gateway/fields.html")]
struct Fields {
    fields: Vec<(&'static str, String)>,
}

/// Quoted lines that are not yet written.
#[derive(Default)]
struct Quotes {
    lines: String,
    count: usize,
    /// True if the start of the collapsed part has been written, because these lines are too long
    /// to buffer.
    is_open: bool,
}

/// The maximum length of quoted lines in memory, in bytes.
const MOST_QUOTED: usize = 32 << 10;

impl ArticlePage {
    pub(super) fn new(frame: Frame) -> Self {
        Self {
            frame,
            finder: Finder::new(),
            header: Some(Vec::new()),
            decoder: None,
            text: Text::new(None, b""),
            quotes: Quotes::default(),
        }
    }

    /// Writes the header when it is complete.
    fn head(&mut self, is_last: bool, out: &mut Vec<u8>) {
        let Some(bytes) = &self.header else { return };
        let is_complete = is_last
            || bytes.len() > MOST_HEADER
            || bytes.windows(2).any(|two| two == b"\n\n")
            || bytes.windows(4).any(|four| four == b"\r\n\r\n");
        if !is_complete {
            return;
        }
        let bytes = self.header.take().unwrap_or_default();
        let (head, body) = header::split(&bytes);
        let text = |name| header::value(head, name).map(words);
        let fields = FIELDS.into_iter();
        let fields = fields
            .filter_map(|name| Some((name, text(name)?)))
            .collect();
        write(&Fields { fields }, out);
        out.extend_from_slice(b"<pre class=\"text\">\n");
        let content = header::value(head, "Content-Type").and_then(ContentType::parse);
        let charset = content.as_ref().and_then(|content| {
            let value = content.parameter("charset")?;
            Some(value.octets.into_owned())
        });
        self.text = Text::new(charset.as_deref(), body);
        let encoding = header::value(head, "Content-Transfer-Encoding");
        let encoding = encoding.map(transfer::Encoding::parse).unwrap_or_default();
        self.decoder = Some(Decoder::new(encoding));
        self.body(body, out);
    }

    fn body(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let Self {
            frame,
            finder,
            decoder,
            text,
            quotes,
            ..
        } = self;
        let mut each = |lines: &str| quotes.push(lines, frame, finder, out);
        if let Some(decoder) = decoder {
            decoder.push(bytes, |run| text.push(run.octets(), false, &mut each));
        }
    }
}

impl Quotes {
    /// Accepts complete lines.
    fn push(&mut self, lines: &str, frame: &Frame, finder: &Finder, out: &mut Vec<u8>) {
        let mut plain = String::new();
        for line in lines.split_inclusive('\n') {
            if line.starts_with('>') {
                linked(&std::mem::take(&mut plain), &frame.links, finder, out);
                self.count += 1;
                self.lines.push_str(line);
                if self.lines.len() > MOST_QUOTED {
                    self.write(frame, finder, out);
                }
            } else {
                self.end(frame, finder, out);
                plain.push_str(line);
            }
        }
        linked(&plain, &frame.links, finder, out);
    }

    /// Writes the quoted lines so far.
    fn write(&mut self, frame: &Frame, finder: &Finder, out: &mut Vec<u8>) {
        if !self.is_open && self.count >= FOLDED {
            self.is_open = true;
            let open = b"<details><summary>Quotation</summary>";
            out.extend_from_slice(open);
        }
        linked(&self.lines, &frame.links, finder, out);
        self.lines.clear();
    }

    /// Ends a quotation.
    fn end(&mut self, frame: &Frame, finder: &Finder, out: &mut Vec<u8>) {
        if self.count == 0 {
            return;
        }
        self.write(frame, finder, out);
        if self.is_open {
            out.extend_from_slice(b"</details>");
        }
        *self = Self::default();
    }
}

impl Page for ArticlePage {
    fn begin(&mut self, out: &mut Vec<u8>) {
        self.frame.begin(out);
    }

    fn bytes(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        match &mut self.header {
            Some(header) => {
                header.extend_from_slice(bytes);
                self.head(false, out);
            }
            None => self.body(bytes, out),
        }
    }

    fn end(&mut self, failed: Option<&str>, out: &mut Vec<u8>) -> bool {
        self.head(true, out);
        let Self {
            frame,
            finder,
            decoder,
            text,
            quotes,
            ..
        } = self;
        let mut each = |lines: &str| quotes.push(lines, frame, finder, out);
        if let Some(decoder) = decoder.take() {
            decoder.finish(|run| text.push(run.octets(), false, &mut each));
        }
        text.push(b"", true, &mut each);
        quotes.end(frame, finder, out);
        out.extend_from_slice(b"</pre>\n");
        frame.end(failed, out);
        true
    }
}

/// Decodes the encoded words in a field (RFC 2047, 2). White space between two of them is dropped.
fn words(value: &[u8]) -> String {
    let value = String::from_utf8_lossy(value);
    let mut text = String::new();
    let mut was_encoded = false;
    for (index, word) in value.split_ascii_whitespace().enumerate() {
        let decoded = encoded_word(word);
        if index > 0 && !(was_encoded && decoded.is_some()) {
            text.push(' ');
        }
        was_encoded = decoded.is_some();
        let _ = write!(text, "{}", decoded.as_deref().unwrap_or(word));
    }
    text
}

fn encoded_word(word: &str) -> Option<String> {
    let inner = word.strip_prefix("=?")?.strip_suffix("?=")?;
    let mut parts = inner.split('?');
    let (charset, encoding, text) = (parts.next()?, parts.next()?, parts.next()?);
    let charset = charset.split('*').next().unwrap_or_default();
    let charset = Encoding::for_label(charset.as_bytes()).unwrap_or(WINDOWS_1252);
    let mut octets = Vec::new();
    match encoding {
        "Q" | "q" => urikit_mime::word::decode_q(text.as_bytes(), |run| {
            octets.extend_from_slice(run.octets());
        }),
        "B" | "b" => {
            let mut decoder = Decoder::new(transfer::Encoding::Base64);
            decoder.push(text.as_bytes(), |run| {
                octets.extend_from_slice(run.octets());
            });
            decoder.finish(|run| octets.extend_from_slice(run.octets()));
        }
        _ => return None,
    }
    Some(charset.decode_without_bom_handling(&octets).0.into_owned())
}

#[cfg(test)]
mod tests {
    use super::{ArticlePage, words};
    use crate::gateway::page::{Form, Frame, Links, Page as _};

    #[test]
    fn encoded_words() {
        // RFC 2047, 8
        for (field, expected) in [
            ("=?ISO-8859-1?Q?a?= b", "a b"),
            ("=?ISO-8859-1?Q?a?=  =?ISO-8859-1?Q?b?=", "ab"),
            ("=?ISO-8859-1?Q?a_b?=", "a b"),
            ("=?UTF-8?B?w6k=?= x", "\u{e9} x"),
            ("=?x?Z?a?=", "=?x?Z?a?="),
        ] {
            assert_eq!(words(field.as_bytes()), expected);
        }
    }

    #[test]
    fn quotations_are_folded() {
        let article = b"Subject: a <b>\r\nFrom: x\r\nContent-Type: text/plain; charset=utf-8\r\n\
            Content-Transfer-Encoding: quoted-printable\r\n\r\nHi\r\n> 1\r\n> 2\r\n> 3\r\n> 4\r\n\
            caf=C3=A9 gopher://h/\r\n> short\r\n";
        for length in 1..=article.len() {
            let mut page = ArticlePage::new(Frame {
                links: Links {
                    form: Form::Prefix,
                    schemes: ["gopher".to_owned()].into(),
                },
                title: "t".to_owned(),
                url: "news:a@b".to_owned(),
                has_feed: false,
            });
            let mut out = Vec::new();
            for piece in article.chunks(length) {
                page.bytes(piece, &mut out);
            }
            page.end(None, &mut out);
            let text = String::from_utf8(out).unwrap();
            assert!(
                text.contains("<dt>Subject</dt><dd>a &#60;b&#62;</dd>"),
                "{text}"
            );
            assert!(
                text.contains(
                    "Hi\r\n<details><summary>Quotation</summary>&#62; 1\r\n&#62; 2\r\n&#62; 3\r\n\
                     &#62; 4\r\n</details>caf\u{e9} <a href=\"/gopher://h/\">gopher://h/</a>\r\n\
                     &#62; short\r\n</pre>"
                ),
                "{length}: {text}"
            );
        }
    }
}
