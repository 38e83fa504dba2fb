//! The reference above a ruler that names its components, wrapped at the width of the page.

use crate::explain::{Component, Shown};
use crate::text::style::{self, DIM};
use crate::text::{char_width, width};
use std::fmt::Write as _;
use std::ops::Range;

/// A component's name on the ruler.
struct Label {
    key: &'static str,
    /// The column at which the component begins.
    column: usize,
    /// The column at which its name begins.
    start: usize,
    /// The row of the name, counted from the row below the ruler.
    row: usize,
}

/// Returns the lines of the reference and its ruler, each at most `columns` wide.
///
/// ```text
/// http://example.org:8080/a
/// ┬───   ┬────────── ┬─── ┬
/// scheme host        port path
/// ```
///
/// If two names collide, one of them moves to a lower row, and a line connects it to its component.
/// Empty components and those covered by a neighbour's mask are omitted.
pub(super) fn ruler(shown: &Shown<'_>, components: &[Component], columns: usize) -> Vec<String> {
    let text = shown.masked();
    let end = excerpt(text, 0).end;
    let places = components
        .iter()
        .filter_map(|component| Some((component.key, component.range.clone()?)));
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

/// The part of a component on one row.
struct Piece {
    key: &'static str,
    range: Range<usize>,
    /// True if the component begins on this row.
    begins: bool,
}

/// Returns a row of the reference in colour.
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

/// Returns the lines below the row that begins at `start`.
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
    // All components on this row began on an earlier row, which shows their names.
    if labels.is_empty() {
        return Vec::new();
    }
    let rows = place(&mut labels);
    let names = (0..rows).map(|row| names(&labels, row));
    std::iter::once(marks).chain(names).collect()
}

/// Starting with the last label, assigns each label to the first row that has room for it. Returns
/// the number of rows.
fn place(labels: &mut [Label]) -> usize {
    // The leftmost used column of each row. Lines that lead to lower rows also occupy columns.
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

/// Returns one row, with its names and the lines that lead to lower rows.
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

/// The maximum length of a reference, in characters. Longer references are cut off.
const LONGEST: usize = 1500;

/// A position at which a row may end early.
pub(super) struct Break {
    /// The offset in bytes.
    pub(super) offset: usize,
    /// The number of columns that should follow on the same row.
    pub(super) room: usize,
}

/// Splits `text` into rows that are at most `columns` wide, and returns their byte ranges. `breaks`
/// are sorted by offset. A row ends early before a break whose name would collide with the name of
/// the previous break.
pub(super) fn rows(text: &str, columns: usize, breaks: &[Break]) -> Vec<Range<usize>> {
    let mut rows = Vec::new();
    let mut breaks = breaks.iter().peekable();
    let (mut start, mut column) = (0, 0);
    // The column of the last break on this row.
    let mut last = None;
    for (offset, c) in text.char_indices() {
        let mut room = None;
        while let Some(place) = breaks.next_if(|place| place.offset <= offset) {
            room = Some(place.room);
        }
        // If no other name is in the way, a name may move left so that it ends with the row.
        let is_crowded = room.is_some_and(|room| {
            column + room > columns && last.is_some_and(|last| last + room + 1 >= columns)
        });
        if column > 0 && (column + char_width(c) > columns || is_crowded) {
            rows.push(start..offset);
            (start, column, last) = (offset, 0, None);
        }
        if room.is_some() {
            last = Some(column);
        }
        column += char_width(c);
    }
    rows.push(start..text.len());
    rows
}

/// Returns the range of `text` to show: at most `LONGEST` characters around `offset`.
pub(super) fn excerpt(text: &str, offset: usize) -> Range<usize> {
    let place = |(at, _)| at;
    let before = text.get(..offset).unwrap_or(text);
    let start = before
        .char_indices()
        .rev()
        .nth(LONGEST / 2)
        .map_or(0, place);
    let rest = text.get(start..).unwrap_or_default();
    let end = rest.char_indices().nth(LONGEST).map_or(rest.len(), place);
    start..start + end
}

#[cfg(test)]
mod tests {
    use super::{Break, excerpt, rows};

    fn split<'t>(text: &'t str, columns: usize, breaks: &[(usize, usize)]) -> Vec<&'t str> {
        let breaks = breaks.iter().map(|(offset, room)| Break {
            offset: *offset,
            room: *room,
        });
        let breaks: Vec<_> = breaks.collect();
        let rows = rows(text, columns, &breaks).into_iter();
        rows.filter_map(|row| text.get(row)).collect()
    }

    #[test]
    fn rows_are_full() {
        assert_eq!(split("", 4, &[]), [""]);
        assert_eq!(split("abcd", 4, &[]), ["abcd"]);
        assert_eq!(split("abcdefghi", 4, &[]), ["abcd", "efgh", "i"]);
        assert_eq!(split("例例例", 5, &[]), ["例例", "例"]);
    }

    #[test]
    fn rows_end_early_where_names_would_have_no_room() {
        // The second name ends with the row.
        assert_eq!(split("abcdefgh", 8, &[(0, 3), (6, 4)]), ["abcdefgh"]);
        // Another name is in the way.
        assert_eq!(split("abcdefgh", 8, &[(4, 3), (6, 4)]), ["abcdef", "gh"]);
    }

    #[test]
    fn a_long_text_is_cut_around_an_offset() {
        let text = "a".repeat(9000);
        assert_eq!(excerpt(&text, 0), 0..1500);
        let range = excerpt(&text, 5000);
        assert!(range.contains(&5000) && range.len() == 1500);
        assert_eq!(excerpt(&text, 9000).end, 9000);
        assert_eq!(excerpt("ab", 2), 0..2);
    }
}
