//! Gemtext (`text/gemini`): link lines, and links in text.
//!
//! A link line consists of `=>`, a URL and an optional label; Spartan's links that ask for input
//! begin with `=:`. Lines between two lines that begin with three backquotes are preformatted, and
//! are not searched.

use super::{Prose, indent, lines};
use crate::found::{Bases, Place, Syntax};
use crate::reader::{Context, Each, Noticed};

/// Reads a complete document.
pub(crate) fn read(
    document: &[u8],
    context: Context<'_>,
    bases: &Bases,
    each: &mut Each<'_>,
) -> Noticed {
    let mut prose = Prose::new(document, context, bases, each);
    let mut is_preformatted = false;
    for range in lines(document) {
        let line = document.get(range.clone()).unwrap_or_default();
        if line.starts_with(b"```") {
            is_preformatted = !is_preformatted;
            continue;
        }
        if is_preformatted {
            continue;
        }
        let is_link = line.starts_with(b"=>") || line.starts_with(b"=:");
        let Some(rest) = line.get(2..).filter(|_| is_link) else {
            prose.copy(range);
            prose.end();
            continue;
        };
        let start = range.start + 2 + indent(rest);
        let rest = document.get(start..range.end).unwrap_or_default();
        let length = rest.iter().position(|byte| matches!(byte, b' ' | b'\t'));
        let end = start + length.unwrap_or(rest.len());
        if let Some(url) = document.get(start..end).filter(|url| !url.is_empty()) {
            prose.link(start..end, url, Place::in_syntax(Syntax::Link));
        }
        prose.copy(end..range.end);
        prose.end();
    }
    prose.finish()
}
