//! A reference above a ruler that names its components.

use super::parts::{Part, Shown};
use crate::safe::width;
use crate::style;
use std::fmt::Write as _;

/// The reference, coloured.
pub(super) fn coloured(shown: &Shown<'_>, parts: &[Part<'_>]) -> String {
    let mut line = String::new();
    let mut from = 0;
    for part in parts {
        if let Some(range) = shown.range(part) {
            let style = style::component(part.key);
            let before = shown.slice(from..range.start);
            let text = shown.slice(range.clone());
            let _ = write!(line, "{before}{style}{text}{style:#}");
            from = range.end;
        }
    }
    line + &shown.slice(from..shown.end())
}

/// A component's name on the ruler.
struct Label {
    key: &'static str,
    /// The column at which the component begins.
    column: usize,
    /// The row of the name, counted from the one below the ruler.
    row: usize,
}

/// The lines of the ruler, or `None` if they need more than `columns` columns.
///
/// ```text
/// http://example.org:8080/a
/// ┬───   ┬────────── ┬─── ┬
/// scheme host        port path
/// ```
///
/// A name without room moves down a row, and a line leads to it. Components that are empty, or
/// covered by a neighbour's mask, are omitted.
pub(super) fn ruler(shown: &Shown<'_>, parts: &[Part<'_>], columns: usize) -> Option<Vec<String>> {
    // A character has at most four bytes. This avoids measuring giant texts.
    if shown.end() > 4 * columns {
        return None;
    }
    let mut marks = String::new();
    let mut at = 0;
    let mut labels: Vec<Label> = Vec::new();
    for part in parts {
        let range = shown.range(part)?;
        if range.is_empty() {
            continue;
        }
        let long = width(&shown.slice(range.clone())).max(1);
        let column = width(&shown.slice(0..range.start));
        let style = style::component(part.key);
        let _ = write!(
            marks,
            "{:gap$}{style}┬{}{style:#}",
            "",
            "─".repeat(long - 1),
            gap = column.saturating_sub(at)
        );
        at = column + long;
        labels.push(Label {
            key: part.key,
            column,
            row: 0,
        });
    }
    let rows = place(&mut labels);
    let needed = labels.iter().map(|label| label.column + label.key.len());
    if needed.chain([at, width(&shown.text())]).max()? > columns || labels.is_empty() {
        return None;
    }
    let names = (0..rows).map(|row| names(&labels, row));
    Some(std::iter::once(marks).chain(names).collect())
}

/// Gives each label, from the last to the first, the first row that has room for it. Returns the
/// number of rows.
fn place(labels: &mut [Label]) -> usize {
    // For each row, the column of its leftmost name, or of a line that leads further down.
    let mut begins: Vec<usize> = Vec::new();
    for label in labels.iter_mut().rev() {
        let end = label.column + label.key.len() + 1;
        label.row = begins
            .iter()
            .position(|begin| end <= *begin)
            .unwrap_or(begins.len());
        begins.resize(begins.len().max(label.row + 1), usize::MAX);
        for begin in begins.iter_mut().take(label.row + 1) {
            *begin = label.column;
        }
    }
    begins.len()
}

/// One row of names, and of lines that lead further down.
fn names(labels: &[Label], row: usize) -> String {
    let mut line = String::new();
    let mut at = 0;
    for label in labels.iter().filter(|label| label.row >= row) {
        let text = if label.row == row { label.key } else { "│" };
        let style = style::component(label.key);
        let gap = label.column.saturating_sub(at);
        let _ = write!(line, "{:gap$}{style}{text}{style:#}", "");
        at = label.column + if label.row == row { label.key.len() } else { 1 };
    }
    line
}
