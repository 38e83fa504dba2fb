//! Office Open XML: word processing, spreadsheets, presentations and drawings.

use super::field::{hyperlink, with_place};
use super::{PartText, Tag, Vocabulary};
use crate::found::{Found, Place};
use core::ops::Range;
use std::borrow::Cow;

/// The root elements of parts that contain text (documents, sheets, slides, comments, drawings,
/// charts and diagrams), without their prefixes.
const ROOTS: [&str; 17] = [
    "document",
    "hdr",
    "ftr",
    "footnotes",
    "endnotes",
    "comments",
    "worksheet",
    "chartsheet",
    "ThreadedComments",
    "wsDr",
    "sld",
    "sldLayout",
    "sldMaster",
    "notes",
    "cmLst",
    "chartSpace",
    "dataModel",
];

/// The maximum nesting depth of fields.
const MAX_FIELDS: usize = 64;

/// Returns the vocabulary of a part with this root element.
pub(super) fn vocabulary(root: &str) -> Option<Box<dyn Vocabulary>> {
    ROOTS
        .contains(&root)
        .then(|| Box::<OpenXml>::default() as Box<dyn Vocabulary>)
}

/// The meaning of the text that follows.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Content {
    /// Text that is not visible.
    #[default]
    None,
    Text,
    /// The code of a field.
    Code,
    /// The value of a cell: a number, or an index into the shared strings.
    Index,
}

/// A field with its code and its range.
#[derive(Default)]
struct Field {
    code: String,
    range: Range<usize>,
}

#[derive(Default)]
struct OpenXml {
    content: Content,
    /// The open fields.
    fields: Vec<Field>,
    /// The type of the current cell.
    cell_type: String,
    /// The numbers of the last row and of the last cell's column, counting from 1; 0 before the
    /// first one.
    row: u32,
    column: u32,
}

impl Vocabulary for OpenXml {
    fn start(&mut self, text: &mut PartText<'_, '_>, tag: &Tag<'_>) {
        match tag.name {
            // Skip alternative content for old programs, deleted text, and properties as they were
            // before a change.
            "Fallback" | "del" | "moveFrom" | "rPrChange" | "pPrChange" => {
                text.skip(tag);
                return;
            }
            "p" => text.start_paragraph(tag),
            "row" => {
                let number = text.number(tag, "r");
                self.row = number.unwrap_or_else(|| self.row.saturating_add(1));
                self.column = 0;
            }
            "c" | "comment" | "threadedComment" | "hyperlink" => {
                let cell = if tag.name == "c" {
                    self.cell(text, tag)
                } else {
                    text.attribute(tag, "ref").map(|(cell, _)| cell)
                };
                if let Some(cell) = cell {
                    text.set_location(|location| location.set_cell(Some(cell)));
                }
                let kind = text.attribute(tag, "t");
                self.cell_type = kind.map_or_else(String::new, |(kind, _)| kind);
            }
            "t" | "f" | "text" => self.content = Content::Text,
            "oddHeader" | "oddFooter" | "evenHeader" | "evenFooter" | "firstHeader"
            | "firstFooter" => {
                text.set_location(|location| location.set_cell(None));
                self.content = Content::Text;
            }
            "v" => {
                self.content = match self.cell_type.as_str() {
                    "s" => Content::Index,
                    "str" => Content::Text,
                    _ => Content::None,
                };
            }
            "instrText" => self.content = Content::Code,
            "tab" => text.add_in_place(tag, b"\t"),
            "br" | "cr" => text.add_in_place(tag, b"\n"),
            "noBreakHyphen" => text.add_in_place(tag, b"-"),
            "fldChar" => self.field(text, tag),
            "fldSimple" => {
                if let Some((code, range)) = text.attribute(tag, "instr")
                    && let Some(uri) = hyperlink(&code)
                {
                    text.link(tag, "w:instr", range, &uri);
                }
            }
            _ => {}
        }
        if !tag.opens {
            self.content = Content::None;
        }
        links(text, tag);
    }

