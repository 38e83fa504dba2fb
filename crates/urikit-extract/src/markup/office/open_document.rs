//! OpenDocument text documents, spreadsheets and presentations.

use super::{PartText, Tag, Vocabulary};
use core::ops::Range;

/// The maximum number of spaces that one element represents.
const MAX_SPACES: u32 = 64;

/// Returns the vocabulary of a part with this root element.
pub(super) fn vocabulary(root: &str) -> Option<Box<dyn Vocabulary>> {
    matches!(root, "document-content" | "document-styles")
        .then(|| Box::<OpenDocument>::default() as Box<dyn Vocabulary>)
}

#[derive(Default)]
struct OpenDocument {
    is_spreadsheet: bool,
    is_presentation: bool,
    slides: u32,
    /// The numbers of the current row and column, and of the next row and column, counting from 0.
    row: u32,
    next_row: u32,
    next_column: u32,
}

impl Vocabulary for OpenDocument {
    fn start(&mut self, text: &mut PartText<'_, '_>, tag: &Tag<'_>) {
        match tag.name {
            "tracked-changes" => {
                text.skip(tag);
                return;
            }
            "spreadsheet" => self.is_spreadsheet = true,
            "presentation" => self.is_presentation = true,
            "page" if self.is_presentation => {
                self.slides = self.slides.saturating_add(1);
                let number = self.slides;
                text.set_location(|location| location.slide = Some(number));
            }
            "table" if self.is_spreadsheet => {
                (self.next_row, self.next_column) = (0, 0);
                let name = text.attribute(tag, "name").map(|(name, _)| name);
                text.set_location(|location| location.set_sheet(name));
            }
            "table-row" if self.is_spreadsheet => {
                let repeated = text.number(tag, "number-rows-repeated").unwrap_or(1);
                self.row = self.next_row;
                self.next_row = self.next_row.saturating_add(repeated);
                self.next_column = 0;
            }
            "table-cell" | "covered-table-cell" if self.is_spreadsheet => {
                let repeated = text.number(tag, "number-columns-repeated").unwrap_or(1);
                let cell = cell(self.next_column, self.row);
                self.next_column = self.next_column.saturating_add(repeated);
                text.set_location(|location| location.set_cell(Some(cell)));
                if let Some((_, range)) = text.attribute(tag, "formula") {
                    text.add(range);
                    text.prose.end();
                }
            }
            "p" | "h" => text.start_paragraph(tag),
            "s" => {
                let count = text.number(tag, "c").unwrap_or(1).min(MAX_SPACES);
                for _ in 0..count {
                    text.add_in_place(tag, b" ");
                }
            }
            "tab" => text.add_in_place(tag, b"\t"),
            "line-break" => text.add_in_place(tag, b"\n"),
            _ => {}
        }
        if let Some((uri, range)) = text.attribute(tag, "href")
            && is_link(tag, &uri)
        {
            text.link(tag, "xlink:href", range, &uri);
        }
    }

    fn end(&mut self, text: &mut PartText<'_, '_>, name: &str) {
        match name {
            "p" | "h" => text.end_paragraph(),
            "table" if self.is_spreadsheet => text.set_location(|location| {
                location.set_sheet(None);
                location.set_cell(None);
            }),
            "table-cell" if self.is_spreadsheet => {
                text.set_location(|location| location.set_cell(None));
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &mut PartText<'_, '_>, range: Range<usize>) {
        if !text.open.is_empty() {
            text.add(range);
        }
    }
}

/// Returns true if a reader of the document sees the target of an element as a link: the target of
/// an anchor, or a file outside the package, such as a picture. Links within the document do not
/// count.
fn is_link(tag: &Tag<'_>, uri: &str) -> bool {
    let uri = uri.trim();
    !uri.is_empty()
        && !uri.starts_with('#')
        && (tag.name == "a" || super::super::has_scheme(uri.as_bytes()))
}

/// Returns the name of a cell, such as `A1` for column 0 and row 0.
fn cell(column: u32, row: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = u64::from(column) + 1;
    while let Some(less) = rest.checked_sub(1) {
        let letter = u8::try_from(less % 26).unwrap_or_default();
        letters.push(char::from(b'A' + letter));
        rest = less / 26;
    }
    let row = u64::from(row) + 1;
    letters.iter().rev().collect::<String>() + &row.to_string()
}

#[cfg(test)]
mod tests {
    use super::cell;

    #[test]
    fn names_of_cells() {
        for (column, row, name) in [
            (0, 0, "A1"),
            (25, 9, "Z10"),
            (26, 0, "AA1"),
            (701, 0, "ZZ1"),
            (702, 1_048_575, "AAA1048576"),
            (16_383, 0, "XFD1"),
        ] {
            assert_eq!(cell(column, row), name);
        }
    }
}
