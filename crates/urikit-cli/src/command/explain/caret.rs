//! A reference with a caret under the byte that is wrong, in as many rows as it needs.

use super::rows::{excerpt, rows};
use crate::mask::Masked;
use crate::safe::{safe, width};
use crate::style::ERROR;

/// The lines of the text, and of the caret under the byte at `offset` of the original, if one is
/// known.
pub(super) fn caret(masked: &Masked<'_>, offset: Option<usize>, columns: usize) -> Vec<String> {
    let text = &*masked.text;
    let mut is_marked = offset.is_none();
    let offset = masked.offset(offset.unwrap_or(0)).min(text.len());
    let shown = excerpt(text, offset);
    let (cut, rest) = (shown.start > 0, shown.end < text.len());
    let text = text.get(shown.clone()).unwrap_or_default();
    let offset = offset.saturating_sub(shown.start);
    let mut lines = Vec::new();
    if cut {
        lines.push("…".to_owned());
    }
    // A caret may follow the last character.
    for row in rows(text, columns.saturating_sub(1), &[]) {
        let line = text.get(row.clone()).unwrap_or_default();
        lines.push(safe(line).into_owned());
        if !is_marked && (offset < row.end || row.end == text.len()) {
            is_marked = true;
            let before = text.get(row.start..offset).unwrap_or_default();
            let indent = width(&safe(before));
            lines.push(format!("{:indent$}{ERROR}^{ERROR:#}", ""));
        }
    }
    if rest {
        lines.push("…".to_owned());
    }
    lines
}