    fn end(&mut self, text: &mut PartText<'_, '_>, name: &str) {
        match name {
            "p" => text.end_paragraph(),
            "t" | "v" | "instrText" => self.content = Content::None,
            "f" | "text" | "oddHeader" | "oddFooter" | "evenHeader" | "evenFooter"
            | "firstHeader" | "firstFooter" | "c" | "si" | "comment" => {
                self.content = Content::None;
                text.prose.end();
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &mut PartText<'_, '_>, range: Range<usize>) {
        match self.content {
            Content::None => {}
            Content::Text => text.add(range),
            Content::Code => {
                let code = text.decoded(range.clone());
                if let Some(field) = self.fields.last_mut() {
                    field.code.push_str(&code);
                    if field.range.is_empty() {
                        field.range.start = range.start;
                    }
                    field.range.end = range.end;
                }
            }
            Content::Index => shared(text, range),
        }
    }
}

impl OpenXml {
    /// Returns the address of a cell. A cell without an address follows the previous one in its row
    /// (18.3.1.4), and a row without a number follows the previous row (18.3.1.73).
    fn cell(&mut self, text: &PartText<'_, '_>, tag: &Tag<'_>) -> Option<String> {
        if let Some((cell, _)) = text.attribute(tag, "r") {
            if let Some((column, row)) = cell_numbers(&cell) {
                (self.column, self.row) = (column, row);
            }
            return Some(cell);
        }
        self.column = self.column.saturating_add(1);
        (self.row > 0).then(|| format!("{}{}", column_name(self.column), self.row))
    }

    /// Reads a mark of a field: its beginning, the end of its code, or its end (17.16.18).
    fn field(&mut self, text: &mut PartText<'_, '_>, tag: &Tag<'_>) {
        let kind = text.attribute(tag, "fldCharType");
        match kind.as_ref().map(|(kind, _)| kind.as_str()) {
            Some("begin") if self.fields.len() < MAX_FIELDS => self.fields.push(Field::default()),
            Some("separate") => {
                if let Some(field) = self.fields.last_mut() {
                    report(text, core::mem::take(field));
                }
            }
            Some("end") => {
                if let Some(field) = self.fields.pop() {
                    report(text, field);
                }
            }
            _ => {}
        }
    }
}

/// Returns the numbers of the column and the row in an address such as `B7`, counting from 1.
fn cell_numbers(cell: &str) -> Option<(u32, u32)> {
    let (letters, row) = cell.split_at(cell.find(|c: char| !c.is_ascii_alphabetic())?);
    let column = letters.bytes().try_fold(0_u32, |number, letter| {
        let digit = u32::from(letter.to_ascii_uppercase() - b'A') + 1;
        number.checked_mul(26)?.checked_add(digit)
    });
    Some((column.filter(|number| *number > 0)?, row.parse().ok()?))
}

/// Returns the name of a column: 1 is `A`, and 27 is `AA`.
fn column_name(number: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = number;
    while let Some(index) = rest.checked_sub(1) {
        letters.extend(char::from_digit(index % 26 + 10, 36));
        rest = index / 26;
    }
    letters.iter().rev().map(char::to_ascii_uppercase).collect()
}

/// Reports the targets outside the document that an element refers to by identifiers such as
/// `r:id`.
fn links(text: &mut PartText<'_, '_>, tag: &Tag<'_>) {
    for (name, value) in &tag.attributes {
        let name = text.slice(name).to_owned();
        if !name.contains(':') || text.part.targets.is_empty() {
            continue;
        }
        let part = text.part;
        let Some(target) = part.targets.get(text.slice(value)) else {
            continue;
        };
        let anchor = text
            .attribute(tag, "anchor")
            .or_else(|| text.attribute(tag, "location"));
        let anchor = anchor.as_ref().map(|(anchor, _)| anchor.as_str());
        let uri = with_place(target.clone(), anchor);
        text.link(tag, &name, value.clone(), &uri);
    }
}

/// Reports the hyperlink of a field.
fn report(text: &mut PartText<'_, '_>, field: Field) {
    if let Some(uri) = hyperlink(&field.code) {
        let place = Place::element_named("w:instrText");
        text.prose.link(field.range, uri.trim().as_bytes(), place);
    }
}

/// Reports the links in the shared string at an index.
fn shared(text: &mut PartText<'_, '_>, range: Range<usize>) {
    let Ok(index) = text.slice(&range).trim().parse() else {
        return;
    };
    let part = text.part;
    let links = part.strings.as_ref().map(|strings| strings.links(index));
    for link in links.unwrap_or_default() {
        if !text.prose.may_use(link.uri.len(), range.start) {
            return;
        }
        let found = Found {
            range: range.clone(),
            position: None,
            kind: link.kind,
            text: Cow::Borrowed(&link.text),
            uri: Cow::Borrowed(&link.uri),
            alternative: link.alternative.as_deref().map(Cow::Borrowed),
            bases: Cow::Borrowed(&*text.prose.bases),
            part: None,
            place: Place::default(),
            marks: link.marks,
        };
        (text.prose.each)(found);
    }
}

#[cfg(test)]
mod tests {
    use super::{cell_numbers, column_name};

    #[test]
    fn columns() {
        for (number, name) in [
            (1, "A"),
            (26, "Z"),
            (27, "AA"),
            (52, "AZ"),
            (702, "ZZ"),
            (703, "AAA"),
            (16_384, "XFD"),
        ] {
            assert_eq!(column_name(number), name);
            assert_eq!(cell_numbers(&format!("{name}7")), Some((number, 7)));
        }
        for cell in ["", "7", "A", "A-1", "ZZZZZZZZZZ1"] {
            assert_eq!(cell_numbers(cell), None, "{cell}");
        }
    }
}
