//! The results of several parsers as a table.

use super::Explanation;
use super::shown::{Part as Component, Shown};
use crate::audit::{cut, value};
use crate::mask::MASK;
use crate::reading::Failure;
use urikit_audit::{Audit, Part, Rejection};

/// The results of several parsers.
pub struct ReaderTable {
    /// The names of the parts on which the parsers disagree.
    pub disputed: Vec<&'static str>,
    /// True if the paths differ, which does not count as a disagreement.
    pub paths_differ: bool,
    /// The parts for which at least one parser returns a value.
    pub columns: Vec<Column>,
    /// A row for each parser.
    pub rows: Vec<Row>,
    /// The parsers that accept the input, and those that reject it. Empty if no parser rejects the
    /// input.
    pub validity: Vec<Side>,
}

/// A part of the reference, with the value that each parser returns.
pub struct Column {
    /// The name of the part.
    pub name: &'static str,
    /// The different values. The first value comes from the first parser that accepts the input.
    pub sides: Vec<Side>,
    /// The parsers that return a null host, which are not included in `sides`.
    pub null: Vec<&'static str>,
}

/// A value, with the parsers that return it.
pub struct Side {
    /// The value; `(none)` if the part is absent.
    pub value: String,
    /// The names of the parsers.
    pub readers: Vec<&'static str>,
}

/// The results of one parser.
pub struct Row {
    /// The name of the parser.
    pub reader: &'static str,
    /// A cell for each column, or the reason why the parser rejects the input.
    pub cells: Result<Vec<Cell>, String>,
    /// True if a rejection is a disagreement between the standards.
    pub is_disputed: bool,
}

/// The value that one parser returns for one part.
pub struct Cell {
    /// The value.
    pub value: String,
    /// True if the value differs from that of the first parser.
    pub differs: bool,
}

impl ReaderTable {
    /// Returns true if all parsers accept the input.
    pub fn is_accepted(&self) -> bool {
        self.rows.iter().all(|row| row.cells.is_ok())
    }

    /// Returns true if the parsers that accept the input return the same values.
    pub fn is_unanimous(&self) -> bool {
        self.columns
            .iter()
            .all(|column| !column.is_disputed() && column.null.is_empty())
    }

    /// Returns a heading, such as `Readers disagree about userinfo and host`.
    pub fn heading(&self) -> String {
        match self.disputed.as_slice() {
            [] if self.is_accepted() => "Readers agree".to_owned(),
            [] => "Readers that accept it agree".to_owned(),
            parts => format!("Readers disagree about {}", list(parts)),
        }
    }
}

impl Column {
    /// Returns true if the values differ.
    pub fn is_disputed(&self) -> bool {
        self.sides.len() > 1
    }

    /// Returns the cell of a parser that accepts the input.
    fn cell(&self, reader: &str) -> Cell {
        let side = self
            .sides
            .iter()
            .position(|side| side.readers.contains(&reader));
        let value = match side.and_then(|side| self.sides.get(side)) {
            Some(side) => side.value.clone(),
            None if self.null.is_empty() => String::new(),
            None => "null".to_owned(),
        };
        let differs = side.is_some_and(|side| side > 0);
        Cell { value, differs }
    }
}

impl Explanation<'_> {
    /// Returns the results of the parsers, or `None` if the reference is not UTF-8.
    pub fn readers(&self, show_secrets: bool) -> Option<ReaderTable> {
        let audit = self.audit.as_ref()?;
        let agreement = audit.agreement();
        let columns = columns(audit, show_secrets);
        let is_validity_disputed = agreement.disputed().contains(Part::Validity);
        let shown = Shown::new(audit.input(), show_secrets);
        let rows = agreement.voices().iter().map(|voice| Row {
            reader: voice.reader,
            cells: match &voice.outcome {
                Ok(_) => Ok(columns
                    .iter()
                    .map(|column| column.cell(voice.reader))
                    .collect()),
                Err(rejection) => Err(why_rejected(&shown, rejection)),
            },
            is_disputed: is_validity_disputed && ["rfc3986", "whatwg"].contains(&voice.reader),
        });
        let rows = rows.collect();
        let validity = agreement.sides(Part::Validity).into_iter();
        let validity: Vec<_> = validity
            .map(|side| Side {
                value: side.value.to_string(),
                readers: side.readers,
            })
            .collect();
        let is_rejected = validity.iter().any(|side| side.value == "rejected");
        Some(ReaderTable {
            disputed: agreement.disputed().iter().map(Part::as_str).collect(),
            paths_differ: agreement.paths_differ(),
            columns,
            rows,
            validity: if is_rejected { validity } else { Vec::new() },
        })
    }
}

/// Describes why a parser rejects the input, without revealing any part of a password.
fn why_rejected(shown: &Shown<'_>, rejection: &Rejection) -> String {
    match rejection {
        _ if rejection.offset().is_some_and(|offset| shown.hides(offset)) => {
            "rejects it".to_owned()
        }
        Rejection::Rfc(error) => format!("rejects it: {}", Failure::Rfc(*error).summary()),
        Rejection::Java(error) => format!("rejects it: expected {}", error.expected()),
        other => format!("rejects it: {other}"),
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

/// The parts that always have a column. The path has a column only if parsers disagree about it.
const PARTS: [Part; 4] = [Part::Scheme, Part::Userinfo, Part::Host, Part::Port];

/// Returns the columns that are not empty.
fn columns(audit: &Audit<'_>, show_secrets: bool) -> Vec<Column> {
    let agreement = audit.agreement();
    let null = agreement
        .readings()
        .filter(|(_, reading)| reading.has_null_host);
    let null: Vec<_> = null.map(|(reader, _)| reader).collect();
    let mut columns = Vec::new();
    for part in PARTS {
        let sides = agreement.sides(part);
        if sides.iter().all(|side| side.value.is_empty()) {
            continue;
        }
        let sides = sides.into_iter().map(|side| Side {
            value: value(part, &side, show_secrets),
            readers: side.readers,
        });
        columns.push(Column {
            name: part.as_str(),
            sides: sides.collect(),
            null: if part == Part::Host {
                null.clone()
            } else {
                Vec::new()
            },
        });
    }
    if agreement.paths_differ() {
        let shown = Shown::new(audit.input(), show_secrets);
        let sides = agreement.paths().into_iter().map(|side| Side {
            value: path(&shown, &side.value),
            readers: side.readers,
        });
        columns.push(Column {
            name: "path",
            sides: sides.collect(),
            null: Vec::new(),
        });
    }
    columns
}

/// Makes a path safe to print. A path that is not part of the input is masked completely if the
/// input has a secret, because passwords are recognized only in the input.
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
