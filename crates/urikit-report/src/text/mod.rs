//! Results as text, for terminals and for the key `result` of records.

mod audit;
mod explain;
pub mod schemes;
pub mod style;
mod wrap;

use anstyle::Style;
use std::fmt::Write as _;
pub use wrap::{char_width, width, wrap};

/// The layout of a page. Pages have colours, which [`unstyled`](style::unstyled) removes.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// The width, in columns.
    pub width: usize,
    /// True if passwords are shown.
    pub show_secrets: bool,
}

impl Default for Layout {
    /// Returns the layout of pages in records: 80 columns, with masked passwords.
    fn default() -> Self {
        Self {
            width: 80,
            show_secrets: false,
        }
    }
}

impl Layout {
    /// Writes a heading.
    fn heading(self, out: &mut String, text: &str, style: Style) {
        for line in wrap(text, self.width) {
            let _ = writeln!(out, "{style}{line}{style:#}");
        }
    }
}
