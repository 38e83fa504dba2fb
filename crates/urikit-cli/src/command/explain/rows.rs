//! A reference in rows: it is wrapped where it is wider than the page.

use crate::safe::char_width;
use std::ops::Range;

/// A longer text is cut off after so many characters.
const LONGEST: usize = 2000;

/// A place at which a new row may begin early.
pub(super) struct Break {
    /// In bytes.
    pub(super) offset: usize,
    /// The columns that should follow it on its row.
    pub(super) room: usize,
}

/// The rows of `text`, at most `columns` wide, as ranges of bytes. A row ends early before one of
/// the `breaks` (by offset) if another one is too near to the row's end for both to have room.
pub(super) fn rows(text: &str, columns: usize, breaks: &[Break]) -> Vec<Range<usize>> {
    let mut rows = Vec::new();
    let mut breaks = breaks.iter().peekable();
    let (mut start, mut column) = (0, 0);
    // The column of the last break of the row.
    let mut last = None;
    for (offset, c) in text.char_indices() {
        let mut room = None;
        while let Some(place) = breaks.next_if(|place| place.offset <= offset) {
            room = Some(place.room);
        }
        // Its name may also end below the row's end, if no other one begins there.
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

/// The part of `text` around `offset` that is shown: all of it, unless it is very long.
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
        // Another name is in its place.
        assert_eq!(split("abcdefgh", 8, &[(4, 3), (6, 4)]), ["abcdef", "gh"]);
    }

    #[test]
    fn a_long_text_is_cut_around_an_offset() {
        let text = "a".repeat(9000);
        assert_eq!(excerpt(&text, 0), 0..2000);
        let range = excerpt(&text, 5000);
        assert!(range.contains(&5000) && range.len() == 2000);
        assert_eq!(excerpt(&text, 9000).end, 9000);
        assert_eq!(excerpt("ab", 2), 0..2);
    }
}
