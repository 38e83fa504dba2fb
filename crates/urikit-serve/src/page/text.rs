//! The links in pasted text or a file.

use super::difference::cut;
use super::state::explains;
use std::ops::{ControlFlow, Range};
use urikit_extract::Finder;
use urikit_extract::container::{Container, Event, Input, Limits};
use urikit_extract::document::{Extractor, Format, Found};
use urikit_report::extract::Judge;
use urikit_report::mask::mask;
use urikit_report::safe::{is_safe, safe};

/// The maximum number of links in the table.
const MOST_LINKS: usize = 500;

/// The maximum length of the marked text, in bytes.
const MOST_TEXT: usize = 100_000;

/// The maximum length of the unpacked content of an archive, in bytes.
const MOST_UNPACKED: u64 = 64 << 20;

/// The links in a document.
#[derive(Default)]
pub(super) struct Links {
    /// The format, or why the document cannot be read.
    pub(super) format: String,
    pub(super) found: Vec<Link>,
    /// The number of links that are not in the table.
    pub(super) more: usize,
    /// The document with marked links, if it is UTF-8 and not an archive.
    pub(super) pieces: Vec<Piece>,
    /// The number of bytes at the end that `pieces` does not contain.
    pub(super) rest: usize,
}

/// A link.
pub(super) struct Link {
    range: Range<usize>,
    /// The line and column, or the offset in bytes.
    pub(super) place: String,
    pub(super) kind: &'static str,
    /// The reference with its passwords masked, so that it is safe to print.
    pub(super) uri: String,
    /// The error, if the reference is not valid.
    pub(super) error: Option<String>,
    /// The address that explains the link.
    pub(super) address: String,
}

/// A piece of the document.
pub(super) struct Piece {
    /// The address that explains the link; `None` between links.
    pub(super) address: Option<String>,
    /// The text, safe to print except for its line breaks and tabs.
    pub(super) text: String,
}

/// Finds the links in a document.
pub(super) fn find(document: &[u8], name: &str) -> Links {
    let mut links = Links::default();
    let extractor = Extractor::new()
        .finder(Finder::new().abbreviated(true).refang(true))
        .positions(true);
    let limits = Limits::default().max_unpacked(MOST_UNPACKED);
    let mut input = document;
    if let Some(container) = Container::guess(name, document) {
        container.as_str().clone_into(&mut links.format);
        let mut each = |_: &str, event: Event<'_>| {
            if let Event::Reference(reference) = event {
                links.add(reference);
            }
            ControlFlow::Continue(())
        };
        extractor.unpack(
            container,
            name,
            Input::Stream(&mut input),
            limits,
            &mut each,
        );
        return links;
    }
    let Some(format) = Format::guess(name, document) else {
        "The file is binary, and its format is unknown".clone_into(&mut links.format);
        return links;
    };
    format.as_str().clone_into(&mut links.format);
    let mut extraction = extractor.begin(format);
    let pushed = extraction.push(document, &mut |reference| links.add(&reference));
    let _ = extraction.finish(&mut |reference| links.add(&reference));
    if let Err(error) = pushed {
        links.format = error.to_string();
    }
    if let Ok(text) = std::str::from_utf8(document) {
        links.mark(text);
    }
    links
}

impl Links {
    /// Summarizes the results in a sentence, which screen readers announce.
    pub(super) fn summary(&self) -> String {
        match (self.format.as_str(), self.found.len() + self.more) {
            ("", _) => String::new(),
            (format, 1) => format!("1 link ({format})."),
            (format, all) => format!("{all} links ({format})."),
        }
    }

    fn add(&mut self, reference: &Found<'_>) {
        if self.found.len() == MOST_LINKS {
            self.more += 1;
            return;
        }
        let judged = Judge { reader: None }.judge(reference);
        let uri = judged.target.as_deref().unwrap_or(reference.uri());
        let place = match reference.position() {
            Some(position) => format!("{}:{}", position.line, position.column),
            None => format!("byte {}", reference.range().start),
        };
        self.found.push(Link {
            range: reference.range(),
            place,
            kind: reference.kind().as_str(),
            uri: safe(&cut(&mask(uri, false))).into_owned(),
            error: judged.failure.map(|failure| failure.summary().into_owned()),
            address: explains(uri),
        });
    }

    /// Divides the document at its links.
    fn mark(&mut self, text: &str) {
        let mut end = text.len().min(MOST_TEXT);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        self.rest = text.len() - end;
        let mut order: Vec<_> = self.found.iter().collect();
        order.sort_by_key(|link| link.range.start);
        let mut from = 0;
        let mut pieces = Vec::new();
        for link in order {
            // A link in an attribute may contain other links.
            let Range { start, end: after } = link.range.clone();
            let (Some(before), Some(marked)) = (text.get(from..start), text.get(start..after))
            else {
                continue;
            };
            if after > end || marked.is_empty() {
                continue;
            }
            pieces.push(Piece {
                address: None,
                text: shown(before),
            });
            let address = Some(link.address.clone());
            pieces.push(Piece {
                address,
                text: shown(&mask(marked, false)),
            });
            from = after;
        }
        let rest = text.get(from..end).unwrap_or_default();
        pieces.push(Piece {
            address: None,
            text: shown(rest),
        });
        pieces.retain(|piece| !piece.text.is_empty());
        self.pieces = pieces;
    }
}

/// Makes text safe to print, except for its line breaks and tabs.
fn shown(text: &str) -> String {
    let shown = |c| {
        if is_safe(c) || matches!(c, '\n' | '\t') {
            c
        } else {
            char::REPLACEMENT_CHARACTER
        }
    };
    text.replace("\r\n", "\n").chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn links_are_marked() {
        let text = "See <http://a/b> and\r\nhttp://u:secret@c/\u{202e}.";
        let links = find(text.as_bytes(), "");
        let uris: Vec<_> = links
            .found
            .iter()
            .map(|link| (&*link.place, &*link.uri))
            .collect();
        assert_eq!(uris, [("1:5", "http://a/b"), ("2:1", "http://u:***@c/")]);
        let shown: String = links.pieces.iter().map(|piece| &*piece.text).collect();
        assert_eq!(shown, "See <http://a/b> and\nhttp://u:***@c/\u{fffd}.");
        let marked = links.pieces.iter().filter(|piece| piece.address.is_some());
        assert_eq!(marked.count(), 2);
    }

    #[test]
    fn other_formats_are_read() {
        let links = find(b"<!doctype html><a href='http://a/?x&amp;y'>", "");
        assert_eq!(
            (links.format.as_str(), &*links.found[0].uri),
            ("html", "http://a/?x&y")
        );
        assert!(find(b"\0\x01\x02\xff", "").found.is_empty());
    }

    #[test]
    fn much_text_is_cut() {
        let links = find("http://a/ ".repeat(20_000).as_bytes(), "");
        assert_eq!(
            (links.found.len(), links.more, links.rest),
            (500, 19_500, 100_000)
        );
    }
}
