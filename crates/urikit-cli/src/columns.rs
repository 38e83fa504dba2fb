//! The width of what people read.

/// The number of columns that `COLUMNS` gives, or else the terminal's; `None` without either.
pub(crate) fn columns() -> Option<usize> {
    std::env::var("COLUMNS")
        .ok()
        .and_then(|text| text.parse().ok())
        .filter(|columns| *columns > 0)
        .or_else(|| terminal_size::terminal_size().map(|(columns, _)| usize::from(columns.0)))
}
