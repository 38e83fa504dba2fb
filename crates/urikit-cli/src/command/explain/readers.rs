//! The results of several parsers: a table that marks differences, or a list on narrow pages.

use super::list::{Part as Component, Shown};
use super::page::Layout;
use crate::command::audit::{Page, cut};
use crate::mask::{MASK, Masked};
use crate::reading::Failure;
use crate::safe::{width, wrap};
use crate::style::{BAD, DIM, HEADING, NOTE};
use std::fmt::Write as _;
use urikit_audit::{Audit, Part, Rejection, Severity, Side};

impl Layout {
    /// Writes the findings.
    pub(super) fn findings(self, out: &mut String, audit: &Audit<'_>) {
        if audit.findings().is_empty() {
            return;
        }
        self.heading(out, "Findings", HEADING);
        let masked = Masked::new(audit.input(), self.show_secrets);
        self.audit_page().findings(out, audit, &masked);
        out.push('\n');
    }

    /// Returns the settings of the text form of an audit.
    const fn audit_page(self) -> Page {
        Page {
            width: self.width,
            fail_on: Severity::High,
            show_secrets: self.show_secrets,
        }
    }

    /// Writes the results of the parsers.
    pub(super) fn readers(self, out: &mut String, audit: &Audit<'_>) {
        let page = self.audit_page();
        let agreement = audit.agreement();
        let disputed: Vec<_> = agreement.disputed().iter().map(Part::as_str).collect();
        let (heading, style) = match disputed.as_slice() {
            [] if agreement.voices().iter().all(|voice| voice.outcome.is_ok()) => {
                ("Readers agree".to_owned(), HEADING)
            }
            [] => ("Readers that accept it agree".to_owned(), HEADING),
            parts => (format!("Readers disagree about {}", list(parts)), NOTE),
        };
        out.push('\n');
        self.heading(out, &heading, style);
        let columns = columns(audit, &page);
        if !self.table(out, audit, &columns) {
            self.list(out, audit, &columns, &page);
        }
        if !disputed.is_empty() || agreement.paths_differ() {
            let legend =
                format!("{DIFFERS} differs from the first reader, or between the standards");
            for line in wrap(&legend, self.width.saturating_sub(2)) {
                let _ = writeln!(out, "  {DIM}{line}{DIM:#}");
            }
        }
    }

    /// Writes a row for each reader. Returns false if the page is too narrow.
    fn table(self, out: &mut String, audit: &Audit<'_>, columns: &[Column<'_>]) -> bool {
        let voices = audit.agreement().voices();
        let same = columns.iter().all(Column::is_unanimous);
        let is_one = same && voices.iter().all(|voice| voice.outcome.is_ok());
        let all = format!("all {}", voices.len());
        let names = voices.iter().map(|voice| voice.reader.len());
        let indent = if is_one {
            all.len()
        } else {
            names.max().unwrap_or(0)
        } + 4;
        let widths: Vec<_> = columns.iter().map(Column::width).collect();
        let needed = widths.iter().map(|width| width + 2).sum::<usize>() + indent;
        if needed > self.width + 2 {
            return false;
        }
        let mut line = format!("{:indent$}", "");
        for (column, width) in columns.iter().zip(&widths) {
            let gap = column.gap();
            let _ = write!(line, "{gap}{:1$}", column.name, width + 2 - gap.len());
        }
        if !columns.is_empty() {
            let _ = writeln!(out, "{DIM}{}{DIM:#}", line.trim_end());
        }
        for voice in voices {
            let name = if is_one { all.as_str() } else { voice.reader };
            let _ = write!(out, "  {name:0$}", indent - 2);
            if let Err(rejection) = &voice.outcome {
                let mark = rejection_mark(audit, voice.reader);
                let text = self.rejection(audit.input(), rejection);
                // The mark is two columns wide.
                let room = self.width.saturating_sub(indent + 2);
                let lines = wrap(&text, room).join(&format!("\n{:1$}", "", indent));
                let _ = writeln!(out, "{mark}{BAD}{lines}{BAD:#}");
                continue;
            }
            let mut line = String::new();
            if columns.is_empty() {
                line.push_str("accepts it, but only as a path");
            }
            for (column, width) in columns.iter().zip(&widths) {
                line.push_str(&column.cell(voice.reader, *width + 2));
            }
            let _ = writeln!(out, "{}", line.trim_end());
            if is_one {
                break;
            }
        }
        true
    }

    /// Writes the values of each part. If values differ, each value is followed by the names of the
    /// parsers that return it.
    fn list(self, out: &mut String, audit: &Audit<'_>, columns: &[Column<'_>], page: &Page) {
        let rejecting = audit.agreement().sides(Part::Validity);
        if rejecting.iter().any(|side| side.value == "rejected") {
            let is_disputed = audit.agreement().disputed().contains(Part::Validity);
            let mark = if is_disputed { DIFFERS } else { ' ' };
            let sides = rejecting
                .iter()
                .map(|side| (side.value.to_string(), side.readers.join(", ")));
            page.part(out, mark, "validity", &sides.collect::<Vec<_>>());
        }
        let null: Vec<_> = audit
            .agreement()
            .readings()
            .filter(|(_, reading)| reading.has_null_host)
            .map(|(reader, _)| reader)
            .collect();
        for column in columns {
            let mark = if column.is_disputed() { DIFFERS } else { ' ' };
            match column.sides.as_slice() {
                [(value, _)] if !column.has_null => {
                    let room = self.width.saturating_sub(12);
                    let mut name = column.name;
                    for line in wrap(value, room) {
                        let _ = writeln!(out, "  {HEADING}{name:10}{HEADING:#}{line}");
                        name = "";
                    }
                }
                sides => {
                    let all = sides.iter();
                    let all = all.map(|(value, side)| (value.clone(), side.readers.join(", ")));
                    let null = column
                        .has_null
                        .then(|| ("null".to_owned(), null.join(", ")));
                    page.part(out, mark, column.name, &all.chain(null).collect::<Vec<_>>());
                }
            }
        }
    }

    /// Describes why a reader rejects the input, without revealing any part of a password.
    fn rejection(self, input: &str, rejection: &Rejection) -> String {
        let hides = |offset| Shown::new(input, self.show_secrets).hides(offset);
        match rejection {
            _ if rejection.offset().is_some_and(hides) => "rejects it".to_owned(),
            Rejection::Rfc(error) => format!("rejects it: {}", Failure::Rfc(*error).summary()),
            Rejection::Java(error) => format!("rejects it: expected {}", error.expected()),
            other => format!("rejects it: {other}"),
        }
    }
}

