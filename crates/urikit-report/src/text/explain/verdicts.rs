//! The verdicts of all standards.

use crate::explain::Verdict;
use crate::text::Layout;
use crate::text::style::{BAD, DIM, GOOD, NOTE};
use crate::text::{width, wrap};
use std::fmt::Write as _;

/// The mark after the chosen standard.
const CHOSEN: &str = "  ← --standard";

/// Writes the verdict of each standard.
pub(super) fn verdicts(out: &mut String, verdicts: &[Verdict], layout: Layout) {
    let columns = layout.width - 2;
    for verdict in verdicts {
        let (style, mut mark) = match (verdict.is_valid, verdict.is_generic_valid) {
            (true, _) => (GOOD, "✓"),
            (false, true) => (NOTE, "~"),
            (false, false) => (BAD, "✗"),
        };
        let mut name = verdict.reader.name();
        let chosen = verdict.is_chosen && columns >= 60;
        let room = if chosen {
            columns - 11 - width(CHOSEN)
        } else {
            columns.saturating_sub(11)
        };
        for line in wrap(&verdict.words, room) {
            let _ = writeln!(out, "  {style}{mark}{style:#} {name:9}{line}");
            (mark, name) = (" ", "");
        }
        if chosen {
            out.truncate(out.trim_end().len());
            let _ = writeln!(out, "{DIM}{CHOSEN}{DIM:#}");
        }
    }
}
