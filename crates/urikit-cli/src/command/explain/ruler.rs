//! A reference above a ruler that names its components, in as many rows as it needs.

use super::parts::{Part, Shown};
use super::rows::{Break, excerpt, rows};
use crate::safe::width;
use crate::style::{self, DIM};
use std::fmt::Write as _;
use std::ops::Range;

/// A component's name on the ruler.
struct Label {
    key: &'static str,
    /// The column at which the component begins.
    column: usize,
    /// The column at which its name begins.
    start: usize,
    /// The row of the name, counted from the one below the ruler.
    row: usize,
}

/// The reference and its ruler, on lines of at most `columns` columns.
///
/// ```text
/// http://example.org:8080/a
/// ┬───   ┬────────── ┬─── ┬
/// scheme host        port path
/// ```
///
/// A name without room moves down a row, and a line leads to it. Components that are empty, or
/// covered by a neighbour's mask, are omitted.
pub(super) fn ruler(shown: &Shown<'_>, parts: &[Part<'_>], columns: usize) -> Vec<String> {
    let text = shown.masked();
    let end = excerpt(text, 0).end;
    let places = parts
        .iter()
        .filter_map(|part| Some((part.key, shown.range(part)?)));
    let places: Vec<_> = places
        .filter(|(_, range)| !range.is_empty() && range.start < end)
        .collect();
    let breaks: Vec<_> = places
        .iter()
        .map(|(key, range)| Break {
            offset: range.start,
            room: key.len(),
        })
        .collect();
    let mut lines = Vec::new();
    for row in rows(text.get(..end).unwrap_or(text), columns, &breaks) {
        let pieces = places.iter().map(|(key, range)| Piece {
            key,
            range: range.start.max(row.start)..range.end.min(row.end),
            begins: range.start >= row.start,
        });
        let pieces: Vec<_> = pieces.filter(|piece| !piece.range.is_empty()).collect();
        lines.push(coloured(shown, &pieces, row.clone()));
        lines.extend(marks(shown, &pieces, row.start, columns));
    }
    if end < text.len() {
        let bytes = shown.original().len();
        lines.push(format!("{DIM}… ({bytes} bytes in total){DIM:#}"));
    }
    lines
}

/// The part of a component that is on a row.
struct Piece {
    key: &'static str,
    range: Range<usize>,
    /// Whether the component begins on this row.
    begins: bool,
}

/// A row of the reference, coloured.
fn coloured(shown: &Shown<'_>, pieces: &[Piece], row: Range<usize>) -> String {
    let mut line = String::new();
    let mut from = row.start;
    for piece in pieces {
        let style = style::component(piece.key);
        let before = shown.slice(from..piece.range.start);
        let text = shown.slice(piece.range.clone());
        let _ = write!(line, "{before}{style}{text}{style:#}");
        from = piece.range.end;
    }
    line + &shown.slice(from..row.end)
}

/// The lines below a row that begins at `start`.
fn marks(shown: &Shown<'_>, pieces: &[Piece], start: usize, columns: usize) -> Vec<String> {
    let mut marks = String::new();
    let mut at = 0;
    let mut labels: Vec<Label> = Vec::new();
    for Piece { key, range, begins } in pieces {
        let long = width(&shown.slice(range.clone())).max(1);
        let column = width(&shown.slice(start..range.start));
        let style = style::component(key);
        let gap = column.saturating_sub(at);
        let (mark, rest) = if *begins {
            ("┬", long - 1)
        } else {
            ("", long)
        };
        let _ = write!(
            marks,
            "{:gap$}{style}{mark}{}{style:#}",
            "",
            "─".repeat(rest)
        );
        at = column + long;
        if *begins {
            labels.push(Label {
                key,
                column,
                start: column.min(columns.saturating_sub(key.len())),
                row: 0,
            });
        }
    }
    if pieces.is_empty() {
        return Vec::new();
    }
    let rows = place(&mut labels);
    let names = (0..rows).map(|row| names(&labels, row));
    std::iter::once(marks).chain(names).collect()
}

/// Gives each label, from the last to the first, the first row that has room for it. Returns the
/// number of rows.
fn place(labels: &mut [Label]) -> usize {
    // For each row, the column of its leftmost name, or of a line that leads further down.
    let mut begins: Vec<usize> = Vec::new();
    for label in labels.iter_mut().rev() {
        let end = label.start + label.key.len() + 1;
        label.row = begins
            .iter()
            .position(|begin| end <= *begin)
            .unwrap_or(begins.len());
        begins.resize(begins.len().max(label.row + 1), usize::MAX);
        for begin in begins.iter_mut().take(label.row) {
            *begin = label.column;
        }
        if let Some(begin) = begins.get_mut(label.row) {
            *begin = label.start;
        }
    }
    begins.len()
}

/// One row of names, and of lines that lead further down.
fn names(labels: &[Label], row: usize) -> String {
    let mut line = String::new();
    let mut at = 0;
    for label in labels.iter().filter(|label| label.row >= row) {
        let (text, column) = if label.row == row {
            (label.key, label.start)
        } else {
            ("│", label.column)
        };
        let style = style::component(label.key);
        let gap = column.saturating_sub(at);
        let _ = write!(line, "{:gap$}{style}{text}{style:#}", "");
        at = column + width(text);
    }
    line
}
