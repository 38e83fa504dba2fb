//! CSS: `url(…)` and strings that are URLs, as in HTML's `style`, and links in comments. Sass and
//! Less are also accepted.

use super::Prose;
use crate::found::{Bases, Place};
use crate::html::CssScanner;
use crate::reader::{Context, Each, Noticed};
use memchr::memmem;

/// Reads a complete style sheet.
pub(crate) fn read(
    document: &[u8],
    context: Context<'_>,
    bases: &Bases,
    each: &mut Each<'_>,
) -> Noticed {
    let mut prose = Prose::new(document, context, bases, each);
    let mut at = 0;
    CssScanner::default().scan(document, true, &mut |range, url| {
        comments(document, at, range.start, &mut prose);
        at = range.end;
        let uri: Vec<u8> = url
            .iter()
            .copied()
            .filter(|byte| !matches!(byte, b'\t' | b'\r' | b'\n'))
            .collect();
        prose.link(range, &uri, Place::default());
    });
    comments(document, at, document.len(), &mut prose);
    prose.finish()
}

/// Searches the comments in a range, and the comments of Sass and Less, which begin with `//` and
/// end at the end of the line.
fn comments(document: &[u8], mut at: usize, end: usize, prose: &mut Prose<'_, '_>) {
    loop {
        let rest = document.get(at..end).unwrap_or_default();
        let Some(open) = memchr::memchr(b'/', rest) else {
            return;
        };
        let before = open.checked_sub(1).and_then(|before| rest.get(before));
        let inner = rest.get(open + 2..).unwrap_or_default();
        let length = match rest.get(open + 1) {
            Some(b'*') => memmem::find(inner, b"*/").unwrap_or(inner.len()),
            // After a colon, the slashes belong to a URL.
            Some(b'/') if before != Some(&b':') => {
                memchr::memchr(b'\n', inner).unwrap_or(inner.len())
            }
            _ => {
                at += open + 1;
                continue;
            }
        };
        let start = at + open + 2;
        prose.copy(start..start + length);
        prose.end();
        at = start + length;
    }
}
