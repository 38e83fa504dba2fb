//! How wide what people read may be.

/// The columns that `COLUMNS` names, else those of the terminal; `None` where there is neither.
pub(crate) fn columns() -> Option<usize> {
    std::env::var("COLUMNS")
        .ok()
        .and_then(|text| text.parse().ok())
        .filter(|columns| *columns > 0)
        .or_else(|| terminal_size::terminal_size().map(|(columns, _)| usize::from(columns.0)))
}
