//! The list of components, each with its value, remarks and decoded form.

use crate::explain::{Component, Pairs};
use crate::text::Layout;
use crate::text::style::{self, DIM};
use crate::text::{width, wrap};
use std::fmt::Write as _;

/// Writes the list.
pub(super) fn list(out: &mut String, components: &[Component], layout: Layout) {
    let keys = components.iter().map(|component| component.key.len());
    let indent = keys.max().unwrap_or(0) + 2;
    for component in components {
        let style = style::component(component.key);
        let value = &component.value;
        let room = layout.width.saturating_sub(indent + 2);
        let mut lines = wrap(value, room);
        for line in &mut lines {
            *line = format!("{style}{line}{style:#}");
        }
        let mut remarks = Vec::new();
        if value.is_empty() {
            lines = vec![format!("{DIM}(empty){DIM:#}")];
        }
        if let Some(remark) = &component.remark {
            // A short remark fits on the same line as the value.
            match lines.as_mut_slice() {
                [line] if !value.is_empty() && width(value) + 2 + width(remark) <= room => {
                    let _ = write!(line, "  {DIM}{remark}{DIM:#}");
                }
                _ => remarks.push(remark),
            }
        }
        remarks.extend(&component.decoded);
        for remark in remarks {
            let wrapped = wrap(remark, room);
            lines.extend(wrapped.iter().map(|line| format!("{DIM}{line}{DIM:#}")));
        }
        let mut key = component.key;
        for line in lines {
            let _ = writeln!(out, "  {style}{key:indent$}{style:#}{line}");
            key = "";
        }
        if let Some(table) = &component.pairs {
            pairs(out, table, indent + 2, layout);
        }
    }
}

/// Writes a query's pairs as a table of decoded names and values.
fn pairs(out: &mut String, pairs: &Pairs, indent: usize, layout: Layout) {
    let room = layout.width.saturating_sub(indent + 2);
    let names = pairs.rows.iter().map(|(name, _)| width(name));
    let column = names.max().unwrap_or(0).min(room / 3).max(8);
    for (name, value) in &pairs.rows {
        let names_lines = wrap(name, column);
        let value = match value {
            Some(value) => wrap(value, room.saturating_sub(column + 2)),
            None => vec!["(no value)".to_owned()],
        };
        for row in 0..names_lines.len().max(value.len()) {
            let name = names_lines.get(row).map_or("", String::as_str);
            let value = value.get(row).map_or("", String::as_str);
            let padding = " ".repeat(column.saturating_sub(width(name)) + 2);
            let line = format!("{:indent$}{DIM}{name}{DIM:#}{padding}{value}", "");
            let _ = writeln!(out, "{}", line.trim_end());
        }
    }
    if pairs.more > 0 {
        let more = pairs.more;
        let _ = writeln!(out, "{:indent$}{DIM}… and {more} more pairs{DIM:#}", "");
    }
}
