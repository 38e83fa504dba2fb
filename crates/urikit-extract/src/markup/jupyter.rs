//! Jupyter notebooks (nbformat 3 and 4): the Markdown of cells, their code as text, and their
//! outputs by media type. Code is searched in full, as plain text is.

use super::Prose;
use super::json::{Token, Tokens, lookup, unescape};
use crate::decode::OffsetMap;
use crate::format::Format;
use crate::found::Bases;
use crate::reader::{Context, Each, Noticed};

/// Where cells are: in version 4, and in version 3.
const CELLS: [&[&str]; 2] = [&["cells", "*"], &["worksheets", "*", "cells", "*"]];

/// Reads a complete notebook.
pub(crate) fn read(
    document: &[u8],
    context: Context<'_>,
    bases: &Bases,
    each: &mut Each<'_>,
) -> Noticed {
    let mut text = Joined {
        prose: Prose::new(document, context, bases, each),
        text: Vec::new(),
        map: OffsetMap::new(0),
    };
    let mut tokens = Tokens::new(document, 0);
    let mut cell = Format::Text;
    // The depth and the content of an array of lines.
    let mut open: Option<(usize, Content)> = None;
    while let Some(token) = tokens.next() {
        match token {
            Token::Open(start) => {
                if CELLS.iter().any(|path| tokens.is_open_at(path)) {
                    let kind = lookup(document, start, &["cell_type"]);
                    let is_markdown =
                        kind.and_then(|range| document.get(range)) == Some(b"markdown");
                    cell = if is_markdown {
                        Format::Markdown
                    } else {
                        Format::Text
                    };
                } else if open.is_none() && document.get(start) == Some(&b'[') {
                    open = content(cell, tokens.name(), &|path| tokens.is_open_at(path))
                        .map(|content| (tokens.depth(), content));
                }
            }
            Token::Close(_) => {
                if let Some((_, content)) = open.take_if(|(depth, _)| tokens.depth() < *depth) {
                    text.end(content);
                }
            }
            Token::String(range) => {
                unescape(document, range, &mut text.text, &mut text.map);
                if open.is_none() {
                    let is_at = &|path: &[&str]| tokens.is_at(path);
                    text.end(
                        content(cell, tokens.name(), is_at).unwrap_or(Content::Of(Format::Text)),
                    );
                }
            }
        }
    }
    text.end(Content::Of(Format::Text));
    if tokens.is_cut {
        text.prose.noticed.malformed = Some(document.len());
    }
    text.prose.finish()
}

/// What a string or an array of strings is.
#[derive(Clone, Copy)]
enum Content {
    Of(Format),
    /// An image, for example.
    Binary,
}

/// What is at a place in a cell; `None` if that is no text.
fn content(cell: Format, name: &[u8], is_at: &dyn Fn(&[&str]) -> bool) -> Option<Content> {
    let is_in_cell = |inner: &[&str]| CELLS.iter().any(|cells| is_at(&[cells, inner].concat()));
    if is_in_cell(&["source"]) || is_in_cell(&["input"]) {
        return Some(Content::Of(cell));
    }
    if is_in_cell(&["outputs", "*", "data", "*"]) {
        let format = Format::of_media_type(name);
        return Some(format.map_or(Content::Binary, Content::Of));
    }
    let is_text = is_in_cell(&["outputs", "*", "text"]);
    is_text.then_some(Content::Of(Format::Text))
}

/// Strings, joined.
struct Joined<'p, 'c> {
    prose: Prose<'p, 'c>,
    text: Vec<u8>,
    map: OffsetMap,
}

impl Joined<'_, '_> {
    fn end(&mut self, content: Content) {
        if let Content::Of(format) = content
            && !self.text.is_empty()
        {
            let map = &self.map;
            let to_file = |range| map.range(range);
            self.prose.document(format, &self.text, &to_file);
        }
        self.text.clear();
        self.map = OffsetMap::new(0);
    }
}