/// Returns the mark for a disputed rejection.
fn rejection_mark(audit: &Audit<'_>, reader: &str) -> String {
    let is_disputed = audit.agreement().disputed().contains(Part::Validity)
        && ["rfc3986", "whatwg"].contains(&reader);
    if is_disputed {
        format!("{NOTE}{DIFFERS}{NOTE:#} ")
    } else {
        String::new()
    }
}

/// Joins words with commas and `and`.
fn list(words: &[&str]) -> String {
    match words.split_last() {
        None => String::new(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// Marks values that differ from the first reader's.
const DIFFERS: char = '≠';

/// The parts that always have a column. The path has one only if parsers disagree about it.
const PARTS: [Part; 4] = [Part::Scheme, Part::Userinfo, Part::Host, Part::Port];

/// A column of the table.
struct Column<'v> {
    name: &'static str,
    /// The displayed values, with the parsers that return them.
    sides: Vec<(String, Side<'v>)>,
    /// True if a parser returns a null host. `sides` does not include these parsers.
    has_null: bool,
}

/// Returns the columns that are not empty.
fn columns<'v>(audit: &'v Audit<'_>, page: &Page) -> Vec<Column<'v>> {
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

/// Makes a path safe to print. A path that is not part of the input is masked completely if the
/// input has a secret, because passwords are only recognized in the input.
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
    /// Returns true if the values differ.
    fn is_disputed(&self) -> bool {
        self.sides.len() > 1
    }

    /// Returns true if all readers that accept the input agree.
    fn is_unanimous(&self) -> bool {
        !self.is_disputed() && !self.has_null
    }

    /// Returns the gap before a value. If this column has marks, the gap has room for one.
    fn gap(&self) -> &'static str {
        if self.is_disputed() { "  " } else { "" }
    }

    /// Returns the width in columns.
    fn width(&self) -> usize {
        let values = self.sides.iter().map(|(value, _)| width(value));
        let longest = values.max().unwrap_or(0).max(self.name.len());
        longest.max(if self.has_null { 4 } else { 0 }) + self.gap().len()
    }

    /// Formats the value from a reader, padded to `columns`.
    fn cell(&self, reader: &str, columns: usize) -> String {
        let has_reader = |(_, side): &(String, Side<'_>)| side.readers.contains(&reader);
        let side = self.sides.iter().position(has_reader);
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
