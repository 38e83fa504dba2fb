//! Front matter: metadata in YAML or TOML between two lines `---` or `+++`, beginning on the first
//! line of a document. Front matter is text, not Markdown.

use crate::decode::as_text;

/// Returns the end of the front matter, or 0 if the document has none. Returns `None` if this
/// depends on the rest of the document.
pub(super) fn end(document: &[u8], is_complete: bool) -> Option<usize> {
    let lines = match memchr::memrchr(b'\n', document) {
        _ if is_complete => document,
        Some(last) => document.get(..=last)?,
        None => return None,
    };
    let source = as_text(lines);
    let text = source.strip_prefix('\u{FEFF}').unwrap_or(&source);
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    let closes: &[&str] = match first.trim_end() {
        "---" => &["---", "..."],
        "+++" => &["+++"],
        _ => return Some(0),
    };
    let mut end = source.len() - text.len() + first.len();
    for (nth, line) in lines.enumerate() {
        end += line.len();
        let line = line.trim_end();
        if closes.contains(&line) {
            return Some(end);
        }
        // If an empty line follows, the first line is a thematic break, not the start of front
        // matter.
        if nth == 0 && line.is_empty() {
            return Some(0);
        }
    }
    is_complete.then_some(0)
}
