//! How a page is laid out.

use crate::columns::columns;
use crate::safe::wrap;
use anstyle::Style;
use std::fmt::Write as _;

/// How a page is laid out.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    /// The width of the page, in columns.
    pub(super) width: usize,
    pub(super) show_secrets: bool,
}

impl Layout {
    /// A page as wide as `COLUMNS` says, or the terminal is, or 80 columns.
    pub(super) fn new(show_secrets: bool) -> Self {
        Self {
            width: columns(std::io::stdout()).unwrap_or(80).clamp(24, 200),
            show_secrets,
        }
    }

    /// Writes a heading.
    pub(super) fn heading(self, out: &mut String, text: &str, style: Style) {
        for line in wrap(text, self.width) {
            let _ = writeln!(out, "{style}{line}{style:#}");
        }
    }
}

/// The start of a text that is longer than `longest` characters, and its length.
pub(super) fn cut(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => {
            let start = text.get(..end).unwrap_or_default();
            format!("{start}… ({} bytes in total)", text.len())
        }
        None => text.to_owned(),
    }
}
