//! The table of schemes, and the page of one scheme.

use crate::schemes::{is_fetched, is_read};
use crate::text::style::{DIM, HEADING};
use crate::text::{width, wrap};
use std::fmt::Write as _;
use urikit_schemes::{Denotes, Facts, Userinfo};

/// Returns the first four cells of a scheme's row.
fn cells(facts: &Facts<'_>) -> [String; 4] {
    let port = facts.port.map_or(String::new(), |port| port.to_string());
    [
        facts.name.to_owned(),
        port,
        facts.denotes.to_string(),
        facts.status.to_string(),
    ]
}

/// The headings of the first four cells.
const HEADINGS: [&str; 4] = ["NAME", "PORT", "KIND", "STATUS"];

/// Writes one row per scheme. If the documents do not fit into a column, they follow on the next
/// line, after the status.
pub fn table(out: &mut String, known: &[Facts<'_>], columns: usize) {
    let widths = Widths::new(known, columns);
    widths.cells(out, HEADINGS, HEADING);
    out.push_str(if widths.is_beside {
        "  DOCUMENTS\n"
    } else {
        "\n  STATUS; DOCUMENTS\n"
    });
    for facts in known {
        widths.row(out, facts);
    }
}

/// The column widths of a table.
pub struct Widths {
    /// The width of the table.
    columns: usize,
    cells: [usize; 4],
    /// The width of the first four columns with the spaces after them.
    left: usize,
    /// True if the table has a column for the documents.
    is_beside: bool,
}

impl Widths {
    /// Computes the column widths of a table of schemes that is `columns` wide.
    pub fn new(known: &[Facts<'_>], columns: usize) -> Self {
        const NARROWEST: usize = 20;
        let mut widths = HEADINGS.map(str::len);
        for facts in known {
            for (column, cell) in widths.iter_mut().zip(cells(facts)) {
                *column = (*column).max(width(&cell));
            }
        }
        let left = widths.iter().map(|width| width + 2).sum();
        Self {
            columns,
            cells: widths,
            left,
            is_beside: columns >= left + NARROWEST,
        }
    }

    /// Writes the first cells of a row.
    fn cells(&self, out: &mut String, cells: [&str; 4], style: anstyle::Style) {
        let is_beside = self.is_beside;
        let shown = if is_beside { 4 } else { 3 };
        for (at, (cell, width)) in cells.into_iter().zip(self.cells).take(shown).enumerate() {
            let fill = width - cell.len().min(width);
            let _ = match at {
                0 => write!(out, "{style}{cell}{style:#}{:fill$}", ""),
                1 => write!(out, "  {cell:>width$}"),
                _ if at + 1 == shown && !is_beside => write!(out, "  {cell}"),
                _ => write!(out, "  {cell:width$}"),
            };
        }
    }

    /// Writes the row of a scheme.
    pub fn row(&self, out: &mut String, facts: &Facts<'_>) {
        let cells = cells(facts);
        let style = if is_read(*facts) {
            HEADING
        } else {
            anstyle::Style::new()
        };
        self.cells(out, cells.each_ref().map(String::as_str), style);
        let mut texts = facts.specifications.join("; ");
        let mut indent = self.left;
        if self.is_beside {
            out.push_str("  ");
        } else {
            texts = format!("{}; {texts}", facts.status);
            indent = 2;
            out.push_str("\n  ");
        }
        for (at, line) in wrap(&texts, self.columns.saturating_sub(indent))
            .iter()
            .enumerate()
        {
            if at > 0 {
                let _ = write!(out, "{:indent$}", "");
            }
            let _ = writeln!(out, "{DIM}{line}{DIM:#}");
        }
    }
}

/// Writes the page for one scheme.
pub fn page(out: &mut String, facts: Facts<'_>, columns: usize) {
    let heading = match facts.title {
        "" => facts.name.to_owned(),
        title => format!("{}: {title}", facts.name),
    };
    for line in wrap(&heading, columns) {
        let _ = writeln!(out, "{HEADING}{line}{HEADING:#}");
    }
    let userinfo = match facts.userinfo {
        Userinfo::None => "none",
        Userinfo::User => "a user",
        Userinfo::UserAndPassword => "a user and a password",
        _ => facts.userinfo.as_str(),
    };
    let denotes = match facts.denotes {
        Denotes::Object => "an object that a client fetches",
        Denotes::Service => "a service that a person uses",
        Denotes::Name => "a name, not a location",
        _ => facts.denotes.as_str(),
    };
    let yes = |is| if is { "yes" } else { "no" };
    let port = facts
        .port
        .map_or(String::from("none"), |port| port.to_string());
    let mut rows = vec![
        ("status", facts.status.as_str()),
        ("port", &port),
        ("userinfo", userinfo),
        ("hierarchical", yes(facts.is_hierarchical)),
        ("denotes", denotes),
        ("interpreted", yes(is_read(facts))),
        ("fetched", yes(is_fetched(facts))),
    ];
    let mut key = "documents";
    for text in facts.specifications {
        rows.push((key, text));
        key = "";
    }
    let indent = 2 + "hierarchical".len() + 2;
    for (key, value) in rows {
        let mut key = key;
        for line in wrap(value, columns.saturating_sub(indent)) {
            let _ = writeln!(out, "  {DIM}{key:12}{DIM:#}  {line}");
            key = "";
        }
    }
}
