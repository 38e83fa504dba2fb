//! Text, with the links that extraction finds.

use super::Page;
use super::address::Links;
use super::frame::{Frame, write};
use super::message::SearchForm;
use askama::Template;
use encoding_rs::{Decoder, Encoding, UTF_8, WINDOWS_1252};
use urikit_extract::Finder;

/// The length, in bytes, of the pieces of text that are searched for links. A link across two
/// pieces is not found.
const PIECE: usize = 32 << 10;

/// Decodes a document piece by piece.
pub(super) struct Text {
    decoder: Decoder,
    /// The last characters, which may begin a link.
    held: String,
}

impl Text {
    /// `charset` is the label that the server sent. Without one, text that is not UTF-8 is
    /// windows-1252, which includes ISO 8859-1.
    pub(super) fn new(charset: Option<&[u8]>, first: &[u8]) -> Self {
        let declared = charset.and_then(Encoding::for_label);
        let guessed = if is_utf8(first) { UTF_8 } else { WINDOWS_1252 };
        Self {
            decoder: declared.unwrap_or(guessed).new_decoder(),
            held: String::new(),
        }
    }

    /// Decodes bytes, and passes on complete lines.
    pub(super) fn push(&mut self, bytes: &[u8], is_last: bool, each: &mut dyn FnMut(&str)) {
        let mut rest = bytes;
        loop {
            self.held.reserve(rest.len().clamp(16, PIECE));
            let (result, read, _) = self.decoder.decode_to_string(rest, &mut self.held, is_last);
            rest = rest.get(read..).unwrap_or_default();
            let is_empty = result == encoding_rs::CoderResult::InputEmpty;
            if is_empty && is_last {
                each(&self.held);
                self.held.clear();
                return;
            }
            self.pass_on(each);
            if is_empty {
                return;
            }
        }
    }

    fn pass_on(&mut self, each: &mut dyn FnMut(&str)) {
        let end = match self.held.rfind('\n') {
            Some(at) => at + 1,
            None if self.held.len() >= PIECE => self.held.len(),
            None => return,
        };
        each(self.held.get(..end).unwrap_or_default());
        self.held.drain(..end);
    }
}

/// Returns true if the bytes look like the start of UTF-8 text.
pub(super) fn is_utf8(first: &[u8]) -> bool {
    match std::str::from_utf8(first) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    }
}

/// Text with a link, or without one.
#[derive(Template)]
#[template(
    ext = "html",
    source = "{% if let Some(address) = address %}<a href=\"{{ address }}\">{{ text }}</a>\
              {% else %}{{ text }}{% endif %}"
)]
struct Part<'a> {
    address: Option<String>,
    text: &'a str,
}

/// Writes text, and links the URLs in it.
pub(super) fn linked(text: &str, links: &Links, finder: &Finder, out: &mut Vec<u8>) {
    let mut end = 0;
    let mut part = |text: &str, address| write(&Part { address, text }, out);
    for link in finder.links(text) {
        let range = link.range();
        let Some(address) = links.address(link.as_str()) else {
            continue;
        };
        part(text.get(end..range.start).unwrap_or_default(), None);
        part(text.get(range.clone()).unwrap_or_default(), Some(address));
        end = range.end;
    }
    part(text.get(end..).unwrap_or_default(), None);
}

/// A page that shows text.
pub(super) struct TextPage {
    pub(super) frame: Frame,
    pub(super) text: Text,
    pub(super) finder: Finder,
    /// A form above the text.
    pub(super) form: Option<SearchForm>,
}

impl Page for TextPage {
    fn begin(&mut self, out: &mut Vec<u8>) {
        self.frame.begin(out);
        if let Some(form) = &self.form {
            write(form, out);
        }
        out.extend_from_slice(b"<pre class=\"text\">\n");
    }

    fn bytes(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let Self {
            frame,
            text,
            finder,
            ..
        } = self;
        text.push(bytes, false, &mut |lines| {
            linked(lines, &frame.links, finder, out);
        });
    }

    fn end(&mut self, failed: Option<&str>, out: &mut Vec<u8>) -> bool {
        let Self {
            frame,
            text,
            finder,
            ..
        } = self;
        text.push(b"", true, &mut |lines| {
            linked(lines, &frame.links, finder, out);
        });
        out.extend_from_slice(b"</pre>\n");
        self.frame.end(failed, out);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{PIECE, Text, linked};
    use crate::gateway::page::{Form, Links};
    use urikit_extract::Finder;

    #[test]
    fn text_is_decoded_in_pieces() {
        for (charset, bytes, expected) in [
            (None, &b"caf\xc3\xa9\nb"[..], "caf\u{e9}\nb"),
            (None, b"caf\xe9\nb", "caf\u{e9}\nb"),
            (Some(&b"koi8-r"[..]), b"\xc1\n", "\u{430}\n"),
            (Some(b"iso-2022-jp"), b"\x1b$B$\"\x1b(B", "\u{3042}"),
        ] {
            for length in 1..=bytes.len() {
                let mut text = Text::new(charset, bytes);
                let mut found = String::new();
                for piece in bytes.chunks(length) {
                    text.push(piece, false, &mut |part| found.push_str(part));
                }
                text.push(b"", true, &mut |part| found.push_str(part));
                assert_eq!(found, expected, "{length}");
            }
        }
    }

    #[test]
    fn long_lines_do_not_stay_in_memory() {
        let mut text = Text::new(None, b"");
        let mut longest = 0;
        for _ in 0..100 {
            text.push(&[b'a'; PIECE / 2], false, &mut |_| {});
            longest = longest.max(text.held.len());
        }
        assert!(longest < 2 * PIECE);
    }

    #[test]
    fn links_are_found_and_markup_is_text() {
        let links = Links {
            form: Form::Prefix,
            schemes: ["gopher".to_owned()].into(),
        };
        let mut out = Vec::new();
        let text = "<b> gopher://h/1/ and javascript:alert(1) <http://a/?x&y>";
        linked(text, &links, &Finder::new(), &mut out);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "&#60;b&#62; <a href=\"/gopher://h/1/\">gopher://h/1/</a> and javascript:alert(1) \
             <a href=\"http://a/?x&#38;y\">&#60;http://a/?x&#38;y&#62;</a>"
        );
    }
}
