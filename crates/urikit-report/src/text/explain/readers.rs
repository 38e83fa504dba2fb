//! The results of several parsers: a table that marks differences, or a list on narrow pages.

use crate::audit;
use crate::explain::{Cell, Column, ReaderTable, Side};
use crate::mask::Masked;
use crate::text::Layout;
use crate::text::style::{BAD, DIM, HEADING, NOTE};
use crate::text::{width, wrap};
use std::fmt::Write as _;
use urikit_audit::Audit;

impl Layout {
    /// Writes the findings.
    pub(super) fn findings(self, out: &mut String, audit: &Audit<'_>) {
        if audit.findings().is_empty() {
            return;
        }
        self.heading(out, "Findings", HEADING);
        let masked = Masked::new(audit.input(), self.show_secrets);
        self.finding_lines(out, &audit::findings(audit, &masked));
        out.push('\n');
    }

    /// Writes the results of the parsers.
    pub(super) fn readers(self, out: &mut String, table: &ReaderTable) {
        let style = if table.disputed.is_empty() {
            HEADING
        } else {
            NOTE
        };
        out.push('\n');
        self.heading(out, &table.heading(), style);
        if !self.table(out, table) {
            self.list(out, table);
        }
        if !table.disputed.is_empty() || table.paths_differ {
            let legend =
                format!("{DIFFERS} differs from the first reader, or between the standards");
            for line in wrap(&legend, self.width.saturating_sub(2)) {
                let _ = writeln!(out, "  {DIM}{line}{DIM:#}");
            }
        }
    }

    /// Writes a row for each reader. Returns false if the page is too narrow for the table.
    fn table(self, out: &mut String, table: &ReaderTable) -> bool {
        let is_one = table.is_unanimous() && table.is_accepted();
        let all = format!("all {}", table.rows.len());
        let names = table.rows.iter().map(|row| row.reader.len());
        let indent = if is_one {
            all.len()
        } else {
            names.max().unwrap_or(0)
        } + 4;
        let widths: Vec<_> = table.columns.iter().map(column_width).collect();
        let needed = widths.iter().map(|width| width + 2).sum::<usize>() + indent;
        if needed > self.width + 2 {
            return false;
        }
        let mut line = format!("{:indent$}", "");
        for (column, width) in table.columns.iter().zip(&widths) {
            let gap = gap(column);
            let _ = write!(line, "{gap}{:1$}", column.name, width + 2 - gap.len());
        }
        if !table.columns.is_empty() {
            let _ = writeln!(out, "{DIM}{}{DIM:#}", line.trim_end());
        }
        for row in &table.rows {
            let name = if is_one { all.as_str() } else { row.reader };
            let _ = write!(out, "  {name:0$}", indent - 2);
            let cells = match &row.cells {
                Ok(cells) => cells,
                Err(why) => {
                    let mark = if row.is_disputed {
                        format!("{NOTE}{DIFFERS}{NOTE:#} ")
                    } else {
                        String::new()
                    };
                    // The mark is two columns wide.
                    let room = self.width.saturating_sub(indent + 2);
                    let lines = wrap(why, room).join(&format!("\n{:1$}", "", indent));
                    let _ = writeln!(out, "{mark}{BAD}{lines}{BAD:#}");
                    continue;
                }
            };
            let mut line = String::new();
            if cells.is_empty() {
                line.push_str("accepts it, but only as a path");
            }
            for ((cell, column), width) in cells.iter().zip(&table.columns).zip(&widths) {
                line.push_str(&padded(cell, gap(column), *width + 2));
            }
            let _ = writeln!(out, "{}", line.trim_end());
            if is_one {
                break;
            }
        }
        true
    }

    /// Writes the values of each part of the reference, as the parsers see them. If values differ,
    /// each value is followed by the names of the parsers that return it.
    fn list(self, out: &mut String, table: &ReaderTable) {
        let pair = |side: &Side| (side.value.clone(), side.readers.join(", "));
        if !table.validity.is_empty() {
            let is_disputed = table.disputed.contains(&"validity");
            let mark = if is_disputed { DIFFERS } else { ' ' };
            let sides: Vec<_> = table.validity.iter().map(pair).collect();
            self.part(out, mark, "validity", &sides);
        }
        for column in &table.columns {
            let mark = if column.is_disputed() { DIFFERS } else { ' ' };
            match column.sides.as_slice() {
                [side] if column.null.is_empty() => {
                    let room = self.width.saturating_sub(12);
                    let mut name = column.name;
                    for line in wrap(&side.value, room) {
                        let _ = writeln!(out, "  {HEADING}{name:10}{HEADING:#}{line}");
                        name = "";
                    }
                }
                sides => {
                    let null = ("null".to_owned(), column.null.join(", "));
                    let null = Some(null).filter(|_| !column.null.is_empty());
                    let sides: Vec<_> = sides.iter().map(pair).chain(null).collect();
                    self.part(out, mark, column.name, &sides);
                }
            }
        }
    }
}

/// Marks values that differ from the first reader's.
const DIFFERS: char = '≠';

/// Returns the gap before a value. If the column has marks, the gap has room for one.
fn gap(column: &Column) -> &'static str {
    if column.is_disputed() { "  " } else { "" }
}

/// Returns the width of a column.
fn column_width(column: &Column) -> usize {
    let values = column.sides.iter().map(|side| width(&side.value));
    let longest = values.max().unwrap_or(0).max(column.name.len());
    let null = if column.null.is_empty() {
        0
    } else {
        "null".len()
    };
    longest.max(null) + gap(column).len()
}

/// Formats a cell, padded to `columns`.
fn padded(cell: &Cell, gap: &str, columns: usize) -> String {
    let value = &cell.value;
    let padding = " ".repeat(columns.saturating_sub(gap.len() + width(value)));
    if cell.differs {
        format!("{NOTE}{DIFFERS} {value}{NOTE:#}{padding}")
    } else {
        format!("{gap}{value}{padding}")
    }
}
