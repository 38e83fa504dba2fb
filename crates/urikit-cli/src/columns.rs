//! The width of pages and tables.

use std::os::fd::AsFd;

/// Returns `COLUMNS` from the environment, or the width of the terminal that `stream` writes to.
/// Returns `None` for a pipe or file, because its content must not depend on the width of a
/// terminal.
pub(crate) fn columns(stream: impl AsFd) -> Option<usize> {
    let given = std::env::var("COLUMNS").ok();
    given
        .and_then(|text| text.parse().ok())
        .filter(|columns| *columns > 0)
        .or_else(|| terminal_size::terminal_size_of(stream).map(|(width, _)| width.0.into()))
}
