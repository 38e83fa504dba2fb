//! A column of the table: the values of one part, with their readers.

use super::super::parts::{Part as Component, Shown};
use crate::command::audit::{Page, cut};
use crate::mask::MASK;
use crate::safe::width;
use crate::style::NOTE;
use urikit_audit::{Audit, Part, Side};

/// Marks what differs from the first reader's value.
pub(super) const DIFFERS: char = '≠';

/// The parts that are columns; paths are one where they differ.
const PARTS: [Part; 4] = [Part::Scheme, Part::Userinfo, Part::Host, Part::Port];

/// A column of the table.
pub(super) struct Column<'v> {
    pub(super) name: &'static str,
    /// The values as shown, each with its readers.
    pub(super) sides: Vec<(String, Side<'v>)>,
    /// Whether a reader that is in no side has a null host.
    pub(super) has_null: bool,
}

/// The columns that have a value.
pub(super) fn columns<'v>(audit: &'v Audit<'_>, page: &Page) -> Vec<Column<'v>> {
    let agreement = audit.agreement();
    let has_null = agreement
        .readings()
        .any(|(_, reading)| reading.has_null_host);
    let mut columns: Vec<_> = PARTS
        .into_iter()
        .map(|part| {
            let sides = agreement.sides(part).into_iter();
            Column {
                name: part.as_str(),
                sides: sides.map(|side| (page.value(part, &side), side)).collect(),
                has_null: has_null && part == Part::Host,
            }
        })
        .filter(|column| column.sides.iter().any(|(_, side)| !side.value.is_empty()))
        .collect();
    if agreement.paths_differ() {
        let shown = Shown::new(audit.input(), page.show_secrets);
        let sides = agreement.paths().into_iter();
        columns.push(Column {
            name: "path",
            sides: sides
                .map(|side| (path(&shown, &side.value), side))
                .collect(),
            has_null: false,
        });
    }
    columns
}

/// A path, safe to print. If it is not a part of the input, a password in it is not recognized.
fn path(shown: &Shown<'_>, path: &str) -> String {
    let part = Component {
        key: "path",
        text: path,
    };
    match shown.range(&part) {
        _ if path.is_empty() => "(empty)".to_owned(),
        Some(_) => cut(shown.unsafe_value(&part)),
        None if shown.masked() == shown.original() => cut(path),
        None => MASK.to_owned(),
    }
}

impl Column<'_> {
    pub(super) fn is_disputed(&self) -> bool {
        self.sides.len() > 1
    }

    /// Whether all readers that accept the input have the same value.
    pub(super) fn is_unanimous(&self) -> bool {
        !self.is_disputed() && !self.has_null
    }

    /// The columns before a value: of the mark, if there is one in this column.
    pub(super) fn gap(&self) -> &'static str {
        if self.is_disputed() { "  " } else { "" }
    }

    pub(super) fn width(&self) -> usize {
        let values = self.sides.iter().map(|(value, _)| width(value));
        let longest = values.max().unwrap_or(0).max(self.name.len());
        longest.max(if self.has_null { 4 } else { 0 }) + self.gap().len()
    }

    /// The value of a reader, `columns` wide.
    pub(super) fn cell(&self, reader: &str, columns: usize) -> String {
        let is_its = |(_, side): &(String, Side<'_>)| side.readers.contains(&reader);
        let side = self.sides.iter().position(is_its);
        let value = side.and_then(|side| self.sides.get(side));
        let value = match value {
            Some((value, _)) => value.as_str(),
            None if self.has_null => "null",
            None => "",
        };
        let padding = " ".repeat(columns.saturating_sub(self.gap().len() + width(value)));
        match side {
            Some(side) if side > 0 => {
                format!("{NOTE}{DIFFERS} {value}{NOTE:#}{padding}")
            }
            _ => format!("{}{value}{padding}", self.gap()),
        }
    }
}
